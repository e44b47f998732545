package sync_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"testing"

	"mendel/checker/sched"
	"mendel/checker/sched/explore"
	"mendel/checker/shim/sync"
	"mendel/internal/sample"
)

// counted runs goroutines that count a group up (+) and down (-), wait for it (w), and
// take a lock to note that they were there (n). It returns what was noted, in order.
func counted(first int, threads []string) string {
	var group, all sync.WaitGroup
	var mu sync.Mutex
	noted := ""
	group.Add(first)
	for i, steps := range threads {
		all.Add(1)
		sched.Go(func() {
			defer all.Done()
			for _, s := range steps {
				switch s {
				case '+':
					group.Add(1)
				case '-':
					group.Done()
				case 'w':
					group.Wait()
				case 'n':
					mu.Lock()
					*sched.RW(&noted) += fmt.Sprint(i)
					mu.Unlock()
				}
			}
		})
	}
	group.Wait()
	mu.Lock()
	before := *sched.R(&noted)
	mu.Unlock()
	all.Wait()
	return before + " " + *sched.R(&noted)
}

// TestWaitGroupStates compares what the strategy states finds, which takes steps at a
// counter before others, with all schedules. mcm must have found them where it claims to.
func TestWaitGroupStates(t *testing.T) {
	programs := sample.Count(70, 200)
	// Most use a group as it should be used: who adds has something to do down.
	parts := []string{"n", "n", "n", "+n-", "+-", "w", "-", "+"}
	const most = 2000 // schedules
	compared, good, saved, covered := 0, 0, 0, 0
	for seed := range programs {
		r := rand.New(rand.NewPCG(uint64(seed), 1))
		likely := len(parts)
		if seed%2 == 0 {
			likely = 5
		}
		threads, first := make([]string, 2+r.IntN(2)), 0
		for i := range threads {
			for range 1 + r.IntN(2) {
				threads[i] += parts[r.IntN(likely)]
			}
			if r.IntN(3) > 0 {
				threads[i] += "-"
				first++
			}
			if r.IntN(3) == 0 {
				threads[i] += parts[r.IntN(6)]
			}
		}
		by := func(strategy string) (*explore.Report, map[string]bool) {
			outcomes := map[string]bool{}
			report, err := explore.Explore(nil, explore.Search{Strategy: strategy, Preemptions: -1, Executions: most}, func() {
				outcomes[counted(first, threads)] = true
			})
			if err != nil {
				t.Fatal(err)
			}
			return report, outcomes
		}
		all, want := by("dfs")
		if all.Verdict == explore.Passed {
			continue // there are too many
		}
		states, got := by("states")
		if all.Verdict != states.Verdict || all.Verdict == explore.Exhausted && !maps.Equal(got, want) {
			t.Errorf("%d %q: %v, %d outcomes; want %v, %d", first, threads, states, len(got), all, len(want))
		}
		classes, seen := by("mcm")
		if classes.Verdict == explore.Covered && (all.Verdict != explore.Exhausted || !maps.Equal(seen, want)) {
			t.Errorf("%d %q: %v, %d outcomes; want %v, %d", first, threads, classes, len(seen), all, len(want))
		}
		if classes.Verdict == explore.Covered {
			covered++
		}
		compared++
		if all.Verdict == explore.Exhausted {
			good++
		}
		if states.Executions+states.Redundant < all.Executions {
			saved++
		}
	}
	t.Logf("%d compared, %d do not fail; fewer executions than dfs in %d; %d covered by mcm", compared, good, saved, covered)
	if compared < programs/2 || good < programs/10 || saved < programs/10 {
		t.Error("too few to tell")
	}
}

// TestWaitGroupStatesRace finds the race of the first Add with a Wait that has to come
// before Done to be one.
func TestWaitGroupStatesRace(t *testing.T) {
	report, err := explore.Explore(nil, explore.Search{Strategy: "states", Executions: 1000}, func() {
		var wg sync.WaitGroup
		sched.Go(wg.Wait)
		wg.Add(1)
		wg.Done()
	})
	if err != nil || report.Verdict != explore.Failed || report.Failures[0].Execution.Failure.Kind != sched.Race {
		t.Errorf("%v, %v", report, err)
	}
}

// TestWaitGroupCovered covers a group to which is added whenever a goroutine is started:
// whether that brings its counter from zero depends on the others.
func TestWaitGroupCovered(t *testing.T) {
	report, err := explore.Explore(nil, explore.Search{Strategy: "mcm", Executions: 1000}, func() {
		var wg sync.WaitGroup
		var mu sync.Mutex
		sum := 0
		for i := range 3 {
			mu.Lock()
			_ = *sched.R(&sum) // an early goroutine may have ended
			mu.Unlock()
			wg.Add(1)
			sched.Go(func() {
				defer wg.Done()
				mu.Lock()
				*sched.RW(&sum) += i
				mu.Unlock()
			})
		}
		wg.Wait()
		if *sched.R(&sum) != 3 {
			sched.Fail("lost")
		}
	})
	if err != nil || report.Verdict != explore.Covered {
		t.Errorf("%v, %v", report, err)
	}
}
