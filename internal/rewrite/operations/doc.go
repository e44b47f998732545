// Package operations finds the concurrent operations of a program: what goroutines do to
// synchronise and to meet, and their accesses to variables.
//
// [Walk] visits what is below a node in the order of the source, outer operations before
// those in their operands, and tells each by its types, whatever it is written like:
//
//	mu.Lock()             Lock, on mu
//	s.Lock()              Lock, on s by way of its embedded field
//	defer n.Add(1)        AtomicWrite, on n, Deferred
//	go wg.Wait()          Go; then GroupWait, on wg, Started
//	unlock := mu.Unlock   Unlock, on mu, as a Value
//	v, ok := <-c          Receive, on c, in a Pair
//	for v := range c      Range, on c
//	x.f += y              Update, on x.f, by y
//	m[k] = v              Read of m; MapWrite, on m
//
// A call of a function of package sync/atomic is one as well. So is a call of what other
// packages lock like a mutex (methods Lock and Unlock), or of golang.org/x/sync.
//
// # Accesses
//
// An access is that of a place in memory that has a variable: the variable itself, a
// field, an element of an array or slice, what a pointer points to. Pointers on the way
// there are read: p.next.n reads p.next, and n of that. The address of a place is no
// access. A map counts as one place, apart from the variable in which it is.
//
// What is not evaluated (the operand of len of an array) is not visited.
package operations
