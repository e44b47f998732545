package explore

import (
	"testing"
	"time"
	"unsafe"

	"mendel/checker/sched"
)

// first always lets the current goroutine go on, else the one with the lowest
// ID, and picks 0.
type first struct{}

func (first) Begin() bool { return true }

func (first) Next(enabled []sched.Pending, current int, yielding bool) int {
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

func (first) Choose(int) int { return 0 }

func (first) End(x *sched.Execution) {}

// every calls visit with all executions of body: it explores the whole tree of
// decisions without any reduction.
func every(t *testing.T, o sched.Options, body func(), visit func(*sched.Execution)) (count int) {
	t.Helper()
	s := &tree{}
	for s.Begin() {
		x := sched.Run(s, o, body)
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

func (s *tree) Next(enabled []sched.Pending, _ int, _ bool) int { return s.branch(len(enabled)) }

func (s *tree) Choose(n int) int { return s.branch(n) }

func (s *tree) End(x *sched.Execution) {}

// mutex is what a shim looks like.
type mutex struct {
	object sched.Object
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
	sched.Do(sched.Op{Kind: sched.KindAcquire, Obj: &m.object, Enabled: m.free, What: "mu.Lock"})
	m.locked = true
	sched.Acquire(&m.object)
}

func (m *mutex) unlock() {
	m.refresh()
	sched.Do(sched.Op{Kind: sched.KindRelease, Obj: &m.object, What: "mu.Unlock"})
	if !m.locked {
		panic("unlock of unlocked mutex")
	}
	m.locked = false
	sched.Release(&m.object)
}

// run makes one execution with the strategy first.
func run(body func()) *sched.Execution { return sched.Run(first{}, sched.Options{}, body) }

func read[T any](p *T) T {
	sched.Read(unsafe.Pointer(p), unsafe.Sizeof(*p))
	return *p
}

func write[T any](p *T, v T) {
	sched.Write(unsafe.Pointer(p), unsafe.Sizeof(*p))
	*p = v
}

// ticker returns the channel of a ticker that is never stopped.
func ticker(every time.Duration) chan bool {
	c := sched.MakeChan[bool](1)
	var t *sched.Timer
	t = sched.NewTimer(every, func() {
		sched.SelectDefault(sched.To(c).Case(true))
		t.Reset(every)
	})
	return c
}

// janitor receives ticks for ever, and looks under a lock each time.
func janitor(every time.Duration) {
	tick, m, never := ticker(every), new(mutex), sched.MakeChan[bool](0)
	sched.Go(func() {
		for sched.Select(sched.From(tick), sched.From(never)) == 0 {
			m.lock()
			m.unlock()
		}
	})
}
