// Package chanwait is for the operators that end a wait at a channel. It finds
// the operations that may wait for ever ([Ops]), the channels that say that
// waiting is over ([Ends]) and how a function may go on then ([Ways]), and makes
// an operation a case of a select ([Wrap]):
//
//	ch <- v   →   select {
//	              case ch <- v:
//	              case <-ctx.Done():
//	              	return ctx.Err()
//	              }
package chanwait
