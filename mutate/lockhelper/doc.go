// Package lockhelper gives a function, which takes no lock although only some of its
// callers hold the one of what it uses, that lock, and a variant for these callers.
//
//	func (p *Peer) silence(now         func (p *Peer) silence(now
//	    time.Time) time.Duration {         time.Time) time.Duration {
//	  return now.Sub(p.last)             p.mu.Lock()
//	}                                    defer p.mu.Unlock()
//	                                     return p.silenceLocked(now)
//	                                   }
//	                               →
//	                                   // silenceLocked is silence for callers that hold p.mu.
//	                                   func (p *Peer) silenceLocked(now
//	                                       time.Time) time.Duration {
//	                                     return now.Sub(p.last)
//	                                   }
//
//	func (p *Peer) beat(now            func (p *Peer) beat(now
//	    time.Time) {                       time.Time) {
//	  p.mu.Lock()                        p.mu.Lock()
//	  defer p.mu.Unlock()                defer p.mu.Unlock()
//	  gap := p.silence(now)              gap := p.silenceLocked(now)
//
// It mends races of helpers that were written for callers with the lock, and are called
// without it, too. With the lock alone (package addlock) the first callers would wait for
// themselves; a lock around each other call (package lockcaller) has to be repeated wherever
// the helper is called next. CORE has no counterpart, since Java's monitors can be
// taken twice.
//
// The lock is one of the value that the function uses: its receiver's, a parameter's, or the
// package's. The read side of an RWMutex is taken where the function, and what it calls,
// only reads.
//
// Left out are functions
//   - that take the lock, or call what takes it, or may wait for others,
//   - of which it is not certain at each call whether the lock is held,
//   - that are generic or methods of values, that have nameless parameters, or whose
//     variant's name is taken,
//   - all of whose callers hold the lock, or none.
package lockhelper
