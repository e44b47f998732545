// Package selectdone lets a goroutine give up a channel operation when a signal
// that is in scope says that nobody waits for it any more:
//
//	                 select {
//	results <- r  →  case results <- r:
//	                 case <-ctx.Done():
//	                 	return
//	                 }
//
// It mends goroutines that send to, or wait for, somebody who has left: the
// other side watches for the end, this one does not (Tu et al., "Understanding
// Real-World Concurrency Bugs in Go", ASPLOS 2019, section 5.3: adding a case
// is the fix that developers choose most for misused channels).
//
// The operation is a send, a loop over a channel, a select without a default,
// which gets one more case, or a receive that is a statement of its own, the right
// side of an assignment or the operand of a return. The signal is the Done of a
// context, a channel that somebody closes, one of struct{} that is only received
// from, or a method without arguments that returns such a channel. It is a
// variable in scope, or a field or method of one or of its fields. Signals
// beside the channel of the operation, in the same struct, are tried first.
//
// A pause, which is a call of time.Sleep, is given up likewise:
//
//	                    select {
//	time.Sleep(pause) → case <-time.After(pause):
//	                    case <-ctx.Done():
//	                    	return ctx.Err()
//	                    }
//
// When the signal comes, the function does one of three things. It returns zero
// results, with an error as the last one where the function has such a result. It
// leaves the loop around.
// Or, if it has no results, it goes on behind the operation, unless that leads
// into the next iteration of a loop or a value would be missing. A loop over a
// channel ends as if the channel had been closed.
//
// The error is, in this order:
//
//   - that of a context which the function was given,
//   - what another case of the package returns for the same signal,
//   - the Err of the value that the signal belongs to, if who closes the channel always sets
//     what Err returns before,
//   - a variable of the package, such as ErrClosed, that the function or another method
//     of the value's type returns.
//
// A composite edit gives up all operations at which goroutines were seen
// waiting.
//
// Left out are functions whose last result is an error if there is none of these,
// since the edit would have to invent it; channels that are
// closed only by the function that would wait for them; and operations inside of
// larger expressions.
package selectdone
