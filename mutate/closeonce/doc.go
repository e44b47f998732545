// Package closeonce makes sure that a channel is closed once only, by whoever
// knows when.
//
//	                       type Server struct {
//	                           doneOnce sync.Once
//	                           done     chan struct{}
//	                       }
//
//	close(s.done)     →    s.doneOnce.Do(func() { close(s.done) })
//
// It mends panics by a second close and by a send on a closed channel, the
// misuse of channels that Tu et al. (Understanding Real-World Concurrency Bugs
// in Go, ASPLOS 2019, section 6.1.2) count among the non-blocking bugs.
//
// The form once puts a sync.Once around the close, as a field beside the
// channel's or a variable beside its own; a composite edit does it to all
// closes of the channel. The form select asks first whether the channel is
// closed; it is offered under a lock that is held there, if nobody sends on it:
//
//	close(s.done)     →    select {
//	                       case <-s.done: // closed already
//	                       default:
//	                           close(s.done)
//	                       }
//
// The form sender moves the close to the only goroutine that sends, which
// defers it.
//
// Where somebody asks whether the channel is closed, and does more than close it if not, a close
// that is done once leaves the rest to be done twice. There a gate lets one goroutine through. The
// form section holds a lock from the question to the close: a mutex beside the channel, or a new one
// where that may not be taken. What is behind the close, such as a callback, stays outside:
//
//	                                 s.mu.Lock()
//	select {                         select {
//	case <-s.done:                   case <-s.done:
//		return                       s.mu.Unlock()
//	default:                             return
//	}                          →     default:
//	s.cause = cause                  }
//	close(s.done)                    s.cause = cause
//	s.onClose(s)                     close(s.done)
//	                                 s.mu.Unlock()
//	                                 s.onClose(s)
//
// The form swap asks by a CompareAndSwap of what is stored first behind the question, and nowhere else,
// if it is an atomic.Pointer or atomic.Bool. Who finds it stored leaves, maybe before the close:
//
//	select {                         if !s.cause.CompareAndSwap(nil, &cause) {
//	case <-s.done:                       return
//		return             →     }
//	default:                         close(s.done)
//	}                                s.onClose(s)
//	s.cause.Store(&cause)
//	close(s.done)
//	s.onClose(s)
//
// The question may be a function that does nothing but tell, or a flag that is set behind it. A group
// has the best gate of each such place of the package.
//
// Left out of the form section are places
//   - where what is between may wait, or calls what is known only when the program runs,
//   - that have a lock from the question to the close already, here or in all callers,
//   - whose function runs once,
//
// and locks that are held where the close is waited for.
//
// Left out of the first form are structs whose values are copied, since a
// sync.Once must not be, and parameters, which are one channel in several calls.
// Left out of the form sender are senders that are started in a loop or in another
// file. Packages waitmove and join let a close wait for its senders.
package closeonce
