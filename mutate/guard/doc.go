// Package guard guards every access of some variables with one lock. Its edits
// are composite: they stand for edits of other operators, in as many functions
// as access the variables without the lock.
//
//	func (f *Flight) Stopped() bool {        f.mu.Lock()
//	  return f.stop                          defer f.mu.Unlock()
//	}                                        return f.stop
//	                                     →
//	func (f *Flight) Sell() bool {
//	  if f.stop {                            f.mu.Lock()
//	    return false                         defer f.mu.Unlock()
//	  }                                      ...
//	  f.sold++
//	  f.stop = f.sold == f.seats
//	  return true
//	}
//
// It mends what no single section can: variables that several functions, or
// several places of one, use without their lock. Which lock that is follows
// from the accesses that do have one: it is the lock held most often around
// accesses of the variable (the lockset idea of Savage et al., Eraser, 1997).
// Where there is none, it is a mutex beside the variables, or a new one. The
// variables guarded together are those that the lock guards elsewhere; or the
// fields of one struct, the variables of one function or of the package: all
// that are shared, and those that the evidence names.
//
// Sections come in four forms. The wide one goes from the first access of
// a function to the last, or is the whole function; a section of the lock that
// stands beside an access grows over it. The tight one covers runs of
// statements each of which uses the variables. In the third, an access that has
// the lock of another value gets its own after the other one is released,
// instead of inside of it:
//
//	p.mu.Lock()             p.mu.Lock()
//	p.amount -= n           p.amount -= n
//	other.amount += n   →   p.mu.Unlock()
//	p.mu.Unlock()           other.mu.Lock()
//	                        other.amount += n
//	                        other.mu.Unlock()
//
// In these forms nothing waits under the lock: a section ends before a
// statement that waits, and the next begins behind it. Where that leaves out a
// statement that decides by the variables whether to wait, there is a fourth
// form, with tight sections and such statements as a whole in one: between two
// sections what was decided by may change.
//
//	                         c.mu.Lock()
//	if c.running {           if c.running {
//		c.stop <- token{}        c.stop <- token{}
//		c.running = false   →    c.running = false
//	}                        }
//	                         c.mu.Unlock()
//
// In no form does a section go around the loop of a goroutine.
//
// A function that some caller calls with the lock held does not take it; its
// other callers take it around the call. In the wide form all callers of an
// unexported function do so if they use the variables, too.
//
// What has a lock and is copied to be read is read in place, see operator inplace.
//
// Where the evidence names variables of several locks, one more edit guards all of them:
// with any of the others some race is left.
//
// CORE (Kelk 2015) has no counterpart. Its author says of the program Lottery
// that related edits would have to agree on the lock.
//
// Left out are accesses of what the function has just made, functions that only
// tests call in their own goroutine (unless the evidence names them), and what
// cannot be put under the lock for one of the reasons of addlock.
// Variables far from the evidence are left out as soon as there is evidence.
package guard
