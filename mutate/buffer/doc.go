// Package buffer makes room in a channel, so that its senders need not wait for
// a receiver:
//
//	                          // buffered: the sender must not wait for its receiver
//	done := make(chan bool) → done := make(chan bool, 1)
//	go func() {               go func() {
//		done <- work()            	done <- work()
//	}()                       }()
//	select {                  select {
//	case <-done:              case <-done:
//	case <-time.After(d):     case <-time.After(d):
//	}                         }
//
// It mends goroutines that leak because the receiver took another branch. This
// is the most common blocking misuse of channels (Tu et al., "Understanding
// Real-World Concurrency Bugs in Go", ASPLOS 2019, section 5.1), and strategy
// I of GFix (Liu et al., "Automatically Detecting and Fixing Concurrency Bugs
// in Go Software Systems", ASPLOS 2021). Beyond GFix it mends channels that
// need room for several values.
//
// A channel without a buffer gets one of 1 or, where the sends can be counted,
// of their number: 2 for two goroutines, len(xs) for one goroutine per element,
// n for as many iterations of a loop; calls and go statements between the make and
// the send are followed. Where they cannot be counted 2 is tried, too. A channel
// with a buffer gets one or two places more, or as many as there are elements to
// send.
//
// Composite edits make room at all makes of one channel, in all channels that
// one function makes and one goroutine sends to, and in all channels at which
// senders are blocked.
//
// Channels at which a failure saw a sender blocked are hot. Those at which only
// receivers were blocked are cold, and so are those where a mere signal hands
// shared data over: the sender goes on before the receiver has the data. Where a loop
// receives and the sends cannot be counted, the edit is doubted: when the loop has ended,
// room only moves the block to a later send.
//
// Where a method sends to a channel of its receiver, as often as it is called, and the sends
// cannot be counted, an edit is flagged mutate.Postpones: the room is used up sooner or later.
//
// Left out are channels nobody sends to, and semaphores: buffered channels
// whose receives are all for making room. More room would let more of them in. A
// semaphore for n-1 where there is a number n gets n.
package buffer
