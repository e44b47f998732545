// Package explore runs small programs under the scheduler for the tests of the
// replacements: all their schedules, without any reduction, or a sample. It is
// not compiled into programs under test.
//
//	got := explore.Outcomes(t, func() string {
//		...
//		return fmt.Sprint(x)
//	})
package explore

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"mendel/checker/sched"
	"mendel/checker/sched/explore"
)

// start is when each execution begins by the virtual clock.
var start = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// limit is the number of schedules that a test may have.
const limit = 200_000

// Whether timers may expire while goroutines can go on.
const (
	believed = -1
	early    = 0
)

// Outcomes returns what body does in its schedules, sorted: what it returns, or
// the kind of failure, followed, if it has a text, by ": " and its first line.
// Time-outs are believed.
func Outcomes(t testing.TB, body func() string) []string {
	t.Helper()
	return outcomes(t, believed, body)
}

// OutcomesEarly is Outcomes where timers may expire while goroutines can go on.
func OutcomesEarly(t testing.TB, body func() string) []string {
	t.Helper()
	return outcomes(t, early, body)
}

func outcomes(t testing.TB, patience time.Duration, body func() string) []string {
	t.Helper()
	all := map[string]bool{}
	var s sched.Strategy = &exhaustive{}
	if patience == early {
		s = &hasty{}
	}
	for n := 0; s.Begin(); n++ {
		if n == limit {
			t.Fatalf("more than %d schedules; so far %q", n, sorted(all))
		}
		all[run(t, s, patience, body)] = true
	}
	return sorted(all)
}

// Sample is Outcomes of n random schedules.
func Sample(t testing.TB, seed uint64, n int, body func() string) []string {
	t.Helper()
	all := map[string]bool{}
	s := random{rand.New(rand.NewPCG(seed, 0))}
	for range n {
		all[run(t, s, believed, body)] = true
	}
	return sorted(all)
}

// Reduced is Outcomes as the checker's own search finds them, with partial-order
// reduction: what the replacements announce must tell it enough. It is false
// when an execution failed, because a search need not go on behind a failure.
func Reduced(t testing.TB, body func() string) (outcomes []string, ok bool) {
	t.Helper()
	return reduced(t, believed, body)
}

// ReducedEarly is Reduced where timers may expire while goroutines can go on.
func ReducedEarly(t testing.TB, body func() string) (outcomes []string, ok bool) {
	t.Helper()
	return reduced(t, early, body)
}

func reduced(t testing.TB, patience time.Duration, body func() string) (outcomes []string, ok bool) {
	t.Helper()
	all := map[string]bool{}
	search := explore.Search{Strategy: "dfs", Preemptions: -1, Executions: limit,
		Run: sched.Options{Steps: 5000, Start: start, Patience: patience, Clocked: true}}
	report, err := explore.Explore(nil, search, func() { all[body()] = true })
	if err != nil {
		t.Fatal(err)
	}
	return sorted(all), report.Verdict == explore.Exhausted
}

func sorted(set map[string]bool) (list []string) {
	for s := range set {
		list = append(list, s)
	}
	slices.Sort(list)
	return list
}

// run makes one execution and checks that it leaves no goroutine.
func run(t testing.TB, s sched.Strategy, patience time.Duration, body func() string) string {
	t.Helper()
	before := runtime.NumGoroutine()
	result := "none"
	x := sched.Run(s, sched.Options{Steps: 5000, Start: start, Patience: patience, Clocked: true}, func() { result = body() })
	s.End(x)
	for wait := time.Microsecond; runtime.NumGoroutine() > before; wait *= 2 {
		if wait > time.Second {
			t.Fatalf("%d goroutines are left of an execution", runtime.NumGoroutine()-before)
		}
		time.Sleep(wait)
	}
	f := x.Failure
	if f == nil {
		return result
	}
	switch f.Kind {
	case sched.Panic, sched.TestFailure, sched.Uncontrolled:
		text, _, _ := strings.Cut(f.Message, "\n")
		return f.Kind + ": " + text
	}
	return f.Kind
}

// exhaustive explores all schedules depth first.
type exhaustive struct {
	path  []choice
	depth int
	begun bool
}

// choice is one alternative of n.
type choice struct{ taken, n int }

func (s *exhaustive) Begin() bool {
	if s.begun {
		for len(s.path) > 0 && s.path[len(s.path)-1].taken == s.path[len(s.path)-1].n-1 {
			s.path = s.path[:len(s.path)-1]
		}
		if len(s.path) == 0 {
			return false
		}
		s.path[len(s.path)-1].taken++
	}
	s.begun, s.depth = true, 0
	return true
}

func (s *exhaustive) Choose(n int) int {
	if s.depth == len(s.path) {
		s.path = append(s.path, choice{0, n})
	}
	c := s.path[s.depth]
	if c.n != n {
		panic("the same choices led to another execution")
	}
	s.depth++
	return c.taken
}

func (s *exhaustive) Next(enabled []sched.Pending, _ int, _ bool) int { return s.Choose(len(enabled)) }

// hasty is exhaustive for timers too.
type hasty struct{ exhaustive }

// Expire implements [sched.Timekeeper].
func (s *hasty) Expire(n int, idle bool) int {
	if idle {
		return s.Choose(n)
	}
	return s.Choose(n+1) - 1
}

func (s *exhaustive) End(*sched.Execution) {}

// random makes random choices.
type random struct{ *rand.Rand }

func (s random) Begin() bool { return true }

func (s random) Choose(n int) int { return s.IntN(n) }

func (s random) Next(enabled []sched.Pending, _ int, _ bool) int { return s.IntN(len(enabled)) }

func (s random) End(*sched.Execution) {}
