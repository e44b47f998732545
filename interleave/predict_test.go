package interleave

import (
	"slices"
	"testing"

	"mendel/interleave/hook"
)

// trace is a run in which event i has site i+1.
func trace(events ...hook.Event) Trace {
	for i := range events {
		events[i].Site = uint32(i + 1)
	}
	return Trace{Events: events}
}

func ev(g uint64, k hook.Kind, object uint64) hook.Event {
	return hook.Event{G: g, Kind: k, Object: object}
}

// root is an iRoot of a trace, by the numbers of its events.
func root(t Trace, idiom int, sites ...int) IRoot {
	r := IRoot{Idiom: idiom}
	for i, s := range sites {
		e := t.Events[s-1]
		r.Ends[i] = End{e.Site, normal(e.Kind)}
	}
	return r
}

// of returns those of one idiom.
func of(s Set, idiom int) (list []IRoot) {
	for r := range s {
		if r.Idiom == idiom {
			list = append(list, r)
		}
	}
	slices.SortFunc(list, IRoot.Compare)
	return list
}

// check compares what is predicted of some idiom with what is wanted.
func check(t *testing.T, tr Trace, idiom int, want ...[]int) {
	t.Helper()
	var roots []IRoot
	for _, w := range want {
		roots = append(roots, root(tr, idiom, w...))
	}
	slices.SortFunc(roots, IRoot.Compare)
	predicted, _ := Predict(tr)
	if got := of(predicted, idiom); !slices.Equal(got, roots) {
		t.Errorf("idiom %d: predicted %v, want %v", idiom, got, roots)
	}
}

// The paper's figure 5(a): what comes before the start of a goroutine does so in
// every run.
func TestHappensBefore(t *testing.T) {
	check(t, trace(ev(1, hook.Write, x), ev(1, hook.Fork, 5), ev(2, hook.Start, 5), ev(2, hook.Read, x)), 1, []int{1, 4})
	check(t, trace(ev(1, hook.Write, x), ev(2, hook.Read, x)), 1, []int{1, 2}, []int{2, 1})
}

// The order in which a lock is taken is no happens-before.
func TestLocksGiveNoOrder(t *testing.T) {
	tr := trace(
		ev(1, hook.Lock, m), ev(1, hook.Write, x), ev(1, hook.Unlock, m),
		ev(2, hook.Lock, m), ev(2, hook.Write, x), ev(2, hook.Unlock, m))
	check(t, tr, 1, []int{2, 5}, []int{5, 2}, []int{3, 4}, []int{6, 1})
}

// The paper's figure 5(b): A is not the last access to X in its section, so C
// cannot follow it directly. B can be followed, and C can come before A.
func TestMutualExclusion(t *testing.T) {
	tr := trace(
		ev(1, hook.Lock, m), ev(1, hook.Write, x), ev(1, hook.Write, x), ev(1, hook.Unlock, m),
		ev(2, hook.Lock, m), ev(2, hook.Write, x), ev(2, hook.Unlock, m))
	check(t, tr, 1, []int{3, 6}, []int{6, 2}, []int{4, 5}, []int{7, 1})
	check(t, tr, 2)
}

// Readers of a RWMutex are in their sections together.
func TestReaders(t *testing.T) {
	tr := trace(
		ev(1, hook.RLock, m), ev(1, hook.AtomicRead, x), ev(1, hook.AtomicWrite, x), ev(1, hook.RUnlock, m),
		ev(2, hook.RLock, m), ev(2, hook.AtomicWrite, x), ev(2, hook.RUnlock, m))
	check(t, tr, 2, []int{2, 6, 3})
}

// A check and an act, and a write that comes between them.
func TestIdiom2(t *testing.T) {
	check(t, trace(ev(1, hook.Read, x), ev(1, hook.Read, x), ev(2, hook.Write, x)), 2, []int{1, 3, 2})
}

// Two sections of a lock, and one of another goroutine between them.
func TestIdiom3(t *testing.T) {
	tr := trace(
		ev(1, hook.Lock, m), ev(1, hook.Unlock, m), ev(1, hook.Lock, m), ev(1, hook.Unlock, m),
		ev(2, hook.Lock, m), ev(2, hook.Unlock, m))
	check(t, tr, 3, []int{2, 5, 6, 3})
}

// Two variables that belong together, read while they are changed.
func TestIdiom4(t *testing.T) {
	tr := trace(
		ev(1, hook.Write, x), ev(1, hook.Write, y),
		ev(2, hook.Read, x), ev(2, hook.Read, y))
	check(t, tr, 4, []int{1, 3, 4, 2}, []int{3, 1, 2, 4})
	check(t, tr, 6, []int{1, 3, 2, 4}, []int{3, 1, 4, 2})
}

// Two variables in opposite order.
func TestIdiom5(t *testing.T) {
	tr := trace(
		ev(1, hook.Write, x), ev(1, hook.Read, y),
		ev(2, hook.Write, y), ev(2, hook.Read, x))
	// Neither sees what the other one wrote, or both do.
	check(t, tr, 5, []int{1, 4, 3, 2})
}

// Two locks in opposite order; not if a third one is around both.
func TestLockOrder(t *testing.T) {
	inner := func(g uint64, a, b uint64) []hook.Event {
		return []hook.Event{ev(g, hook.Lock, a), ev(g, hook.Lock, b), ev(g, hook.Unlock, b), ev(g, hook.Unlock, a)}
	}
	gated := func(g uint64, a, b uint64) []hook.Event {
		return slices.Concat([]hook.Event{ev(g, hook.Lock, group)}, inner(g, a, b), []hook.Event{ev(g, hook.Unlock, group)})
	}
	tr := trace(slices.Concat(inner(1, m, n), inner(2, n, m))...)
	check(t, tr, 5, []int{1, 6, 5, 2})
	check(t, trace(slices.Concat(inner(1, m, n), inner(2, m, n))...), 5)
	tr = trace(slices.Concat(gated(1, m, n), gated(2, n, m))...)
	predicted, _ := Predict(tr)
	for r := range predicted {
		if r.Idiom == 5 && r.Ends[0].Kind == hook.Lock {
			t.Errorf("predicted behind a gate: %v", r)
		}
	}
}

// The window: accesses that are too far apart make no pair.
func TestWindow(t *testing.T) {
	for _, c := range []struct {
		between int
		want    [][]int
	}{{Window - 1, [][]int{{1, Window + 2, Window + 1}}}, {Window, nil}} {
		events := []hook.Event{ev(1, hook.Read, x)}
		for range c.between {
			events = append(events, ev(1, hook.Read, y))
		}
		check(t, trace(append(events, ev(1, hook.Read, x), ev(2, hook.Write, x))...), 2, c.want...)
	}
}

// The dependencies of channels, wait groups and conditions.
func TestGoDependencies(t *testing.T) {
	const c = 31
	check(t, trace(ev(1, hook.Send, c), ev(2, hook.Receive, c)), 1, []int{1, 2})
	check(t, trace(ev(1, hook.Send, c), ev(2, hook.Send, c), ev(3, hook.Receive, c), ev(3, hook.Receive, c)), 1,
		[]int{1, 3}, []int{2, 3}, []int{1, 4}, []int{2, 4})
	check(t, trace(ev(1, hook.Send, c), ev(2, hook.Close, c)), 1, []int{2, 1})
	check(t, trace(ev(1, hook.Close, c), ev(2, hook.ReceiveClosed, c)), 1, []int{1, 2})
	check(t, trace(ev(1, hook.Done, c), ev(2, hook.Wait, c)), 1, []int{1, 2})
	check(t, trace(ev(1, hook.Add, c), ev(2, hook.Wait, c)), 1, []int{2, 1})
	check(t, trace(ev(1, hook.Sleep, c), ev(2, hook.Signal, c)), 1, []int{2, 1})
}

// What is sent before the n-th send of the only sender has happened before the n-th
// receive of anybody; of several senders it is not known who sent.
func TestChannelOrder(t *testing.T) {
	const c = 31
	check(t, trace(ev(1, hook.Write, x), ev(1, hook.Send, c), ev(2, hook.Receive, c), ev(2, hook.Write, x)), 1,
		[]int{1, 4}, []int{2, 3})
	tr := trace(ev(1, hook.Write, x), ev(1, hook.Send, c), ev(2, hook.Send, c), ev(3, hook.Receive, c), ev(3, hook.Write, x), ev(3, hook.Receive, c))
	check(t, tr, 1, []int{1, 5}, []int{5, 1}, []int{2, 4}, []int{3, 4}, []int{2, 6}, []int{3, 6})
	tr = trace(ev(1, hook.Write, x), ev(1, hook.Send, c), ev(2, hook.Send, c), ev(3, hook.Receive, c), ev(3, hook.Receive, c), ev(3, hook.Write, x))
	check(t, tr, 1, []int{1, 6}, []int{2, 4}, []int{3, 4}, []int{2, 5}, []int{3, 5})
}

// Alike accesses are kept once, however often they come.
func TestCondensed(t *testing.T) {
	var events []hook.Event
	for range 1000 {
		events = append(events, hook.Event{G: 1, Kind: hook.Write, Object: x, Site: 1}, hook.Event{G: 2, Kind: hook.Read, Object: x, Site: 2})
	}
	h := newHistory(events)
	if len(h.classes) != 2 {
		t.Errorf("%d classes, want 2", len(h.classes))
	}
	// With another clock each time they are told apart up to a bound.
	events = nil
	for i := range uint64(1000) {
		events = append(events, hook.Event{G: 1, Kind: hook.Write, Object: x, Site: 1}, hook.Event{G: 1, Kind: hook.Fork, Object: i})
	}
	if h = newHistory(events); len(h.classes) != variants || !h.lost {
		t.Errorf("%d classes, want %d; lost %t", len(h.classes), variants, h.lost)
	}
}

// Only what comes directly after depends; a receive depends on its own send.
func TestObserve(t *testing.T) {
	const c = 31
	tr := trace(ev(1, hook.Write, x), ev(2, hook.Read, x), ev(3, hook.Read, x), ev(1, hook.Send, c), ev(2, hook.Send, c), ev(3, hook.Receive, c))
	want := []IRoot{root(tr, 1, 1, 2), root(tr, 1, 4, 6)}
	if got := of(Observe(tr), 1); !slices.Equal(got, want) {
		t.Errorf("exposed %v, want %v", got, want)
	}
	tr = trace(ev(1, hook.Read, x), ev(2, hook.Write, x), ev(1, hook.Write, x))
	if s := Observe(tr); !s[root(tr, 2, 1, 2, 3)] || s.Tuple() != [Idioms]int{2, 1} {
		t.Errorf("exposed %v", s)
	}
}

func TestText(t *testing.T) {
	tr := trace(ev(1, hook.Read, x), ev(2, hook.Write, x), ev(1, hook.Write, x))
	got := root(tr, 2, 1, 2, 3).Text(func(e End) string { return e.Kind.String() })
	if want := "1:read => 2:write => 1:write"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got := TupleText([Idioms]int{1, 2, 3}); got != "(1, 2, 3, 0, 0, 0)" {
		t.Error(got)
	}
}

// A goroutine that waits, with a lock held, for what another one does after it has had
// the lock: the first must not come first. A send waits only if the channel may be full.
func TestWaitWithLock(t *testing.T) {
	const done = 31
	events := func(release, wait hook.Event) Trace {
		return trace(
			ev(1, hook.Lock, m), ev(1, hook.Unlock, m), release,
			ev(2, hook.Lock, m), wait, ev(2, hook.Unlock, m))
	}
	closed := events(ev(1, hook.Close, done), ev(2, hook.ReceiveClosed, done))
	check(t, closed, 1, []int{2, 4}, []int{3, 5}, []int{4, 1})
	check(t, events(ev(1, hook.Done, group), ev(2, hook.Wait, group)), 1, []int{2, 4}, []int{3, 5}, []int{4, 1})
	full := events(ev(1, hook.Receive, done), ev(2, hook.Send, done))
	check(t, full, 1, []int{2, 4}, []int{6, 1}, []int{5, 3}, []int{4, 1})
	for i := range full.Events {
		full.Events[i].Arg = 1
	}
	check(t, full, 1, []int{2, 4}, []int{6, 1}, []int{5, 3})
}

// Who does it before it asks for the lock, or asks for another one, may come second.
func TestWaitWithLockInOrder(t *testing.T) {
	const done = 31
	check(t, trace(
		ev(1, hook.Close, done), ev(1, hook.Lock, m), ev(1, hook.Unlock, m),
		ev(2, hook.Lock, m), ev(2, hook.ReceiveClosed, done), ev(2, hook.Unlock, m)), 1, []int{3, 4}, []int{6, 2}, []int{1, 5})
	check(t, trace(
		ev(1, hook.Lock, n), ev(1, hook.Unlock, n), ev(1, hook.Close, done),
		ev(2, hook.Lock, m), ev(2, hook.ReceiveClosed, done), ev(2, hook.Unlock, m)), 1, []int{3, 5})
}
