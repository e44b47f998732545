// Package releasecontext releases what a function has made when the function
// returns, since others wait for the release: a context, a ticker, a connection.
//
//	ctx, cancel := context.WithCancel(parent)     ctx, cancel := context.WithCancel(parent)
//	                                           →  defer cancel()
//	go watch(ctx)                                 go watch(ctx)
//
// It mends goroutines that wait for ever on ctx.Done() or in a method of a value
// that nobody closes, a class that Tu et al. (Understanding Real-World
// Concurrency Bugs in Go, ASPLOS 2019, section 5.1.2) found in libraries whose
// users forget to close. Vet's lostcancel finds a part of it. The forms are:
//
//   - defer: the release is deferred behind the statement that makes the value,
//     or behind the check of the error that came with it,
//   - name: the same for a release function that was assigned to _,
//   - keep: the same for a value that a call returned and nobody took,
//   - move: a release that an early return skips, or that is in a branch, becomes deferred.
//
// A context is released by its cancel function, which may be in a variable or a
// field. A value made by a composite literal, or by a function named New, Open,
// Dial, Start, Begin or the like, is released by the first of its methods Close,
// Stop, Cancel, Rollback, Release and Shutdown that has no parameter, or one
// error, for which nil is passed.
//
// Left out is a value that
//   - leaves the function: returned, sent, stored, part of another value, or
//     made for the receiver or a parameter,
//   - is released in another way: in a function literal, deferred, handed on as a method value,
//   - is made in a loop, where what is deferred would pile up.
package releasecontext
