package relock

import "sync"

// Table is generic; nothing instantiates it, and Held locks itself out, which
// no other edit is to be blamed for.
type Table[K comparable] struct {
	mu sync.Mutex
	n  map[K]int
}

func (t *Table[K]) Held(k K) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.n[k] += t.get(k)
}

func (t *Table[K]) get(k K) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.n[k]
}

func (t *Table[K]) Peek(k K) int { return t.n[k] }
