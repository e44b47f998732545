// Package handback hands on what was meant for somebody who has given up waiting:
//
//	select {                          select {
//	case c := <-r.conn:               case c := <-r.conn:
//		return c, nil                     return c, nil
//	case <-ctx.Done():                case <-ctx.Done():
//		p.forget(r)                 →     if !p.forget(r) {
//		return nil, ctx.Err()                 // chosen already: what it waits for is on its way
//	}                                         p.Put(<-r.conn)
//	                                      }
//	                                      return nil, ctx.Err()
//	                                  }
//
//	func (p *Pool) forget(r *request) {
//		p.mu.Lock()
//		defer p.mu.Unlock()
//		for i, w := range p.waiting {
//			if w == r {
//				p.waiting = append(p.waiting[:i], p.waiting[i+1:]...)
//				return                                 // return true
//			}
//		}
//		                                           // return false
//	}
//
// Whoever waits in a list, with a channel of his own, is chosen by somebody who takes him off the list, under the lock
// of the list, and then sends to the channel or closes it. When the one who waits gives up between the two, or in the
// same moment, what is sent is lost for good: a connection, a slot, a permit. Nobody notices until all are lost and
// others wait for ever; and on a channel without a buffer the sender does. Connection pools, semaphores and
// admission queues have had this bug.
//
// Leaving the list tells whether somebody was there first: he is no longer in the list. Then what he sent is certain to
// come, and is received and given to the method of the value that gives such things (form "": Put, Release), or taken as
// if it had come in time (form take). Three ways to leave the list are known: a method that does nothing else, which
// then says whether it found him; a section in the case itself; and none, where a section is added. From a list of
// package container/list nobody can tell whether an element has been removed: there, where all send under the lock,
// the channel is asked after the section, without waiting.
//
// Left out are
//   - channels to which somebody sends in a select, or who has not taken the waiter off the list: nothing is certain to come,
//   - channels without a buffer to which somebody sends under the lock,
//   - cases that receive from the channel already,
//   - exported methods that leave the list, whose results are known elsewhere.
package handback
