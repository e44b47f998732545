// Package pointerreceiver gives a method a pointer for a receiver where its
// receiver is a copy of a struct with a lock in it:
//
//	type Registry struct {
//		metrics map[string]any
//		mu      sync.Mutex
//	}
//
//	func (r Registry) Names() []string {   →   func (r *Registry) Names() []string {
//		r.mu.Lock()                                r.mu.Lock()
//		defer r.mu.Unlock()                        defer r.mu.Unlock()
//		...                                        ...
//
// It mends methods whose lock excludes nobody, since each call locks a copy of
// its own; races between making the copy and those who change the original under
// the lock; and goroutines that wait for ever, since the copy was made while the
// original was locked, and nobody unlocks the copy. It is what vet's copylocks
// complains about. A composite edit gives pointers to all such methods of a type.
//
// What counts as a lock is any type whose pointer has methods Lock and Unlock and
// whose value has not, and the structs and arrays that contain one.
//
// Since a copied lock is wrong whatever the failure, the edit is never quite cold.
//
// A value whose method has a pointer receiver cannot be used as an interface that
// asks for the method, and one without an address cannot be asked for it. Where a
// value becomes an interface, whether the compiler would notice or not (a value in an
// any that somebody encodes), the edit is left out. So are methods that
//   - assign to a field of their copy, or take the address of one, and acquire no lock of
//     it: callers would see that,
//   - use their receiver other than to select from it,
//   - are named as a value or in a method expression, or called on a value without
//     address, such as a map's.
package pointerreceiver
