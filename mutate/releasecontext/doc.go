// Package releasecontext releases a context, a ticker or a connection when the
// function that made it returns, where others wait for the release.
//
//	ctx, cancel := context.WithCancel(parent)     ctx, cancel := context.WithCancel(parent)
//	                                           →  defer cancel()
//	go watch(ctx)                                 go watch(ctx)
//
// It mends goroutines that wait for ever on ctx.Done() or in a method of a value
// that nobody closes, a class that Tu et al. (Understanding Real-World
// Concurrency Bugs in Go, ASPLOS 2019, section 5.1.2) found in libraries whose
// users forget to, and vet's lostcancel finds in part. The forms are:
//
//   - defer: the release is deferred behind the statement that makes the value,
//     or behind the check of the error that came with it,
//   - name: the same for a release function that was assigned to _,
//   - keep: the same for a value that a call returned and nobody took,
//   - move: a release that an early return skips, or that is in a branch, becomes deferred.
//
// What is released is a context, by its function, be that kept in a variable or
// in a field; or a value that a composite literal or a function named New,
// Open, Dial, Start, Begin or the like gives, by its method Close, Stop,
// Cancel, Rollback, Release or Shutdown without parameters, or with an error
// alone, which is nil then. One method is offered, the first of that list.
//
// Left out is a value that
//   - leaves the function: returned, sent, stored, part of another value, or
//     made for the receiver or a parameter,
//   - is released in another way: in a function literal, deferred, handed on as a method value,
//   - is made in a loop, where what is deferred would pile up.
package releasecontext
