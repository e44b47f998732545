// Package lockread reads a shared variable under a lock, into a variable that the
// statement then uses without it:
//
//	                                         // l.formatter is also changed by SetFormatter
//	                                         l.mu.Lock()
//	                                         formatter := l.formatter
//	                                         l.mu.Unlock()
//	data, err := l.formatter.Format(e)   →   data, err := formatter.Format(e)
//
// It mends races with a reader that goes on to do much with what it has read: to
// call what may take the lock again or take long, to wait, to decide. Package
// addlock would hold the lock over all that:
//
//	                                         c.mu.RLock()
//	                                         open := c.open
//	                                         c.mu.RUnlock()
//	if success && c.open {               →   if success && open {
//		c.setClose() // locks c.mu                   c.setClose() // locks c.mu
//	}                                        }
//
// What was read may have changed when it is used, as far as the lock is concerned;
// where that matters packages addlock and hoist do better. A composite edit
// reads a variable in this way wherever it can be.
//
// The statement is one that calls or waits: a call, an assignment or declaration, a
// send, a return, go, defer, or an if or switch with what it decides about. Where that
// is read again in what is decided, before anything is called, the copy serves too:
//
//	                                         l.mu.Lock()
//	                                         hook := l.hook
//	                                         l.mu.Unlock()
//	if l.hook != nil {                   →   if hook != nil {
//		l.hook(line) // may take l.mu            hook(line) // may take l.mu
//	}                                        }
//
// Form section reads in the section of the lock that comes before the statement, so that nobody gets in
// between what that decides and what is read:
//
//	s.mu.Lock()                         s.mu.Lock()
//	running := s.running                running := s.running
//	s.running = false                   s.running = false
//	                                    // s.cancel is also changed by Start
//	                                →   cancel := s.cancel
//	s.mu.Unlock()                       s.mu.Unlock()
//	if running {                        if running {
//		s.cancel()                          cancel()
//	}                                   }
//
// Form condition has a loop ask in each turn whether it goes on:
//
//	                                         for i := 0; i < n; i++ {
//	                                         	// err is also changed by the goroutines
//	                                         	mu.Lock()
//	                                         	more := err == nil
//	                                         	mu.Unlock()
//	                                         	if !more {
//	                                         		break
//	for i := 0; i < n && err == nil; i++ {   →   	}
//		go visit(i) // may set err             	go visit(i)
//	}                                        }
//
// Values of pointers, interfaces, functions, channels and basic types are read so, and those of structs of which the
// statement selects such fields:
//
//	                                         p.mu.RLock()
//	                                         cfg := p.cfg
//	                                         p.mu.RUnlock()
//	dial(p.cfg.Host, p.cfg.Timeout)      →   dial(cfg.Host, cfg.Timeout)
//
// Left out are variables
//   - that the statement assigns to, or that are read before a lock of theirs is needed,
//   - read only after a call of the program's in the same statement, which may change them,
//   - whose base is compared with nil in the statement: it may be nil before,
//   - read under the lock already.
package lockread
