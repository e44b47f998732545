package mutate

import (
	"slices"
	"sync"
)

// attempts remembers what has become of edits that were tried while edits were
// enumerated. It is safe for concurrent use.
type attempts struct {
	mu    sync.Mutex
	byKey map[EditKey]*attempt // guarded by mu
}

// An attempt is what became of an edit that was tried.
type attempt struct {
	flags []Flag
	ok    bool
	asked *consulted
}

// of finds or makes the attempt with a key. Without an enumeration, nobody notes what
// it depends on, and it is not remembered.
func (as *attempts) of(n *Narrowed, key EditKey, try func() ([]Flag, bool)) *attempt {
	outer := n.asking.Load()
	if outer == nil {
		flags, ok := try()
		return &attempt{flags: flags, ok: ok}
	}
	as.mu.Lock()
	a := as.byKey[key]
	as.mu.Unlock()
	if a == nil {
		a = new(attempt)
		a.asked = n.note(func() { a.flags, a.ok = try() })
		as.mu.Lock()
		if as.byKey == nil {
			as.byKey = make(map[EditKey]*attempt)
		}
		as.byKey[key] = a
		as.mu.Unlock()
	}
	outer.include(a.asked)
	return a
}

// forget drops the attempts that news of the narrowing concern.
func (as *attempts) forget(of news) {
	as.mu.Lock()
	defer as.mu.Unlock()
	for key, a := range as.byKey {
		if of.concerns(a.asked) {
			delete(as.byKey, key)
		}
	}
}

// Applies is [Whole.Applies] for an edit of the function.
func (fn *Function) Applies(e Edit) bool { return fn.space.applies(e) }

func (s *Space) applies(e Edit) bool {
	_, err := s.apply(newSketchMutation(s), s.canonical(flatten([]Edit{e})))
	return err == nil
}

// try is [Whole.Try]. What is tried while edits are enumerated is remembered, for
// enumerations to come.
func (s *Space) try(e Edit) (flags []Flag, ok bool) {
	a := s.attempts.of(s.narrowing, e.Key(), func() ([]Flag, bool) {
		edits := s.canonical(flatten([]Edit{e}))
		m, err := s.apply(newSketchMutation(s), edits)
		if err != nil {
			return nil, false
		}
		return s.foresees(m, edits), true
	})
	return slices.Clone(a.flags), a.ok
}
