// Package moveout moves a send or a call out of a critical section, to where
// the lock is free again.
//
// It mends goroutines that notify others while they hold a lock which
// those need first, by a channel or a callback:
//
//	s.mu.Lock()            s.mu.Lock()
//	s.n++                  s.n++
//	s.changed <- s.n   →   n := s.n
//	s.stale = true         s.stale = true
//	s.mu.Unlock()          s.mu.Unlock()
//	                       // do not wait for others under s.mu
//	                       s.changed <- n
//
// Unlike a release around the statement (package releasearound) it leaves the
// section in one piece: nobody sees the state in between. What the lock guards
// is evaluated where the statement was. A deferred release is written out;
// where the function goes on to return what needs the lock, the statement is
// deferred instead, before the lock is taken:
//
//	s.mu.Lock()            // s.notify may wait for others: not under s.mu
//	defer s.mu.Unlock()    defer s.notify()
//	s.notify()         →   s.mu.Lock()
//	s.n++                  defer s.mu.Unlock()
//	return s.n             s.n++
//	                       return s.n
//
// Holding a lock while waiting at a channel is the largest class of mixed
// blocking bugs in Tu et al., Understanding Real-World Concurrency Bugs in Go
// (ASPLOS 2019); moving the operation out is how most of them were mended.
//
// A receive of nothing, which waits until something has ended, moves behind what follows it as well, if that waits for
// nobody:
//
//	j.cancel()             j.cancel()
//	<-j.done           →   delete(s.jobs, name)
//	delete(s.jobs, name)   s.mu.Unlock()
//	s.mu.Unlock()          <-j.done
//
// Left out are
//   - other receives and Waits, which are there for what follows to wait for,
//   - statements at the end of a section, which package shrinkend leaves outside,
//   - statements in branches and loops, and those with early exits behind them: they would be skipped,
//   - statements with others behind them that wait, call what may wait, or assign to what they use,
//   - calls of functions that use what the lock guards.
package moveout
