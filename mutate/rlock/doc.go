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
// Sections that write exclude one another only if all of them take the write
// side, so a composite edit changes all sections of one lock that write. Tu et
// al., Understanding Real-World Concurrency Bugs in Go (ASPLOS 2019), count
// such misuse of RWMutex among the causes of data races.
//
// Form read gives a section that only reads the read side. It mends goroutines
// that hold the lock for reading and wait for another one, which only wants to
// read, too, but takes the write side.
//
// The write side is offered where the section changes a shared variable, or calls
// a function of the program, which may change one. The read side is offered where
// the section changes local variables only, calls no function of the program and
// no method but package sync's, and either waits for others or is waited for.
//
// Refused are sections inside another on the same lock, a caller's too, and
// for the write side sections that take the lock again: Go's locks cannot be
// upgraded.
package rlock
