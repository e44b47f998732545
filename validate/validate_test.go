package validate

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"mendel/analysis/evidence"
	"mendel/fitness"
	"mendel/fitness/noise"
	"mendel/internal/gotool"
	"mendel/mutate"
)

func TestValidate(t *testing.T) {
	w := loadBank(t)
	v := w.validator(t, &fakeRunner{fail: unlockedDeposit}, nil)
	m := w.mutant(t, w.edit(t, "guard", "(*Account).Deposit", "amount", 1))
	fix := validate(t, v, m)
	if fix.Mutant != m || fix.Score.Runs != 15 {
		t.Errorf("a minimal candidate was changed: %v, score %+v", editNames(fix.Mutant), fix.Score)
	}
	if fix.Confirmed.Runs != 150 || fix.Confirmed.Elapsed != time.Millisecond || fix.Confirmed.Switches != 10 {
		t.Errorf("confirmation %+v", fix.Confirmed)
	}
	if want := (Lines{Added: 2}); fix.Changed != want || fix.Guarded != 1 {
		t.Errorf("changed %+v, want %+v; guarded %d, want 1", fix.Changed, want, fix.Guarded)
	}
	if want := (Cost{Pairs: 0, Time: 0, Switches: 0}); fix.Cost != want {
		t.Errorf("cost %+v of an original that never passes", fix.Cost)
	}
	if fix.Vet.Verdict != Skipped || fix.Tests.Verdict != Skipped || !fix.Race {
		t.Errorf("vet %+v, tests %+v, race %v", fix.Vet, fix.Tests, fix.Race)
	}
}

func TestConfirmRejects(t *testing.T) {
	w := loadBank(t)
	m := w.mutant(t, w.edit(t, "guard", "(*Account).Deposit", "amount", 1))
	t.Run("late failure", func(t *testing.T) {
		runner := &fakeRunner{fail: func(_ string, run int) bool { return run >= 149 }}
		r := rejection(t, w.validator(t, runner, nil), m)
		if r.Stage != StageConfirm || r.Passed != 149 || r.Mutant != m {
			t.Errorf("rejected %+v", r)
		}
		if r.Failure == nil || r.Failure.Kind != evidence.Race || r.Seed != runner.series[0]+149 {
			t.Errorf("evidence %v, seed %d", r.Failure, r.Seed)
		}
		if !strings.Contains(r.Error(), "run 150 of 150") || !strings.Contains(r.Error(), "amount") {
			t.Errorf("the reason does not tell: %v", r)
		}
	})
	t.Run("build failure", func(t *testing.T) {
		runner := &fakeRunner{build: func(noise.Mode, string) error { return &gotool.BuildError{Output: "undefined: x"} }}
		if r := rejection(t, w.validator(t, runner, nil), m); r.Failure != nil || !strings.Contains(r.Reason, "undefined: x") {
			t.Errorf("rejected %+v", r)
		}
	})
}

func TestBrokenEnvironmentIsNoRejection(t *testing.T) {
	w := loadBank(t)
	m := w.mutant(t, w.edit(t, "guard", "(*Account).Deposit", "amount", 1))
	full := errors.New("no space left on device")
	v := w.validator(t, &fakeRunner{build: func(noise.Mode, string) error { return full }}, nil)
	fix, err := v.Validate(t.Context(), m, fitness.Result{})
	var r *Rejected
	if fix != nil || !errors.Is(err, full) || errors.As(err, &r) {
		t.Errorf("fix %v, error %v", fix, err)
	}
}

// What was confirmed before the end of ctx comes with the error.
func TestStoppedAfterConfirmation(t *testing.T) {
	w := loadBank(t)
	ctx, cancel := context.WithCancel(t.Context())
	runner := &fakeRunner{fail: unlockedDeposit, observe: func(noise.Mode, string) { cancel() }}
	v := w.validator(t, runner, nil)
	m := w.mutant(t, w.edit(t, "guard", "(*Account).Deposit", "amount", 1), w.edit(t, "guard", "(*Account).Twice", "twice", 1))
	fix, err := v.Validate(ctx, m, fitness.Result{})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if fix == nil || fix.Mutant != m || fix.Confirmed.Runs != 150 || fix.Vet.Verdict != Skipped || fix.Tests.Detail == "" {
		t.Fatalf("fix %+v", fix)
	}
}

func TestStoppedBeforeConfirmation(t *testing.T) {
	w := loadBank(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	v := w.validator(t, &fakeRunner{}, nil)
	m := w.mutant(t, w.edit(t, "guard", "(*Account).Deposit", "amount", 1))
	if fix, err := v.Validate(ctx, m, fitness.Result{}); fix != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("fix %v, error %v", fix, err)
	}
}

func TestMinimisesEdits(t *testing.T) {
	w := loadBank(t)
	needed := w.edit(t, "guard", "(*Account).Deposit", "amount", 1)
	neutral := w.edit(t, "guard", "(*Account).Twice", "twice", 1)
	m := w.mutant(t, needed, neutral)

	t.Run("needless edit goes", func(t *testing.T) {
		fix := validate(t, w.validator(t, &fakeRunner{fail: unlockedDeposit}, nil), m)
		if len(fix.Mutant.Edits) != 1 || fix.Mutant.Edits[0].Func != needed.Func {
			t.Errorf("left %v", editNames(fix.Mutant))
		}
		if fix.Score.Score != 1000 || fix.Score.Runs != 150 {
			t.Errorf("the score %+v is not of the reduced mutant's runs", fix.Score)
		}
		if !slices.ContainsFunc(fix.Steps, func(s Step) bool { return s.Kept && strings.Contains(s.What, "without guard at bank.go") }) {
			t.Errorf("steps %+v", fix.Steps)
		}
	})
	t.Run("scoring runs do not decide", func(t *testing.T) {
		// Without the second edit the bug shows, but not in the first 100 runs.
		fail := func(src string, run int) bool {
			return unlockedDeposit(src, run) || run == 100 && !locked(src, "Twice", "twice")
		}
		fix := validate(t, w.validator(t, &fakeRunner{fail: fail}, nil), m)
		if len(fix.Mutant.Edits) != 2 {
			t.Errorf("left %v", editNames(fix.Mutant))
		}
	})
	t.Run("no new flag", func(t *testing.T) {
		// Which edits are there decides on the flags: taking one out adds one.
		v := w.validator(t, &fakeRunner{}, func(o *Options) { o.Space, o.OptimizeSteps = flagsAlone{w.space}, -1 })
		fix := validate(t, v, m)
		if fix.Mutant != m {
			t.Errorf("left %v", editNames(fix.Mutant))
		}
	})
}

// flagsAlone flags mutants of one edit.
type flagsAlone struct{ *mutate.Space }

func (s flagsAlone) Mutant(ctx context.Context, edits []mutate.Edit) (*mutate.Mutant, error) {
	m, err := s.Space.Mutant(ctx, edits)
	if err == nil && len(edits) == 1 {
		m.Flags = []mutate.Flag{mutate.Blocks}
	}
	return m, err
}

// The more objectionable of two edits that each suffice goes.
func TestMinimisesGravestFirst(t *testing.T) {
	w := loadBank(t)
	plain := w.edit(t, "guard", "(*Account).Deposit", "amount", 1)
	grave := flagged(w.edit(t, "guard", "(*Account).Twice", "a.amount +=", 3), mutate.Serialises)
	fail := func(src string, run int) bool { return unlockedDeposit(src, run) && !locked(src, "Twice", "last") }
	for _, edits := range [][]mutate.Edit{{plain, grave}, {grave, plain}} {
		fix := validate(t, w.validator(t, &fakeRunner{fail: fail}, nil), w.mutant(t, edits...))
		if len(fix.Mutant.Edits) != 1 || fix.Mutant.Edits[0].Func != plain.Func || !slices.Equal(fix.Flags, []mutate.Flag{mutate.IncompleteGuard}) {
			t.Errorf("left %v with flags %v", editNames(fix.Mutant), fix.Flags)
		}
	}
}

func TestPolicy(t *testing.T) {
	w := loadBank(t)
	deposit := w.edit(t, "guard", "(*Account).Deposit", "amount", 1)
	serial := flagged(w.edit(t, "guard", "(*Account).Twice", "a.amount +=", 3), mutate.Serialises)
	noSerialize := func(o *Options) { o.NoSerialize = true }

	t.Run("serialising is flagged", func(t *testing.T) {
		fix := validate(t, w.validator(t, &fakeRunner{}, func(o *Options) { o.OptimizeSteps = -1 }), w.mutant(t, serial))
		if want := []mutate.Flag{mutate.IncompleteGuard, mutate.Serialises, mutate.WrongLock}; !slices.Equal(fix.Flags, want) {
			t.Errorf("flags %v, want %v", fix.Flags, want)
		}
	})
	t.Run("serialising is forbidden", func(t *testing.T) {
		runner := &fakeRunner{}
		r := rejection(t, w.validator(t, runner, noSerialize), w.mutant(t, serial))
		if r.Stage != StagePolicy || len(runner.series) != 0 {
			t.Errorf("rejected %+v after %d series of runs", r, len(runner.series))
		}
	})
	t.Run("forbidden edits are taken out", func(t *testing.T) {
		fix := validate(t, w.validator(t, &fakeRunner{fail: unlockedDeposit}, noSerialize), w.mutant(t, serial, deposit))
		if len(fix.Mutant.Edits) != 1 || fix.Mutant.Edits[0].Func != deposit.Func {
			t.Errorf("left %v", editNames(fix.Mutant))
		}
	})
}

func TestPolicyOnGuards(t *testing.T) {
	w := loadBank(t)
	drop := flagged(w.edit(t, "open", "(*Account).Balance", "Unlock", 0), mutate.DropsGuard)
	t.Run("dropping a guard", func(t *testing.T) {
		lock := flagged(w.edit(t, "open", "(*Account).Balance", "Lock", 0), mutate.DropsGuard)
		r := rejection(t, w.validator(t, &fakeRunner{}, nil), w.mutant(t, lock, drop))
		if r.Stage != StagePolicy || !strings.Contains(r.Reason, "drops a lock") {
			t.Errorf("rejected %+v", r)
		}
	})
	// removed takes a lock away from a function.
	removed := func(function, lock string) []mutate.Edit {
		return []mutate.Edit{
			flagged(w.edit(t, "open", function, lock+".Lock", 0), mutate.DropsGuard),
			flagged(w.edit(t, "open", function, lock+".Unlock", 0), mutate.DropsGuard),
		}
	}
	for _, test := range []struct {
		name  string
		edits []mutate.Edit
		want  []mutate.Flag
	}{
		{"no access leaves a section", []mutate.Edit{drop}, nil},
		{"a guard of two", removed("(*Account).Nested", "a.mu"), []mutate.Flag{mutate.DropsGuard}},
		{"a guard replaced", append(removed("(*Account).Total", "all"), w.edit(t, "guard", "(*Account).Total", "amount", 1)), []mutate.Flag{mutate.IncompleteGuard}}, // others use it without a lock
	} {
		t.Run(test.name, func(t *testing.T) {
			m := w.mutant(t, test.edits...)
			unedited := func(src string, _ int) bool { return src != string(m.Files[w.program.File("bank.go").Name]) }
			fix := validate(t, w.validator(t, &fakeRunner{fail: unedited}, nil), m)
			if !slices.Equal(fix.Flags, test.want) {
				t.Errorf("flags %v, want %v", fix.Flags, test.want)
			}
		})
	}
	t.Run("without a narrowing no guard may go", func(t *testing.T) {
		v := w.validator(t, &fakeRunner{}, func(o *Options) { o.Narrowing = nil })
		if r := rejection(t, v, w.mutant(t, drop)); r.Stage != StagePolicy {
			t.Errorf("rejected %+v", r)
		}
	})
}

func TestRuns(t *testing.T) {
	for _, test := range []struct {
		runs, passes, options, want int
	}{
		{15, 3, 0, 150},
		{15, 0, 0, 150},     // fails always
		{15, 15, 0, 150},    // never seen to fail under noise
		{0, 0, 0, 150},      // not known
		{100, 98, 0, 342},   // one in fifty: 1000 to 1 takes 342 runs
		{1000, 999, 0, 600}, // no more than fourfold
		{15, 3, 20, 20},
	} {
		v := New(Options{Runs: test.options, Before: fitness.Result{Runs: test.runs, Passes: test.passes}})
		if got := v.runs(); got != test.want {
			t.Errorf("%d of %d passed: %d runs, want %d", test.passes, test.runs, got, test.want)
		}
	}
}

// Seeds repeat from run to run of the tool, and no two series share one.
func TestSeeds(t *testing.T) {
	a, b := New(Options{Seed: 1}), New(Options{Seed: 1})
	other := New(Options{Seed: 2})
	seen := map[uint64]bool{}
	for _, hash := range []string{"x", "y", "x", "x"} {
		s := a.seeds(&mutate.Mutant{Hash: hash})
		if again := b.seeds(&mutate.Mutant{Hash: hash}); again != s {
			t.Errorf("seeds %d and %d of the same series", s, again)
		}
		for _, s := range []uint64{s, other.seeds(&mutate.Mutant{Hash: hash})} {
			if block := s >> seriesBits; s != block<<seriesBits || seen[block] || s>>63 != 1 {
				t.Errorf("series at %x overlaps another", s)
			} else {
				seen[block] = true
			}
		}
	}
}

// Candidates that reduce to the same source are not run again.
func TestRemembers(t *testing.T) {
	w := loadBank(t)
	runner := &fakeRunner{fail: unlockedDeposit}
	tool := &fakeTool{}
	v := w.validator(t, runner, func(o *Options) { o.Tool = tool })
	v.run = (&suite{runs: map[string]int{}}).run
	needed := w.edit(t, "guard", "(*Account).Deposit", "amount", 1)
	first := validate(t, v, w.mutant(t, needed))
	if len(runner.series) != 1 || len(tool.seen) != 1 {
		t.Fatalf("%d series, %d times vet", len(runner.series), len(tool.seen))
	}
	second := validate(t, v, w.mutant(t, needed, w.edit(t, "guard", "(*Account).Twice", "twice", 1)))
	if second.Mutant.Hash != first.Mutant.Hash || !reflect.DeepEqual(second.Confirmed, first.Confirmed) || second.Vet != first.Vet || second.Tests.Tests != first.Tests.Tests {
		t.Errorf("the same fix has other evidence: %+v, %+v", first, second)
	}
	// Run were the candidate, and what is left without the needed edit.
	if len(runner.series) != 3 || len(tool.seen) != 1 {
		t.Errorf("%d series, %d times vet", len(runner.series), len(tool.seen))
	}
	if _, err := v.Confirm(t.Context(), first.Mutant); err != nil || len(runner.series) != 4 {
		t.Errorf("Confirm did not run afresh: %d series, error %v", len(runner.series), err)
	}
}

func TestValidationsTakeTurns(t *testing.T) {
	w := loadBank(t)
	v := w.validator(t, &fakeRunner{fail: unlockedDeposit}, nil)
	m := w.mutant(t, w.edit(t, "guard", "(*Account).Deposit", "amount", 1), w.edit(t, "guard", "(*Account).Twice", "twice", 1))
	var group sync.WaitGroup
	for range 3 {
		group.Go(func() {
			if fix, err := v.Validate(t.Context(), m, fitness.Result{}); err != nil || len(fix.Mutant.Edits) != 1 {
				t.Errorf("fix %v, error %v", fix, err)
			}
		})
	}
	group.Wait()
	if _, err := v.Confirm(t.Context(), m); err != nil {
		t.Error(err)
	}
}

// BenchmarkValidate reports the size of the fix made of a bloated candidate,
// and the runs and steps that took.
func BenchmarkValidate(b *testing.B) {
	w := loadBank(b)
	m := w.mutant(b,
		w.edit(b, "guard", "(*Account).Deposit", "begin", 3),
		w.edit(b, "guard", "(*Account).Twice", "twice", 1),
		w.edit(b, "guard", "(*Account).Twice", "last", 1),
	)
	var fix *Fix
	var runner *fakeRunner
	for b.Loop() {
		runner = &fakeRunner{fail: unlockedDeposit}
		fix = validate(b, w.validator(b, runner, func(o *Options) { o.Log = nil }), m)
	}
	b.ReportMetric(float64(fix.Changed.Total()), "changed-lines")
	b.ReportMetric(float64(fix.Guarded), "guarded-statements")
	b.ReportMetric(float64(len(fix.Steps)), "steps")
	b.ReportMetric(float64(len(runner.series)), "confirmations")
}
