// Package addunlock releases a lock on the paths that leave it locked.
//
// It mends missing unlocks: a function is left, or an iteration of a loop
// ends, with the lock held, and the next goroutine that wants it, or the same
// one, waits for ever. Tu et al., Understanding Real-World Concurrency Bugs in
// Go (ASPLOS 2019, section 5.1), find double locking and forgotten releases to
// be most blocking bugs at mutexes; the forms are what projects did about
// them.
//
// Form path releases before an exit at which the lock is certainly held, a
// return, break, continue or panic, and end behind the last statement of a
// block:
//
//	s.mu.Lock()                s.mu.Lock()
//	if s.closed {              if s.closed {
//		return errClosed     →     s.mu.Unlock()
//	}                              return errClosed
//	s.n++                      }
//	s.mu.Unlock()              s.n++
//	                           s.mu.Unlock()
//
// Where several exits lack a release, one composite edit adds all those of a
// function, and another those of all functions that leave the lock held. Form
// defer replaces all releases by one deferred right after the acquisition:
//
//	s.mu.Lock()                s.mu.Lock()
//	if s.closed {              defer s.mu.Unlock()
//		return errClosed   →   if s.closed {
//	}                              return errClosed
//	s.n++                      }
//	s.mu.Unlock()              s.n++
//
// A helper may take the lock of what it returns. Form path adds what its callers forget, and form handed defers it as
// soon as they have the lock:
//
//	s, err := t.lock(name)     s, err := t.lock(name)
//	if err != nil {            if err != nil {
//		return err                 return err
//	}                          }
//	if s.n == 0 {          →   defer s.mu.Unlock()
//		return errNone         if s.n == 0 {
//	}                              return errNone
//	s.n = 0                    }
//	s.mu.Unlock()              s.n = 0
//
// The other forms mend calls that are there but wrong:
//
//   - meant: Lock where Unlock is meant, as in Lock ... Lock, or the reverse;
//   - side: RUnlock for what Lock took, RLock for what Unlock releases, and so on;
//   - instance: a.mu.Lock ... b.mu.Unlock, made one mutex, either;
//   - loop: Lock as the first statement of a loop and Unlock behind the loop:
//     the acquisition moves in front of it;
//   - turn: a loop that takes the lock in each iteration and releases it by a
//     deferred call, which waits for the function's end, or behind the loop:
//     each way out of the iteration gets a release of its own instead.
//
// Form pair repeats the call of a helper that releases what another one has taken, where
// other exits have it:
//
//	lockBoth(from, to)             lockBoth(from, to)
//	if from.n < n {                if from.n < n {
//		unlockBoth(from, to)           unlockBoth(from, to)
//		return errShort        →       return errShort
//	}                              }
//	if to.full() {                 if to.full() {
//		from.mu.Unlock()               unlockBoth(from, to)
//		return errFull                 return errFull
//	}                              }
//
// Form helper does so where the helpers take and give back slots of channels that count, or turns of wait
// groups:
//
//	if err := r.begin(); err != nil {     if err := r.begin(); err != nil {
//		return err                            return err
//	}                                     }
//	if len(data) > most {             →   if len(data) > most {
//		return errTooLarge                    r.end() // as in front of the other returns
//	}                                         return errTooLarge
//	...                                   }
//	r.end()                               ...
//	return nil                            r.end()
//	                                      return nil
//
// It does so, too, where a method of what the function has from a call gives back what that stands for, such as a
// permit: permit.Finish(), as in front of the other returns. A value that is passed on is another's to end.
//
// A channel that counts is a lock, too: a statement takes a slot, and another of the
// same list, or the last of a goroutine that is started in between, gives it back. The
// channel passes on nothing but that. It may be taken in a select whose other cases leave, and
// so may one of a semaphore of golang.org/x/sync, by Acquire. Form slot defers what gives the slot back, if that
// stands at the function's end, slotpath repeats it before an exit, and slotstart defers
// it in the goroutine:
//
//	r.slots <- struct{}{}      r.slots <- struct{}{}
//	if closed {                defer func() { <-r.slots }()
//		return errClosed   →   if closed {
//	}                              return errClosed
//	r.run()                    }
//	<-r.slots                  r.run()
//
// An edit of a lock is offered only where [Balance], which follows all paths through
// the function, finds faults in how it holds the lock, and finds none after the
// edit, or after those beside it in the composite one. Where faults remain whatever is
// released, as in a loop with conditional locks, form path is offered at each exit
// where a release mends one and brings no other. It is
// flagged mutate.DropsGuard when a return that gets a release in front of it
// reads shared variables, or calls what may.
//
// Left out are functions with a goto; locks that are tried, passed about as
// methods, or released in function literals which are not deferred; panics of
// programs that never recover; and functions that take a lock for another
// function to release.
package addunlock
