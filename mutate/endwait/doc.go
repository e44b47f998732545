// Package endwait has a method that ends a value wait for the value's goroutines:
//
//	type Courier struct {                 type Courier struct {
//		...                                   ...
//		                                      workers sync.WaitGroup // goroutines that Close waits for
//	}                                     }
//
//	go c.run(r)                     →     c.workers.Add(1)
//	                                      go c.run(r)
//
//	func (c *Courier) run(r *route) {     func (c *Courier) run(r *route) {
//		                                      defer c.workers.Done()
//		for p := range r.queue {              for p := range r.queue {
//
//	func (c *Courier) Close() error {     func (c *Courier) Close() error {
//		c.mu.Lock()                           c.mu.Lock()
//		c.end()                               c.end()
//		c.mu.Unlock()                         c.mu.Unlock()
//		                                      c.workers.Wait() // run may still be at work
//		return c.sender.Close()               return c.sender.Close()
//	}                                     }
//
// It mends what goroutines still do after the method has returned: work that is lost, a
// resource that is used after its end, a data race with what comes next. Tu et al.
// ("Understanding Real-World Concurrency Bugs in Go", ASPLOS 2019, section 6) count
// missing waits among the causes of order violations. Package join does it where the value
// has a group or a channel already, or where a function waits for goroutines of its own.
//
// The method is called Close, Stop or Shutdown and tells goroutines to end, itself or by what it
// calls: it closes a channel, calls a cancel function or sets a flag. It waits in front of
// each return at which it holds no lock, so that a second call waits, too; where it holds a
// lock until it returns, and returns nothing that it computes, by a deferred call that runs
// behind the release:
//
//	func (p *Pool) Stop() {               func (p *Pool) Stop() {
//		p.mu.Lock()                     →     defer p.workers.Wait() // behind the release of p.mu
//		defer p.mu.Unlock()                   p.mu.Lock()
//
// Where it holds the lock until it returns, and computes what it returns, as by a Close of what the goroutines use, it
// lets the lock go while it waits (form around):
//
//	q.closed = true                       q.closed = true
//	q.more.Broadcast()                    q.more.Broadcast()
//	                                →     q.mu.Unlock()
//	                                      q.workers.Wait() // run may still be at work
//	                                      q.mu.Lock()
//	return q.sink.Close()                 return q.sink.Close()
//
// Another edit (form told) has it wait at once when it has told them, if it holds no lock then: what it does besides,
// such as to write what is left and close what they write to, comes when they have ended.
//
// Goroutines are the value's if they run a method of it, or a literal that uses it. Left out are types
//   - that have a wait group, or a method among these that waits for one,
//   - whose goroutines are started by other packages or by tests, or run a method that is called otherwise,
//   - whose goroutines call the method themselves, or are started by it,
//   - whose values are copied.
package endwait
