// Package gocall makes a call in a goroutine of its own, where the call waits for
// the goroutine that makes it.
//
//	func (c *conn) loop() {                       func (c *conn) loop() {
//		defer close(c.stopped)                        defer close(c.stopped)
//		for m := range c.inbox {                      for m := range c.inbox {
//			if c.handle(m) != nil {                       if c.handle(m) != nil {
//				                                              // c.Close would wait for its own goroutine
//				c.Close() // <-c.stopped           →          go c.Close() // <-c.stopped
//				return                                        return
//
// It mends goroutines that wait for their own end, or for what they would do
// next: the loop of a connection or server calls Stop or Close, itself or by a
// callback, and that waits for the loop. What Stop is called for is done all the
// same, and who else calls it still waits. People mend such deadlocks in this way;
// syncthing's connections and many servers have had one. The forms are:
//
//   - a call that leads, in the same goroutine, to a receive, a send, a loop over a
//     channel or a Wait of a wait group, where that is ended only behind the call by a
//     function that leads to it: a close, a send, a receive, a Done, deferred or not,
//   - a call in a critical section of what takes the section's lock again: a function that
//     does so for certain, or a callback that may.
//
// All calls between the goroutine's function and the wait are offered, the nearer to
// the wait the sooner: whether by name, through an interface or a function value.
// Nobody waits for the call any more, so that each edit is flagged mutate.Detached, and
// a fix that keeps the order of things is preferred.
//
// Left out is a call
//   - that is not a statement of its own, since its result is used, or that is deferred,
//   - with a literal among its arguments that captures a variable which is assigned to,
//   - under another lock, which the callee may count on,
//   - at whose wait other goroutines may help, or that has another way out: a select, room in
//     the channel.
package gocall
