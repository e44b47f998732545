// Package expandafter moves the end of a critical section down over the
// statements after it.
//
// It mends sections that end too early: the check is made under the lock and
// the change is not, or an object is prepared under the lock and linked without:
//
//	l.mu.Lock()               l.mu.Lock()
//	n := &node{next: l.head}  n := &node{next: l.head}
//	l.mu.Unlock()           → l.head = n
//	l.head = n                // l.head must be changed under l.mu
//	                          l.mu.Unlock()
//
// One edit covers 1, 2, ... up to sectionedit.MaxMoves statements; a number is left
// out when its last statement neither touches a shared variable nor calls into
// the module, because the lock makes no difference there.
//
// A statement that sends on a channel, or closes one, counts where the section changes something: others are told in
// the order of the changes. The Add of a wait group counts, too, if a function waits for the group that has a section
// of the same lock, in which it sets what was asked: Close, say, sets a flag and waits for all who have begun.
// A composite edit does so at all places.
//
// Returns, breaks and panics among the covered statements get a release of
// their own before them, as long as what they evaluate needs no lock. If it
// does, as in "return c.n", and the section now reaches the end of the
// function, the release is deferred instead. It is deferred too where the
// section has become the whole function.
//
// A release in a branch that leaves the function moves down by itself, the
// others stay where they are:
//
//	if c.limit > c.running() {       if c.limit > c.running() {
//		c.mu.Unlock()                    c.start()
//		c.start()                →       // c.start must be called under c.mu
//		return                           c.mu.Unlock()
//	}                                    return
//	                                 }
//
// Where a call among the covered statements takes the same lock, what it calls no longer
// does: it is called by a variant without, as package calllocked has them. What was found
// in the section is still so there:
//
//	s.mu.Lock()               s.mu.Lock()
//	closed := s.closed        closed := s.closed
//	s.mu.Unlock()             if closed {
//	if closed {                   s.mu.Unlock()
//		return errClosed  →       return errClosed
//	}                         }
//	s.add(x)                  s.add(x) // called nowhere else, it takes no lock any more
//	                          s.mu.Unlock()
//
// Where the next section of the same lock follows in the list, package
// mergesections makes the two one.
//
// It is the counterpart of CORE's EXSA (Kelk 2015).
//
// Refused are sections with a deferred release, which end with the function
// already, and covering a statement that
//   - may take the same lock in another way: Go mutexes are not re-entrant,
//   - declares or assigns what the lock is reached through, as "p = p.next" before p.mu.Unlock(),
//   - holds a label that a goto names, or is itself a break, continue, goto or fallthrough,
//   - takes or releases another lock without the other half,
//   - leaves with a value that needs the lock while the function goes on after it.
package expandafter
