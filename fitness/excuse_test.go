package fitness

import (
	"context"
	"errors"
	"testing"

	"mendel/analysis/evidence"
	"mendel/fitness/noise"
)

// A mutant that fails by nothing but what is excused is scored again, a few times at most.
func TestExcuse(t *testing.T) {
	flaky := noise.Outcome{Failures: []evidence.Failure{{Kind: evidence.TestFailure, Test: "TestFlaky", Signature: "flaky"}}}
	broken := errors.New("broken")
	for _, tt := range []struct {
		name     string
		excuse   func(calls int) (bool, error)
		launches int
		full     bool
	}{
		{"excused", func(int) (bool, error) { return true, nil }, 2, true},
		{"not excused", func(int) (bool, error) { return false, nil }, 1, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			excused, calls := false, 0
			l := &fakeLauncher{script: func(int) noise.Outcome {
				if excused {
					return noise.Outcome{Pass: true}
				}
				return flaky
			}}
			e := evaluatorOf(l, Options{Runs: 4, Excuse: func(context.Context, Record) (again bool, err error) {
				calls++
				excused, err = tt.excuse(calls)
				return excused, err
			}})
			r, err := e.Evaluate(t.Context(), mutant(1))
			if err != nil || l.launched != tt.launches || (r.Score == FullScore) != tt.full || calls != 1 {
				t.Errorf("%+v, %v after %d launches and %d calls", r, err, l.launched, calls)
			}
		})
	}
	never := &fakeLauncher{script: func(int) noise.Outcome { return flaky }}
	e := evaluatorOf(never, Options{Runs: 4, Excuse: func(context.Context, Record) (bool, error) { return true, nil }})
	if r, err := e.Evaluate(t.Context(), mutant(1)); err != nil || r.Score == FullScore || never.launched != excuses {
		t.Errorf("what is excused in vain: %+v, %v after %d launches", r, err, never.launched)
	}
	e = evaluatorOf(never, Options{Runs: 4, Excuse: func(context.Context, Record) (bool, error) { return true, broken }})
	if _, err := e.Evaluate(t.Context(), mutant(2)); !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
}
