// Package rangeloop ends a loop that receives from a channel when the channel
// is closed.
//
//	for {
//		job := <-jobs      →   for job := range jobs {
//		run(job)                   run(job)
//	}                          }
//
//	case job := <-jobs:        case job, ok := <-jobs:
//		run(job)           →       if !ok {
//	                                   return
//	                               }
//	                               run(job)
//
//	keys := make([]string, n)          keys := make([]string, 0, n)
//	for i := 0; i < n; i++ {       →   for v := range ch {
//		keys[i] = <-ch                     keys = append(keys, v)
//	}                                  }
//
// It mends goroutines that outlive their work: a receive from a closed channel
// returns zero values at once, so that a loop which does not ask for the second
// result works on nothing and never ends. Where nobody closes the
// channel, the edit is cold; it needs one of package deferclose beside it.
//
// The last form is for loops that receive as often as was counted before: what
// was counted may have changed since, so that the loop receives zero values from
// the closed channel, or leaves senders waiting. A counted loop that begins with a
// receive and does not use its counter is taken for the first form, too. Both are
// offered only where somebody closes the channel.
//
// The first form is for a loop without condition that begins with a receive,
// the second for the cases of a select which is a statement of such a loop. The
// case may have its ok already, as long as it never leaves the loop.
//
// Left out are channels from outside the module, such as a ticker's, which
// nobody closes; loops that assign to what the channel is reached through; cases
// that leave the loop anyway or assign to a variable declared elsewhere; and
// functions with unnamed results, for which the edit would have to invent values.
package rangeloop
