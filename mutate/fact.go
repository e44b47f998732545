package mutate

import (
	"sync"
	"sync/atomic"
)

// A Fact is something that is found out about a function of the original, once for each
// function that it is asked of. It depends on the source alone, not on the narrowing, and must
// not be changed. What is found for the program as a whole, or by another key, is for [Once].
type Fact[T any] struct{ find func(fn *Function) T }

// NewFact makes a fact that is found in a way; find may ask the function for other facts.
func NewFact[T any](find func(fn *Function) T) *Fact[T] { return &Fact[T]{find} }

// Of is the fact of a function. It is safe for concurrent use.
func (f *Fact[T]) Of(fn *Function) T {
	if fn.facts == nil {
		return f.find(fn)
	}
	return fn.facts.of(f, func() any { return new(lazy[T]) }).(*lazy[T]).get(func() T { return f.find(fn) })
}

// known are the facts that have been asked of a function. There are few, and they are asked
// for often: a list that is copied when it grows takes less memory and time than a map.
type known struct{ list atomic.Pointer[[]knownFact] }

// A knownFact is a fact, and its lazy value for a function.
type knownFact struct{ fact, value any }

// of is the value kept for a fact; if there is none, one is made.
func (k *known) of(fact any, make func() any) any {
	var made any
	for {
		old := k.list.Load()
		var list []knownFact
		if old != nil {
			list = *old
		}
		for _, f := range list {
			if f.fact == fact {
				return f.value
			}
		}
		if made == nil {
			made = make()
		}
		now := append(list[:len(list):len(list)], knownFact{fact, made})
		if k.list.CompareAndSwap(old, &now) {
			return made
		}
	}
}

// A lazy value is made when it is first asked for. It is safe for concurrent use.
type lazy[T any] struct {
	once  sync.Once
	value T
}

func (l *lazy[T]) get(find func() T) T {
	l.once.Do(func() { l.value = find() })
	return l.value
}

// A Table remembers values by key. It is safe for concurrent use.
type Table[K comparable, V any] struct {
	mu    sync.Mutex
	found map[K]V // guarded by mu
}

// Get is the value of a key; find makes it when it is first asked for.
func (t *Table[K, V]) Get(key K, find func() V) V {
	t.mu.Lock()
	v, ok := t.found[key]
	t.mu.Unlock()
	if ok {
		return v
	}
	v = find()
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.found == nil {
		t.found = make(map[K]V)
	}
	t.found[key] = v
	return v
}

// Once returns what find finds out about the original, and asks it once for each
// key, so that an operator need not look through the program for each function, or
// again when the narrowing has grown. It is asked of a [Function], a [Whole] or a [Mutation].
// The key is of a type of the operator's own. What is found must depend on the
// key alone, not on the narrowing, and must not be changed.
func Once[T any](of interface{ spaceOf() *Space }, key any, find func() T) T {
	s := of.spaceOf()
	if s == nil {
		return find()
	}
	found, known := s.once.Load(key)
	if !known {
		found, _ = s.once.LoadOrStore(key, find())
	}
	return found.(T)
}

func (fn *Function) spaceOf() *Space { return fn.space }

func (w *Whole) spaceOf() *Space { return w.space }

func (m *Mutation) spaceOf() *Space { return m.space }
