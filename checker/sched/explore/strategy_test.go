package explore

import (
	"math"
	"slices"
	"strings"
	"testing"

	"mendel/checker/sched"
)

// repeat is n times the same operations.
func repeat(n int, o []op) (all []op) {
	for range n {
		all = append(all, o...)
	}
	return all
}

// crossing is two goroutines that take two locks in opposite orders after some
// steps each.
func crossing(delay0, delay1 int) *litmus {
	return with0("crossing", nil,
		ops(repeat(delay0, load(0)), lock(0), lock(1), unlock(1), unlock(0)),
		ops(repeat(delay1, load(1)), lock(1), lock(0), unlock(0), unlock(1)))
}

// frequency returns how many of n executions deadlock.
func frequency(t *testing.T, p *litmus, s sched.Strategy, n int) (deadlocks int) {
	for range n {
		s.Begin()
		if x, _ := execute(t, p, s); x.Failure != nil {
			deadlocks++
		}
	}
	return deadlocks
}

// TestRandomMeetsFormula compares a random walk with the closed form of the
// chance that both goroutines get their first lock before either gets its
// second: C(a+b, a) / 2^(a+b), a and b being the steps up to the first lock.
func TestRandomMeetsFormula(t *testing.T) {
	defer sched.OneProcessor()() // as the driver
	for _, delays := range [][2]int{{1, 0}, {0, 0}, {4, 3}, {11, 10}, {2, 8}} {
		a, b := float64(delays[0]+1), float64(delays[1]+2) // the other one has to start
		total, _ := math.Lgamma(a + b + 1)
		first, _ := math.Lgamma(a + 1)
		second, _ := math.Lgamma(b + 1)
		want := math.Exp(total-first-second) / math.Pow(2, a+b)
		const n = 5_000
		got := float64(frequency(t, crossing(delays[0], delays[1]), newRandom(7), n)) / n
		if tolerance := 4 * math.Sqrt(want*(1-want)/n); math.Abs(got-want) > tolerance {
			t.Errorf("delays %v: deadlock in %.4f of executions, want %.4f within %.4f", delays, got, want, tolerance)
		}
	}
}

// TestPCTMeetsBound takes a bug of depth 2: of n goroutines and k steps an
// execution finds it with probability at least 1/(n k).
func TestPCTMeetsBound(t *testing.T) {
	defer sched.OneProcessor()() // as the driver
	p := crossing(20, 20)
	const n, goroutines = 20_000, 2
	steps := float64(20+4+2) + 20 + 4 + 1
	bound := 1 / (goroutines * steps)
	got := float64(frequency(t, p, newPCT(3, 2), n)) / n
	if got < bound-4*math.Sqrt(bound*(1-bound)/n) {
		t.Errorf("found in %.5f of executions, want at least %.5f", got, bound)
	}
}

// TestPOSFindsCrossing: partial order sampling decides the order of dependent
// operations evenly, however long the goroutines run before.
func TestPOSFindsCrossing(t *testing.T) {
	if n := frequency(t, crossing(40, 0), newPOS(1), 2000); n < 20 {
		t.Errorf("found %d times in 2000", n)
	}
}

func TestSameSeedSameSchedules(t *testing.T) {
	for name, strategy := range map[string]func(seed uint64) sched.Strategy{
		"random": func(seed uint64) sched.Strategy { return newRandom(seed) },
		"pct":    func(seed uint64) sched.Strategy { return newPCT(seed, 3) },
		"pos":    func(seed uint64) sched.Strategy { return newPOS(seed) },
	} {
		record := func(seed uint64) (all []sched.Choice) {
			s := strategy(seed)
			for range 20 {
				s.Begin()
				x, _ := execute(t, crossing(3, 3), s)
				all = append(all, x.Choices...)
			}
			return all
		}
		if !slices.Equal(record(1), record(1)) {
			t.Errorf("%s: one seed gave two sequences of schedules", name)
		}
		if slices.Equal(record(1), record(2)) {
			t.Errorf("%s: two seeds gave the same schedules", name)
		}
	}
}

// TestNobodyStarves runs a loop that waits without yielding.
func TestNobodyStarves(t *testing.T) {
	for name, s := range map[string]sched.Strategy{
		"random": newRandom(1), "pct": newPCT(1, 3), "pctlarge": newPCTLarge(1, 3), "pos": newPOS(1), "dfs": newDFS(2, false), "guided": NewGuided(nil),
	} {
		for range 50 {
			if !s.Begin() {
				break
			}
			var flag sched.Object
			set := false
			x := sched.Run(s, sched.Options{Steps: 20_000}, func() {
				sched.Go(func() {
					sched.Do(sched.Op{Kind: sched.KindStore, Obj: &flag})
					set = true
				})
				for !set {
					sched.Do(sched.Op{Kind: sched.KindLoad, Obj: &flag, Read: true})
				}
			})
			s.End(x)
			if x.Failure != nil {
				t.Fatalf("%s: %s: %s", name, x.Failure.Kind, x.Failure.Message)
			}
		}
	}
}

func TestBoundLimitsPreemptions(t *testing.T) {
	p := crossing(1, 1)
	var counts []int
	for bound := range 4 {
		s := newDFS(bound, true)
		n, deadlocks := 0, 0
		for s.Begin() {
			x, _ := execute(t, p, s)
			if x.Preempted > bound {
				t.Fatalf("%d preemptions with bound %d", x.Preempted, bound)
			}
			if x.Failure != nil {
				deadlocks++
			}
			n++
		}
		if (deadlocks > 0) != (bound > 0) {
			t.Errorf("bound %d: %d deadlocks", bound, deadlocks)
		}
		counts = append(counts, n)
	}
	if !slices.IsSorted(counts) || counts[0] == counts[3] {
		t.Errorf("schedules by bound: %v", counts)
	}
}

func TestReplayTellsDivergence(t *testing.T) {
	p := crossing(0, 0)
	s := newRandom(5)
	s.Begin()
	x, _ := execute(t, p, s)
	last := x.Choices[len(x.Choices)-1]
	for _, test := range []struct {
		want    string
		choices []sched.Choice
	}{
		{"", x.Choices},
		{"goes on after", x.Choices[:len(x.Choices)-1]},
		{"ends after", append(slices.Clone(x.Choices), last)},
		{"cannot go on", append([]sched.Choice{{N: 5}}, x.Choices...)},
		{"the schedule a number", append([]sched.Choice{{Kind: sched.Number, N: 1}}, x.Choices...)},
	} {
		r := NewReplay(test.choices)
		r.Begin()
		again, _ := execute(t, p, r)
		if got := r.Diverged(); (got == "") != (test.want == "") || !strings.Contains(got, test.want) {
			t.Errorf("diverged: %q, want %q", got, test.want)
		}
		if test.want == "" && !slices.Equal(again.Choices, x.Choices) {
			t.Errorf("replayed %v, want %v", again.Choices, x.Choices)
		}
		if r.Begin() {
			t.Error("a replay begins twice")
		}
	}
}

func BenchmarkSchedules(b *testing.B) {
	narrow := crossing(5, 5)
	wide := par("wide", nil, slices.Repeat([][]op{ops(locked(0, add(0, 1)), locked(1, add(1, 1)))}, 8)...)
	for _, p := range []*litmus{narrow, wide} {
		for name, s := range map[string]sched.Strategy{
			"random": newRandom(1), "pct": newPCT(1, 3), "pctlarge": newPCTLarge(1, 3), "pos": newPOS(1),
			"dfs-reduced": newDFS(-1, true), "dfs-bound-2": newDFS(2, false),
		} {
			b.Run(p.name+"/"+name, func(b *testing.B) {
				steps := 0
				for b.Loop() {
					if !s.Begin() {
						s = newDFS(-1, name == "dfs-reduced")
						s.Begin()
					}
					x, _ := execute(b, p, s)
					steps += x.Steps
				}
				b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "schedules/s")
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(steps), "ns/step")
			})
		}
	}
}

// TestLongExecutionsAreNotReduced: the search begins anew without reduction,
// and says so by its counts.
func TestLongExecutionsAreNotReduced(t *testing.T) {
	p := with0("long", nil, repeat(8000, load(0)))
	s := newDFS(-1, true)
	got := exploreLitmus(t, p, s, 10)
	if got.executions != 1 || got.redundant != 1 || !got.complete || s.reduce {
		t.Errorf("%d executions, %d abandoned, complete: %v, reduced: %v", got.executions, got.redundant, got.complete, s.reduce)
	}
}

// A schedule that is longer than the bound on steps is followed to its end.
func TestReplayBeyondTheBound(t *testing.T) {
	body := func() {
		for range 200 {
			sched.Yield()
		}
		sched.Fail("at the end")
	}
	x := sched.Run(NewGuided(nil), sched.Options{Steps: 1000}, body)
	if x.Failure == nil || x.Failure.Kind != sched.TestFailure {
		t.Fatalf("failure %v, want that of the body", x.Failure)
	}
	r := NewReplay(x.Choices)
	r.Begin()
	if again := sched.Run(r, sched.Options{Steps: 100}, body); again.Failure == nil || again.Failure.Kind != sched.TestFailure || r.Diverged() != "" {
		t.Errorf("replayed: %v, diverged: %q", again.Failure, r.Diverged())
	}
}
