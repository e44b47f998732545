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
// Left out of the first form are structs whose values are copied, since a
// sync.Once must not be, and parameters, which are one channel in several calls.
// Left out of the last are senders that are started in a loop or in another
// file. Packages waitmove and join let a close wait for its senders.
package closeonce
