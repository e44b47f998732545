// Package linkedlist is a singly linked list of integers for several
// goroutines.
package linkedlist

import (
	"strconv"
	"strings"
	"sync"
)

// A node is one element, or the head before the first one.
type node struct {
	value int
	next  *node
}

// A List is a list of integers. The zero value is an empty list.
type List struct {
	mu   sync.Mutex // guards the links of all nodes
	head node       // before the first element
}

// Zeroth is the position before the first element.
func (l *List) Zeroth() *Iterator {
	return &Iterator{list: l, current: &l.head}
}

// First is the position of the first element, past the end of an empty list.
func (l *List) First() *Iterator {
	l.mu.Lock()
	defer l.mu.Unlock()
	return &Iterator{list: l, current: l.head.next}
}

// Insert puts x behind the element that p is at. Past the end it does nothing.
func (l *List) Insert(x int, p *Iterator) {
	if p == nil || p.current == nil {
		return
	}
	l.mu.Lock()
	n := &node{value: x, next: p.current.next}
	l.mu.Unlock()
	p.current.next = n
}

// Find is the position of the first element equal to x, past the end if there
// is none.
func (l *List) Find(x int) *Iterator {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := l.head.next
	for n != nil && n.value != x {
		n = n.next
	}
	return &Iterator{list: l, current: n}
}

// Remove takes out the first element equal to x and reports whether there was one.
func (l *List) Remove(x int) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	for prev := &l.head; prev.next != nil; prev = prev.next {
		if prev.next.value == x {
			prev.next = prev.next.next
			return true
		}
	}
	return false
}

// Len counts the elements.
func (l *List) Len() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	count := 0
	for n := l.head.next; n != nil; n = n.next {
		count++
	}
	return count
}

// String formats the list as "[1 2 3]".
func (l *List) String() string {
	var words []string
	for it := l.First(); it.Valid(); it.Advance() {
		words = append(words, strconv.Itoa(it.Value()))
	}
	return "[" + strings.Join(words, " ") + "]"
}
