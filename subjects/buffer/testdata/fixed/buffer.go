// Package buffer passes items from producers to consumers through a buffer
// that holds a few of them.
package buffer

import (
	"fmt"
	"strings"
	"sync"
)

// A Buffer holds up to a fixed number of items, first in, first out. It may be
// used by several goroutines.
type Buffer struct {
	mu      sync.Mutex // guards what follows
	changed *sync.Cond // there are more items, or fewer, than before

	items []int // a ring
	first int   // index of the oldest item
	count int

	puts, takes int
}

// New makes an empty buffer for up to capacity items, at least one.
func New(capacity int) *Buffer {
	b := &Buffer{items: make([]int, max(capacity, 1))}
	b.changed = sync.NewCond(&b.mu)
	return b
}

// Put adds an item. It waits while the buffer is full.
func (b *Buffer) Put(item int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for b.count == len(b.items) {
		b.changed.Wait()
	}
	b.items[(b.first+b.count)%len(b.items)] = item
	b.count++
	b.puts++
	b.changed.Broadcast()
}

// Take removes the oldest item. It waits while the buffer is empty.
func (b *Buffer) Take() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	for b.count == 0 {
		b.changed.Wait()
	}
	item := b.items[b.first]
	b.first = (b.first + 1) % len(b.items)
	b.count--
	b.takes++
	b.changed.Broadcast()
	return item
}

// Len is the number of items in the buffer.
func (b *Buffer) Len() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.count
}

// String formats the buffer as "[1 2] after 5 puts and 3 takes".
func (b *Buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	var words []string
	for i := range b.count {
		words = append(words, fmt.Sprint(b.items[(b.first+i)%len(b.items)]))
	}
	return fmt.Sprintf("[%s] after %d puts and %d takes", strings.Join(words, " "), b.puts, b.takes)
}
