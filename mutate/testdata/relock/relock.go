// Package relock has locks that do not show where they are held: each of the
// types is used by several goroutines, and its method Peek forgets the lock.
// The methods that hold it must not be offered it again.
package relock

import (
	"iter"
	"sync"
)

// Helpers locks by methods of its own.
type Helpers struct {
	mu sync.Mutex
	n  int
}

func (h *Helpers) lock()   { h.mu.Lock() }
func (h *Helpers) unlock() { h.mu.Unlock() }

func (h *Helpers) Held() {
	h.lock()
	defer h.unlock()
	h.n++
	h.n += h.n
}

func (h *Helpers) Peek() int { return h.n }

// Hold locks by a method that returns the release.
type Hold struct {
	mu sync.Mutex
	n  int
}

func (s *Hold) hold() func() {
	s.mu.Lock()
	return s.mu.Unlock
}

func (s *Hold) Held() {
	defer s.hold()()
	s.n++
	s.n += s.n
}

func (s *Hold) Peek() int { return s.n }

// Queue runs functions under its lock.
type Queue struct {
	mu    sync.Mutex
	items map[string]int
}

func (q *Queue) with(f func()) {
	q.mu.Lock()
	defer q.mu.Unlock()
	f()
}

func (q *Queue) Held(k string) {
	q.with(func() { q.items[k]++ })
}

func (q *Queue) Peek(k string) int { return q.items[k] }

// Set holds its lock while it yields.
type Set struct {
	mu   sync.Mutex
	m    map[string]bool
	seen int
}

func (s *Set) All() iter.Seq[string] {
	return func(yield func(string) bool) {
		s.mu.Lock()
		defer s.mu.Unlock()
		for k := range s.m {
			if !yield(k) {
				return
			}
		}
	}
}

func (s *Set) Held() {
	for range s.All() {
		s.seen++
	}
}

func (s *Set) Peek() int { return s.seen }

// Maybe leaves it to a flag who locks.
type Maybe struct {
	mu sync.Mutex
	n  int
}

func (m *Maybe) Held(locked bool) {
	if !locked {
		m.mu.Lock()
		defer m.mu.Unlock()
	}
	m.n++
}

func (m *Maybe) Peek() int { return m.n }

// Cond knows its lock by two names.
type Cond struct {
	mu   sync.Mutex
	cond *sync.Cond
	n    int
}

func NewCond() *Cond {
	c := new(Cond)
	c.cond = sync.NewCond(&c.mu)
	return c
}

func (c *Cond) Held() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for c.n == 0 {
		c.cond.Wait()
	}
	c.n--
}

func (c *Cond) Peek() int { return c.n }

// Flag leaves it to a flag of a method that others cannot call who locks.
type Flag struct {
	mu sync.Mutex
	n  int
}

func (f *Flag) add(locked bool) {
	if !locked {
		f.mu.Lock()
		defer f.mu.Unlock()
	}
	f.n++
}

func (f *Flag) HeldOnce() { f.add(false) }

func (f *Flag) HeldTwice() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.add(true)
	f.add(true)
}

func (f *Flag) Peek() int { return f.n }
