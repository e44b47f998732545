// Package wakeafter wakes those who wait behind a change of what they wait for, as it is done behind
// others like it:
//
//	s.mu.Lock()                          s.mu.Lock()
//	defer s.mu.Unlock()                  defer s.mu.Unlock()
//	select {                             select {
//	case <-w.ready:                      case <-w.ready:
//		s.cur -= n                           s.cur -= n
//		s.wake()                             s.wake()
//	default:                             default:
//		s.waiters.Remove(elem)      →        s.waiters.Remove(elem)
//	                                         // those who wait may go on now
//	                                         s.wake()
//	}                                    }
//
// It mends lost wake-ups: a place is free, a queue is shorter, a value is closed, and nobody tells those
// who wait for that. Tu et al. (Understanding Real-World Concurrency Bugs in Go, ASPLOS 2019, section 5)
// find missing Signals among the blocking bugs.
//
// What wakes is a Signal or Broadcast of a condition variable, or a call of an unexported method that is given
// nothing and returns nothing, and that closes a channel, sends or signals. What is waited for are the fields
// by which such a method decides, or the loop around a Wait of the condition variable. A change of one
// of these fields, under a lock, gets the call behind it that others of the value have.
//
// Where the function returns between the change and what wakes, that return gets the call.
//
// Left out are
//   - changes behind which the function wakes already, wherever that is, on its other ways,
//   - values that nobody else knows yet,
//   - what wakes itself, and the functions that wait.
package wakeafter
