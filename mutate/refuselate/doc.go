// Package refuselate refuses what comes after the end of a value: what stores in a value, or
// starts something for it, asks first whether the method that ends the value has been there.
//
//	func (b *Broker) Subscribe() (*Sub, error) {   func (b *Broker) Subscribe() (*Sub, error) {
//		s := &Sub{c: make(chan Event)}                 s := &Sub{c: make(chan Event)}
//		b.mu.Lock()                                    b.mu.Lock()
//		                                          →    // after Close nobody would end it
//		                                               if b.closed {
//		                                               	b.mu.Unlock()
//		                                               	return nil, ErrClosed
//		                                               }
//		b.subs[s] = true                               b.subs[s] = true
//		b.mu.Unlock()                                  b.mu.Unlock()
//		return s, nil                                  return s, nil
//	}                                              }
//
//	func (b *Broker) Close() {
//		b.mu.Lock()
//		defer b.mu.Unlock()
//		b.closed = true
//		for s := range b.subs {
//			close(s.c)
//		}
//	}
//
// The end of a value is a field that a method sets for good, under a lock of the value: a flag,
// an error, or a channel that it closes. The same method goes over other fields of the value,
// itself or in methods that it calls: it closes, stops or forgets what is in them, or waits for a
// wait group. What another function stores in these fields later is never ended: a goroutine or a
// receiver waits for ever, or a wait group is used while somebody waits for it. Tu et al.
// ("Understanding Real-World Concurrency Bugs in Go", ASPLOS 2019) have such bugs among order
// violations.
//
// The question stands at the beginning of the section that stores. Where the statement that
// stores is in no section, it gets one (form section). A value whose end is told by no field gets
// a flag (form flag). Its Close, Stop or Shutdown sets it, or the method that its goroutine calls as the last
// thing that it does; if that method is given an error that says why, the flag is this error:
//
//	func (c *Client) fail(err error) {        func (c *Client) fail(err error) {
//		c.mu.Lock()                               c.mu.Lock()
//		                                  →       c.err = err
//		for _, call := range c.pending {          for _, call := range c.pending {
//			call.finish(err)                          call.finish(err)
//		}                                         }
//
// Where several functions store what the same method ends, one edit has all of them ask.
//
// How the function is left is looked for in this order: as the function itself or another one
// of the value leaves for the same end; with an error variable of the package that says so by its
// name; with what the function returns otherwise, ended; without results. An error is never made up.
// What was to be stored is ended as the method ends what it finds, unless the function has made it and nobody knows it.
//
// Left out are
//   - sections that ask for the end already, or that only read,
//   - ends that somebody takes back, as of a value that can be started again,
//   - functions with results that nothing says how to refuse.
package refuselate
