// Package swapops swaps two operations of a statement list that other
// goroutines take part in.
//
//	queue <- first        →  start(queue)
//	start(queue)             queue <- first
//
// It mends a goroutine that waits for what it would do next: it sends before it
// starts the receiver, receives an answer before it sends the question, or takes
// a lock whose holder waits to send it a message. Tu et al.
// (Understanding Real-World Concurrency Bugs in Go, ASPLOS 2019, section
// 5.2) found that moving an operation mends a fifth of the blocking bugs. The
// forms are:
//
//   - after: a send or receive behind a later send, receive, close, start of a
//     goroutine, signal or unlock,
//   - section: a send or receive in front of the critical section before it,
//   - defer: a deferred call behind one that is deferred later. Deferred calls
//     run last to first: without the edit the one that waits runs first, and what
//     it waits for comes after it,
//   - start: the start of a goroutine, or a call that starts one, behind the last of up to
//     eight statements that sets a variable which the goroutine uses. None of them waits,
//     takes a lock or leaves the list.
//
// Left out are moves over a statement that leaves the list, that declares or
// assigns what the moved one uses, or uses what the moved one declares or
// assigns; moves over others on the same channel, which would change the order of messages,
// or give back a slot before it is taken; and receives whose value nobody takes, which package waitmove
// moves down. Statements are moved over at most four others.
package swapops
