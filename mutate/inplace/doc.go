// Package inplace uses a value that has a lock in it where it is, instead of a copy.
//
//	snap := *r                snap := r
//	n := snap.count           n := snap.count
//	                      →
//	for _, v := range all {   for i := range all {
//		n += v.count              v := &all[i]
//	}                             n += v.count
//	                          }
//
// A copy of a value with a mutex reads the mutex while others change it: that is a data
// race even for who holds the lock, and the copy may be locked for ever. It is what vet's
// copylocks complains of. What the copy was read for is read under the value's own lock
// then, in edits of the operators addlock and guard: where there is one of addlock from
// the copy to its last use, a composite edit has both.
//
// CORE (Kelk 2015) has no counterpart; Java does not copy objects.
//
// Left out are copies
//   - that are changed, captured, given away or returned as a whole, or whose methods are
//     called: they may be meant as copies, unless their lock is taken, which nobody else has,
//   - of what a call, a map or a channel gives, which is nowhere else,
//   - whose original is reached through something that is assigned to while they are used.
package inplace
