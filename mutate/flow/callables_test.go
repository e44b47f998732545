package flow

import "testing"

// What is a function that wraps itself is followed as far as it is of use, and no further.
func TestWrappedFunctions(t *testing.T) {
	p := loadSource(t, `package p

import "sync"

var mu sync.Mutex

type S struct{ run func() }

func New() *S { return &S{run: take} }

func take()            { mu.Lock(); mu.Unlock() }
func (s *S) wrap()     { s.run = twice(s.run) }
func (s *S) stored()   { mu.Lock(); defer mu.Unlock(); s.run() }
func (s *S) returned() { mu.Lock(); defer mu.Unlock(); deep(9)() }

func twice(f func()) func() { return func() { f(); f() } }

func deep(n int) func() {
	if n == 0 {
		return take
	}
	return twice(deep(n - 1))
}
`)
	m := New(p)
	for _, name := range []string{"stored", "returned"} {
		if got := m.Relocks(m.Named("(*example.com/p.S)." + name)); len(got) != 1 {
			t.Errorf("%s: got %d relocks, want one: the function that it calls may take mu", name, len(got))
		}
	}
}
