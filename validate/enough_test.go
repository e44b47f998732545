package validate

import (
	"context"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"mendel/analysis/evidence"
	"mendel/fitness"
	"mendel/fitness/noise"
	"mendel/internal/gotool"
)

func TestLowerBound(t *testing.T) {
	for _, test := range []struct {
		failed, runs int
		want         float64
	}{
		{20, 20, 0.8609}, // the 20th root of 0.05
		{10, 20, 0.3020},
		{3, 15, 0.0568},
		{1, 30, 0.0017},
		{1, 1, 0.05},
		{0, 300, 0},
		{0, 0, 0},
	} {
		if got := lowerBound(test.failed, test.runs); math.Abs(got-test.want) > 5e-5 {
			t.Errorf("%d of %d: %.5f, want %.4f", test.failed, test.runs, got, test.want)
		}
	}
}

// How many runs confirm a candidate, by how often the original failed, who judges
// beside noise, and how long a run takes.
func TestEnough(t *testing.T) {
	const fast, slow = 10 * time.Millisecond, 3 * time.Second
	for _, test := range []struct {
		name         string
		failed, runs int
		checked      bool
		run          time.Duration
		want         int
	}{
		{"always, checked", 20, 20, true, fast, 20},
		{"always, noise alone", 20, 20, false, fast, 20},
		{"always, checked, a second each", 20, 20, true, time.Second, 20},
		{"always, checked, slow", 20, 20, true, slow, 10},
		{"always, noise alone, slow", 20, 20, false, slow, 20},
		{"half of the time", 10, 20, true, fast, 39}, // 0.698^39 < 1e-6
		{"half of the time, noise alone", 10, 20, false, fast, 60},
		{"half of the time, a second each", 10, 20, true, time.Second, 30}, // 30 s are over
		{"seldom", 3, 15, true, fast, 150},                                 // 237 would be needed
		{"seldom, noise alone, a second each", 3, 15, false, time.Second, 90},
		{"very seldom", 1, 30, false, fast, 204}, // 8081 would be needed
		{"never", 0, 300, true, fast, 150},
		{"never, a second each", 0, 300, true, time.Second, 30},
	} {
		v := New(Options{Before: fitness.Result{Runs: test.runs, Passes: test.runs - test.failed}})
		q, n := v.full(test.checked), 0
		for ; !q.enough(n, time.Duration(n)*test.run); n++ {
		}
		if n != test.want {
			t.Errorf("%s: %d runs, want %d", test.name, n, test.want)
		}
	}
}

// Unseen is the chance that confirming is to bring down.
func TestUnseen(t *testing.T) {
	if need := New(Options{Before: fitness.Result{Runs: 20, Passes: 10}}).need(); need != 39 {
		t.Fatalf("%d runs are needed", need)
	}
	if math.Exp(Unseen(10, 20, 39)) >= remainingChance || math.Exp(Unseen(10, 20, 38)) < remainingChance {
		t.Errorf("after 38 runs %g, after 39 %g", math.Exp(Unseen(10, 20, 38)), math.Exp(Unseen(10, 20, 39)))
	}
	if got := Unseen(0, 20, 1000); got != 0 {
		t.Errorf("what was never seen has a chance of e^%g", got)
	}
}

func TestConfirmingEnds(t *testing.T) {
	w := loadBank(t)
	m := w.mutant(t, w.edit(t, "guard", "(*Account).Deposit", "amount", 1))
	rule := func(o *Options) { o.Runs, o.OptimizeSteps = 0, -1 }
	if fix := validate(t, w.validator(t, &fakeRunner{fail: unlockedDeposit}, rule), m); fix.Confirmed.Runs != 60 {
		t.Errorf("noise alone: %d runs", fix.Confirmed.Runs)
	}
	fix, err := w.checkedValidator(t, &fakeRunner{fail: unlockedDeposit}, &fakeChecker{}, rule).Validate(t.Context(), m, byChecker)
	if err != nil || fix.Confirmed.Runs != 20 {
		t.Errorf("with the checker: %+v, error %v", fix, err)
	}
}

// A run that reached the limit is made once more, alone and with a larger limit,
// unless its goroutines are seen to be blocked: not those that wait for locks which
// others may have, nor who waits for these.
func TestTimeouts(t *testing.T) {
	w := loadBank(t)
	m := w.mutant(t, w.edit(t, "guard", "(*Account).Deposit", "amount", 1))
	slow := evidence.Failure{Kind: evidence.Timeout, Message: "the tests did not end within 2s"}
	blocked := evidence.Failure{Kind: evidence.Blocked, Message: "goroutine blocked for ever"}
	blockedIn := func(roles ...string) []evidence.Failure {
		f := blocked
		for _, role := range roles {
			f.Stacks = append(f.Stacks, evidence.Stack{Role: "blocked: " + role})
		}
		return []evidence.Failure{f}
	}
	locks := blockedIn("sync.WaitGroup.Wait", "sync.Mutex.Lock", "sync.RWMutex.RLock")
	for _, test := range []struct {
		name        string
		first, then []evidence.Failure // of run 8, which is ended at the limit; nil: it passes
		rejected    string             // part of the reason; "": it is not
		calls       []int
	}{
		{"only slow", []evidence.Failure{slow}, nil, "", []int{30, 1, 22}},
		{"never ends", []evidence.Failure{slow}, []evidence.Failure{slow}, "did not end", []int{30, 1}},
		{"blocked", []evidence.Failure{blocked, slow}, nil, "blocked for ever", []int{30}},
		{"locks go from one to the next", locks, nil, "", []int{30, 1, 22}},
		{"a lock is never released", locks, locks, "blocked for ever", []int{30, 1}},
		{"a lock, and a receiver that is gone", blockedIn("sync.Mutex.Lock", "chan send"), nil, "blocked for ever", []int{30}},
		{"a lock that nothing can reach", blockedIn("sync.Mutex.Lock (leaked)"), nil, "blocked for ever", []int{30}},
		{"a wait group alone", blockedIn("sync.WaitGroup.Wait"), nil, "blocked for ever", []int{30}},
		{"fails the second time", []evidence.Failure{slow}, []evidence.Failure{blocked}, "blocked for ever", []int{30, 1}},
	} {
		t.Run(test.name, func(t *testing.T) {
			bin := &scriptedBinary{at: 7, first: test.first, then: test.then}
			v := w.validator(t, &fakeRunner{}, nil)
			v.o.Runner = scripted{bin}
			c, err := v.confirm(t.Context(), m, quota{need: 30, floor: 30, slow: 30, most: 30})
			if !slices.Equal(bin.calls, test.calls) {
				t.Errorf("series of %v runs, want %v", bin.calls, test.calls)
			}
			if test.rejected != "" {
				if err == nil || !strings.Contains(err.Error(), test.rejected) || !strings.Contains(err.Error(), "run 8 of 30") {
					t.Errorf("error %v", err)
				}
				return
			}
			if err != nil || c.Runs != 30 || c.Again != 1 {
				t.Errorf("confirmed %+v, error %v", c, err)
			}
			if want := []time.Duration{0, 8 * time.Second, 8 * time.Second}; !slices.Equal(bin.limits, want) {
				t.Errorf("limits %v, want %v", bin.limits, want)
			}
			if first := bin.seeds[0]; !slices.Equal(bin.seeds, []uint64{first, first + 7, first + 8}) {
				t.Errorf("seeds %v", bin.seeds)
			}
		})
	}
}

// A scripted runner has one binary for all.
type scripted struct{ bin *scriptedBinary }

func (s scripted) Build(context.Context, noise.Mode, map[string][]byte) (Binary, error) {
	return s.bin, nil
}

// A scriptedBinary fails in run number at of its first series, and perhaps when
// that run is made again.
type scriptedBinary struct {
	at          int
	first, then []evidence.Failure

	calls  []int
	limits []time.Duration
	seeds  []uint64
	whole  int // runs of all tests
}

func (b *scriptedBinary) Path() string { return "" }
func (b *scriptedBinary) Close() error { return nil }

func (b *scriptedBinary) RunMany(_ context.Context, n int, o noise.RunOptions, stop func(noise.Outcome) bool) ([]noise.Outcome, error) {
	b.calls, b.limits, b.seeds = append(b.calls, n), append(b.limits, o.Timeout), append(b.seeds, o.Seed)
	var out []noise.Outcome
	for i := range n {
		outcome := noise.Outcome{Pass: true, Tests: 1, Seed: o.Seed + uint64(i), Elapsed: time.Millisecond}
		if o.RunOf(outcome.Seed) == "" {
			b.whole++
		}
		var failures []evidence.Failure
		switch {
		case len(b.calls) == 1 && i == b.at:
			failures = b.first
		case len(b.calls) == 2:
			failures = b.then
		}
		if failures != nil {
			if err := json.Unmarshal([]byte(`{"Tests": 1, "Hung": true}`), &outcome); err != nil {
				return out, err
			}
			outcome.Seed, outcome.Failures, outcome.Elapsed = o.Seed+uint64(i), failures, 2*time.Second
		}
		out = append(out, outcome)
		if stop != nil && stop(outcome) {
			break
		}
	}
	return out, nil
}

// Where it is known which tests fail in the original, one run of three makes all tests.
func TestFailingTestsAlone(t *testing.T) {
	w := loadBank(t)
	m := w.mutant(t, w.edit(t, "guard", "(*Account).Deposit", "amount", 1))
	for _, test := range []struct {
		failing []string
		whole   int
	}{{nil, 30}, {[]string{"TestDeposit"}, 10}} {
		bin := &scriptedBinary{at: -1}
		v := w.validator(t, &fakeRunner{}, func(o *Options) { o.Failing = test.failing })
		v.o.Runner = scripted{bin}
		c, err := v.confirm(t.Context(), m, quota{need: 30, floor: 30, slow: 30, most: 30})
		if err != nil || bin.whole != test.whole || c.Runs != 30 || c.Alone != 30-test.whole {
			t.Errorf("failing %v: %d runs of all tests, %+v, error %v; want %d", test.failing, bin.whole, c, err, test.whole)
		}
	}
}

// What was confirmed by some of its runs only is a fix whose validation is
// incomplete; by fewer than ten, it is none.
func TestIncomplete(t *testing.T) {
	w := loadBank(t)
	m := w.mutant(t, w.edit(t, "guard", "(*Account).Deposit", "amount", 1))
	for _, passing := range []int{9, 12} {
		ctx, cancel := context.WithCancel(t.Context())
		runner := &fakeRunner{fail: func(src string, run int) bool {
			if run == passing-1 {
				cancel() // the run is the last that comes back
			}
			return unlockedDeposit(src, run)
		}}
		v := w.validator(t, runner, func(o *Options) { o.Runs = 0 })
		fix, err := v.Validate(ctx, m, fitness.Result{})
		if err == nil || passing < slowFloor && fix != nil {
			t.Errorf("after %d runs: fix %+v, error %v", passing, fix, err)
		}
		if passing < slowFloor {
			continue
		}
		want := []string{"confirmed by 12 of 60 runs", "go vet was not run", "the package's other tests were not run"}
		if fix == nil || !slices.Equal(fix.Incomplete, want) {
			t.Errorf("after %d runs: %+v", passing, fix)
		}
		if _, known := v.confirmations[m.Hash]; known {
			t.Error("a part of the runs counts as a confirmation")
		}
	}
}

// Slow programs are not compared, and what they cost is said not to be known for
// that reason.
func TestSlowProgramsAreNotCompared(t *testing.T) {
	w := loadBank(t)
	m := w.mutant(t, w.edit(t, "guard", "(*Account).Deposit", "amount", 1))
	runner := &fakeRunner{elapsed: func(string) time.Duration { return 1500 * time.Millisecond }}
	v := w.validator(t, runner, func(o *Options) { o.OptimizeSteps = -1 })
	fix := validate(t, v, m)
	if fix.Cost != (Cost{Detail: "a run takes 1.5 s"}) || len(runner.limits) != 1 {
		t.Errorf("cost %+v after %d runs", fix.Cost, len(runner.limits))
	}
	for range 2 {
		c, err := v.compare(t.Context(), nil, m.Files)
		if err != nil || c.better() || c.worse() || c.Pairs != 0 {
			t.Errorf("comparison %+v, error %v", c, err)
		}
	}
	if n := len(runner.limits) - 1; n != 2 {
		t.Errorf("%d series of runs for two comparisons, want one pair", n)
	}
}

// Reducing a candidate leaves time to prove it.
func TestReducingLeavesTime(t *testing.T) {
	w := loadBank(t)
	m := w.mutant(t, w.edit(t, "guard", "(*Account).Deposit", "amount", 1), w.edit(t, "guard", "(*Account).Twice", "twice", 1))
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		series := 0
		runner := &fakeRunner{fail: unlockedDeposit, observe: func(mode noise.Mode, _ string) {
			if series++; series == 2 { // the first step, after the candidate itself
				time.Sleep(40 * time.Minute)
			}
		}}
		v := w.validator(t, runner, func(o *Options) { o.OptimizeSteps = -1 })
		fix, err := v.Validate(ctx, m, fitness.Result{})
		if err != nil || fix == nil || len(fix.Incomplete) > 0 {
			t.Errorf("fix %+v, error %v", fix, err)
		}
	})
}

// A validation that is stopped in the package's other tests says so.
func TestStoppedInOtherTests(t *testing.T) {
	w := loadBank(t)
	m := w.mutant(t, w.edit(t, "guard", "(*Account).Deposit", "amount", 1))
	for _, atOnce := range []bool{false, true} {
		ctx, cancel := context.WithCancel(t.Context())
		s := &suite{runs: map[string]int{}, result: func(_, _ bool, test string, _ int) string {
			if test == "TestOther" {
				cancel()
			}
			return "PASS"
		}}
		v := w.validator(t, &fakeRunner{}, func(o *Options) { o.Tool, o.OptimizeSteps, o.AtOnce = &fakeTool{}, -1, atOnce })
		var turn sync.Mutex // the suite counts its runs
		v.run = func(ctx context.Context, o gotool.RunOptions) (gotool.RunResult, error) {
			turn.Lock()
			defer turn.Unlock()
			r, err := s.run(ctx, o)
			if ctx.Err() != nil {
				r.Stop = gotool.Cancelled
			}
			return r, err
		}
		fix, err := v.Validate(ctx, m, fitness.Result{})
		const want = "the package's other tests were not run"
		if err == nil || fix == nil || !slices.Contains(fix.Incomplete, want) || !atOnce && len(fix.Incomplete) != 1 { // vet may be stopped beside them
			t.Errorf("at once %v: fix %+v, error %v", atOnce, fix, err)
		}
	}
}

// What is expected of a fix is what it is asked for.
func TestExpected(t *testing.T) {
	for _, tt := range []struct {
		failed, runs int
		checked      bool
		each         time.Duration
		change       func(*Options)
		want         int
	}{
		{10, 10, true, time.Millisecond, nil, runsFloor},
		{10, 10, false, time.Millisecond, nil, runsFloor},
		{5, 5, false, time.Millisecond, nil, runsFloor},
		{9, 10, false, time.Millisecond, nil, aloneFactor * runsFloor},
		{10, 10, true, slowRun + 1, nil, 11},
		{10, 20, true, time.Millisecond, nil, 39},
		{10, 20, true, time.Second, nil, 30},
		{10, 20, false, slowRun + 1, nil, 39},
		{1, 15, true, time.Second, nil, 30},
		{1, 15, true, time.Millisecond, nil, defaultRuns},
		{10, 10, true, time.Second, func(o *Options) { o.Runs = 77 }, 77},
		{10, 10, true, time.Second, func(o *Options) { o.NoNoise = true }, 0},
	} {
		v := New(Options{Before: fitness.Result{Runs: tt.runs, Passes: tt.runs - tt.failed}})
		if tt.change != nil {
			tt.change(&v.o)
		}
		if got := v.Expected(tt.checked, tt.each); got != tt.want {
			t.Errorf("%d of %d failed, checked %v, %v a run: %d runs, want %d", tt.failed, tt.runs, tt.checked, tt.each, got, tt.want)
		}
	}
}

// Where noise is the only judge, and would hardly see the failure in as many runs, a
// fix is not validated to the end.
func TestIncompleteWhereNoiseIsBlind(t *testing.T) {
	for _, test := range []struct {
		name                 string
		failed, runs, passed int
		wanted               int // by the user
		checker              bool
		incomplete           bool
	}{
		{"seldom", 1, 80, 465, 0, false, true},
		{"seldom, the checker takes part", 1, 80, 465, 0, true, false},
		{"seldom, the user wants no more", 1, 80, 465, 465, false, false},
		{"often", 10, 20, 60, 0, false, false},
		{"just enough", 3, 15, 52, 0, false, false}, // 0.943^52 = 0.048
		{"just too few", 3, 15, 50, 0, false, true},
	} {
		v := &Validator{o: Options{Runs: test.wanted}}
		f := &Fix{Confirmed: Confirmation{Runs: test.passed}, Before: fitness.Result{Runs: test.runs, Passes: test.runs - test.failed}}
		if test.checker {
			v.o.Checker, f.Checked.Verdict = &fakeChecker{}, "passed"
		}
		if got := v.incomplete(f); (len(got) > 0) != test.incomplete {
			t.Errorf("%s: %q", test.name, got)
		}
	}
}
