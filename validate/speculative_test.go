package validate

import (
	"errors"
	"testing"
	"time"

	"mendel/analysis/evidence"
	"mendel/checker/sched/explore"
	"mendel/fitness"
)

// A candidate from which nothing can be taken is confirmed by one series of
// runs, wherever it was begun; one that is reduced, by a series of its own.
func TestConfirmedAhead(t *testing.T) {
	w := loadBank(t)
	deposit := w.edit(t, "guard", "(*Account).Deposit", "amount", 1)
	both := w.mutant(t, deposit, w.edit(t, "guard", "(*Account).Twice", "twice", 1))
	atOnce := func(o *Options) { o.AtOnce, o.OptimizeSteps = true, -1 }

	t.Run("nothing to take out", func(t *testing.T) {
		runner := &fakeRunner{fail: unlockedDeposit}
		m := w.mutant(t, deposit)
		fix, err := w.checkedValidator(t, runner, &fakeChecker{}, atOnce).Validate(t.Context(), m, byChecker)
		if err != nil {
			t.Fatal(err)
		}
		if fix.Confirmed.Runs != 150 || len(runner.series) != 1 || fix.Confirmed.FirstSeed != runner.series[0] {
			t.Errorf("confirmed %+v by series %v", fix.Confirmed, runner.series)
		}
	})
	t.Run("reduced", func(t *testing.T) {
		runner := &fakeRunner{fail: unlockedDeposit}
		v := w.checkedValidator(t, runner, &fakeChecker{}, atOnce)
		fix, err := v.Validate(t.Context(), both, byChecker)
		if err != nil {
			t.Fatal(err)
		}
		if len(fix.Mutant.Edits) != 1 || fix.Confirmed.Runs != 150 || fix.Checked.Verdict != explore.Exhausted {
			t.Errorf("fix %v: %+v", editNames(fix.Mutant), fix)
		}
		if _, known := v.confirmations[both.Hash]; known {
			t.Error("a speculative run counts as confirmation of the candidate, though nobody waited for it")
		}
	})
	t.Run("refuted", func(t *testing.T) {
		runner := &fakeRunner{fail: func(string, int) bool { return true }}
		v := w.checkedValidator(t, runner, &fakeChecker{}, atOnce)
		m := w.mutant(t, deposit)
		for range 2 {
			_, err := v.Validate(t.Context(), m, byChecker)
			var r *Rejected
			if !errors.As(err, &r) || r.Stage != StageConfirm {
				t.Fatalf("error %v", err)
			}
		}
		if len(runner.series) != 1 {
			t.Errorf("%d series; what was refuted once is refuted again", len(runner.series))
		}
	})
}

// An original that hangs is not waited for longer than a multiple of what the
// patched program takes.
func TestHangingOriginal(t *testing.T) {
	w := loadBank(t)
	runner := &fakeRunner{fail: unlockedDeposit, elapsed: func(string) time.Duration { return 20 * time.Millisecond }}
	fix := validate(t, w.validator(t, runner, func(o *Options) { o.OptimizeSteps = -1 }), w.mutant(t, w.edit(t, "guard", "(*Account).Deposit", "amount", 1)))
	if fix.Cost.Pairs != 0 {
		t.Errorf("cost %+v", fix.Cost)
	}
	if n := len(runner.limits); n != 2 || runner.limits[1] != 400*time.Millisecond {
		t.Errorf("limits %v, want the patched program's and 400 ms for the original's", runner.limits)
	}
}

// A candidate that its noised runs refute meanwhile, in the way of the original, is
// not reduced to its end.
func TestRefutedMeanwhile(t *testing.T) {
	w := loadBank(t)
	both := w.mutant(t, w.edit(t, "guard", "(*Account).Deposit", "amount", 1), w.edit(t, "guard", "(*Account).Twice", "twice", 1))
	ended := make(chan struct{})
	close(ended)
	for _, c := range []struct {
		name string
		done chan struct{}
		kind evidence.Kind
		want bool
	}{
		{"as the original", ended, evidence.Race, true},
		{"in another way", ended, evidence.Deadlock, false},
		{"still running", make(chan struct{}), evidence.Race, false},
	} {
		v := w.validator(t, &fakeRunner{fail: unlockedDeposit}, func(o *Options) {
			o.Before = fitness.Result{Runs: 10, Failures: map[evidence.Kind]int{evidence.Race: 10}}
		})
		j := v.newJob()
		j.mutant, j.quick = both, true
		why := &Rejected{Mutant: both, Stage: StageConfirm, Failure: &evidence.Failure{Kind: c.kind}}
		j.speculative = &speculativeRun{hash: both.Hash, done: c.done, err: why, cancel: func() {}}
		err := j.minimise(t.Context())
		var got *Rejected
		if refuted := errors.As(err, &got); refuted != c.want || err != nil && !refuted {
			t.Errorf("%s: error %v", c.name, err)
		}
		if known := v.refuted[both.Hash] != nil; known != c.want {
			t.Errorf("%s: remembered %v", c.name, known)
		}
	}
}
