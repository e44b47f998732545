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
//   - move: a close that an early return skips becomes deferred, in a goroutine or in the maker of the channel,
//   - send: the same for the send of a constant, by which a goroutine says that it has ended,
//   - sender: the only sender closes, when it ends,
//   - signal: nobody sends; a goroutine that could close the channel does so when it ends,
//   - maker: nobody sends; what makes the channel, and does not receive, closes it when it returns,
//   - wait: the function that waits for several senders closes the channel after it,
//   - goroutine: the same in a goroutine of its own, where the function itself receives,
//   - owner: a method closes a channel of its value before it waits, since what it waits for receives until then.
//
// The deferred call stands at the head of the function or behind the statement
// that gives the channel its name. Left out are senders that are started in
// a loop or more than once, functions that are no goroutine of their own, which
// somebody may call again, channels that already are closed somewhere, and
// those that code outside the module knows.
package deferclose
