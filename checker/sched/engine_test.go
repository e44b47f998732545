package sched

import (
	"errors"
	"maps"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// first always lets the current goroutine go on, else the one with the lowest
// ID, and picks 0.
type first struct{}

func (first) Begin() bool { return true }
func (first) Next(enabled []Pending, current int, yielding bool) int {
	for i, p := range enabled {
		if p.G == current && !yielding {
			return i
		}
	}
	if yielding && enabled[0].G == current && len(enabled) > 1 {
		return 1
	}
	return 0
}
func (first) Choose(int) int   { return 0 }
func (first) End(x *Execution) {}

// wander is a random walk.
type wander struct{ *rand.Rand }

func newWander(seed uint64) wander { return wander{rand.New(rand.NewPCG(seed, 'r'))} }

func (s wander) Begin() bool                               { return true }
func (s wander) Next(enabled []Pending, _ int, _ bool) int { return s.IntN(len(enabled)) }
func (s wander) Choose(n int) int                          { return s.IntN(n) }
func (s wander) End(*Execution)                            {}

// recorded makes choices again.
type recorded struct {
	left []Choice
	lost bool // the execution differs
}

func (s *recorded) Begin() bool { return true }

func (s *recorded) Next(enabled []Pending, _ int, _ bool) int {
	i := Index(enabled, s.next(Step))
	s.lost = s.lost || i < 0
	return i
}

func (s *recorded) Choose(n int) int { return min(s.next(Number), n-1) }

func (s *recorded) Expire(_ int, idle bool) int {
	if c, ok := s.Peek(); ok && c.Kind == Expiry {
		s.Take()
		return c.N
	}
	s.lost = s.lost || idle
	return -1
}

func (s *recorded) next(kind ChoiceKind) int {
	c, ok := s.Peek()
	if !ok || c.Kind != kind {
		s.lost = true
		return 0
	}
	s.Take()
	return c.N
}

func (s *recorded) End(*Execution) {}

func (s *recorded) Peek() (Choice, bool) {
	if s.lost || len(s.left) == 0 {
		return Choice{}, false
	}
	return s.left[0], true
}

func (s *recorded) Take()     { s.left = s.left[1:] }
func (s *recorded) Left() int { return len(s.left) }

// again makes an execution along choices, which must be the same.
func again(t *testing.T, choices []Choice, body func()) *Execution {
	t.Helper()
	s := &recorded{left: choices}
	x := Run(s, Options{}, body)
	if s.lost || len(s.left) > 0 {
		t.Errorf("the execution differs from what was recorded, %d choices are left", len(s.left))
	}
	return x
}

// every calls visit with all executions of body: it explores the whole tree of
// decisions without any reduction.
func every(t *testing.T, o Options, body func(), visit func(*Execution)) (count int) {
	t.Helper()
	s := &tree{}
	for s.Begin() {
		x := Run(s, o, body)
		visit(x)
		if count++; count > 200_000 {
			t.Fatal("too many executions")
		}
	}
	return count
}

// tree enumerates decisions depth first.
type tree struct {
	path  []branch
	depth int
	begun bool
}

type branch struct{ taken, of int }

func (s *tree) Begin() bool {
	if s.begun {
		for len(s.path) > 0 {
			last := &s.path[len(s.path)-1]
			if last.taken++; last.taken < last.of {
				break
			}
			s.path = s.path[:len(s.path)-1]
		}
		if len(s.path) == 0 {
			return false
		}
	}
	s.begun, s.depth = true, 0
	return true
}

func (s *tree) branch(of int) int {
	if s.depth == len(s.path) {
		s.path = append(s.path, branch{0, of})
	}
	b := s.path[s.depth]
	if b.of != of {
		panic("replay diverged")
	}
	s.depth++
	return b.taken
}

func (s *tree) Next(enabled []Pending, _ int, _ bool) int { return s.branch(len(enabled)) }
func (s *tree) Choose(n int) int                          { return s.branch(n) }
func (s *tree) End(x *Execution)                          {}

// mutex is what a shim looks like.
type mutex struct {
	object Object
	locked bool
	free   func() bool
}

func (m *mutex) refresh() {
	if m.object.Fresh() {
		m.locked = false
	}
	if m.free == nil {
		m.free = func() bool { return !m.locked }
	}
}

func (m *mutex) lock() {
	m.refresh()
	Do(Op{Kind: KindAcquire, Obj: &m.object, Enabled: m.free, What: "mu.Lock"})
	m.locked = true
	Acquire(&m.object)
}

func (m *mutex) unlock() {
	m.refresh()
	Do(Op{Kind: KindRelease, Obj: &m.object, What: "mu.Unlock"})
	if !m.locked {
		panic("unlock of unlocked mutex")
	}
	m.locked = false
	Release(&m.object)
}

// run makes one execution with the strategy first.
func run(body func()) *Execution { return Run(first{}, Options{}, body) }

// kind returns the kind of failure, "" for none.
func kind(x *Execution) string {
	if x.Failure == nil {
		return ""
	}
	return x.Failure.Kind
}

// expect fails the test unless x ended with the failure wanted.
func expect(t *testing.T, x *Execution, want, message string) {
	t.Helper()
	if kind(x) != want || want != "" && !strings.Contains(x.Failure.Message, message) {
		t.Fatalf("failure %+v, want %q with %q", x.Failure, want, message)
	}
}

// waitForGoroutines waits until no more than n goroutines are left: one that has told
// that it is gone may still be on its last instructions.
func waitForGoroutines(t *testing.T, n int) {
	t.Helper()
	for range 1000 {
		if runtime.NumGoroutine() <= n {
			return
		}
		time.Sleep(time.Millisecond)
	}
	buf := make([]byte, 1<<16)
	t.Fatalf("goroutines are left:\n%s", buf[:runtime.Stack(buf, true)])
}

func TestOrderOfStepsIsTheStrategys(t *testing.T) {
	orders := map[string]int{}
	count := every(t, Options{}, func() {}, func(x *Execution) { expect(t, x, "", "") })
	if count != 1 {
		t.Errorf("the empty body has %d executions", count)
	}
	var order []byte
	count = every(t, Options{}, func() {
		order = order[:0]
		for _, c := range []byte("ab") {
			Go(func() { order = append(order, c) })
		}
	}, func(x *Execution) {
		expect(t, x, "", "")
		orders[string(order)]++
	})
	// Steps: start, go, go of main, and a start for each of the others; a may
	// start before the second go, after it, or after b.
	if count != 3 || orders["ab"] != 2 || orders["ba"] != 1 {
		t.Errorf("%d executions, orders %v", count, orders)
	}
}

func TestSelfIdentifiesGoroutine(t *testing.T) {
	if Active() {
		t.Error("active outside Run")
	}
	before := runtime.NumGoroutine()
	x := run(func() {
		if !Active() {
			panic("not active in the body")
		}
		Go(func() {
			if !Active() {
				panic("not active in another goroutine")
			}
		})
	})
	expect(t, x, "", "")
	waitForGoroutines(t, before)
}

func TestPanics(t *testing.T) {
	x := run(func() { panic(errors.New("boom")) })
	expect(t, x, Panic, "panic: boom")
	if p := x.Failure.Places[0]; !strings.HasSuffix(p.File, "engine_test.go") || p.Goroutine != "main" {
		t.Errorf("place %+v", p)
	}
	expect(t, run(func() { Go(func() { maps.Copy(map[int]int(nil), map[int]int{1: 1}) }) }), Panic, "nil map")
	expect(t, run(func() { panic(nil) }), Panic, "nil")
	expect(t, run(func() {
		defer func() { recover() }()
		panic("recovered")
	}), "", "")
	expect(t, run(func() { Go(nil) }), Panic, "nil func")
}

func TestGoexitEndsItsGoroutineOnly(t *testing.T) {
	var other, deferred bool
	x := run(func() {
		Go(func() { other = true })
		defer func() { deferred = true }()
		runtime.Goexit()
	})
	expect(t, x, "", "")
	if !other || !deferred {
		t.Errorf("other goroutine ran: %v, deferred call ran: %v", other, deferred)
	}
}

func TestNestedGoAndNames(t *testing.T) {
	var ids []string
	x := Run(first{}, Options{Trace: true}, func() {
		GoAt("a.go:1", func() {
			GoAt("a.go:2", func() { ids = append(ids, "inner") })
			ids = append(ids, "outer")
		})
		GoAt("a.go:1", func() {})
	})
	expect(t, x, "", "")
	want := "main a.go:1#1 a.go:1#2 a.go:2#1"
	if got := strings.Join(x.Goroutines, " "); got != want || len(ids) != 2 {
		t.Errorf("goroutines %q, want %q; ran %v", got, want, ids)
	}
}

func TestDeadlockAndBlocked(t *testing.T) {
	before := runtime.NumGoroutine()
	var seen = map[string]int{}
	var released int
	every(t, Options{}, func() {
		released = 0
		var a, b mutex
		Go(func() {
			defer func() { released++ }()
			b.lock()
			a.lock()
			a.unlock()
			b.unlock()
		})
		a.lock()
		defer func() { a.unlock(); released++ }()
		b.lock()
		b.unlock()
	}, func(x *Execution) {
		seen[kind(x)]++
		if released != 2 {
			t.Fatalf("%d deferred calls ran", released)
		}
	})
	if seen[Deadlock] == 0 || seen[""] == 0 || len(seen) != 2 {
		t.Errorf("outcomes %v", seen)
	}
	x := run(func() {
		var m mutex
		m.lock()
		GoAt("x.go:7", func() { m.lock() })
	})
	expect(t, x, Blocked, "x.go:7#1 at ")
	if len(x.Failure.Places) != 1 || x.Failure.Places[0].What != "mu.Lock" ||
		!strings.Contains(x.Failure.Signature, "engine_test.go:") {
		t.Errorf("failure %+v", x.Failure)
	}
	waitForGoroutines(t, before)
}

func TestStateOfEarlierExecutionIsZero(t *testing.T) {
	var m mutex
	for range 3 {
		expect(t, run(func() { m.lock() }), "", "")
	}
	expect(t, run(func() {
		m.lock()
		c := m
		if c.locked != true || c.object.Fresh() {
			panic("a copy of a locked mutex is locked")
		}
		if c.object.id == m.object.id {
			panic("a copy is an object of its own")
		}
	}), "", "")
}

func TestStepBound(t *testing.T) {
	x := Run(first{}, Options{Steps: 100}, func() {
		for {
			Yield()
		}
	})
	expect(t, x, Timeout, "not ended after 20") // loneSteps times as many, and some
	x = Run(first{}, Options{Steps: 100}, func() {
		c := MakeChan[int](0)
		Go(func() { Recv(c) })
		for {
			Yield()
		}
	})
	expect(t, x, Timeout, "not ended after 10")
	if x.Failure.Places[0].What != "yield" || !strings.HasSuffix(x.Failure.Places[0].File, "engine_test.go") {
		t.Errorf("places %v", x.Failure.Places)
	}
	x = Run(first{}, Options{Steps: 100}, func() {
		Go(func() {
			for {
				Yield()
			}
		})
	})
	expect(t, x, "", "")
	if !x.Cut {
		t.Error("cut executions are told")
	}
}

func TestOneRunAtATime(t *testing.T) {
	x := run(func() { run(func() {}) })
	expect(t, x, Panic, "Run within Run")
	var done sync.WaitGroup
	for range 4 {
		done.Go(func() {
			for range 50 {
				n := 0
				x := run(func() {
					for range 3 {
						Go(func() { n++ })
					}
				})
				if n != 3 || x.Failure != nil {
					t.Errorf("%d goroutines ran, failure %v", n, x.Failure)
				}
			}
		})
	}
	done.Wait()
}

func TestPanicOfStrategyReachesCaller(t *testing.T) {
	before := runtime.NumGoroutine()
	func() {
		defer func() {
			if recover() != "replay diverged" {
				t.Error("panic lost")
			}
		}()
		s := &tree{path: []branch{{0, 1}, {0, 7}}}
		Run(s, Options{}, func() { Yield() })
	}()
	waitForGoroutines(t, before)
}

func TestChooseIsPartOfTheSchedule(t *testing.T) {
	seen := map[int]bool{}
	every(t, Options{}, func() { seen[Choose(3)] = true }, func(x *Execution) {
		if len(x.Choices) != 2 || x.Choices[1].Kind != Number {
			t.Errorf("choices %v", x.Choices)
		}
	})
	if len(seen) != 3 {
		t.Errorf("chosen %v", seen)
	}
}

func TestTrace(t *testing.T) {
	x := Run(first{}, Options{Trace: true}, func() {
		var m mutex
		m.lock()
		m.unlock()
	})
	var kinds []string
	for _, e := range x.Trace {
		kinds = append(kinds, e.Kind.String())
		if e.Obj != 0 && !strings.HasSuffix(e.Place.File, "engine_test.go") {
			t.Errorf("event %+v", e)
		}
	}
	if got := strings.Join(kinds, " "); got != "start acquire release exit" {
		t.Errorf("trace %q", got)
	}
}

func TestPreemptionsAreCounted(t *testing.T) {
	s := &tree{path: []branch{{0, 1}, {0, 1}, {1, 2}, {0, 1}, {0, 1}}}
	s.begun = false
	x := Run(s, Options{}, func() {
		Go(func() {})
		var m mutex
		m.lock()
	})
	if x.Preempted != 1 {
		t.Errorf("%d preemptions in %v", x.Preempted, x.Choices)
	}
}
