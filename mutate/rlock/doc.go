// Package rlock locks an RWMutex for writing instead of reading, or for reading
// instead of writing.
//
// Form write makes a section of the read side one of the write side. It mends
// data races between sections that hold the lock for reading and change what it
// guards all the same, as a cache does that counts or fills itself in its
// getter:
//
//	c.mu.RLock()              // c.hits is changed here: for readers only it is not safe
//	defer c.mu.RUnlock()      c.mu.Lock()
//	c.hits++              →   defer c.mu.Unlock()
//	return c.values[key]      c.hits++
//	                          return c.values[key]
//
// Since those that read and write so exclude one another only when all write
// under the write side, a composite edit changes all sections of one lock that
// do. Tu et al., Understanding Real-World Concurrency Bugs in Go (ASPLOS 2019),
// count such misuse of RWMutex among the causes of data races.
//
// Form read makes a section that only reads one of the read side. It mends
// goroutines that wait, with the lock held for reading, for one that wants to
// read, too, and takes the write side.
//
// The write side is offered where the section changes a shared variable or calls
// a function of the program, which may; the read side where the section changes
// nothing but local variables, calls nothing of the program and no method but
// package sync's, and either waits for others or is waited for.
//
// Refused are sections inside another on the same lock, be it a caller's, and
// for the write side sections that take the lock again: Go's locks cannot be
// upgraded.
package rlock
