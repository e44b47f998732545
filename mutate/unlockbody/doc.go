// Package unlockbody removes the lock around a whole function body.
//
// It is package unlockmethod for every other lock and form: functions and
// function literals, locks of parameters and packages, and explicit releases.
//
//	func report(r *Registry) {      func report(r *Registry) {
//		r.mu.Lock()                   for _, s := range r.services {
//		for _, s := range r.services {    s.print()
//			s.print()            →    }
//		}                           }
//		r.mu.Unlock()
//	}
//
// A return of names and literals may follow the section. The edit is flagged
// mutate.DropsGuard when the body uses a variable that the lock guards, unless
// every call is made with the lock held (see package unlockmethod), and
// mutate.DropsLock when none is known.
//
// It is the counterpart of CORE's RSM (Kelk 2015).
//
// Refused are bodies of which the section covers only a part, bodies that wait
// on a sync.Cond, and locks in a local variable that would then be unused.
// Sections of one statement are package unlockstatement's.
package unlockbody
