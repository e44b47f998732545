// Package selectdefault makes an operation on a channel one that never waits:
//
//	                        select {
//	s.wake <- struct{}{} →  case s.wake <- struct{}{}:
//	                        default:
//	                        }
//
// It mends goroutines that wait to send a signal while an earlier one is still in
// the buffer, to drain a timer whose value another one has received, or for a
// channel that nobody closes where they only meant to ask. An added default is
// among the fixes of misused channels in Tu et al., "Understanding Real-World
// Concurrency Bugs in Go", ASPLOS 2019, section 5.3.
//
// Nothing may get lost that the original delivers without waiting. So
//   - a send is tried where the channel has a buffer. Mere signals, of struct{} or
//     bool, are hot, because one that is pending says the same as two. Other
//     values are cold, and their note says that they are dropped;
//   - a signal to a channel without a buffer is cold, too, because it is dropped
//     when its receiver comes a moment later;
//   - a receive, as a statement of its own, is tried where it takes from a
//     timer, and where nobody in the program sends to the channel or closes it.
//
// A select of one case and no default waits as the case alone would. It gets a
// default with which the function returns zero results, as a Try method does, or, if
// the case is a receive whose value nobody uses, goes on.
//
// A composite edit tries all operations at which goroutines were seen waiting.
//
// Left out are operations in loops that would only spin, other values sent to
// channels without a buffer, and receives of values that are used.
package selectdefault
