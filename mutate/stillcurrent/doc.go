// Package stillcurrent lets the callback of a timer act only on what it was made for:
//
//	s.timer = time.AfterFunc(ttl, func() {      s.timer = time.AfterFunc(ttl, func() {
//		c.mu.Lock()                         	c.mu.Lock()
//		                                    	// the timer was made for one that has gone or was replaced
//		                                    	if c.sessions[id] != s {
//		                                    		c.mu.Unlock()
//		                                →   		return
//		                                    	}
//		delete(c.sessions, id)              	delete(c.sessions, id)
//		c.mu.Unlock()                       	c.mu.Unlock()
//	})                                          })
//	c.sessions[id] = s                          c.sessions[id] = s
//
// It mends time-outs that hit a successor. Stop and Reset of a timer that has fired do not
// take it back: its callback waits for the lock, and then ends what somebody else
// has put in the place meanwhile, or what was just given more time. The documentation of
// time.Timer.Stop says that the caller must coordinate with the callback explicitly. A
// goroutine that has slept, or waited for a timer in a select statement, is the same.
//
// What stands for time.AfterFunc where tests bring a clock of their own, such as
// m.after(ttl, func() { ... }), is the same. A clock that has a method Now, such as m.clock of m.clock.AfterFunc, is
// asked for the time in place of package time.
//
// The comparison is the first thing that is done under the lock, in the callback or in the
// function that it calls. In the form
//   - replaced, what is in the map or field now is compared with the pointer that was put
//     there when the timer was made; the function gets it as a parameter, unless it has it
//     already. Where the timer is Reset, the function that made it is called again, after Stop, if all that
//     it wants has the same names there,
//   - deadline, the time is compared with the one at which the timer is to fire, a
//     new field beside the timer, which Reset moves,
//   - generation, a new counter beside the timer is compared with what it was; who makes a new
//     timer or stops the old one counts. Where the section has to look for the value in a map, it
//     compares that, too,
//   - timer, a timer in a map is compared with the callback's own, a variable that is set and read
//     under the lock.
//
// Left out are
//   - callbacks without a critical section, and those that compare two values first,
//   - functions with results, and those that are called from elsewhere, too, unless they
//     have the pointer: these callers have none to give,
//   - values that are no pointers, and pointers in variables that change,
//   - timers that are stopped for good, where there would be a deadline, and those that
//     are Reset, where there would be a generation,
//   - what Stop returns: what to do if it is false only the caller knows.
package stillcurrent
