// Package claimearly sets a flag in the critical section that tests it, where it was set
// in a later one:
//
//	r.mu.Lock()                          r.mu.Lock()
//	if r.off {                           if r.off {
//		r.mu.Unlock()                    	r.mu.Unlock()
//		return                           	return
//	}                                    }
//	r.mu.Unlock()                        // set where it is tested: another goroutine may come in between
//	close(r.power)                   →   r.off = true
//	<-r.quiet                            r.mu.Unlock()
//	r.mu.Lock()                          close(r.power)
//	r.off = true                         <-r.quiet
//	r.mu.Unlock()
//
// It mends a check and an act in two steps: two goroutines pass the test, and both do what
// only the first should, close a channel for example. What is between often waits, so that
// one section around all of it (package mergesections) would block, or wait for who needs
// the lock.
//
// The flag is a variable, a field or an entry of a map. It gets a constant, or what is
// made of names that mean the same in the first section; or it is counted. The test leaves
// the function or the iteration if the flag is set. It may be an if or a switch, in the
// section or behind it by a copy; the section may have several exits, may begin with
// TryLock, or be in a function literal that is called at once. The assignment may be in a
// literal, too, also a deferred one. A section for reading becomes one for writing. Where
// the test of a copy leaves for other values than the assigned one as well, it is made in
// the section:
//
//	state := d.state                     state := d.state
//	d.mu.Unlock()                        if state != open {
//	if state != open {               →   	d.mu.Unlock()
//		return                           	return
//	}                                    }
//	                                     d.state = closed
//	                                     d.mu.Unlock()
//
// Where the test asks a function that returns the flag under its lock, it gets a section of
// its own:
//
//	                                     r.mu.Lock()
//	if r.isOff() {                       if r.off {
//		return                       →   	r.mu.Unlock()
//	}                                    	return
//	                                     }
//	                                     r.off = true
//	                                     r.mu.Unlock()
//
// The later assignment goes, with its section if nothing else is in that. In the form
// state it stays: the first section sets a constant that is declared between those with
// which the test goes on and the one that is set at the end, such as closing.
//
// What is found in one section, used once (a close, a send or a call) and taken out in a later one is taken out where
// it is found (form remove): two goroutines find it otherwise. It is an entry of a map, or what a field points to:
//
//	c.mu.Lock()                          c.mu.Lock()
//	call := c.pending[id]                call := c.pending[id]
//	c.mu.Unlock()                        // taken out where it is found: another goroutine may find it in between
//	if call == nil {                     delete(c.pending, id)
//		return                       →   c.mu.Unlock()
//	}                                    if call == nil {
//	close(call.done)                     	return
//	c.mu.Lock()                          }
//	delete(c.pending, id)                close(call.done)
//	c.mu.Unlock()
//
// What is between may leave where nothing was found. The second section may be in an if that asks whether something was.
//
// Left out is what would be wrong, or is no single step:
//   - the assignment is made under a condition, or what is between may leave before it:
//     after an error the flag would stay set,
//   - what is between uses the flag, also in a function that it calls or a goroutine that it
//     starts or waits for: the flag may have to be as it was there,
//   - the value is not known yet, or what it points to is used in between,
//   - others wait in a loop until the flag is set, or use what is assigned between, or with the
//     flag, where they find it set: it says that something has been done,
//   - the second section tests the flag again,
//   - what is taken out in the second section and was put there in the first one, which others join there, or
//     wait for until it is gone,
//   - assignments in functions that are called, and values of maps that a called function
//     looks for.
//
// Who comes second leaves before the first has done its work, as it does where it comes late.
package claimearly
