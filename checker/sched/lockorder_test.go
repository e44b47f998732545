package sched

import (
	"path"
	"strings"
	"testing"
)

// shared takes and frees a mutex that is used as a lock for readers.
func (m *mutex) rlock() {
	Do(Op{Kind: KindRAcquire, Obj: &m.object, What: "mu.RLock"})
	Acquire(&m.object)
}

func (m *mutex) runlock() { Do(Op{Kind: KindRRelease, Obj: &m.object, What: "mu.RUnlock"}) }

func (m *mutex) tryLock() bool {
	m.refresh()
	Do(Op{Kind: KindAcquire, Obj: &m.object, What: "mu.TryLock"})
	if m.locked {
		return false
	}
	m.locked = true
	Acquire(&m.object)
	return true
}

// nest takes locks one inside the other.
func nest(locks ...*mutex) {
	for _, m := range locks {
		m.lock()
	}
	for _, m := range locks {
		m.unlock()
	}
}

// inversions traces the schedule in which goroutines run one after the other.
func inversions(t *testing.T, body func(a, b, c *mutex)) []Inversion {
	t.Helper()
	x := Run(first{}, Options{Trace: true}, func() { body(new(mutex), new(mutex), new(mutex)) })
	if x.Failure != nil {
		t.Fatal(x.Failure.Message)
	}
	found := LockOrder(x.Trace)
	untraced := Run(first{}, Options{}, func() { body(new(mutex), new(mutex), new(mutex)) })
	if untraced.Nested != x.Nested || len(found) > 0 && !x.Nested {
		t.Errorf("%d inversions; nested: %t, without a trace %t", len(found), x.Nested, untraced.Nested)
	}
	return found
}

// Without a trace it is known whether a goroutine has taken a lock under another one.
func TestNested(t *testing.T) {
	for name, test := range map[string]struct {
		want bool
		body func(a, b *mutex)
	}{
		"one under another": {true, func(a, b *mutex) { nest(a, b) }},
		"one after another": {false, func(a, b *mutex) { nest(a); nest(b) }},
		"in two goroutines": {false, func(a, b *mutex) { a.lock(); Go(func() { nest(b) }); Yield(); a.unlock() }},
		"as readers":        {true, func(a, b *mutex) { a.rlock(); b.rlock(); b.runlock(); a.runlock() }},
		"not taken": {false, func(a, b *mutex) {
			has, left := MakeChan[int](0), MakeChan[int](0)
			Go(func() { b.lock(); Send(has, 1); Recv(left); b.unlock() })
			Recv(has)
			a.lock()
			if b.tryLock() {
				panic("taken")
			}
			a.unlock()
			Send(left, 1)
		}},
		"released by others": {false, func(a, b *mutex) { a.lock(); Go(func() { a.unlock(); nest(b) }) }},
	} {
		if x := Run(first{}, Options{}, func() { test.body(new(mutex), new(mutex)) }); x.Nested != test.want || x.Failure != nil {
			t.Errorf("%s: nested: %t; %+v", name, x.Nested, x.Failure)
		}
	}
}

func TestLockOrder(t *testing.T) {
	for name, test := range map[string]struct {
		want int
		body func(a, b, c *mutex)
	}{
		"both orders": {1, func(a, b, _ *mutex) {
			Go(func() { nest(a, b) })
			Go(func() { nest(b, a) })
		}},
		"once for many": {1, func(a, b, _ *mutex) {
			for range 3 {
				Go(func() { nest(a, b) })
				Go(func() { nest(b, a) })
			}
		}},
		"one order": {0, func(a, b, _ *mutex) {
			Go(func() { nest(a, b) })
			Go(func() { nest(a, b) })
		}},
		"one goroutine": {0, func(a, b, _ *mutex) {
			nest(a, b)
			nest(b, a)
		}},
		"not nested": {0, func(a, b, _ *mutex) {
			Go(func() { nest(a); nest(b) })
			Go(func() { nest(b); nest(a) })
		}},
		"gate": {0, func(a, b, gate *mutex) {
			Go(func() { nest(gate, a, b) })
			Go(func() { nest(gate, b, a) })
		}},
		"gate left before": {1, func(a, b, gate *mutex) {
			Go(func() { nest(gate, a, b) })
			Go(func() { nest(gate); nest(b, a) })
		}},
		"gate for readers": {1, func(a, b, gate *mutex) {
			Go(func() { gate.rlock(); nest(a, b); gate.runlock() })
			Go(func() { gate.rlock(); nest(b, a); gate.runlock() })
		}},
		"before the go statement": {0, func(a, b, _ *mutex) {
			nest(a, b)
			Go(func() { nest(b, a) })
		}},
		"after the go statement": {1, func(a, b, _ *mutex) {
			Go(func() { nest(b, a) })
			nest(a, b)
		}},
		"joined over a channel": {0, func(a, b, _ *mutex) {
			done := MakeChan[int](0)
			Go(func() { nest(a, b); Send(done, 1) })
			Recv(done)
			Go(func() { nest(b, a) })
		}},
		"joined over a select": {0, func(a, b, _ *mutex) {
			done, never := MakeChan[int](1), MakeChan[int](0)
			Go(func() { nest(a, b); Send(done, 1) })
			Select(From(never), From(done))
			nest(b, a)
		}},
		"receive before the send's completion": {0, func(a, b, _ *mutex) {
			c := MakeChan[int](0)
			Go(func() { nest(a, b); Recv(c) })
			Send(c, 1)
			nest(b, a)
		}},
		"ordered by a timer": {0, func(a, b, _ *mutex) {
			nest(a, b)
			NewTimer(1, func() { Go(func() { nest(b, a) }) })
		}},
		"readers of both": {0, func(a, b, _ *mutex) {
			Go(func() { a.rlock(); b.rlock(); b.runlock(); a.runlock() })
			Go(func() { b.rlock(); a.rlock(); a.runlock(); b.runlock() })
		}},
		"reader against writer": {1, func(a, b, _ *mutex) {
			Go(func() { a.rlock(); nest(b); a.runlock() })
			Go(func() { b.rlock(); nest(a); b.runlock() })
		}},
		"failed TryLock": {0, func(a, b, _ *mutex) {
			a.lock()
			nest(b)
			Go(func() {
				b.lock()
				if a.tryLock() {
					panic("taken")
				}
				b.unlock()
			})
			Yield()
			Yield()
			Yield()
			a.unlock()
		}},
		"released by another": {0, func(a, b, _ *mutex) {
			done := MakeChan[int](0)
			a.lock()
			Go(func() { a.unlock(); Send(done, 1) })
			Recv(done)
			Go(func() { nest(b, a) })
			nest(b)
		}},
	} {
		if got := inversions(t, test.body); len(got) != test.want {
			t.Errorf("%s: %d inversions, want %d: %v", name, len(got), test.want, got)
		}
	}
}

func TestLockOrderPlaces(t *testing.T) {
	got := inversions(t, func(a, b, _ *mutex) {
		Go(func() { nest(a, b) })
		Go(func() { nest(b, a) })
	})
	if len(got) != 1 {
		t.Fatalf("%d inversions, want 1", len(got))
	}
	for i, order := range got[0].Places {
		for _, p := range order {
			if path.Base(p.File) != "engine_test.go" || p.What != "mu.Lock" || p.Goroutine != []string{"go#1", "go#2"}[i] {
				t.Errorf("place %+v", p)
			}
		}
	}
}

// TestPlaces looks at what is known about the goroutines of a failure.
func TestPlaces(t *testing.T) {
	x := Run(first{}, Options{Trace: true}, func() {
		n := new(int)
		Go(func() { increment(n) })
		increment(n)
	})
	if x.Failure == nil || x.Failure.Kind != Race {
		t.Fatalf("%+v", x.Failure)
	}
	for i, p := range x.Failure.Places {
		if len(p.Stack) < 3 || !strings.HasSuffix(p.Stack[1].Function, ".increment") || p.Stack[0].Line != p.Line {
			t.Errorf("place %d: stack %+v", i, p.Stack)
		}
		if (len(p.Created) > 0) != (p.Goroutine != "main") {
			t.Errorf("place %d: created at %+v", i, p.Created)
		}
		if e := x.Trace[p.Step]; e.Place.Goroutine != p.Goroutine {
			t.Errorf("place %d: step %d is %+v", i, p.Step, e)
		}
	}

	x = Run(first{}, Options{}, func() {
		c := MakeChan[int](0)
		Go(func() { wait2(c) })
	})
	if x.Failure == nil || x.Failure.Kind != Blocked {
		t.Fatalf("%+v", x.Failure)
	}
	if p := x.Failure.Places[0]; len(p.Stack) < 2 || !strings.HasSuffix(p.Stack[0].Function, ".wait2") {
		t.Errorf("stack %+v", p.Stack)
	}
}

//go:noinline
func increment(n *int) { write(n, read(n)+1) }

//go:noinline
func wait2(c chan int) { Recv(c) }

func TestExit(t *testing.T) {
	x := Run(first{}, Options{}, func() {
		defer Exit(4) // during teardown
		Exit(3)
		t.Error("Exit returned")
	})
	if f := x.Failure; f == nil || f.Kind != TestFailure || f.Message != "os.Exit(3)" || f.Places[0].File == "" {
		t.Errorf("%+v", x.Failure)
	}
}
