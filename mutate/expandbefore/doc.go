// Package expandbefore moves the beginning of a critical section up over the
// statements before it.
//
// It mends sections that begin too late: what they depend on is read, and may
// change again, before the lock is taken.
//
//	n := c.n        // c.n must be read under c.mu
//	c.mu.Lock()   → c.mu.Lock()
//	c.n = n + 1     n := c.n
//	c.mu.Unlock()   c.n = n + 1
//	                c.mu.Unlock()
//
// One edit covers 1, 2, ... up to sectionedit.MaxMoves statements; a number is left
// out when its first statement neither touches a shared variable nor calls
// into the module. A deferred release right after the acquisition moves along.
// A section that has become the whole function releases its lock with defer.
//
// So a check moves into the section that depends on it, as does setting a flag.
// Ways out of the covered statements get a release of their own, unless the
// release is deferred:
//
//	if l.closed {        l.mu.Lock()
//		return           if l.closed {
//	}                  →     l.mu.Unlock()
//	l.mu.Lock()              return
//	l.queue++            }
//	l.mu.Unlock()        l.queue++
//	                     l.mu.Unlock()
//
// Where a call among the covered statements takes the same lock, what it calls no longer does (form calls), as
// package expandafter has it:
//
//	if p.Idle() > 0 {          p.mu.Lock()
//		return p.pop()         defer p.mu.Unlock()
//	}                      →   if len(p.idle) > 0 {
//	p.mu.Lock()                	return p.popLocked()
//	defer p.mu.Unlock()        }
//	p.made++                   p.made++
//
// It is the counterpart of CORE's EXSB (Kelk 2015).
//
// Refused is covering a statement that
//   - leaves with a value that needs the lock, as "return l.queue", unless the release is or becomes deferred,
//   - leaves the list but not the function, by break, continue or goto, if the release is deferred,
//   - declares, assigns or compares with nil what the lock is reached through,
//   - may take the same lock in another way: Go mutexes are not re-entrant,
//   - is labelled or holds a label that a goto names,
//   - is a defer, when the section's own release is deferred: they would run in another order,
//   - takes or releases another lock without the other half.
package expandbefore
