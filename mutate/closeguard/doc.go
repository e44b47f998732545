// Package closeguard puts sends that never wait, and the closes of their channel, under a lock
// of the value that has the channel, with a flag that says whether it is closed:
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
// alone; where a send may wait, packages closedone and waitmove do better.
//
// One edit is for all sends and closes of a channel. A function that returns from the select
// gets the lock to its end, and does where the channel is closed what it does where it is full.
//
// Left out are channels
//   - that are no field of a struct, or of one whose values are copied,
//   - with a send that may wait, or a use in a test or in code that cannot be edited,
//   - whose sends and closes are under one lock already.
package closeguard
