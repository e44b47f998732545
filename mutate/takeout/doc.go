// Package takeout empties a field in the critical section that lists what is in it, where a later
// section emptied it:
//
//	w.mu.Lock()                                w.mu.Lock()
//	batch := slices.Clone(w.events)            batch := slices.Clone(w.events)
//	                                           // taken out where it is listed: what comes later is for the next time
//	                                       →   w.events = w.events[:0]
//	w.mu.Unlock()                              w.mu.Unlock()
//	if err := w.sink.Store(batch); err != nil { if err := w.sink.Store(batch); err != nil {
//	                                           	// it stays for the next time
//	                                           	w.mu.Lock()
//	                                           	w.events = append(batch, w.events...)
//	                                           	w.mu.Unlock()
//		return err                             	return err
//	}                                          }
//	w.mu.Lock()
//	w.events = w.events[:0]
//	w.mu.Unlock()
//
// What others put in between the two sections is lost otherwise, and what is listed by two
// goroutines at the same time is worked off twice. One section around both would be held while others
// are waited for.
//
// The field is a slice or a map. It is listed by a copy, by a loop that appends or copies, or by its mere
// name; then it gets new memory. The listing may be in a method that the function calls, which
// nobody else calls. On each way out between the two sections what was listed is put back, unless there
// was nothing: a slice before what has come since, numbers of a map that others add to are added,
// and other entries of a map are put back where no newer ones are.
//
// Left out is what would be wrong:
//   - what is between the sections, or the later one before it empties, uses the field,
//   - the later section is not reached from the first one in one statement list,
//   - what was listed cannot be put back on a way out, since the list has other elements.
package takeout
