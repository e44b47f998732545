// Package deferend has a function end what it has begun even if code of others panics in between:
// what comes behind the call is deferred.
//
//	c := &call{done: make(chan struct{})}    c := &call{done: make(chan struct{})}
//	g.calls[key] = c                         g.calls[key] = c
//	g.mu.Unlock()                            g.mu.Unlock()
//	                                         // what waiters get if fn panics
//	                                         c.err = errors.New("flight: fn did not return")
//	                                         // also if fn panics: others wait for it
//	                                         defer func() {
//	                                         	g.mu.Lock()
//	                                         	delete(g.calls, key)
//	                                     →   	g.mu.Unlock()
//	                                         	close(c.done)
//	                                         }()
//	c.value, c.err = fn()                    c.value, c.err = fn()
//	g.mu.Lock()                              return c.value, c.err
//	delete(g.calls, key)
//	g.mu.Unlock()
//	close(c.done)
//	return c.value, c.err
//
// It mends waits that never end because a panic, which a caller recovers as the servers of package
// net/http do, has left a function before it released what others wait for. That a deferred operation
// survives early returns and panics is GFix's second strategy (Liu et al., Automatically Detecting and
// Fixing Concurrency Bugs in Go Software Systems, ASPLOS 2021, section 4.2). Packages deferdone and
// deferclose have it for goroutines that end early. The forms are:
//
//   - unlock: the release of a lock, where the section reaches the end of the function,
//   - slot: what gives back one thing that the function took: a receive, or the send of a constant or of what was
//     received, by the counterpart on the same channel; Release and the like of a value with Acquire; a decrement.
//     It is deferred right behind the taking, and all places of one channel are one composite edit,
//   - tail: all that the function does behind the call, where that wakes others: closes, Done,
//     Signal and Broadcast, or a count under a lock, with what is deleted, counted and set beside it. Where the call
//     sets an error that others may read, it has a value before.
//
// The code of others is a call of a function value or of an interface's method, in a statement of the list that gives
// back. Behind that list the function only returns: what is deferred would come too late otherwise.
//
// Left out are
//   - sections and slots behind whose end the function does more than return,
//   - tails that use what the call's statement declares, or set what is returned,
//   - functions that recover by themselves.
package deferend
