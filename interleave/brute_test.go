package interleave

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"mendel/interleave/hook"
	"pgregory.net/rapid"
)

// A program is what each goroutine does, without branches: an operation has the
// same place in every run.
type program [][]op

type op struct {
	kind   hook.Kind
	object uint64
}

func (p program) String() string {
	var b strings.Builder
	for g, ops := range p {
		fmt.Fprintf(&b, "\ngoroutine %d:", g)
		for _, o := range ops {
			fmt.Fprintf(&b, " %v(%d)", o.kind, o.object)
		}
	}
	return b.String()
}

// at is the place of an operation.
func at(g, i int) uint32 { return uint32(100*(g+1) + i) }

// event is what is recorded of an operation.
func (p program) event(g, i int) hook.Event {
	o := p[g][i]
	return hook.Event{Kind: o.kind, Object: o.object, G: uint64(g + 1), Site: at(g, i)}
}

// runs calls f with every run of the program that comes to its end.
func (p program) runs(f func(Trace)) {
	var events []hook.Event
	next := make([]int, len(p))
	var step func()
	step = func() {
		done := true
		for g := range p {
			if next[g] == len(p[g]) {
				continue
			}
			done = false
			if !p.enabled(events, p[g][next[g]], g) {
				continue
			}
			events = append(events, p.event(g, next[g]))
			next[g]++
			step()
			next[g]--
			events = events[:len(events)-1]
		}
		if done {
			f(Trace{Events: slices.Clone(events)})
		}
	}
	step()
}

// enabled reports whether an operation can be done now.
func (p program) enabled(events []hook.Event, o op, g int) bool {
	switch o.kind {
	case hook.Lock, hook.RLock:
		writers, readers := 0, 0
		for _, e := range events {
			if e.Object != o.object {
				continue
			}
			switch e.Kind {
			case hook.Lock:
				writers++
			case hook.Unlock:
				writers--
			case hook.RLock:
				readers++
			case hook.RUnlock:
				readers--
			}
		}
		return writers == 0 && (readers == 0 || o.kind == hook.RLock)
	case hook.Start:
		return slices.ContainsFunc(events, func(e hook.Event) bool { return e.Kind == hook.Fork && e.Object == o.object })
	case hook.Wait:
		n := 0
		for _, e := range events {
			if e.Kind == hook.Done && e.Object == o.object {
				n++
			}
		}
		return n == p.dones(o.object)
	}
	return true
}

func (p program) dones(group uint64) (n int) {
	for _, ops := range p {
		for _, o := range ops {
			if o.kind == hook.Done && o.object == group {
				n++
			}
		}
	}
	return n
}

// exposable are the iRoots that some run exposes.
func (p program) exposable() (all Set, runs []Trace) {
	all = Set{}
	p.runs(func(t Trace) {
		runs = append(runs, t)
		all.Add(Observe(t))
	})
	return all, runs
}

// Objects of drawn programs.
const (
	x, y, m, n, group = 1, 2, 11, 12, 21
)

// body draws what a goroutine does: accesses, some in critical sections.
func body(t *rapid.T, locks bool, size int) []op {
	var ops []op
	for len(ops) < size {
		access := op{rapid.SampledFrom([]hook.Kind{hook.Read, hook.Write}).Draw(t, "kind"), rapid.SampledFrom([]uint64{x, y}).Draw(t, "variable")}
		if !locks || rapid.Bool().Draw(t, "bare") {
			ops = append(ops, access)
			continue
		}
		lock := rapid.SampledFrom([]uint64{m, n}).Draw(t, "lock")
		begin, end := hook.Lock, hook.Unlock
		if rapid.Bool().Draw(t, "reading") {
			begin, end = hook.RLock, hook.RUnlock
		}
		ops = append(ops, op{begin, lock}, access)
		if rapid.Bool().Draw(t, "two") {
			ops = append(ops, op{hook.Write, access.object})
		}
		ops = append(ops, op{end, lock})
	}
	return ops
}

// drawn is a program that starts goroutines, with accesses by main before,
// meanwhile and after: with locks one goroutine, without them two.
func drawn(t *rapid.T, locks bool) program {
	p := program{{{hook.Write, x}, {hook.Fork, 1}}}
	add := func(g uint64, size int) {
		ops := append([]op{{hook.Start, g}}, body(t, locks, size)...)
		p = append(p, append(ops, op{hook.Done, group}))
	}
	if locks {
		add(1, 4)
		p[0] = append(p[0], body(t, true, 4)...)
	} else {
		add(1, 2)
		add(2, 1)
		p[0] = append(p[0], body(t, false, 1)...)
		p[0] = append(p[0], op{hook.Fork, 2})
	}
	if rapid.Bool().Draw(t, "waits") {
		p[0] = append(p[0], op{hook.Wait, group})
	}
	p[0] = append(p[0], op{hook.Read, x})
	return p
}

// TestNothingIsMissed: in a program without branches, what any run exposes is
// predicted from every run.
func TestNothingIsMissed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawn(t, rapid.Bool().Draw(t, "locks"))
		all, runs := p.exposable()
		if len(runs) == 0 {
			t.Skip("it always deadlocks")
		}
		predicted, complete := Predict(runs[rapid.IntRange(0, len(runs)-1).Draw(t, "run")])
		if !complete {
			t.Fatal("a short run is not complete")
		}
		for r := range all {
			if !predicted[r] {
				t.Fatalf("not predicted: %v%v", r, p)
			}
		}
	})
}

// TestNothingIsInvented: without locks, every idiom 1 that is predicted can be
// exposed.
func TestNothingIsInvented(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawn(t, false)
		all, runs := p.exposable()
		predicted, _ := Predict(runs[rapid.IntRange(0, len(runs)-1).Draw(t, "run")])
		for r := range predicted {
			if r.Idiom == 1 && !all[r] {
				t.Fatalf("cannot be exposed: %v%v", r, p)
			}
		}
	})
}
