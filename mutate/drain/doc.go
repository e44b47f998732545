// Package drain receives what is left in a channel when its receiver stops
// early, so that the senders can go on to their end.
//
//	                              defer func() {
//	                                  for range updates { // let the senders end
//	                                  }
//	                              }()
//	for u := range updates {  →   for u := range updates {
//		if u.last {                   if u.last {
//			return u                      return u
//		}                             }
//	}                             }
//
// It mends senders that wait for a receiver which has returned, where a buffer
// would have to be of unknown size. Go's own advice for it is from "Go
// Concurrency Patterns: Pipelines and cancellation" (Ajmani, 2014). The forms are:
//
//   - defer: deferred in front of the loop, for returns and panics in it,
//
//   - go: in a goroutine in front of the one return there is, for a receiver whose
//     return somebody waits for before he closes the channel,
//
//   - after: behind the loop, where breaks leave it,
//
//   - cancel, cancel after: the same for a loop over what a call returns, which is given a context: one
//     derived from it is cancelled first, so that the senders do not go on to the end of their work.
//     The channel gets a name where it has none.
//
//     ctx, cancel := context.WithCancel(ctx)
//     results := scan(ctx, dir)
//     defer func() {
//     cancel()
//     for range results { // let the senders end
//     }
//     }()
//     for r := range scan(ctx, dir) {       →   for r := range results {
//     if r.err != nil {                         if r.err != nil {
//     return r.err                              return r.err
//     }                                         }
//     }                                         }
//
// The edits of the last forms at all loops over what one function sends are offered as one, too.
// A composite edit adds package deferclose's edit of a close or send that the
// same returns skip.
//
// The loop ranges over the channel, or has no condition and receives from it, in
// a select or not. Another function must close the channel. If nobody does and
// the loop ranges over it, the edit is cold: it needs one of package deferclose
// beside it. Where nothing bounds what a sender sends, the edit is doubted: package newdone
// lets the sender give up. Left out are loops in loops, where what
// is deferred would pile up, and loops that nothing leaves early.
package drain
