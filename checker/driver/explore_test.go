package driver

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"mendel/checker/sched"
	"mendel/checker/sched/explore"
	"mendel/checker/shim/atomic"
	shimsync "mendel/checker/shim/sync"
	"mendel/checker/wire"
)

// transfer deadlocks in some schedules.
func transfer(t *testing.T) {
	var a, b shimsync.Mutex
	var wg shimsync.WaitGroup
	moved := 0
	for _, order := range [][2]*shimsync.Mutex{{&a, &b}, {&b, &a}} {
		wg.Add(1)
		sched.GoAt("transfer.go:1", func() {
			t.Log("moving")
			order[0].Lock()
			order[1].Lock()
			moved++
			order[1].Unlock()
			order[0].Unlock()
			wg.Done()
		})
	}
	wg.Wait()
}

// count has a few schedules and no failure.
func count(*testing.T) {
	var n atomic.Int32
	done := sched.MakeChan[bool](2)
	for range 2 {
		sched.Go(func() {
			n.Add(1)
			sched.Send(done, true)
		})
	}
	sched.Recv(done)
	sched.Recv(done)
}

func TestSelfCheck(t *testing.T) {
	if wrong := selfCheck(race); wrong != "" {
		t.Error(wrong)
	}
	for want, planted := range map[string]func(){
		"the binary has no planted race":        nil,
		"instead of the planted race: failed: ": func() { panic("bad") },
		"instead of the planted race: exhausted": func() {
			sched.Go(func() {})
		},
	} {
		if got := selfCheck(planted); !strings.HasPrefix(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// logged reports whether a log has a text. With -v logs go to the standard output.
func logged(log, text string) bool { return testing.Verbose() || strings.Contains(log, text) }

func TestAnswers(t *testing.T) {
	s := suite{
		{Tests: []Test{{"TestTransfer", transfer}}, Planted: race},
		{Tests: []Test{{"TestCount", count}}},
	}
	answers := ask(t, s, wire.Request{
		Mode: wire.Check, Tests: []string{"TestCount", "TestNone", "TestTransfer", "TestNone"},
		Search: wire.Search{Strategy: "dfs", Preemptions: -1, Minimise: 500, Orders: 3},
	})
	var kinds []string
	for _, a := range answers {
		switch {
		case a.Ready != nil:
			kinds = append(kinds, fmt.Sprintf("ready %q %q", a.Ready.Planted, a.Ready.Missing))
		case a.Found != nil:
			kinds = append(kinds, "found "+a.Found.Test+" "+a.Found.Failure.Failure.Kind)
		case a.Test != nil:
			kinds = append(kinds, "test "+a.Test.Name+" "+string(a.Test.Verdict))
		case a.Done:
			kinds = append(kinds, "done")
		}
	}
	want := []string{
		`ready "" ["TestNone"]`, "test TestCount exhausted", "found TestTransfer deadlock",
		"test TestTransfer failed", "done",
	}
	if !slices.Equal(kinds, want) {
		t.Fatalf("got\n\t%s\nwant\n\t%s", strings.Join(kinds, "\n\t"), strings.Join(want, "\n\t"))
	}
	if c := answers[1].Test; c.Bound != -1 || c.Executions < 4 || c.Steps == 0 || c.Reason != "" {
		t.Errorf("TestCount: %+v", c)
	}
	f := answers[3].Test.Failures[0]
	if f.Preemptions != 1 || !f.Proven || len(f.Trace) == 0 || f.Choices == "" || len(f.Goroutines) != 3 ||
		!logged(f.Log, ": moving") || f.Nth == 0 || f.Strategy == "" {
		t.Errorf("TestTransfer: %+v", f)
	}
	if n := len(answers[3].Test.Inversions); n != 1 {
		t.Errorf("%d inversions", n)
	}
}

// Of clones with tests of the same names one is asked.
func TestClones(t *testing.T) {
	all := suite{
		{Clone: "1", Tests: []Test{{"TestX", count}}, Planted: race},
		{Clone: "2", Tests: []Test{{"TestX", transfer}}, Planted: race},
		{Clone: "2", Tests: []Test{{"TestY", count}}},
	}
	for clone, want := range map[string]explore.Verdict{"1": explore.Exhausted, "2": explore.Failed} {
		r := about(t, ask(t, all.of(clone), wire.Request{Mode: wire.Check, Tests: []string{"TestX"}, Search: wire.Search{Strategy: "dfs"}}))
		if r.Verdict != want {
			t.Errorf("clone %s: %+v", clone, r)
		}
	}
	if len(all.of("2")) != 2 || len(all.of("")) != 0 {
		t.Error("packages of other clones are there")
	}
}

func TestSample(t *testing.T) {
	s := wire.Search{Strategy: "dfs", Preemptions: -1, Sample: 30, Seed: 1}
	r := checked(t, s, transfer)
	if r.Sampled != 30 || r.Passed+r.Kinds[sched.Deadlock] != 30 || r.Passed == 0 || r.Passed == 30 {
		t.Errorf("%d of %d passed, %v", r.Passed, r.Sampled, r.Kinds)
	}
	if r.Verdict != explore.Failed || len(r.Failures) != 1 || r.Executions != 31 || r.Redundant != 2 { // a plain one before, and again at the failure
		t.Errorf("%s, %d failures, %d executions", r.Verdict, len(r.Failures), r.Executions)
	}
	if again := checked(t, s, transfer); again.Passed != r.Passed || again.Failures[0].Choices != r.Failures[0].Choices {
		t.Error("the same seed gives another sample")
	}
	r = checked(t, s, count)
	if r.Sampled != 30 || r.Passed != 30 || r.Verdict != explore.Exhausted {
		t.Errorf("%+v", r)
	}
}

// The schedules that failed another program are followed first.
func TestGivenSchedules(t *testing.T) {
	found := checked(t, wire.Search{Strategy: "dfs"}, transfer).Failures[0]
	request := wire.Request{
		Mode: wire.Check, Tests: []string{"TestX"}, Search: wire.Search{Strategy: "random", Executions: 2}, // the plain one, and one more
		First: []wire.Schedule{{Test: "TestX", Choices: found.Choices}, {Test: "TestOther", Choices: "0"}, {Test: "TestX", Choices: "0 =1 7*3"}},
	}
	r := about(t, ask(t, suite{{Tests: []Test{{"TestX", transfer}}}}, request))
	if r.Sampled != 1 || r.Passed != 0 || r.Verdict != explore.Failed || r.Failures[0].Strategy != "given" {
		t.Errorf("%+v", r)
	}
	r = about(t, ask(t, suite{{Tests: []Test{{"TestX", count}}}}, request))
	if r.Sampled != 1 || r.Passed != 1 || r.Verdict != explore.Passed {
		t.Errorf("what is no bug there: %+v", r)
	}
	request.First[0].Choices = "no schedule"
	if r = about(t, ask(t, suite{{Tests: []Test{{"TestX", count}}}}, request)); r.Verdict != explore.Inconclusive {
		t.Errorf("%+v", r)
	}
}

func TestReplay(t *testing.T) {
	found := checked(t, wire.Search{Strategy: "dfs"}, transfer).Failures[0]
	var tests []*wire.Test
	for _, a := range ask(t, suite{{Tests: []Test{{"TestX", transfer}}, Planted: race}}, wire.Request{
		Mode:  wire.Replay,
		First: []wire.Schedule{{Test: "TestX", Choices: found.Choices}, {Test: "TestX", Choices: "0*3"}, {Test: "TestNone", Choices: "0"}, {Test: "TestX", Choices: "x"}},
	}) {
		if a.Test != nil {
			tests = append(tests, a.Test)
		}
	}
	if len(tests) != 4 {
		t.Fatalf("%d answers", len(tests))
	}
	r := tests[0]
	if r.Verdict != explore.Failed || r.Diverged != "" || r.Failures[0].Choices != found.Choices || len(r.Failures[0].Trace) == 0 {
		t.Errorf("%+v", r)
	}
	if r := tests[1]; r.Verdict != explore.Inconclusive || r.Diverged == "" {
		t.Errorf("too short a schedule: %+v", r)
	}
	for _, r := range tests[2:] {
		if r.Verdict != explore.Inconclusive || r.Reason == "" {
			t.Errorf("%+v", r)
		}
	}
}

func TestOwnProcess(t *testing.T) {
	request := wire.Request{Mode: wire.Check, Tests: []string{"TestX"}}
	request.Search.OwnProcess = true
	failed := 0
	runs := 0
	strategies := map[string]bool{}
	for seed := range uint64(60) {
		request.Search.Seed = seed
		s := suite{{Tests: []Test{{"TestX", func(t *testing.T) { runs++; transfer(t) }}}}}
		r := about(t, ask(t, s, request))
		if r.Executions != 1 {
			t.Fatalf("%+v", r)
		}
		if r.Verdict != explore.Failed {
			continue
		}
		failed++
		strategies[r.Failures[0].Strategy] = true
		again := about(t, ask(t, s, wire.Request{Mode: wire.Replay, First: []wire.Schedule{{Test: "TestX", Choices: r.Failures[0].Choices}}, Search: request.Search}))
		if again.Verdict != explore.Failed || again.Diverged != "" {
			t.Errorf("seed %d does not replay: %+v", seed, again)
		}
	}
	if failed == 0 || failed == 60 || len(strategies) != 3 {
		t.Errorf("%d of 60 failed, by %v", failed, strategies)
	}
	if runs != 60+failed {
		t.Errorf("the test ran %d times, for %d processes and %d replays", runs, 60, failed)
	}
}

// Where executions depend on those before them nothing is claimed.
func TestStateful(t *testing.T) {
	n := 0
	for name, f := range map[string]func(t *testing.T){
		"fails the second time": func(t *testing.T) {
			if n++; n > 1 {
				panic("registered twice")
			}
		},
		"has other steps": func(t *testing.T) {
			n++
			for range n {
				sched.Yield()
			}
		},
		"fails later": func(t *testing.T) {
			count(t)
			if n++; n > 5 {
				Of(t).Error("bad")
			}
		},
	} {
		n = 0
		r := checked(t, wire.Search{Strategy: "dfs", Preemptions: -1}, f)
		if r.Verdict != explore.Inconclusive || !r.Stateful || r.Reason == "" || len(r.Failures) > 0 {
			t.Errorf("%s: %+v", name, r)
		}
	}
}

func TestVerdicts(t *testing.T) {
	block := make(chan bool)
	defer close(block)
	for name, c := range map[string]struct {
		f       func(t *testing.T)
		search  wire.Search
		verdict explore.Verdict
		reason  string
	}{
		"skip":         {func(t *testing.T) { t.Skip("not here") }, searchAll, explore.Passed, "not here"},
		"uncontrolled": {func(t *testing.T) { <-block }, wire.Search{StepTime: 20 * time.Millisecond}, explore.Inconclusive, "wall-clock"},
		"too long": {func(t *testing.T) {
			for {
				sched.Yield()
			}
		}, wire.Search{Strategy: "random", Executions: 5, Steps: 50}, explore.Inconclusive, "step bound"},
		"too long in the sample": {func(t *testing.T) {
			for {
				sched.Yield()
			}
		}, wire.Search{Strategy: "random", Executions: 50, Steps: 50, Sample: 6}, explore.Inconclusive, "step bound"},
		"few":         {transfer, wire.Search{Strategy: "dfs", Executions: 2}, explore.Passed, ""},
		"no strategy": {count, wire.Search{Strategy: "luck"}, explore.Inconclusive, "luck"},
	} {
		r := checked(t, c.search, c.f)
		if r.Verdict != c.verdict || !logged(r.Reason, c.reason) || r.Skipped != (name == "skip") {
			t.Errorf("%s: %s: %s", name, r.Verdict, r.Reason)
		}
	}
}

// A test for which no time is left is not begun.
func TestNoTime(t *testing.T) {
	r := checked(t, wire.Search{Time: 1}, func(*testing.T) { t.Error("it runs") })
	if r.Verdict != explore.Inconclusive || r.Reason != noTime || r.Executions != 0 {
		t.Errorf("%+v", r)
	}
}

// Unused time goes to later tests, and no test is left without an answer.
func TestTimeIsShared(t *testing.T) {
	many := func(t *testing.T) {
		for range 4 {
			sched.Go(func() {
				for range 10 {
					sched.Yield()
				}
			})
		}
	}
	s := suite{{Tests: []Test{{"TestA", count}, {"TestB", many}, {"TestC", many}}, Planted: race}}
	const budget = 300 * time.Millisecond
	var seconds, made []float64
	for _, a := range ask(t, s, wire.Request{Mode: wire.Check, Tests: []string{"TestA", "TestB", "TestC"},
		Search: wire.Search{Strategy: "random", Time: budget}}) {
		if r := a.Test; r != nil {
			seconds, made = append(seconds, r.Seconds), append(made, float64(r.Executions))
			if r.Verdict != explore.Passed && r.Reason != noTime {
				t.Errorf("%s: %s %s", r.Name, r.Verdict, r.Reason)
			}
		}
	}
	if len(made) != 3 || made[0] < 1 {
		t.Fatalf("executions %v in %v", made, seconds)
	}
}

// An execution that takes longer than the budget is given up, with the reason.
func TestSlowerThanTheBudget(t *testing.T) {
	n := 0
	r := checked(t, wire.Search{Time: 100 * time.Millisecond, Steps: 1 << 40}, func(*testing.T) {
		var a atomic.Int32
		for range 1 << 40 { // until it is stopped
			n = int(a.Add(1))
		}
	})
	if r.Verdict != explore.Inconclusive || r.Executions != 0 || !strings.Contains(r.Reason, "longer than the budget") && r.Reason != noTime {
		t.Errorf("after %d: %+v", n, r)
	}
}

// Where there is time for one execution only, that one may pass.
func TestTimeForOneExecution(t *testing.T) {
	for _, single := range []bool{false, true} {
		made := 0
		r := checked(t, wire.Search{Time: 2 * time.Second, Steps: 1 << 40, Single: single}, func(*testing.T) {
			var a atomic.Int32
			if made++; made == 1 {
				return
			}
			for range 1 << 40 { // until it is stopped
				a.Add(1)
			}
		})
		passed := r.Verdict == explore.Passed && r.Executions == 1 && r.Reason == noRepetition
		if passed != single {
			t.Errorf("%t: %+v", single, r)
		}
	}
}

// A test that takes longer than the budget fails nevertheless, if another schedule ends
// early.
func TestFailsInHurry(t *testing.T) {
	r := checked(t, wire.Search{Time: 4 * time.Second, Steps: 1 << 40, Single: true}, func(*testing.T) {
		var a, stop atomic.Int32
		var first, second shimsync.Mutex
		sched.Go(func() {
			second.Lock()
			first.Lock()
			stop.Store(1)
		})
		first.Lock()
		for second.Lock(); stop.Load() == 0; {
			a.Add(1)
		}
	})
	if r.Verdict != explore.Failed || r.Failures[0].Failure.Kind != sched.Deadlock {
		t.Errorf("%+v", r)
	}
}

// Where there is nothing to choose, one schedule is all there is.
func TestNothingToChoose(t *testing.T) {
	for name, test := range map[string]struct {
		f    func(*testing.T)
		want int
	}{
		"a goroutine": {func(t *testing.T) {
			Of(t).Run("sub", func(*testing.T) {
				var mu shimsync.Mutex
				locked := 0
				mu.Lock()
				locked++
				mu.Unlock()
			})
		}, 2}, // plain, and by the search
		"two": {count, 0},
	} {
		r := checked(t, wire.Search{Orders: 10}, test.f)
		if r.Verdict != explore.Covered || test.want > 0 && r.Executions != test.want || test.want == 0 && r.Executions <= 10 {
			t.Errorf("%s: %d executions, %+v", name, r.Executions, r)
		}
	}
}

// A lock is taken under another one in some schedules only, not in the plain one: the
// orders are found all the same.
func TestOrdersOfSome(t *testing.T) {
	r := checked(t, wire.Search{Strategy: "random", Preemptions: -1, Executions: 12, Orders: 10}, func(*testing.T) {
		var a, b shimsync.Mutex
		var open atomic.Int32
		done := sched.MakeChan[bool](2)
		for _, locks := range [][2]*shimsync.Mutex{{&a, &b}, {&b, &a}} {
			sched.Go(func() {
				if open.Load() == 1 {
					locks[0].Lock()
					locks[1].Lock()
					open.Store(1)
					locks[1].Unlock()
					locks[0].Unlock()
				}
				sched.Send(done, true)
			})
		}
		open.Store(1)
		for range 20 {
			open.Load()
		}
		open.Store(0)
		sched.Recv(done)
		sched.Recv(done)
	})
	if len(r.Inversions) != 1 {
		t.Errorf("%d inversions: %+v", len(r.Inversions), r)
	}
}

// A bound on schedules counts those that are reported, and not the repetition of the
// plain one.
func TestScheduleBound(t *testing.T) {
	for _, strategy := range []string{"random", "pct", "pos"} {
		r := checked(t, wire.Search{Strategy: strategy, Preemptions: -1, Executions: 60}, func(*testing.T) {
			var n atomic.Int32
			done := sched.MakeChan[bool](4)
			for range 4 {
				sched.Go(func() {
					for range 3 {
						n.Add(1)
					}
					sched.Send(done, true)
				})
			}
			for range 4 {
				sched.Recv(done)
			}
		})
		if r.Executions != 60 || r.Verdict != explore.Passed {
			t.Errorf("%s: %d executions, %+v", strategy, r.Executions, r)
		}
	}
}
