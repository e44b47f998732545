// Package putlater gives memory back to its pool when its last user is done with it:
//
//	b := buffers.Get().(*bytes.Buffer)      b := buffers.Get().(*bytes.Buffer)
//	fill(b)                                 fill(b)
//	                                        // b goes back to buffers here: the goroutine uses it until then
//	go func() {                             go func() {
//		                            →   	defer buffers.Put(b)
//		send(b.Bytes())                 	send(b.Bytes())
//	}()                                     }()
//	buffers.Put(b)
//
// It mends data races on what is in a sync.Pool or free list while somebody
// still uses it; whoever gets it next writes there. Where memory is handed over for good, package
// copyreused copies it; this package saves the copy, which is what the pool is for.
//
// The call that gives it back, Put itself or a function that calls it,
//   - is deferred, or moved behind the last statement of its list that uses the memory: form
//     behind,
//   - is deferred by the goroutine that uses it, which is the only one: form goroutine,
//   - is made by the receiver of a channel, at the end of the body of the one loop that ranges
//     over it: form receiver.
//
// Left out are
//   - goroutines that are waited for,
//   - memory that its function uses, too, when the goroutine has it, or that several get,
//   - channels with other senders or receivers, or that code outside the module has, and
//     loops with continue, break, goto or return,
//   - what is given back by a statement that is no call.
package putlater
