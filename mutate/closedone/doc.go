// Package closedone lets goroutines give up their sends to a value that has been
// closed, by a channel that its Close closes:
//
//	type Sub struct {                     type Sub struct {
//		C chan Event                          C        chan Event
//	}                                             done     chan struct{} // closed by Close
//	                                              doneOnce sync.Once
//	                                      }
//
//	s := &Sub{C: make(chan Event)}    →   s := &Sub{C: make(chan Event), done: make(chan struct{})}
//
//	func (s *Sub) Close() {               func (s *Sub) Close() {
//		s.hub.remove(s)                       s.doneOnce.Do(func() { close(s.done) })
//	}                                             s.hub.remove(s)
//	                                      }
//
//	s.C <- e                              select {
//	                                      case s.C <- e:
//	                                      case <-s.done:
//	                                      }
//
// It mends senders that wait for ever for a receiver which has gone: Close says that
// nobody receives any more, and nobody tells the sender. Tu et al. ("Understanding
// Real-World Concurrency Bugs in Go", ASPLOS 2019, section 5.1.2) found such
// missing receivers to be a common cause of blocking. Package selectdone does with a
// channel that is there already, package newdone with one for a single call.
//
// A goroutine of the value that receives and that nobody ends gives up in the same way. The channel of a ticker is
// not closed when it is stopped:
//
//	func (m *Meter) run() {               func (m *Meter) run() {
//		for range m.tick.C {                  for {
//			m.compute()                           select {
//		}                         →                   case <-m.tick.C:
//	}                                             	m.compute()
//	                                              case <-m.done:
//	                                              	return
//	                                              }
//	                                          }
//	                                      }
//
// Where there is no such method, and all who receive end with a context that the function is given which makes the value,
// the value keeps that end:
//
//	p := &Pool{jobs: make(chan func())}   →   p := &Pool{jobs: make(chan func()), done: ctx.Done()}
//
// The method is called Close, Cancel, Stop, Shutdown or Unsubscribe. It may be
// called again, which the sync.Once makes safe.
//
// Left out are receives from channels that somebody closes, or of which it is not known who has them, and types
//   - that have such a channel already,
//   - of which there are values that neither a literal nor new makes, or copies, so that the new channel would be nil,
//   - with parameters, or that tests or generated files make.
package closedone
