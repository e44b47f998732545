// Package clothes has locks in all clothes. A comment "held: s.mu" says what is
// held when the statement on its line is reached, "maybe: s.mu" what may be, and
// "relock" that the goroutine may wait for itself there.
package clothes

import (
	"iter"
	"runtime"
	"sort"
	"sync"
)

type S struct {
	mu    sync.Mutex
	rw    sync.RWMutex
	once  sync.Once
	items map[string]int
	n     int
	mus   [4]sync.Mutex
	named map[string]*sync.Mutex
	next  *S
	cb    func()
}

func (s *S) lock()   { s.mu.Lock() }
func (s *S) unlock() { s.mu.Unlock() }

func (s *S) Helper() {
	s.lock()
	defer s.unlock()
	s.n++    // held: s.mu
	s.lock() // relock
	s.n++    // dead
}

func (s *S) HelperTwice() {
	s.lock()
	s.n++ // held: s.mu
	s.unlock()
	s.n++ // free
	s.mu.Lock()
	s.n++ // held: s.mu
	s.unlock()
}

func (s *S) hold() func() {
	s.mu.Lock()
	return func() { s.mu.Unlock() }
}

func (s *S) holdMethod() func() {
	s.mu.Lock()
	return s.mu.Unlock
}

func (s *S) Hold() {
	defer s.hold()()
	s.n++   // held: s.mu
	s.inc() // relock
}

func (s *S) HoldTwice() {
	release := s.holdMethod()
	s.n++ // held: s.mu
	release()
	s.n++ // free
	s.inc()
}

func (s *S) inc() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.n++ // held: s.mu
}

func (s *S) with(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f() // held: s.mu
}

func (s *S) With(k string) {
	s.with(func() {
		s.items[k]++ // held: s.mu
	})
	s.n++                      // free
	s.with(func() { s.inc() }) // relock
}

func (s *S) WithMethod() {
	s.with(func() {
		s.mu.Unlock()
		s.n++ // free
		s.inc()
		s.mu.Lock()
	})
	s.with(s.inc) // relock
}

func (s *S) All() iter.Seq[string] {
	return func(yield func(string) bool) {
		s.mu.Lock()
		defer s.mu.Unlock()
		for k := range s.items {
			if !yield(k) { // held: s.mu
				return
			}
		}
	}
}

func (s *S) each(yield func(string) bool) {
	s.rw.RLock()
	defer s.rw.RUnlock()
	yield("")
}

func (s *S) Range() {
	for k := range s.All() {
		if k == "" {
			break // held: s.mu
		}
		s.items[k]++ // held: s.mu
		s.inc()      // relock
	}
	s.inc()
	for range s.each {
		s.n++       // held: s.rw
		s.rw.Lock() // relock
		s.rw.Unlock()
	}
	s.rw.Lock()
	s.rw.Unlock()
	s.mu.Lock()
	for range s.All() { // relock
	}
	s.mu.Unlock()
}

func (s *S) add(n int, locked bool) {
	if !locked {
		s.mu.Lock()
		defer s.mu.Unlock()
	}
	s.n += n // maybe: s.mu
	s.n++    // maybe: s.mu
}

func (s *S) Flag() {
	s.add(1, false)
	s.mu.Lock()
	s.add(1, true)
	s.add(1, false) // relock
	s.mu.Unlock()
}

func (s *S) pair(locked bool) {
	if !locked {
		s.mu.Lock()
	}
	s.n++ // maybe: s.mu
	if !locked {
		s.mu.Unlock()
	}
	s.mu.Lock()
	s.mu.Unlock()
}

func (s *S) Try() {
	if s.mu.TryLock() {
		s.n++ // held: s.mu
		s.mu.Unlock()
	}
	if !s.mu.TryLock() {
		s.n++ // free
		return
	}
	s.n++ // held: s.mu
	s.mu.Unlock()
	ok := s.tryLock()
	s.n++ // maybe: s.mu
	if ok {
		defer s.mu.Unlock()
		s.n++ // held: s.mu
	}
	if !ok {
		s.mu.Lock()
		s.n++ // held: s.mu
		s.mu.Unlock()
	}
}

func (s *S) tryLock() bool { return s.mu.TryLock() }

func (s *S) Elements(i, j int, k string) {
	s.mus[i].Lock()
	s.n++ // held: s.mus[i]
	s.mus[j].Lock()
	s.mus[j].Unlock()
	s.mus[i].Unlock()
	s.lockAt(i)
	s.n++           // held: s.mus[i]
	s.mus[i].Lock() // relock
	s.n++           // dead
}

func (s *S) lockAt(k int) { s.mus[k].Lock() }

func (s *S) Named(k string) {
	mu := s.named[k]
	mu.Lock()
	s.n++ // held: s.named[k]
	mu.Unlock()
	for i := range 3 {
		s.mus[i].Lock()
		defer s.mus[i].Unlock()
		s.n++ // held: s.mus[i]
	}
}

func locked(l sync.Locker, f func()) {
	l.Lock()
	defer l.Unlock()
	f()
}

type locker interface {
	RLock()
	RUnlock()
	Lock()
	Unlock()
}

func (s *S) Locker() {
	locked(&s.mu, func() {
		s.n++ // held: s.mu
	})
	locked(&s.mu, s.inc) // relock
	var l locker = &s.rw
	l.Lock()
	s.n++       // held: s.rw
	s.rw.Lock() // relock
	s.n++       // dead
}

func (s *S) Conditional(really bool) {
	if really {
		s.mu.Lock()
		defer s.mu.Unlock()
	}
	s.inc() // relock
}

func (s *S) Recursive(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n > 0 {
		s.Recursive(n - 1) // relock
	}
	s.next.Recursive(n - 1)
}

func (s *S) Starts(wg *sync.WaitGroup) {
	s.mu.Lock()
	defer s.mu.Unlock()
	go s.inc()
	wg.Go(s.inc)
	wg.Go(func() {
		s.n++ // free
		s.inc()
	})
	go func() {
		s.mu.Lock()
		s.n++ // held: s.mu
		s.mu.Unlock()
	}()
	func() {
		s.n++   // held: s.mu
		s.inc() // inner
	}() // relock
}

func (s *S) AtOnce() {
	s.mu.Lock()
	defer s.mu.Unlock()
	sort.Slice(nil, func(i, j int) bool {
		s.n++   // held: s.mu
		s.inc() // inner
		return true
	}) // relock
	s.once.Do(s.inc) // relock
	s.n++            // held: s.mu
}

func (s *S) Deferred() {
	defer s.inc()
	defer func() {
		s.mu.Lock()
		s.mu.Unlock()
	}()
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.inc() // relock
}

func (s *S) Callback() {
	s.cb = func() { s.inc() }
	shared.Lock()
	stored() // relock
	shared.Unlock()
}

var shared sync.Mutex

var stored func()

func init() { stored = takesShared }

func takesShared() {
	shared.Lock()
	shared.Unlock()
}

func (s *S) Exits(n int) {
	s.mu.Lock()
	if n == 0 {
		s.mu.Unlock()
		runtime.Goexit()
	}
	if n == 1 {
		panic("held") // held: s.mu
	}
	s.n++ // held: s.mu
	s.mu.Unlock()
	select {} // free
}

func (s *S) released() {
	s.mu.Unlock()
	s.inc()
	s.mu.Lock()
}

func (s *S) CallsReleased() {
	s.mu.Lock()
	s.released()
	s.n++ // held: s.mu
	s.mu.Unlock()
}

func (s *S) self() *S { return s }

func (s *S) Accessor() {
	s.self().mu.Lock()
	s.n++   // held: s.mu
	s.inc() // relock
	s.mu.Unlock()
}

type Box struct {
	mu   sync.Mutex
	cond *sync.Cond
	full bool
}

func NewBox() *Box {
	b := &Box{}
	b.cond = sync.NewCond(&b.mu)
	return b
}

func (b *Box) Wait() {
	b.cond.L.Lock()
	b.full = true // held: b.mu
	b.set()       // relock
	b.mu.Unlock()
}

func (b *Box) set() { b.mu.Lock(); b.full = false; b.mu.Unlock() }

type Table[K comparable, V any] struct {
	mu sync.Mutex
	m  map[K]V
}

func (t *Table[K, V]) Get(k K) V {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.m[k] // held: t.mu
}

func (t *Table[K, V]) Sum(k K) V {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.Get(k) // relock
}

func Use(t *Table[string, int]) int { return t.Get("") }

type node struct {
	mu       sync.Mutex
	children []*node
	parent   *node
}

func (n *node) walk() {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, c := range n.children {
		c.walk()
	}
	if n.parent != nil {
		n.parent.mu.Lock()
		n.parent.mu.Unlock()
	}
}

type Embeds struct {
	sync.RWMutex
	n int
}

func (e *Embeds) Read() int {
	e.RLock()
	defer e.RUnlock()
	return e.n + e.read() // relock
}

func (e *Embeds) read() int {
	e.RLock()
	defer e.RUnlock()
	return e.n // held: e.RWMutex
}

// Switched locks only if it is not switched off.
type Switched struct {
	mu  sync.Mutex
	off bool
	n   int
}

func (s *Switched) Lock() {
	if !s.off {
		s.mu.Lock()
	}
}

func (s *Switched) Unlock() {
	if !s.off {
		s.mu.Unlock()
	}
}

func (s *Switched) Twice() {
	s.Lock()
	s.n++ // held: s.mu
	s.Unlock()
	s.n++ // free
	s.Lock()
	s.n++    // held: s.mu
	s.Lock() // relock
}
