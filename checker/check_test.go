//go:build unix

package checker

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"mendel/analysis/evidence"
	"mendel/checker/sched/explore"
	"mendel/checker/wire"
)

// The answers of processes become the verdicts of tests, and these the verdict of
// all.
func TestVerdicts(t *testing.T) {
	for _, c := range []struct {
		tests   string
		verdict explore.Verdict
		text    string
	}{
		{"TestExhausted", explore.Exhausted, "exhausted up to 2 preemptions: 35 schedules"},
		{"TestExhausted TestUnbounded", explore.Exhausted, "exhausted up to 2 preemptions (fair schedules only): 40 schedules of 2 tests"},
		{"TestUnbounded", explore.Exhausted, "exhausted (fair schedules only): 5 schedules"},
		{"TestCovered", explore.Covered, "covered: every outcome of every schedule (3 classes): 4 schedules"},
		{"TestCovered TestExhausted", explore.Exhausted, "exhausted up to 2 preemptions: 39 schedules of 2 tests"},
		{"TestSkipped TestExhausted", explore.Passed, "passed 36 schedules of 2 tests"},
		{"TestRace", explore.Failed, "failed: race in schedule 3 of TestRace"},
		{"TestExhausted TestRace", explore.Failed, "failed: race in schedule 3 of TestRace"},
		{"TestUncontrolled TestRace", explore.Failed, "failed: race in schedule 3 of TestRace"},
		{"TestUncontrolled TestUnbounded", explore.Inconclusive, "inconclusive: a step took longer"},
		{"TestUnplanted", explore.Inconclusive, "inconclusive: the self-check failed: instead of the planted race: exhausted: 1 schedule"},
		{"TestUnplanted TestRace", explore.Failed, "failed: race"},
		{"TestMissing TestExhausted", explore.Inconclusive, "inconclusive: the instrumented test binary does not have it"},
		{"TestMute", explore.Inconclusive, "inconclusive: the test process did not say what came of it"},
		{"TestBaseless", explore.Inconclusive, "inconclusive: a failure was reported without saying which"},
		{"TestFoundThenExits", explore.Failed, "failed: race in schedule 3 of TestFoundThenExits"},
		{"TestStateful", explore.Failed, "failed: race in schedule"},
	} {
		t.Run(c.tests, func(t *testing.T) {
			t.Parallel()
			names := strings.Fields(c.tests)
			b := faked(t, 1, names...)
			r := mustCheck(t, b, Search{Budget: time.Minute})
			if r.Verdict != c.verdict || !strings.HasPrefix(r.String(), c.text) {
				t.Errorf("%s: %s (%+v), want %s", r.Verdict, r, r, c.text)
			}
			if len(r.Tests) != len(names) || r.Processes == 0 {
				t.Errorf("%d tests in %d processes: %+v", len(r.Tests), r.Processes, r)
			}
			if (r.Verdict == explore.Failed) != (len(r.Failures) > 0) {
				t.Errorf("%s with %d failures", r.Verdict, len(r.Failures))
			}
		})
	}
}

// A program that misbehaves makes its own test inconclusive and says why; the
// tests before and after it have their verdicts.
func TestMisbehaviour(t *testing.T) {
	for _, c := range []struct {
		test, reason string
	}{
		{"TestPanics", "the test process crashed outside control: panic: boom in explode main.go:"},
		{"TestDeadlocks", "the test process crashed outside control: deadlock: sync.Mutex.Lock in "},
		{"TestExits", "the test process ended with exit status 3 in the middle of a test (os.Exit or log.Fatal outside control?); it printed last: 2026/11/21 cannot open database"},
		{"TestSucceeds", "the test process ended with exit status 0 in the middle of a test"},
		{"TestKilled", "the test process was killed by a signal"},
		{"TestFloods", "the test process was ended because it printed more than it may (64 MiB); it printed last: "},
		{"TestDevours", "the test process was ended because it used more memory than it may"},
		{"TestForks", "the test process was ended because it started more processes than it may"},
		{"TestGarbageAlone", "the test process gave an answer that cannot be read: invalid character 'o'"},
		{"TestPours", "the test process gave an answer that cannot be read: there is no end to it"},
		{"TestHalf", "the test process ended with exit status 1 in the middle of a test"},
	} {
		t.Run(c.test, func(t *testing.T) {
			b := faked(t, 1, "TestUnbounded", c.test, "TestExhausted")
			if c.test == "TestDevours" {
				b.checker.c.Memory = 256 << 20
			}
			r := mustCheck(t, b, Search{Budget: time.Minute})
			if r.Verdict != explore.Inconclusive || r.TimedOut || !strings.HasPrefix(r.Reason, c.test+": "+c.reason) {
				t.Errorf("%s (timed out: %t), want %s", r, r.TimedOut, c.reason)
			}
			for i, want := range []explore.Verdict{explore.Exhausted, explore.Inconclusive, explore.Exhausted} {
				if got := r.Tests[i]; got.Verdict != want {
					t.Errorf("%s: %s (%s), want %s", got.Name, got.Verdict, got.Reason, want)
				}
			}
			alone := func(q wire.Request) bool { return slices.Equal(q.Tests, []string{"TestExhausted"}) }
			if c.test != "TestGarbageAlone" && !slices.ContainsFunc(b.requests(t), alone) {
				t.Error("no process was asked for the rest")
			}
		})
	}
}

// A process that somebody kills says nothing about a test: another one gets the
// rest of the request and of the time.
func TestKilledFromOutside(t *testing.T) {
	b := faked(t, 1, "TestUnbounded", "TestKilledOnce", "TestExhausted")
	r := mustCheck(t, b, Search{Budget: time.Minute})
	if r.Verdict != explore.Exhausted {
		t.Errorf("%s, want exhausted", r)
	}
	requests := b.requests(t)
	if len(requests) != 2 {
		t.Fatalf("%d processes, want 2", len(requests))
	}
	if again := requests[1]; !slices.Equal(again.Tests, []string{"TestKilledOnce", "TestExhausted"}) || again.Search.Time >= requests[0].Search.Time {
		t.Errorf("the second process was asked for %v in %v", again.Tests, again.Search.Time)
	}

	b = faked(t, 1, "TestKilledOnce")
	replayed, err := b.Replay(t.Context(), Schedule{Test: "TestKilledOnce", Choices: "0"})
	if err != nil || replayed.Reason != "" {
		t.Errorf("replay: %+v, %v", replayed, err)
	}
}

// After a process was killed, only what was certainly not answered is asked again,
// and only while there is time.
func TestUnanswered(t *testing.T) {
	check := wire.Request{Mode: wire.Check, Tests: []string{"A", "B"}, Search: wire.Search{Time: time.Minute}}
	replay := wire.Request{Mode: wire.Guided, Tests: []string{"A"}}
	for _, c := range []struct {
		name     string
		request  wire.Request
		answered string
		spent    time.Duration
		want     string // tests; "": nothing
	}{
		{"none answered", check, "", time.Second, "A B"},
		{"one answered", check, "A", time.Second, "B"},
		{"all answered", check, "A B", time.Second, ""},
		{"no time left", check, "", time.Minute, ""},
		{"no bound of time", replay, "", time.Hour, "A"},
		{"perhaps more answers to come", replay, "A", 0, ""},
	} {
		answered := map[string]bool{}
		for _, name := range strings.Fields(c.answered) {
			answered[name] = true
		}
		r, ok := unanswered(c.request, answered, c.spent)
		if got := strings.Join(r.Tests, " "); ok != (c.want != "") || ok && got != c.want {
			t.Errorf("%s: %q, %t; want %q", c.name, got, ok, c.want)
		}
		if len(c.request.Tests) > 1 && c.request.Tests[0] != "A" {
			t.Errorf("%s: the request itself was changed", c.name)
		}
	}
}

// Answers after a line that is no answer count.
func TestGarbage(t *testing.T) {
	b := faked(t, 1, "TestGarbage")
	if r := mustCheck(t, b, Search{}); r.Verdict != explore.Exhausted {
		t.Error(r)
	}
}

// A binary that does not even begin is asked once.
func TestNotReady(t *testing.T) {
	b := faked(t, 1, "TestInitExits", "TestExhausted")
	r := mustCheck(t, b, Search{})
	if r.Verdict != explore.Inconclusive || r.Processes != 1 {
		t.Errorf("%s, %d processes", r, r.Processes)
	}
	for _, one := range r.Tests {
		contains(t, one.Reason, "exit status 1 before its first test", "no configuration found")
	}
}

// Whatever a program does, the search ends in time, and no process is left.
func TestBudget(t *testing.T) {
	t.Parallel()
	for _, test := range []string{"TestHangs", "TestWaits"} {
		t.Run(test, func(t *testing.T) {
			t.Parallel()
			b := faked(t, 1, test)
			const budget = time.Second / 2
			start := time.Now()
			r := mustCheck(t, b, Search{Budget: budget})
			if took := time.Since(start); took > budget+5*time.Second {
				t.Errorf("it took %v", took)
			}
			if r.Verdict != explore.Inconclusive || !r.TimedOut {
				t.Errorf("%s, timed out: %t", r, r.TimedOut)
			}
			contains(t, r.Reason, "the test process did not end within 2.", "s and was ended")
			if test == "TestWaits" {
				contains(t, r.Reason, "sleep in wait main.go:")
			}
			if out, err := exec.Command("pgrep", "-f", b.path).Output(); err == nil {
				t.Errorf("processes are left: %s", out)
			}
		})
	}
}

// The end of ctx ends the search, which returns the results so far.
func TestCancelled(t *testing.T) {
	b := faked(t, 1, "TestUnbounded", "TestWaits")
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(300*time.Millisecond, cancel)
	r, err := b.Check(ctx, Search{Budget: time.Hour})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if r == nil || r.Verdict != explore.Inconclusive || r.Tests[1].Reason != "interrupted" || r.Tests[0].Verdict != explore.Exhausted {
		t.Errorf("report %+v", r)
	}
	if _, err := b.Replay(ctx, Schedule{Test: "TestUnbounded"}); !errors.Is(err, context.Canceled) {
		t.Errorf("replay: error %v", err)
	}
}

// A binary that cannot be run at all is an error, not a verdict.
func TestCannotRun(t *testing.T) {
	b := faked(t, 2, "TestExhausted")
	if err := os.Remove(b.path); err != nil {
		t.Fatal(err)
	}
	if r, err := b.Check(context.Background(), Search{}); err == nil || r != nil {
		t.Errorf("report %v, error %v", r, err)
	}
	for _, s := range []Search{
		{Strategy: "best"},
		{Budget: -1},
		{Schedules: -1},
		{Tests: []string{"TestNone"}},
		{First: []Schedule{{Test: "TestExhausted", Choices: "0*x"}}},
		{First: []Schedule{{Choices: "0"}}},
	} {
		if r, err := b.Check(context.Background(), s); err == nil || r != nil {
			t.Errorf("%+v: report %v, error %v", s, r, err)
		}
	}
}

// The search reaches the process as it was asked for.
func TestRequest(t *testing.T) {
	b := faked(t, 1, "TestExhausted", "TestUnbounded")
	first := []Schedule{{Test: "TestUnbounded", Choices: "0*2"}, {Test: "TestOther", Choices: "1"}}
	mustCheck(t, b, Search{
		Strategy: "dfs", Budget: time.Minute, Schedules: 7, Preemptions: -1, Depth: 4, Steps: 99, Seed: 5,
		All: true, First: first, Sample: 3, Explain: true, Tests: []string{"TestUnbounded", "TestUnbounded"},
	})
	all := b.requests(t)
	if len(all) != 1 {
		t.Fatalf("%d processes", len(all))
	}
	r := all[0]
	if r.Mode != wire.Check || !slices.Equal(r.Tests, []string{"TestUnbounded"}) || !slices.Equal(r.First, []wire.Schedule{{Test: "TestUnbounded", Choices: "0*2"}}) {
		t.Errorf("request %+v", r)
	}
	if r.Search.Time <= 50*time.Second || r.Search.Time > time.Minute {
		t.Errorf("%v of a minute are left", r.Search.Time)
	}
	r.Search.Time = 0
	want := wire.Search{Strategy: "dfs", Executions: 7, Preemptions: -1, Depth: 4, Steps: 99, Seed: 5, All: true, Sample: 3,
		StepTime: maxStepTime, Minimise: minimise, Orders: orders}
	if !reflect.DeepEqual(r.Search, want) {
		t.Errorf("search %+v, want %+v", r.Search, want)
	}
}

// One failure ends the search, unless all are asked for or counted.
func TestFirstFailureEnds(t *testing.T) {
	for _, c := range []struct {
		search Search
		later  explore.Verdict
	}{
		{Search{}, explore.Inconclusive},
		{Search{All: true}, explore.Exhausted},
		{Search{Sample: 10}, explore.Exhausted},
	} {
		b := faked(t, 1, "TestRace", "TestUncontrolled", "TestExhausted")
		c.search.Budget = time.Minute
		r := mustCheck(t, b, c.search)
		// Without All the fake may be through before it is ended.
		if got := r.Tests[2].Verdict; got != c.later && c.later != explore.Inconclusive {
			t.Errorf("%+v: %s, want %s", c.search, got, c.later)
		}
		if r.Verdict != explore.Failed || len(r.Failures) != 1 {
			t.Errorf("%+v: %s", c.search, r)
		}
		if c.search.Sample > 0 && (r.Sampled != 10 || r.Passed != 5 || r.Kinds["race"] != 5) {
			t.Errorf("sampled %d, passed %d, %v", r.Sampled, r.Passed, r.Kinds)
		}
	}
	b := faked(t, 2, "TestWaits", "TestRace")
	start := time.Now()
	r := mustCheck(t, b, Search{Budget: time.Hour})
	if time.Since(start) > time.Minute {
		t.Error("the other process was not ended")
	}
	if r.Verdict != explore.Failed {
		t.Error(r)
	}
	contains(t, r.Tests[0].Reason, "not explored: the search ended with the failure of another test")
}

// A test alone is explored by as many processes as there are workers.
func TestHelpers(t *testing.T) {
	t.Parallel()
	b := faked(t, 4, "TestMain_")
	start := time.Now()
	r := mustCheck(t, b, Search{Budget: time.Hour, Seed: 10})
	if r.Verdict != explore.Failed || time.Since(start) > time.Minute {
		t.Fatal(r)
	}
	if f := r.Failures[0]; f.Seed <= 10 || f.Seed > 13 {
		t.Errorf("seed %d", f.Seed)
	}
	for _, q := range b.requests(t) {
		if q.Search.Seed == 10 != (q.Search.Strategy == "auto") || q.Search.Seed > 10 && len(q.First) > 0 {
			t.Errorf("seed %d, strategy %s", q.Search.Seed, q.Search.Strategy)
		}
	}
	for name, s := range map[string]Search{"schedules": {Schedules: 5}, "sample": {Sample: 5}, "strategy": {Strategy: "pct"}} {
		s.Budget = 2 * helperAfter
		b := faked(t, 4, "TestPassed")
		if r := mustCheck(t, b, s); r.Processes != 1 || r.Verdict != explore.Passed {
			t.Errorf("%s: %s, %d processes", name, r, r.Processes)
		}
	}
	b = faked(t, 2, "TestPassed")
	if r := mustCheck(t, b, Search{Budget: 5 * helperAfter}); r.Processes != 2 || r.Schedules != 200 || r.Verdict != explore.Passed {
		t.Errorf("%s, %d processes", r, r.Processes)
	}
}

// Tests are spread over the workers.
func TestSpread(t *testing.T) {
	b := faked(t, 2, "TestExhausted", "TestUnbounded", "TestSkipped")
	r := mustCheck(t, b, Search{})
	if r.Processes != 2 || r.Verdict != explore.Passed || r.Schedules != 41 || r.Steps != 350 {
		t.Errorf("%s: %+v", r, r)
	}
	if _, schedules := b.checker.Counts(); schedules != 41 {
		t.Errorf("%d schedules counted", schedules)
	}
	b = faked(t, 2, "TestExhausted", "TestUnbounded")
	if r := mustCheck(t, b, Search{Sample: 2}); r.Processes != 1 {
		t.Errorf("a sample by %d processes", r.Processes)
	}
}

// Tests whose state cannot be re-initialised get a process for each execution.
func TestStateful(t *testing.T) {
	b := faked(t, 2, "TestStateful")
	r := mustCheck(t, b, Search{Budget: time.Minute, Seed: 10})
	if r.Verdict != explore.Failed || !r.PerProcess || len(r.Failures) != 1 {
		t.Fatalf("%s: %+v", r, r)
	}
	f := r.Failures[0]
	if f.Seed%5 != 3 || f.Nth != int(f.Seed-10)+1 || f.Kind != evidence.Race || f.Trace != nil {
		t.Errorf("failure %+v", f)
	}
	replays := 0
	for _, q := range b.requests(t)[1:] {
		if !q.Search.OwnProcess && q.Search.Strategy == "auto" { // else one that helped
			t.Errorf("not in its own process: %+v", q)
		}
		if q.Mode == wire.Replay {
			replays++
		}
	}
	if replays == 0 {
		t.Error("the failure was not replayed")
	}

	b = faked(t, 2, "TestExhausted", "TestSteady")
	r = mustCheck(t, b, Search{Budget: time.Minute, Schedules: 20})
	if r.Verdict != explore.Passed || !r.PerProcess || r.Tests[1].Schedules != 20 || r.Bound != 0 {
		t.Errorf("%s: %+v", r, r)
	}
	contains(t, r.Reason, "one process for each schedule: the variable x cannot be re-initialised")

	b = faked(t, 2, "TestFlaky")
	r = mustCheck(t, b, Search{Budget: time.Minute})
	if r.Verdict != explore.Inconclusive {
		t.Errorf("%s: %+v", r, r)
	}
	contains(t, r.Reason, "a race was seen, but its schedule ends with success when replayed in another process")

	// One that ends itself may do so because it was not the first execution.
	b = faked(t, 2, "TestExitsLater")
	r = mustCheck(t, b, Search{Budget: time.Minute, Schedules: 20})
	if r.Verdict != explore.Passed || !r.PerProcess || r.Schedules != 20 {
		t.Errorf("%s: %+v", r, r)
	}
	contains(t, r.Reason, "one process for each schedule: the test process ended with exit status 1 in the middle of a test")

	b = faked(t, 2, "TestSingleExits")
	r = mustCheck(t, b, Search{Budget: time.Minute})
	contains(t, r.Reason, "exit status 5")
}

// A stateful test does not eat the time of the others, nor they its.
func TestStatefulShares(t *testing.T) {
	t.Parallel()
	b := faked(t, 1, "TestSteady", "TestPassed")
	r := mustCheck(t, b, Search{Budget: 2 * time.Second})
	if r.Verdict != explore.Passed || r.Tests[0].Schedules == 0 || r.Tests[1].Schedules != 100 {
		t.Errorf("%s: %+v", r, r)
	}
}

// A sample of a stateful test is counted over its processes.
func TestStatefulSample(t *testing.T) {
	b := faked(t, 1, "TestStateful")
	r := mustCheck(t, b, Search{Budget: time.Minute, Sample: 10})
	if r.Sampled != 10 || r.Passed != 8 || r.Kinds["race"] != 2 || r.Verdict != explore.Failed {
		t.Errorf("%s: sampled %d, passed %d, %v", r, r.Sampled, r.Passed, r.Kinds)
	}
	if r.Tests[0].Schedules != 10 {
		t.Errorf("%d schedules", r.Tests[0].Schedules)
	}
}

// The schedules that failed before are followed first, in their own processes too.
func TestStatefulFirst(t *testing.T) {
	b := faked(t, 1, "TestStateful")
	r := mustCheck(t, b, Search{Budget: time.Minute, First: []Schedule{{Test: "TestStateful", Choices: "0 1"}}})
	all := b.requests(t)
	if r.Verdict != explore.Failed || len(all) != 3 || all[1].Mode != wire.Replay || all[1].First[0].Choices != "0 1" {
		t.Errorf("%s: %+v", r, all)
	}
	b = faked(t, 1, "TestDiverges")
	r = mustCheck(t, b, Search{Budget: time.Minute, Schedules: 3, First: []Schedule{{Test: "TestDiverges", Choices: "0 1"}}})
	if r.Verdict != explore.Passed || r.Schedules != 3 {
		t.Errorf("%s: %+v", r, r)
	}
}

func TestReplay(t *testing.T) {
	b := faked(t, 1, "TestRace", "TestStateful", "TestExhausted", "TestUnplanted", "TestMissing", "TestExits")
	for _, c := range []struct {
		test, failure, reason string
	}{
		{"TestRace", "data race", ""},
		{"TestStateful", "data race", ""},
		{"TestExhausted", "", ""},
		{"TestUnplanted", "", "the self-check failed"},
		{"TestMissing", "", "does not have TestMissing"},
		{"TestExits", "", "exit status 3"},
	} {
		r, err := b.Replay(context.Background(), Schedule{Test: c.test, Choices: "0*3"})
		if err != nil {
			t.Errorf("%s: %v", c.test, err)
			continue
		}
		if (r.Failure != nil) != (c.failure != "") || (r.Reason != "") != (c.reason != "") || !strings.Contains(r.Reason, c.reason) {
			t.Errorf("%s: %+v", c.test, r)
		}
		if r.Failure != nil && len(r.Failure.Trace) == 0 {
			t.Errorf("%s: no trace", c.test)
		}
	}
	for _, s := range []Schedule{{Test: "TestNone"}, {Test: "TestRace", Choices: "?"}} {
		if _, err := b.Replay(context.Background(), s); err == nil {
			t.Errorf("%+v: no error", s)
		}
	}
}

// Searches side by side share the workers.
func TestSideBySide(t *testing.T) {
	b := faked(t, 2, "TestExhausted", "TestUnbounded")
	errs := make(chan error, 8)
	for range cap(errs) {
		go func() {
			r, err := b.Check(context.Background(), Search{Budget: time.Minute})
			if err == nil && r.Verdict != explore.Exhausted {
				err = errors.New(r.String())
			}
			errs <- err
		}()
	}
	for range cap(errs) {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
}
