// Package rlock locks an RWMutex for writing instead of reading, or for reading
// instead of writing.
//
// Form write makes a section of the read side one of the write side. It mends
// data races between sections that hold the lock for reading and change what it
// guards all the same, as a cache does that counts or fills itself in its
// getter:
//
//	c.mu.RLock()              // c.hits is changed here: the read lock is not enough
//	defer c.mu.RUnlock()      c.mu.Lock()
//	c.hits++              →   defer c.mu.Unlock()
//	return c.values[key]      c.hits++
//	                          return c.values[key]
//
// Sections that write exclude one another only if all of them take the write
// side, so a composite edit changes all sections of one lock that write, or that call
// what changes a field beside the lock. Tu et
// al., Understanding Real-World Concurrency Bugs in Go (ASPLOS 2019), count
// such misuse of RWMutex among the causes of data races.
//
// Form read gives a section that only reads the read side. It mends goroutines
// that hold the lock for reading and wait for another one, which only wants to
// read, too, but takes the write side.
//
// Form upgrade does away with the section of the write side inside one of the read
// side, which waits for all readers to leave, itself among them:
//
//	c.mu.RLock()                  c.mu.Lock()
//	defer c.mu.RUnlock()          defer c.mu.Unlock()
//	if v, ok := c.m[k]; ok {      if v, ok := c.m[k]; ok {
//		return v                      return v
//	}                         →   }
//	c.mu.Lock()                   v := load(k)
//	defer c.mu.Unlock()           c.m[k] = v
//	v := load(k)                  return v
//	c.m[k] = v
//	return v
//
// The write side is offered where the section changes a shared variable, or calls
// a function of the program, which may change one. The read side is offered where
// the section changes local variables only, calls no function of the program and
// no method but package sync's, and either waits for others or is waited for.
//
// Refused are sections inside another on the same lock, a caller's too, and,
// but for the form upgrade, sections that take the lock again. Where a callee
// does, package calllocked mends it.
package rlock
