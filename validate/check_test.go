package validate

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"mendel/analysis/evidence"
	"mendel/checker"
	"mendel/checker/sched/explore"
	"mendel/fitness"
	"mendel/fitness/noise"
	"mendel/internal/gotool"
	"mendel/mutate"
)

// A fakeChecker decides by the source of bank.go. It is safe for concurrent use.
type fakeChecker struct {
	world *world
	fail  func(src string, s checker.Search) bool // nil: unlockedDeposit fails
	// verdict is that of sources that do not fail; "": Exhausted.
	verdict explore.Verdict
	err     error
	tell    func(s checker.Search, r *checker.Report) // adds to a report; nil: nobody

	mu       sync.Mutex
	searches []checker.Search
}

func (c *fakeChecker) Check(ctx context.Context, files map[string][]byte, s checker.Search) (*checker.Report, error) {
	file := c.world.program.File("bank.go")
	src, ok := files[file.Name]
	if !ok {
		src = file.Source
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.searches = append(c.searches, s)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	fail := c.fail
	if fail == nil {
		fail = func(src string, _ checker.Search) bool { return unlockedDeposit(src, 0) }
	}
	r := &checker.Report{Verdict: explore.Exhausted, Bound: 2, Schedules: s.Schedules / 2, Seconds: 0.5}
	switch {
	case c.err != nil:
		return nil, c.err
	case fail(string(src), s):
		r.Verdict = explore.Failed
		r.Failures = []checker.Failure{{
			Failure:  evidence.Failure{Kind: evidence.Race, Message: "amount"},
			Schedule: checker.Schedule{Test: "TestDeposit", Choices: "0 1"}, Nth: 3,
		}}
	case c.verdict != "":
		r.Verdict, r.Reason = c.verdict, "it blocks in net"
	}
	if c.tell != nil {
		c.tell(s, r)
	}
	return r, nil
}

// whole counts the searches with the whole budget.
func (c *fakeChecker) whole() (n int) {
	for _, s := range c.searches {
		if s.Schedules == 3000 {
			n++
		}
	}
	return n
}

// byChecker is the score of a candidate that the checker passed.
var byChecker = fitness.Result{Score: 1000, Runs: 30, Passes: 30, Verdict: explore.Exhausted, Bound: 2}

// checkedValidator is a validator with a checker.
func (w *world) checkedValidator(t *testing.T, r *fakeRunner, c *fakeChecker, change func(*Options)) *Validator {
	t.Helper()
	c.world = w
	return w.validator(t, r, func(o *Options) {
		o.Checker = c
		o.First = func(*mutate.Mutant) []checker.Schedule {
			return []checker.Schedule{{Test: "TestDeposit", Choices: "0 1"}}
		}
		if change != nil {
			change(o)
		}
	})
}

func TestCheckedFix(t *testing.T) {
	w := loadBank(t)
	runner, c := &fakeRunner{fail: unlockedDeposit}, &fakeChecker{}
	v := w.checkedValidator(t, runner, c, func(o *Options) { o.OptimizeSteps = -1 })
	m := w.mutant(t, w.edit(t, "guard", "(*Account).Deposit", "amount", 1))
	fix, err := v.Validate(t.Context(), m, byChecker)
	if err != nil {
		t.Fatal(err)
	}
	want := Checked{Verdict: explore.Exhausted, Bound: 2, Followed: 1, Schedules: 1500, Seconds: 0.5}
	if fix.Mutant != m || !reflect.DeepEqual(fix.Checked, want) || fix.Confirmed.Runs != 150 || fix.Score.Runs != 30 {
		t.Errorf("fix %+v", fix)
	}
	if len(runner.series) != 1 || len(c.searches) != 1 || c.whole() != 1 || len(c.searches[0].First) != 1 {
		t.Errorf("%d series of runs, searches %+v; want one of each, with the schedules that failed", len(runner.series), c.searches)
	}
	again, err := v.Validate(t.Context(), m, byChecker)
	if err != nil || !reflect.DeepEqual(again.Checked, want) || !reflect.DeepEqual(again.Confirmed, fix.Confirmed) || len(c.searches) != 1 || len(runner.series) != 1 {
		t.Errorf("a second time: %+v, %v; %d series, %d searches", again, err, len(runner.series), len(c.searches))
	}
}

// Steps of reduction are the checker's first: what it refuses is not run, what
// it passes is run a few times, and what is left is put to everything.
func TestCheckerJudgesSteps(t *testing.T) {
	w := loadBank(t)
	needed := w.edit(t, "guard", "(*Account).Deposit", "amount", 1)
	neutral := w.edit(t, "guard", "(*Account).Twice", "twice", 1)
	m := w.mutant(t, needed, neutral)
	var runs sync.Map // of the sources that were run; they run side by side
	runner, c := &fakeRunner{fail: func(src string, run int) bool {
		runs.Store(src, true)
		return unlockedDeposit(src, run)
	}}, &fakeChecker{}
	v := w.checkedValidator(t, runner, c, func(o *Options) { o.OptimizeSteps = -1; o.CostPairs = -1 })
	fix, err := v.Validate(t.Context(), m, byChecker)
	if err != nil {
		t.Fatal(err)
	}
	if len(fix.Mutant.Edits) != 1 || fix.Confirmed.Runs != 150 || fix.Score.Runs != 150 || fix.Checked.Verdict != explore.Exhausted {
		t.Errorf("fix %v: %+v", editNames(fix.Mutant), fix)
	}
	if len(runner.series) != 2 || c.whole() != 1 {
		t.Errorf("%d series, %d searches with the whole budget; want a short and a full one of runs, one of these", len(runner.series), c.whole())
	}
	for src := range runs.Range {
		if unlockedDeposit(src.(string), 0) {
			t.Error("a mutant that the checker fails was run")
		}
	}
	kept := slices.IndexFunc(fix.Steps, func(s Step) bool { return s.Kept })
	if kept < 0 || !strings.Contains(fix.Steps[kept].Reason, "the checker passed all schedules") || !strings.Contains(fix.Steps[kept].Reason, "30 runs") {
		t.Errorf("steps %+v", fix.Steps)
	}
	if !slices.ContainsFunc(fix.Steps, func(s Step) bool { return !s.Kept && strings.Contains(s.Reason, "schedule 3 of TestDeposit") }) {
		t.Errorf("a step that the checker refused does not say so: %+v", fix.Steps)
	}
}

// Where the short series missed what the full one sees, steps are taken again
// with full series: the candidate itself is the fix.
func TestShortSeriesMisses(t *testing.T) {
	w := loadBank(t)
	m := w.mutant(t, w.edit(t, "guard", "(*Account).Deposit", "amount", 1), w.edit(t, "guard", "(*Account).Twice", "twice", 1))
	late := func(src string, run int) bool {
		return unlockedDeposit(src, run) || run == 100 && !locked(src, "Twice", "twice")
	}
	v := w.checkedValidator(t, &fakeRunner{fail: late}, &fakeChecker{}, func(o *Options) { o.OptimizeSteps = -1 })
	fix, err := v.Validate(t.Context(), m, byChecker)
	if err != nil {
		t.Fatal(err)
	}
	if len(fix.Mutant.Edits) != 2 || fix.Confirmed.Runs != 150 {
		t.Errorf("fix %v, confirmed %+v", editNames(fix.Mutant), fix.Confirmed)
	}
	if slices.ContainsFunc(fix.Steps, func(s Step) bool { return s.Kept }) {
		t.Errorf("steps that lead elsewhere: %+v", fix.Steps)
	}
}

// A batched is a mutant that a fakeChecker explores, built together with others.
type batched struct {
	checker *fakeChecker
	files   map[string][]byte
	closed  *int
}

func (p batched) Check(ctx context.Context, s checker.Search) (*checker.Report, error) {
	return p.checker.Check(ctx, p.files, s)
}

func (p batched) Close() error {
	*p.closed++
	return nil
}

// What the steps of minimising and the proof need is built at once, and removed.
func TestBuiltTogether(t *testing.T) {
	w := loadBank(t)
	needed, also := w.edit(t, "guard", "(*Account).Deposit", "amount", 1), w.edit(t, "guard", "(*Account).Twice", "twice", 1)
	both := func(src string, _ int) bool { return unlockedDeposit(src, 0) || !locked(src, "Twice", "twice") }
	for _, broken := range []bool{false, true} {
		single := &fakeChecker{world: w, fail: func(src string, _ checker.Search) bool { return both(src, 0) }}
		together := &fakeChecker{world: w, fail: single.fail}
		var sizes []int
		built, closed := 0, 0
		v := w.checkedValidator(t, &fakeRunner{fail: both}, single, func(o *Options) {
			o.OptimizeSteps = -1
			o.BuildAll = func(_ context.Context, sets []map[string][]byte) ([]fitness.Built, error) {
				sizes = append(sizes, len(sets))
				if broken {
					return nil, errors.New("no space left on device")
				}
				out := make([]fitness.Built, len(sets))
				for i, files := range sets {
					if i == 1 {
						out[i].Err = errors.New("does not build")
						continue
					}
					out[i].Program = batched{together, files, &closed}
					built++
				}
				return out, nil
			}
		})
		fix, err := v.Validate(t.Context(), w.mutant(t, needed, also), byChecker)
		if err != nil {
			t.Fatal(err)
		}
		if len(fix.Mutant.Edits) != 2 || fix.Checked.Verdict != explore.Exhausted || !slices.Equal(sizes, []int{3}) || closed != built {
			t.Errorf("fix %v: %+v; built %v together, %d of %d closed", editNames(fix.Mutant), fix, sizes, closed, built)
		}
		// Two steps and the proof, of which one step could not be built with the others.
		want := []int{2, 1}
		if broken {
			want = []int{0, 3}
		}
		if got := []int{len(together.searches), len(single.searches)}; !slices.Equal(got, want) {
			t.Errorf("searches of programs built together and singly: %v, want %v", got, want)
		}
	}
}

func TestCheckRejects(t *testing.T) {
	w := loadBank(t)
	m := w.mutant(t, w.edit(t, "guard", "(*Account).Deposit", "amount", 1))
	always := func(string, checker.Search) bool { return true }
	for _, c := range []struct {
		name   string
		fail   func(string, checker.Search) bool
		noise  func(string, int) bool
		result fitness.Result
		stage  Stage
		series int
	}{
		{"scored by noise", always, nil, fitness.Result{Score: 1000, Runs: 15, Passes: 15}, StageCheck, 0},
		{"with the whole budget", func(_ string, s checker.Search) bool { return s.Schedules == 3000 }, nil, byChecker, StageCheck, 1},
		{"by noise", nil, func(string, int) bool { return true }, byChecker, StageConfirm, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			runner, check := &fakeRunner{fail: c.noise}, &fakeChecker{fail: c.fail}
			v := w.checkedValidator(t, runner, check, func(o *Options) { o.OptimizeSteps = -1 })
			fix, err := v.Validate(t.Context(), m, c.result)
			var r *Rejected
			if !errors.As(err, &r) || fix != nil || r.Stage != c.stage || r.Failure == nil {
				t.Fatalf("fix %v, error %v", fix, err)
			}
			if len(runner.series) > c.series {
				t.Errorf("%d series of runs, want at most %d", len(runner.series), c.series)
			}
			if r.Stage == StageCheck && (r.Schedule == nil || r.Schedule.Choices != "0 1" || !strings.Contains(r.Error(), "schedule 3 of TestDeposit: race: amount")) {
				t.Errorf("rejected %v, schedule %v", r, r.Schedule)
			}
		})
	}
}

// What the checker cannot judge noise confirms in full, unless it is blind.
func TestInconclusiveCheck(t *testing.T) {
	w := loadBank(t)
	m := w.mutant(t, w.edit(t, "guard", "(*Account).Deposit", "amount", 1), w.edit(t, "guard", "(*Account).Twice", "twice", 1))
	byNoise := fitness.Result{Score: 1000, Runs: 15, Passes: 15}
	never := func(string, checker.Search) bool { return false }
	broken := &gotool.BuildError{Output: "undefined: x"}
	for name, c := range map[string]*fakeChecker{
		"uncontrolled":   {fail: never, verdict: explore.Inconclusive},
		"does not build": {err: broken},
		"broken":         {err: errors.New("no such file")},
	} {
		t.Run(name, func(t *testing.T) {
			runner := &fakeRunner{fail: unlockedDeposit}
			v := w.checkedValidator(t, runner, c, func(o *Options) { o.OptimizeSteps = -1 })
			fix, err := v.Validate(t.Context(), m, byNoise)
			if err != nil {
				t.Fatal(err)
			}
			if fix.Checked.Verdict != explore.Inconclusive || fix.Checked.Reason == "" || fix.Checked.Followed != 0 {
				t.Errorf("checked %+v", fix.Checked)
			}
			if len(fix.Mutant.Edits) != 1 || fix.Confirmed.Runs != 150 || strings.Contains(fix.Steps[0].Reason, "30 runs") {
				t.Errorf("confirmed %+v, steps %+v", fix.Confirmed, fix.Steps)
			}
			required := w.checkedValidator(t, &fakeRunner{}, c, func(o *Options) { o.CheckRequired = true })
			if fix, err := required.Validate(t.Context(), m, byNoise); err == nil || fix != nil {
				t.Errorf("noise does not see the failure, and yet: fix %v, error %v", fix, err)
			}
		})
	}
}

// A fix that is not confirmed in full, or has not passed the whole check, says so,
// whatever stops the validation.
func TestStoppedCheck(t *testing.T) {
	w := loadBank(t)
	m := w.mutant(t, w.edit(t, "guard", "(*Account).Deposit", "amount", 1))
	t.Run("before the check is over", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		confirmed := make(chan struct{})
		runner := &fakeRunner{fail: unlockedDeposit, observe: func(mode noise.Mode, _ string) {
			if mode == noise.Noised {
				close(confirmed)
			}
		}}
		c := &fakeChecker{fail: func(string, checker.Search) bool { <-confirmed; cancel(); return false }}
		fix, err := w.checkedValidator(t, runner, c, func(o *Options) { o.OptimizeSteps = -1 }).Validate(ctx, m, byChecker)
		if !errors.Is(err, context.Canceled) || fix == nil || !slices.Contains(fix.Incomplete, "the model checker's last search did not end") {
			t.Errorf("fix %+v, error %v", fix, err)
		}
	})
	t.Run("in the comparison of costs", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		runner := &fakeRunner{}
		plain := 0
		runner.observe = func(mode noise.Mode, _ string) {
			if mode == noise.Plain {
				if plain++; plain == 3 { // after the trials of both
					cancel()
				}
			}
		}
		v := w.checkedValidator(t, runner, &fakeChecker{}, func(o *Options) { o.OptimizeSteps = -1 })
		fix, err := v.Validate(ctx, m, byChecker)
		if !errors.Is(err, context.Canceled) || fix == nil || fix.Confirmed.Runs != 150 || fix.Checked.Verdict != explore.Exhausted || fix.Cost.Pairs != 0 {
			t.Errorf("fix %+v, error %v", fix, err)
		}
		if len(fix.Incomplete) > 0 {
			t.Errorf("%q is missing, but only the costs are not compared", fix.Incomplete)
		}
	})
}

// Side by side, without a checker, the same fix comes out.
func TestAtOnce(t *testing.T) {
	w := loadBank(t)
	m := w.mutant(t, w.edit(t, "guard", "(*Account).Deposit", "amount", 1), w.edit(t, "guard", "(*Account).Twice", "twice", 1))
	one := validate(t, w.validator(t, &fakeRunner{fail: unlockedDeposit}, nil), m)
	other := validate(t, w.validator(t, &fakeRunner{fail: unlockedDeposit}, func(o *Options) { o.AtOnce = true }), m)
	if one.Mutant.Hash != other.Mutant.Hash || !reflect.DeepEqual(one.Confirmed, other.Confirmed) || !reflect.DeepEqual(other.Checked, Checked{}) || one.Cost != other.Cost {
		t.Errorf("one after the other: %+v\nat once: %+v", one, other)
	}
}

// Without noise the checker alone confirms, and what it cannot judge is rejected.
func TestNoNoise(t *testing.T) {
	w := loadBank(t)
	m := w.mutant(t, w.edit(t, "guard", "(*Account).Deposit", "amount", 1), w.edit(t, "guard", "(*Account).Twice", "twice", 1))
	without := func(o *Options) { o.NoNoise, o.AtOnce, o.OptimizeSteps = true, true, -1 }
	t.Run("confirmed", func(t *testing.T) {
		runner, c := &fakeRunner{fail: unlockedDeposit}, &fakeChecker{}
		fix, err := w.checkedValidator(t, runner, c, without).Validate(t.Context(), m, byChecker)
		if err != nil {
			t.Fatal(err)
		}
		if len(runner.series) != 0 || fix.Confirmed.Runs != 0 || fix.Checked.Verdict != explore.Exhausted || c.whole() != 1 || len(fix.Mutant.Edits) != 1 {
			t.Errorf("%d series of runs; fix %v: %+v", len(runner.series), editNames(fix.Mutant), fix)
		}
		if reason := fix.Steps[len(fix.Steps)-1].Reason; strings.Contains(reason, "runs") {
			t.Errorf("a step mentions runs: %q", reason)
		}
	})
	for name, c := range map[string]*fakeChecker{
		"inconclusive": {fail: func(string, checker.Search) bool { return false }, verdict: explore.Inconclusive},
		"fails":        {fail: func(string, checker.Search) bool { return true }},
	} {
		t.Run(name, func(t *testing.T) {
			fix, err := w.checkedValidator(t, &fakeRunner{}, c, without).Validate(t.Context(), m, byChecker)
			var r *Rejected
			if fix != nil || !errors.As(err, &r) || r.Stage != StageCheck {
				t.Errorf("fix %v, error %v", fix, err)
			}
		})
	}
	t.Run("no checker either", func(t *testing.T) {
		if r := rejection(t, w.validator(t, &fakeRunner{}, without), m); r.Stage != StageCheck {
			t.Errorf("rejected %v", r)
		}
	})
}

func TestCheckedInWords(t *testing.T) {
	for _, c := range []struct {
		checked Checked
		want    string
	}{
		{Checked{}, "not checked"},
		{Checked{Verdict: explore.Exhausted, Bound: 2, Schedules: 512}, "the checker passed all schedules of up to 2 preemptions, 512"},
		{Checked{Verdict: explore.Exhausted, Bound: -1, Schedules: 9}, "the checker passed all schedules, 9"},
		{Checked{Verdict: explore.Passed, Schedules: 3000}, "the checker passed 3000 schedules"},
		{Checked{Verdict: explore.Inconclusive, Reason: "net"}, "the checker cannot tell: net"},
	} {
		if got := c.checked.String(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// What tests fail by for reasons of their own is told, and flags the fix.
func TestStillFails(t *testing.T) {
	flaky := checker.Failure{Failure: evidence.Failure{Kind: evidence.TestFailure, Test: "TestThird", Message: "TestThird: late"}}
	w := loadBank(t)
	m := w.mutant(t, w.edit(t, "guard", "(*Account).Deposit", "amount", 1))
	for _, tt := range []struct {
		name  string
		apart []checker.Failure
		want  bool
	}{
		{"nothing", nil, false},
		{"a test", []checker.Failure{flaky}, true},
	} {
		c := &fakeChecker{tell: func(_ checker.Search, r *checker.Report) { r.Apart = tt.apart }}
		fix := validate(t, w.checkedValidator(t, &fakeRunner{fail: unlockedDeposit}, c, nil), m)
		if got := slices.Contains(fix.Flags, mutate.StillFails); got != tt.want || len(fix.Checked.Still) != len(tt.apart) {
			t.Errorf("%s: flags %v, still %v", tt.name, fix.Flags, fix.Checked.Still)
		}
	}
}

// A noised run that fails by nothing but what the original shows, too, passes, and is told; another one refutes.
func TestExcusedRun(t *testing.T) {
	for _, excused := range []bool{true, false} {
		w := loadBank(t)
		r := &fakeRunner{test: "TestThird", fail: func(_ string, run int) bool { return run == 3 }}
		v := w.validator(t, r, func(o *Options) {
			o.Excuse = func(context.Context, []evidence.Failure, []checker.Schedule) (bool, error) { return excused, nil }
		})
		m := w.mutant(t, w.edit(t, "guard", "(*Account).Deposit", "amount", 1))
		c, err := v.Confirm(t.Context(), m)
		if excused && (err != nil || len(c.Still) == 0) || !excused && err == nil {
			t.Errorf("excused %v: %+v, %v", excused, c, err)
		}
	}
}
