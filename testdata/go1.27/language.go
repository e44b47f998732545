// Package language has what came to the language with Go 1.26 and 1.27, used
// concurrently: methods with type parameters of their own, promoted fields as keys of
// composite literals, generic functions that get their type arguments where they go, new
// of a value, and constraints that mention what they constrain.
package language

import (
	"iter"
	"sync"
	"sync/atomic"
)

// A Guard is embedded in what it guards.
type Guard struct {
	mu   sync.Mutex
	hits int
}

// Count counts; it has a type parameter and a pointer as its receiver.
func (g *Guard) Count[N ~int | ~int64](n N) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.hits += int(n)
}

// A Label has a method with type parameters and a value as its receiver.
type Label struct{ text string }

// Tell sends the label and a value.
func (l Label) Tell[V any](to chan<- string, _ V) { to <- l.text }

// A Table keeps values of any type in the order in which they come.
type Table[K comparable] struct {
	Guard
	*Label
	keys  []K
	vals  map[K]any
	limit *int
	reads atomic.Int64
}

// NewTable sets a field of what it embeds by its promoted name.
func NewTable[K comparable](text string) *Table[K] {
	return &Table[K]{hits: -1, Label: &Label{text}, vals: map[K]any{}, limit: new(len(text) + 8)}
}

// Put keeps a value.
func (t *Table[K]) Put[V any](k K, v V) bool {
	t.mu.Lock()
	if len(t.keys) >= *t.limit {
		t.mu.Unlock()
		return false
	}
	if _, ok := t.vals[k]; !ok {
		t.keys = append(t.keys, k)
	}
	t.vals[k] = v
	t.mu.Unlock()
	return true
}

// Get returns what a key has, if it is a V.
func (t *Table[K]) Get[V any](k K) (v V, ok bool) {
	t.reads.Add(1)
	t.mu.Lock()
	t.hits++
	v, ok = t.vals[k].(V)
	t.mu.Unlock()
	return v, ok
}

// All iterates over the values that are Vs.
func (t *Table[K]) All[V any]() iter.Seq2[K, V] {
	return func(yield func(K, V) bool) {
		t.mu.Lock()
		keys := append([]K(nil), t.keys...)
		t.mu.Unlock()
		for _, k := range keys {
			if v, ok := t.Get[V](k); ok && !yield(k, v) {
				return
			}
		}
	}
}

// Fold calls f with each value that is a V.
func (t *Table[K]) Fold[V, R any](r R, f func(R, V) R) R {
	values := make(chan V)
	go t.send(values)
	for v := range values {
		r = f(r, v)
	}
	return r
}

// send sends the values that are Vs.
func (t *Table[K]) send[V any](to chan<- V) {
	defer close(to)
	for _, v := range t.All[V]() {
		to <- v
	}
}

// A Shelf has a table and a lock of its own.
type Shelf struct {
	mu     sync.RWMutex
	tables map[string]*Table[string]
	last   *Stamp
}

// A Stamp is what was done last.
type Stamp struct {
	Label
	at int
}

// Table finds a table or makes it, and stamps the shelf.
func (s *Shelf) Table(name string) *Table[string] {
	s.mu.RLock()
	t := s.tables[name]
	s.mu.RUnlock()
	if t != nil {
		return t
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.tables == nil {
		s.tables = map[string]*Table[string]{}
	}
	if t = s.tables[name]; t == nil {
		t = NewTable[string](name)
		s.tables[name] = t
	}
	s.last = &Stamp{text: name, at: len(s.tables)}
	return t
}

// Starts starts methods with type parameters in every way and says how much came of them.
func (s *Shelf) Starts(name string) int {
	t, said := s.Table(name), make(chan string, 4)
	var wg sync.WaitGroup
	wg.Add(2)
	count := t.Count[int]
	go func() {
		defer wg.Done()
		defer t.Count(int64(2))
		count(1)
	}()
	go func(put func(*Table[string], string, float64) bool) {
		defer wg.Done()
		put(t, "pi", 3.14)
	}((*Table[string]).Put)
	go t.Tell(said, 1)
	go t.Tell[string](said, "")
	go t.Label.Tell[error](said, nil)
	go Label{"x"}.Tell(said, len(<-said))
	wg.Go(func() { t.Put("n", 1) })
	wg.Wait()
	return len(<-said) + len(<-said) + len(<-said)
}

// A Merger is merged with its like.
type Merger[M Merger[M]] interface{ Merge(M) M }

// A Total is a Merger.
type Total struct{ n int }

// Merge adds.
func (t Total) Merge(o Total) Total { return Total{t.n + o.n} }

// Merged merges what comes.
func Merged[M Merger[M]](from <-chan M, start M) M {
	for m := range from {
		start = start.Merge(m)
	}
	return start
}

func double[T ~int](n T) T { return n * 2 }

// Doubled sends functions that get their type arguments where they go.
func Doubled(n int) int {
	type apply func(int) int
	fs, done := make(chan apply, 1), make(chan bool)
	go func() {
		defer close(done)
		for f := range fs {
			n = f(n)
		}
	}()
	fs <- double
	fs <- []apply{double}[0]
	fs <- struct{ f apply }{f: double}.f
	select {
	case fs <- double:
	}
	close(fs)
	<-done
	return apply(double)(n)
}
