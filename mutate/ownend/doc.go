// Package ownend gives what a function starts an end of its own, which comes when the
// function returns: a derived context, or a channel besides the one that the function
// was given.
//
//	func (c *client) first(ctx context.Context) string {     func (c *client) first(ctx context.Context) string {
//	                                                         	ctx, cancel := context.WithCancel(ctx)
//	                                                         	defer cancel()
//		for _, s := range c.servers {                     →  	for _, s := range c.servers {
//			go c.ask(ctx, s)                                 		go c.ask(ctx, s)
//		}                                                        	}
//		return <-c.answers                                       	return <-c.answers
//
// It mends goroutines that go on to wait, or to work, for a function that has what it
// needs and has returned: they would end with the context or channel of the caller, who
// keeps that for other things. People mend such leaks in this way, as in Kubernetes'
// wait.WaitFor, whose poller went on until its time-out.
//
// The forms are:
//
//   - context: the context is derived, and cancelled when the function returns,
//   - channel: a new channel is handed on, and closed when the function returns, which
//     watches the old one wherever it waits,
//   - relay: the same, where it does not watch the old one: a goroutine closes the new
//     channel for either.
//
// Left out is a function
//   - that waits at no channel behind what it starts: this is there to go on, or waited for,
//   - whose results may belong to what goes on: pointers, channels, functions, interfaces,
//   - that derives a context itself, or assigns to the one it was given,
//   - whose channel nobody was seen waiting for.
package ownend
