// Package clonemap hands over a copy of a map or slice where its owner goes on
// changing the original:
//
//	func (c *Counter) All() map[string]int {
//		c.mu.Lock()
//		defer c.mu.Unlock()
//		                                // the caller's own copy: c.counts goes on changing
//		return c.counts             →   return maps.Clone(c.counts)
//	}
//
// It mends data races on maps and slices that a lock guards in one function and
// nobody once another has returned, sent or stored them, and panics by
// concurrent iteration and writing. To copy slices and maps at boundaries is
// the rule of Uber's Go style guide; maps used by several goroutines and slices
// passed by value are two of the patterns of races found there (Chabbi and
// Ramanathan, A Study of Real-World Data Races in Golang, PLDI 2022).
//
// Handed over is what is returned, sent, given to a go statement, stored in a
// field, package variable or element, put into a composite literal or appended
// as an element; what a section of a lock takes out into a local variable; and
// what a goroutine's literal captures and only reads. Named is a variable or a
// slice of one. A variable counts as changing when it is shared, or when its
// function changes its elements after it was handed over or in a loop with that.
//
// The copy is shallow. It is made where the original is handed over, so under
// the lock that is held there, if there is one; together with an edit that adds
// a lock it needs two. A composite edit copies a variable wherever it is handed over.
//
// Left out are
//   - arguments of ordinary calls: the callee may be meant to fill them,
//   - what is copied there already, and a copy that its receiver in the same
//     function writes to,
//   - modules that ask for a language older than Go 1.21, which has no package maps.
package clonemap
