// Package callafter puts a call off that a critical section makes until the lock
// is released.
//
// What others have given a value to call, an observer or a handler, may use the value,
// and waits for itself then; or it holds up everybody who needs the lock.
//
//	                              var calls []func() // for after the unlock
//	                              defer func() {
//	                              	for _, call := range calls {
//	                              		call()
//	                              	}
//	                              }()
//	b.mu.Lock()                   b.mu.Lock()
//	defer b.mu.Unlock()           defer b.mu.Unlock()
//	b.open = true             →   b.open = true
//	b.onOpen(b.name)              calls = append(calls, func() { b.onOpen(b.name) })
//	b.until = now.Add(pause)      b.until = now.Add(pause)
//
// Where a method is called with the lock held, what it calls waits in a new field, and
// the functions that hold the lock around it release it by a new method, which then
// makes the calls:
//
//	func (b *Breaker) Trip() {                func (b *Breaker) Trip() {
//		b.mu.Lock()                       	b.mu.Lock()
//		defer b.mu.Unlock()               	defer b.unlock()
//		b.change(Open)                    	b.change(Open)
//	}                                         }
//
//	func (b *Breaker) change(to State) {  →   func (b *Breaker) change(to State) {
//		b.state = to                      	b.state = to
//		b.onChange(to)                    	b.afterUnlock = append(b.afterUnlock, func() { b.onChange(to) })
//	}                                         }
//
//	                                          // unlock releases b.mu and makes the calls that wait for that.
//	                                          func (b *Breaker) unlock() {
//	                                          	calls := b.afterUnlock
//	                                          	b.afterUnlock = nil
//	                                          	b.mu.Unlock()
//	                                          	for _, call := range calls {
//	                                          		call()
//	                                          	}
//	                                          }
//
// The calls are made in their order, by the goroutine that made them before, with
// arguments of the time when they were put off. The state is changed in one critical
// section, as before: that is why people prefer this to a release around the call
// (package releasearound). Java's CORE has no counterpart; Bloch (Effective Java, item
// 79) calls the kind an alien method inside a synchronised region, and moves it out.
//
// What is put off is a statement that calls a function value or a method of an interface
// of the module, or what may take the lock again, or a method of a field that calls
// what others have given, a list of observers. Such a field is copied:
//
//	                          onMatch := l.onMatch
//	l.onMatch.call(match) →   onMatch.list = slices.Clone(onMatch.list)
//	                          calls = append(calls, func() { onMatch.call(match) })
//
// A loop that calls, for each element, what may end it by its result is parted (form loop): what the calls are
// given is collected under the lock, and they are made behind it:
//
//	                                  	var nodes []Node
//	s.mu.RLock()                      	s.mu.RLock()
//	defer s.mu.RUnlock()              	for _, id := range s.sorted() {
//	for _, id := range s.sorted() {   	    nodes = append(nodes, *s.nodes[id])
//	    if !visit(*s.nodes[id]) {  →  	}
//	        return                    	s.mu.RUnlock()
//	    }                             	for _, node := range nodes {
//	}                                 	    if !visit(node) {
//	                                  	        return
//	                                  	    }
//	                                  	}
//
// Where the loop needs nothing else of what the lock guards, it goes over a copy of the slice or map. The read side is
// as dangerous as the other: who takes it again waits behind a writer that waits for the first reader. A pointer, slice
// or map that others get without the lock is flagged mutate.DropsGuard, if what it leads to is changed anywhere.
//
// Left out are
//   - calls whose results are used in another way,
//   - loops that change something between the calls, and what needs the lock behind them,
//   - calls that end their section, for which packages shrinkend and moveout do better,
//   - arguments that lead to what the lock guards: slices and maps of the value,
//   - methods that are called with the lock in a way that is no critical section of its
//     write side, or that others may call.
package callafter
