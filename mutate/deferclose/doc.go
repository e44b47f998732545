// Package deferclose closes a channel whose receiver waits for the close, and
// that nobody closes, or not on every path.
//
//	go func() {                       go func() {
//		for _, j := range jobs {          defer close(results)
//			results <- run(j)     →       for _, j := range jobs {
//		}                                     results <- run(j)
//	}()                                   }
//	                                  }()
//	for r := range results {          for r := range results {
//
// It mends receivers that wait for a message or an end that never comes, about
// a third of the blocking bugs that Tu et al. (Understanding Real-World
// Concurrency Bugs in Go, ASPLOS 2019, section 5.1.2) found; that a deferred
// operation survives early returns and panics is GFix's second strategy (Liu et
// al., Automatically Detecting and Fixing Concurrency Bugs in Go Software
// Systems, ASPLOS 2021, section 4.2). The forms are:
//
//   - move: closes that some way out of the function skips, as an early return, a break or a
//     panic that it recovers, become one that is deferred,
//   - send: the same for the send of a constant, by which a goroutine says that it has ended,
//   - sender: the only sender closes, when it ends; what it calls may send for it,
//   - sent: the same right behind what sends, where it waits for others then,
//   - signal: nobody sends; a goroutine that could close the channel does so when it ends,
//   - maker: nobody sends; what makes the channel, and does not receive, closes it when it returns,
//   - wait: the function that waits for several senders closes the channel after it,
//   - goroutine: the same in a goroutine of its own, where the function itself receives,
//   - owner: a method closes a channel of its value before it waits, since what it waits for receives until then.
//
// The deferred call stands at the head of the function or behind the statement
// that gives the channel its name. A composite edit closes all channels that one
// function forgets. Left out are
//   - functions that run again for the same channel, as one that is called in a loop or in
//     two places, or that is started more than once,
//   - closes behind which the function waits for who waits for the close: package
//     signalearly closes on the ways that skip them,
//   - functions that are no goroutine and do not send: they may return because the channel
//     is closed already,
//   - channels that another function closes, or that the caller sends on when the
//     function has returned,
//   - channels that code outside the module knows, where nobody closes them.
package deferclose
