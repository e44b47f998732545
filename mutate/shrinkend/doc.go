// Package shrinkend lets a critical section end before its last statements.
//
// It mends deadlocks in which a lock is still held while something else is
// waited for, and shortens what a fix made too long:
//
//	s.mu.Lock()               s.mu.Lock()
//	defer s.mu.Unlock()       s.n++
//	s.n++                   → // release s.mu before s.notify is called
//	s.notify()                s.mu.Unlock()
//	                          s.notify()
//
// One edit leaves 1, 2, ... up to sectionedit.MaxMoves statements outside and
// something inside. A deferred release is written out: where the section now
// ends, and before each return, break or panic that stays inside. Releases in
// what is left outside are removed.
//
// What the first statement outside needs of what the lock guards is evaluated
// inside (captures.Capture); a slice or map that it ranges over is copied:
//
//	l.mu.Lock()                l.mu.Lock()
//	l.locks[name].Lock()   →   mutex := l.locks[name]
//	l.mu.Unlock()              // do not wait for others under l.mu
//	                           l.mu.Unlock()
//	                           mutex.Lock()
//
// So does what an if, a switch or a loop that calls others reads, wherever in it that
// is; of a list of pointers what they point to is copied, if fields of that are read:
//
//	s.mu.Lock()                    s.mu.Lock()
//	defer s.mu.Unlock()            gauges := make([]gauge, len(s.gauges))
//	for _, g := range s.gauges {   for i, g := range s.gauges {
//		show(g.name, g.read())         gauges[i] = *g
//	}                          →   }
//	                               // g.read takes other locks: not under s.mu
//	                               s.mu.Unlock()
//	                               for _, g := range gauges {
//	                                   show(g.name, g.read())
//	                               }
//
// Other uses of what the lock guards flag the edit mutate.DropsGuard.
//
// A release before an early exit, or in a branch of the last statement, moves
// up in its own list if the first statement that it moves over waits:
//
//	if len(s.streams) == 0 {     if len(s.streams) == 0 {
//		<-s.awake            →       // do not wait for others under s.mu
//		s.mu.Unlock()                s.mu.Unlock()
//		return                       <-s.awake
//	}                                return
//	                             }
//
// It is the counterpart of CORE's SHSA (Kelk 2015).
//
// Refused are
//   - deferred releases in a function literal, and those that do not follow their acquisition,
//   - writing out a deferred release before an exit whose value needs the lock, as in "return c.n",
//     or when the section holds other defers, which run under the lock now,
//   - leaving a sync.Cond.Wait outside, which needs its lock,
//   - ends inside the section of another lock.
package shrinkend
