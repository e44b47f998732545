// Package clonemap gives away a copy of a map or slice whose owner keeps on
// changing the original:
//
//	func (c *Counter) All() map[string]int {
//		c.mu.Lock()
//		defer c.mu.Unlock()
//		                                // the caller's own copy: c.counts goes on changing
//		return c.counts             →   return maps.Clone(c.counts)
//	}
//
// It mends data races on maps and slices that a lock guards until a function
// returns, sends or stores them, and nothing afterwards; and panics by concurrent
// iteration and writing. To copy slices and maps at boundaries is
// the rule of Uber's Go style guide; maps used by several goroutines and slices
// passed by value are two of the patterns of races found there (Chabbi and
// Ramanathan, A Study of Real-World Data Races in Golang, PLDI 2022).
//
// A variable, a slice of one, or an element of one that is a map or slice itself, is shared by a copy of its header
// when it, or a local variable that is another name for it, is
// returned, sent, given to a go statement, stored in a field, package variable or
// element, put into a composite literal or appended as an element; when a section
// of a lock takes it out into a local variable; and when a goroutine's literal
// captures it and only reads. It counts as changing when it is a shared variable,
// or when its function changes its elements, or reads into it, afterwards or in a loop with that.
//
// The copy is shallow. Where the elements are maps or slices themselves, another edit
// copies these too:
//
//	copied := maps.Clone(r.metrics)
//	for key, inner := range copied {
//		copied[key] = maps.Clone(inner)
//	}
//	return copied
//
// A local struct that a function returns, although goroutines that it has started may still change the
// elements of its slices and maps, is copied with these:
//
//	return report   →   return Report{Results: slices.Clone(report.Results), Complete: report.Complete}
//
// A list that a function appends to without changing it is clipped. Where there is room behind the list, all who do
// so at the same time would write to the same place:
//
//	headers := append(c.headers, id)   →   headers := append(slices.Clip(c.headers), id)
//
// What a container has is copied wherever a function gives it away: all who ask the container for it get the same.
// A container is a field or package variable of a type of another package, that is given slices and maps as values of any
// type and gives them back: a cache, a sync.Map, a singleflight.Group. Where a function puts something there and returns it,
// it returns a copy, too. One edit has all places of a function (form kept):
//
//	if subs, ok := x.cache.Get(k); ok {
//		return subs             →   return slices.Clone(subs)
//	}
//	subs := compute(k)
//	x.cache.Add(k, subs)
//	return subs                 →   return slices.Clone(subs)
//
// A copy is made where the original is handed over, so under
// the lock that is held there, if there is one; otherwise a second edit has to
// add the lock. A composite edit copies a variable wherever it is handed over.
//
// Left out are
//   - arguments of ordinary calls: the callee may be meant to fill them,
//   - what is copied there already, and a copy that its receiver in the same
//     function writes to,
//   - what a container gives away for good, by a method that deletes or takes it, and what is in a sync.Pool,
//   - all but plain copies of slices, append([]T(nil), list...), in modules that ask for a language older than Go 1.21, which
//     has no packages maps and slices.
package clonemap
