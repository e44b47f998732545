package changes

import (
	"slices"

	"mendel/analysis/locks/splits"
)

// askedApart finds functions that ask about a variable in one section and go by it in a later one, where the change
// puts both into one section in the function that sets the variable: between the two, that may run as a whole.
//
//	func (b *Batcher) Close() error {       func (b *Batcher) Add(item int) error {
//		b.mu.Lock()                             if b.isClosed() { // locks b.mu
//		defer b.mu.Unlock()                     	return ErrClosed
//		if b.closed {                           }
//			return ErrClosed                    b.mu.Lock()
//		}                                       defer b.mu.Unlock()
//		b.closed = true                         b.items = append(b.items, item)
//		b.items = nil                           return nil
//	}                                       }
func (c *comparison) askedApart() {
	now := splits.In(c.after, c.after.Shipped())
	for _, o := range splits.In(c.before, c.before.Shipped()) {
		if slices.ContainsFunc(now, o.Same) {
			continue
		}
		for _, w := range splits.AsksApart(c.after, o) {
			if was := c.before.Named(w.In.Name); was != nil {
				c.report(SplitLeft, w.Use, "%s is asked in a section before the one that goes by it, as the change mends it in %s", o.Read.Name, o.In.Label())
			}
		}
	}
}
