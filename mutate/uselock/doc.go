// Package uselock takes another lock that is in scope: the one that guards the
// same variables elsewhere.
//
// It mends data races by a wrong lock. The goroutines all lock, but not the
// same mutex:
//
//	func (s *server) close() {     func (s *server) close() {
//		s.connMu.Lock()            // s.users is guarded by s.userMu elsewhere
//		delete(s.users, id)   →        s.userMu.Lock()
//		s.connMu.Unlock()              delete(s.users, id)
//	}                                  s.userMu.Unlock()
//	                               }
//
// The evidence is the locksets of Savage et al., Eraser (SOSP 1997), taken from
// the text: which sections of the program name which shared variables. A lock
// is offered when other sections that hold it use a variable of this section,
// while the section's own lock guards none of its variables anywhere else. So
// is the same field of another value, where all that is used belongs to that
// one: from.mu is held and to.amount changed.
//
// At most two locks are offered for a section, those with most evidence first.
// Of an RWMutex, the read side is taken where the section held a read side.
// The edit is flagged mutate.DropsGuard when the section uses other shared
// variables, too, than those that the new lock guards elsewhere.
//
// Refused are empty sections and nested ones on one lock, sections that wait on
// a sync.Cond, and locks that are held there already, by a caller too, are
// taken in the section, or are reached through what it assigns to.
package uselock
