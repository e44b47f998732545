package explore

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"mendel/checker/sched"
	"mendel/internal/sample"
	"pgregory.net/rapid"
)

// exploreStates is exploreLitmus with all states.
func exploreStates(t testing.TB, p *litmus, most int) (e explored, s *stateful) {
	e.outcomes = map[string]bool{}
	s = newStateful()
	for s.Begin() {
		if e.executions == most {
			return e, s
		}
		x, outcome := execute(t, p, s)
		e.executions++
		if !x.Abandoned {
			e.outcomes[outcome] = true
		}
	}
	e.complete = s.explorer.Broken() == ""
	return e, s
}

// TestStatesOfLitmus compares the outcomes of all states with those that the enumerator
// finds.
func TestStatesOfLitmus(t *testing.T) {
	for _, p := range programs {
		t.Run(p.name, func(t *testing.T) {
			if strings.HasPrefix(p.name, "spin") {
				t.Skip("a state for each number of rounds")
			}
			got, s := exploreStates(t, p.litmus, 200_000)
			if !got.complete {
				t.Logf("not complete: %s", s.explorer.Broken())
				return
			}
			t.Logf("%d executions, %d states", got.executions, len(s.visited))
			if found, want := lines(got.outcomes), lines(modelOutcomes(p.litmus)); found != want {
				t.Errorf("found\n%s\nwant\n%s", found, want)
			}
		})
	}
}

// TestStatesOfRandom compares the outcomes of all states with the enumerator's for random
// programs.
func TestStatesOfRandom(t *testing.T) {
	defer sched.OneProcessor()() // as the driver
	for name, kinds := range map[string][][]op{
		"atomics": atomicOps, "locks": lockOps, "channels": channelOps, "others": otherOps,
	} {
		t.Run(name, func(t *testing.T) {
			programs := sample.Count(30, 100)
			if testing.Short() {
				programs = 15
			}
			draw := randomProgram(kinds)
			complete, failed, broken := 0, 0, map[string]int{}
			for seed := range programs {
				p := draw.Example(seed)
				if !wellFormed(p) {
					continue
				}
				got, s := exploreStates(t, p, 100_000)
				if !got.complete {
					broken[s.explorer.Broken()]++
					continue
				}
				complete++
				if found, want := lines(got.outcomes), lines(modelOutcomes(p)); found != want {
					t.Errorf("%+v: found\n%s\nwant\n%s", p, found, want)
					if failed++; failed > 2 {
						t.FailNow()
					}
				}
			}
			t.Logf("%d of %d complete; not: %v", complete, programs, broken)
		})
	}
}

// blind is a program of goroutines that each do some steps under locks, and forget what
// they saw there unless the step keeps it.
type blind struct {
	locks  [2]luo
	cells  [3]int
	closed [3]int // what the goroutines kept
}

// A blindStep adds to, multiplies or moves a cell under a lock.
type blindStep struct {
	lock, cell, other int
	do                string // add, double, move, branch, keep
}

func (b *blind) step(g int, s blindStep) {
	l := &b.locks[s.lock]
	l.lock()
	x, y := &b.cells[s.cell], &b.cells[s.other]
	m := sched.Enter()
	switch s.do {
	case "add":
		*sched.RW(x) += g + 1
	case "double":
		*sched.RW(x) *= 2
	case "move":
		*sched.W(x) = *sched.R(y)
	case "branch":
		if *sched.R(x) > *sched.R(y) {
			*sched.RW(y)++
		}
	case "keep":
		b.closed[g] = b.closed[g]*10 + *sched.R(x)
		l.unlock()
		return // without Left
	}
	m.Left()
	l.unlock()
}

func (b *blind) run(threads [][]blindStep) string {
	done := sched.MakeChan[bool](len(threads))
	for g, steps := range threads {
		sched.Go(func() {
			for _, s := range steps {
				b.step(g, s)
			}
			sched.Send(done, true)
		})
	}
	for range threads {
		sched.Recv(done)
	}
	return fmt.Sprint(b.cells, b.closed)
}

// randomBlind draws two or three goroutines. Each cell belongs to one lock, so nothing races.
func randomBlind(oneLock bool) *rapid.Generator[[][]blindStep] {
	return rapid.Custom(func(t *rapid.T) (threads [][]blindStep) {
		for range rapid.IntRange(2, 3).Draw(t, "threads") {
			var steps []blindStep
			for range rapid.IntRange(1, 3).Draw(t, "length") {
				s := blindStep{do: rapid.SampledFrom([]string{"add", "double", "move", "branch", "keep"}).Draw(t, "do")}
				s.cell = rapid.IntRange(0, 1).Draw(t, "cell")
				s.other = 1 - s.cell
				if !oneLock && rapid.IntRange(0, 2).Draw(t, "lock") == 0 {
					s.lock, s.cell, s.other = 1, 2, 2
				}
				steps = append(steps, s)
			}
			threads = append(threads, steps)
		}
		return threads
	})
}

// TestStatesForget compares what programs that forget lead to with all their schedules.
func TestStatesForget(t *testing.T) {
	defer sched.OneProcessor()() // as the driver
	programs, saved := sample.Count(12, 30), 0
	if testing.Short() {
		programs = 15
	}
	for seed := range programs {
		threads := randomBlind(seed%2 == 0).Example(seed)
		run := func(s sched.Strategy) (outcomes map[string]bool, made int) {
			outcomes = map[string]bool{}
			for s.Begin() {
				end := ""
				x := sched.Run(s, sched.Options{}, func() { end = new(blind).run(threads) })
				s.End(x)
				made++
				if x.Failure != nil {
					t.Fatal(x.Failure)
				}
				if !x.Abandoned {
					outcomes[end] = true
				}
			}
			return outcomes, made
		}
		s := newStateful()
		got, made := run(s)
		if why := s.explorer.Broken(); why != "" {
			t.Fatalf("%v: %s", threads, why)
		}
		want, all := run(newDFS(-1, true))
		if !maps.Equal(got, want) {
			t.Errorf("%v: found %v, want %v", threads, got, want)
		}
		if made < all {
			saved++
		}
	}
	t.Logf("fewer executions than dfs in %d of %d", saved, programs)
}

// TestStatesFindRaces finds a race between a step that leads to a known state and one out
// of it.
func TestStatesFindRaces(t *testing.T) {
	for name, body := range map[string]func(){
		"behind a lock": func() {
			var l luo
			x := new(int)
			sched.Go(func() { *sched.W(x) = 1; l.lock(); l.unlock() })
			sched.Go(func() { l.lock(); l.unlock(); *sched.W(x) = 1 })
		},
		"on the way to a lock's end": func() {
			var l, k luo
			x := new(int)
			sched.Go(func() { l.lock(); *sched.W(x) = 1; l.unlock() })
			sched.Go(func() { k.lock(); k.unlock(); k.lock(); *sched.W(x) = 1; k.unlock() })
			k.lock()
			k.unlock()
		},
		"after a lock": func() {
			var l luo
			x, y := new(int), new(int)
			sched.Go(func() { l.lock(); *sched.W(y) = 1; l.unlock(); *sched.W(x) = 1 })
			sched.Go(func() {
				l.lock()
				m := sched.Enter()
				if *sched.R(y) == 1 {
					*sched.W(y) = 1
				}
				m.Left()
				l.unlock()
				l.lock()
				l.unlock()
				*sched.W(x) = 1
			})
		},
	} {
		r, err := Explore(nil, Search{Strategy: "states", Executions: 1000}, body)
		if err != nil || r.Verdict != Failed || r.Failures[0].Execution.Failure.Kind != sched.Race {
			t.Errorf("%s: %v, %v", name, r, err)
		}
	}
}

// TestStatesAfterForgetting sees anew what was read before it was forgotten.
func TestStatesAfterForgetting(t *testing.T) {
	body := func() {
		var l luo
		x := new(int)
		sched.Go(func() { l.lock(); *sched.W(x) = 1; l.unlock() })
		l.lock()
		m := sched.Enter()
		*sched.RW(x) += 2
		m.Left()
		saw := *sched.R(x)
		l.unlock()
		l.lock()
		l.unlock()
		if saw == 2 {
			sched.Fail("it came first")
		}
	}
	r, err := Explore(nil, Search{Strategy: "states", Executions: 1000}, body)
	if err != nil || r.Verdict != Failed {
		t.Errorf("%v, %v", r, err)
	}
}

// TestStatesRefuse never calls a search exhausted whose states cannot be told apart.
func TestStatesRefuse(t *testing.T) {
	rounds := 0
	for name, body := range map[string]func(){
		"memory changes unseen": func() {
			x, c := new(int), sched.MakeChan[int](0)
			sched.Go(func() { *x = 1; sched.Send(c, 1) })
			_ = *sched.R(x)
			sched.Recv(c)
			_ = *sched.R(x)
		},
		"more than the schedule": func() {
			var l luo
			rounds++
			sched.Go(func() { l.write(&l.x, rounds) })
			sched.Go(func() { l.write(&l.x, rounds) })
			l.read(0, &l.x)
		},
		"random numbers": func() { sched.Choose(1 << 20) },
		"time":           func() { sched.Sleep(1) },
	} {
		r, err := Explore(nil, Search{Strategy: "states", Executions: 1000}, body)
		if err != nil {
			t.Fatal(err)
		}
		if r.Verdict == Exhausted {
			t.Errorf("%s: %v", name, r)
		}
		t.Log(name, r)
	}
}
