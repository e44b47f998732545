// Package circularlist has the bug of the synthetic program CircularList: to move
// the first element to the end takes two steps, and what comes between them finds
// the list in another order.
package circularlist

import "sync"

// A List is safe for concurrent use.
type List struct {
	mu    sync.Mutex
	items []int
}

// RemoveFirst takes the first element away.
func (l *List) RemoveFirst() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	first := l.items[0]
	l.items = l.items[1:]
	return first
}

// Append adds an element.
func (l *List) Append(n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.items = append(l.items, n)
}

// Rotate moves the first element to the end.
func (l *List) Rotate() { l.Append(l.RemoveFirst()) }

// Items is a copy of the elements.
func (l *List) Items() []int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([]int(nil), l.items...)
}
