// Package mergesections merges two critical sections of the same lock that
// follow each other in a statement list:
//
//	l.mu.Lock()           l.mu.Lock()
//	l.number = n          l.number = n
//	l.mu.Unlock()       → show(n)
//	show(n)               l.shown++
//	l.mu.Lock()           l.mu.Unlock()
//	l.shown++
//	l.mu.Unlock()
//
// It mends steps that belong together but let others come in between: what the
// first section found may be false in the second. The release of the first
// section and the acquisition of the second go. At most sectionedit.MaxMoves
// statements may stand between them.
//
// Returns, breaks and panics between the sections get a release of their own.
// Where the second section ends with a deferred release, that moves up to the
// acquisition if no other way out needs a release before. If only one of two
// sections of an RWMutex is of the write side, the merged one is.
//
// A section whose last release is deferred, or that is left in several ways, may
// have a gap: a release, and an acquisition behind it. Both go.
//
//	defer l.mu.Unlock()       defer l.mu.Unlock()
//	e := l.push(k)            e := l.push(k)
//	l.mu.Unlock()           → l.index[k] = e
//	l.mu.Lock()
//	l.index[k] = e
//
// Where the second section needs nothing of what stands between, it can come first (form ahead), and the rest
// is done without the lock, as before:
//
//	f.mu.Lock()                  f.mu.Lock()
//	batch := f.buf               batch := f.buf
//	f.mu.Unlock()                f.buf = nil
//	if len(batch) == 0 {         f.mu.Unlock()
//		return               →   if len(batch) == 0 {
//	}                            	return
//	f.write(batch)               }
//	f.mu.Lock()                  f.write(batch)
//	f.buf = nil
//	f.mu.Unlock()
//
// So what is handed over leaves its place at once, and who will answer finds the one who waits. A way out by what was
// called in between is not passed: what the second section does may depend on it.
//
// CORE has no counterpart: it merges by expanding one section over the other,
// since Java's monitors are re-entrant.
//
// Refused is merging over a statement that
//   - may take the same lock: Go mutexes are not re-entrant,
//   - waits: a channel operation, a sleep, a WaitGroup or a condition variable,
//   - declares or assigns what the lock is reached through,
//   - holds a label that a goto names, or never runs on past its end,
//   - takes or releases another lock without the other half,
//   - leaves with a value that needs the lock.
package mergesections
