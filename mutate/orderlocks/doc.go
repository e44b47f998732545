// Package orderlocks takes the locks of two values of one type in the order of
// a field that differs between the values:
//
//	from.mu.Lock()             // in the order of id, lest two goroutines wait for each other
//	defer from.mu.Unlock()     first, second := from, to
//	to.mu.Lock()               if second.id < first.id {
//	defer to.mu.Unlock()   →       first, second = second, first
//	...                        }
//	                           first.mu.Lock()
//	                           defer first.mu.Unlock()
//	                           second.mu.Lock()
//	                           defer second.mu.Unlock()
//	                           ...
//
// It mends deadlocks between transfer(a, b) and transfer(b, a), which package
// swaplocks cannot: no order of the arguments is the same for both. A stable
// order of all locks is the textbook's answer (Havender, Avoiding Deadlock in
// Multitasking Systems, IBM Systems Journal 7(2), 1968). CORE has no counterpart.
//
// The field is an integer or a string whose name is that of an identity (id, key and the like), that
// is set when values are made and never assigned to again. A name, number or address is one if
// values are kept in a map by it, so that no two have the same. If the type has no such field, or if
// a loop of the package takes several of the locks and keeps them, both locks are taken under a
// new lock of the package, so that only one goroutine takes them at a time:
//
//	accountOrder.Lock()
//	from.mu.Lock()
//	to.mu.Lock()
//	accountOrder.Unlock()
//
// and so is such a loop:
//
//	                          depotOrder.Lock()
//	for _, d := range all {   for _, d := range all {
//		d.mu.Lock()       →   	d.mu.Lock()
//		defer d.mu.Unlock()   	defer d.mu.Unlock()
//		...                   	...
//	}                         }
//	                          depotOrder.Unlock()
//
// Statements between the acquisitions then run under both locks; releases that
// are deferred together or come later stay as they are. A composite edit is
// for all places that nest two locks of the type, since one that is left over
// may still meet another.
//
// If both values are the same one, the goroutine waits for itself as before: what
// to do then only the program can say.
//
// Left out are
//   - locks in different statement lists, one of them in a callee: package
//     shrinkend or releasearound releases the first before,
//   - more than two locks at once, but in a loop that comes to its end,
//   - acquisitions that package swaplocks could not join either.
package orderlocks
