// Package lockatomics puts a lock around operations on atomic variables that
// belong together: each of them is atomic, all together are not.
//
//	func (p *Price) Set(bid, ask int64) {    func (p *Price) Set(bid, ask int64) {
//		p.bid.Store(bid)                         // Spread reads ask and bid together
//		p.ask.Store(ask)                         p.mu.Lock()
//	}                                            defer p.mu.Unlock()
//	                                             p.bid.Store(bid)
//	                                     →       p.ask.Store(ask)
//	                                         }
//
//	func (p *Price) Spread() int64 {         func (p *Price) Spread() int64 {
//		return p.ask.Load() - p.bid.Load()       // Set changes bid and ask together
//	}                                            p.mu.Lock()
//	                                             defer p.mu.Unlock()
//	                                             return p.ask.Load() - p.bid.Load()
//	                                         }
//
// It mends atomicity violations that no race detector reports: a check and an
// action on what it checked (if used < max, then used++), and values that are
// published by several stores and read by several loads. Lu et al. (Learning from
// Mistakes, ASPLOS 2008, section 4) find a third of the concurrency bugs to
// concern several variables. Package atomicrmw mends a pair on one variable by one
// operation, where there is one; it comes first there.
//
// The operations are those of the types and functions of sync/atomic on fields
// of one value, or on variables of the package. A function that makes several of
// them takes the lock from the first to the last. The edits are composite: all such
// functions of one type or package; these and those that change a variable once;
// and each function alone that checks and changes.
//
// What a helper does that only such functions call is a part of their step: one more edit
// has its calls in their sections, and the helper takes no lock.
//
// The lock is the value's own if it has one, or a new one. A value with a lock may get one
// more, for these variables: its own may be held around the operations already, and while
// others are told.
//
// Left out are operations on values that the function has just made, on local
// variables, and functions in which the operations cannot be in one section.
package lockatomics
