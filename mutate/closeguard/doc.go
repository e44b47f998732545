// Package closeguard puts the sends and closes of a channel under a lock of the value that has the
// channel. Sends that never wait get a flag that says whether it is closed:
//
//	type Watcher struct {                 type Watcher struct {
//		c chan Update                     	cMu     sync.Mutex
//	}                                         	c       chan Update
//	                                          	cClosed bool // under cMu
//	                                          }
//
//	close(w.c)                       →    w.cMu.Lock()
//	                                      if !w.cClosed {
//	                                      	w.cClosed = true
//	                                      	close(w.c)
//	                                      }
//	                                      w.cMu.Unlock()
//
//	select {                              w.cMu.Lock()
//	case w.c <- u:                        if !w.cClosed {
//	default:                              	select {
//	}                                     	case w.c <- u:
//	                                      	default:
//	                                      	}
//	                                      }
//	                                      w.cMu.Unlock()
//
// It mends sends on a closed channel, and closes of one, where several may close it and others
// send meanwhile: publishers that go through a list of subscribers they have copied, one of
// which leaves. Tu et al. (Understanding Real-World Concurrency Bugs in Go, ASPLOS 2019, section
// 6.1.2) count both among the non-blocking bugs. Package closeonce does with a second close
// alone.
//
// A send may wait if a flag of the value is asked before it, in another step, and set before the
// close. Then the lock is one for reading and writing: senders hold it from the question to the
// send, side by side, and who closes holds it from the answer to the close:
//
//	if s.closed.Load() {            s.queueMu.RLock()
//		return ErrClosed            defer s.queueMu.RUnlock()
//	}                               if s.closed.Load() {
//	s.queue <- m               →    	return ErrClosed
//	return nil                      }
//	                                s.queue <- m
//	                                return nil
//
//	s.closed.Store(true)            s.queueMu.Lock()
//	close(s.queue)             →    s.closed.Store(true)
//	                                close(s.queue)
//	                                s.queueMu.Unlock()
//
// These edits are addlock's. A full channel has room again, since its receivers go on until it
// is closed. Without a flag, or where they do not, packages closedone and waitmove do better.
//
// Where the sends are under the lock that the close needs, and may wait for receivers that need it as well,
// each leaves the lock for the send (as package shrinkend or releasearound does it) and counts itself before.
// The close comes when nobody sends any more:
//
//	q.mu.Lock()                      q.mu.Lock()
//	defer q.mu.Unlock()              if q.closed {
//	if q.closed {                    	q.mu.Unlock()
//		return ErrClosed             	return ErrClosed
//	}                                }
//	q.pending <- job             →   q.pendingSenders.Add(1)
//	return nil                       defer q.pendingSenders.Done()
//	                                 q.mu.Unlock()
//	                                 q.pending <- job
//	                                 return nil
//
//	q.closed = true                  q.closed = true
//	close(q.pending)             →   go func() {
//	                                 	q.pendingSenders.Wait()
//	                                 	close(q.pending)
//	                                 }()
//
// Where nothing is asked before sends that may wait, a new channel is closed first: those who wait give up, and
// the close waits, by a lock that they hold for reading, until they have:
//
//	select {                         s.cMu.RLock()
//	case s.c <- v:                   defer s.cMu.RUnlock()
//		return nil                   if s.cClosed {
//	case <-ctx.Done():               	return nil
//		return ctx.Err()             }
//	}                            →   select {
//	                                 case s.c <- v:
//	                                 	return nil
//	                                 case <-ctx.Done():
//	                                 	return ctx.Err()
//	                                 case <-s.done:
//	                                 	return nil
//	                                 }
//
//	close(s.c)                   →   close(s.done)
//	                                 s.cMu.Lock()
//	                                 s.cClosed = true
//	                                 close(s.c)
//	                                 s.cMu.Unlock()
//
// A function that users call returns the error by which the package says that something has ended, in a second edit
// nothing but zero values. Other sends are left out.
//
// One edit is for all sends and closes of a channel. A function that returns from the select
// gets the lock to its end, and does where the channel is closed what it does where it is full.
//
// Left out are channels
//   - that are no field of a struct, or of one whose values are copied,
//   - with a use in a test or in code that cannot be edited,
//   - with a send that may wait and asks nothing before, and more than one close,
//   - whose sends and closes are under one lock already, if no send waits, or one cannot leave it.
package closeguard
