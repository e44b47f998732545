// Package selectdefault gives up a channel operation that is not possible at
// once:
//
//	                        select {
//	s.wake <- struct{}{} →  case s.wake <- struct{}{}:
//	                        default:
//	                        }
//
// It mends goroutines that wait to leave a signal where one lies already, to
// drain a timer whose value another has taken, or for a channel that nobody
// closes where they only meant to ask (Tu et al., "Understanding Real-World
// Concurrency Bugs in Go", ASPLOS 2019, section 5.3, have the added default among
// the fixes of misused channels).
//
// Nothing may get lost that the original delivers without waiting. So
//   - a send is tried where the channel has a buffer: hot are mere signals, of
//     struct{} or bool, because one that is pending says the same as two; other
//     values are cold, and their note says that they are dropped;
//   - a signal to a channel without a buffer is cold, too, because it is dropped
//     when its receiver comes a moment later;
//   - a receive, as a statement of its own, is tried where it takes from a
//     timer, and where nobody in the program sends to the channel or closes it.
//
// A composite edit tries all operations at which goroutines were seen waiting.
//
// Left out are operations in loops that would only spin, other values sent to
// channels without a buffer, and receives of values that are used.
package selectdefault
