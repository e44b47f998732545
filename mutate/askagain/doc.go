// Package askagain repeats a question in a later critical section that relies on the
// answer:
//
//	l.mu.RLock()                   l.mu.RLock()
//	b, ok := l.buckets[key]        b, ok := l.buckets[key]
//	l.mu.RUnlock()                 l.mu.RUnlock()
//	if ok {                        if ok {
//		return b                   	return b
//	}                              }
//	b = newBucket()           →    b = newBucket()
//	l.mu.Lock()                    l.mu.Lock()
//	                               // others may have come in between: the question again
//	                               if b, ok := l.buckets[key]; ok {
//	                               	l.mu.Unlock()
//	                               	return b
//	                               }
//	l.buckets[key] = b             l.buckets[key] = b
//	l.mu.Unlock()                  l.mu.Unlock()
//	return b                       return b
//
// It mends a check and an act in two critical sections of one lock: what the first found
// may be false in the second. This is the double-checked form of a value that is made at
// its first use, where the lock for reading is traded for the one for writing; and that of
// a flag, such as closed, that is asked before something that waits. Merging the sections
// (package mergesections) would hold the lock over what stands between.
//
// The test stands behind the first section and decides by what one assignment has read in
// it, or it is the part of the section that leaves. It leaves the function or the
// iteration, and so does the repeated one, after a release of its own. Where the second
// section stands in the branch for the opposite answer, and behind it the function returns,
// it returns so at the second question:
//
//	if b == nil {                  if b == nil {
//		b = newBucket()            	b = newBucket()
//		l.mu.Lock()                	l.mu.Lock()
//		                       →   	// others may have come in between: the question again
//		                           	if b := l.buckets[key]; b != nil {
//		                           		l.mu.Unlock()
//		                           		return b
//		                           	}
//		l.buckets[key] = b         	l.buckets[key] = b
//		l.mu.Unlock()              	l.mu.Unlock()
//	}                              }
//	return b                       return b
//
// Form whole repeats all that the section has asked, in several statements, through
// functions that only read or by a call that takes the lock, of which the later section calls
// the variant that package hoist makes. That call may change something where the function leaves by its answer, as a
// look-up does that prolongs the life of what it finds. Where the function goes on with an answer, a seat that
// was free, the answers are compared. If it is another one now, the function begins again:
//
//	d.mu.Lock()                         d.mu.Lock()
//	seat, ok := d.free()                seat, ok := d.free()
//	d.mu.Unlock()                       d.mu.Unlock()
//	if !ok {                            if !ok {
//		return errLimit                     return errLimit
//	}                                   }
//	if err := d.ask(seat); err != nil { if err := d.ask(seat); err != nil {
//		return err                          return err
//	}                                   }
//	d.mu.Lock()                    →    d.mu.Lock()
//	                                    // others may have come in between: the questions again
//	                                    if nowSeat, ok := d.free(); !ok || nowSeat != seat {
//	                                    	d.mu.Unlock()
//	                                    	return d.Seat(name)
//	                                    }
//	defer d.mu.Unlock()                 defer d.mu.Unlock()
//	d.taken[seat] = name                d.taken[seat] = name
//
// Where code of others is called between the sections, which may take long, and the later one stores what comes of it in a
// value that the first has read, another edit (form alone) lets one at a time do that, by a new lock of the value.
// Those who have waited ask again. The edit is flagged mutate.Blocks: code of others that comes back here for the
// same value would wait for itself:
//
//	                                    acc.busy.Lock()
//	                                    defer acc.busy.Unlock()
//	                                    m.mu.Lock()
//	                                    grant = acc.grant
//	                                    m.mu.Unlock()
//	                                    if grant.valid() {
//	                                    	return grant.Access, nil
//	                                    }
//	next, err := m.refresh(grant)   →   next, err := m.refresh(grant)
//	...                                 ...
//	m.mu.Lock()                         m.mu.Lock()
//	acc.grant = next                    acc.grant = next
//	m.mu.Unlock()                       m.mu.Unlock()
//
// Left out are
//   - questions with receives, or calls of what may change something or wait,
//   - answers that go on and cannot be compared, and functions that cannot begin again,
//   - what has another meaning at the second section, because it was assigned to in between,
//   - second sections that change nothing shared, or that ask already,
//   - answers whose variables nobody else changes.
package askagain
