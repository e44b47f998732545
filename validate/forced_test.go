package validate

import (
	"context"
	"errors"
	"testing"

	"mendel/analysis/evidence"
	"mendel/fitness/noise"
	"mendel/mutate"
)

// A mutant that fails when it is forced is rejected before it is built for noised runs.
func TestForcedRejects(t *testing.T) {
	failed := noise.Outcome{Failures: []evidence.Failure{{Kind: evidence.TestFailure, Message: "lost"}}, Seed: 7}
	for _, c := range []struct {
		outcomes []noise.Outcome
		runs     int
		rejected string
	}{
		{nil, 0, ""},
		{[]noise.Outcome{{Pass: true}, {Pass: true}}, 2, ""},
		{[]noise.Outcome{{Pass: true}, failed}, 1, "under an interleaving that failed the original, forced: test-failure: lost"},
	} {
		v := New(Options{Forced: func(context.Context, *mutate.Mutant) ([]noise.Outcome, error) { return c.outcomes, nil }})
		runs, err := v.force(t.Context(), &mutate.Mutant{})
		var rejected *Rejected
		if errors.As(err, &rejected) != (c.rejected != "") || runs != c.runs {
			t.Errorf("%d runs, %v", runs, err)
		} else if rejected != nil && (rejected.Reason != c.rejected || rejected.Stage != StageConfirm || rejected.Seed != 7) {
			t.Errorf("%+v", rejected)
		}
		// Nobody builds what is rejected: there is no Runner.
		if rejected != nil {
			if _, err := v.Confirm(t.Context(), &mutate.Mutant{}); !errors.As(err, &rejected) {
				t.Errorf("confirmed: %v", err)
			}
		}
	}
	if _, err := New(Options{Forced: func(context.Context, *mutate.Mutant) ([]noise.Outcome, error) {
		return nil, errors.New("broken")
	}}).force(t.Context(), &mutate.Mutant{}); err == nil {
		t.Error("an error is lost")
	}
}

// Where forcing is certain to see the failure, noise is the second judge.
func TestForcedQuota(t *testing.T) {
	alone, forced := New(Options{}).full(false).after(9), New(Options{ForcedCertain: true}).full(false).after(9)
	if alone.enough(runsFloor, 0) || !forced.enough(runsFloor, 0) || forced.enough(runsFloor-1, 0) {
		t.Errorf("alone %+v, forced %+v", alone, forced)
	}
	saturated := New(Options{ForcedCertain: true, Saturate: func(context.Context, *mutate.Mutant) (Saturation, []noise.Outcome, error) {
		return Saturation{}, nil, nil
	}}).full(false)
	if q := saturated.after(9); !q.enough(slowFloor, 0) || q.enough(slowFloor-1, 0) || saturated.after(0).enough(runsFloor, 0) {
		t.Errorf("with what is predicted around the changes %+v", q)
	}
	if q := New(Options{ForcedCertain: true}).full(false).after(0); q.enough(runsFloor, 0) {
		t.Errorf("nothing was forced: %+v", q)
	}
	if q := New(Options{ForcedCertain: true, Runs: 50}).full(false).after(9); q.enough(49, 0) {
		t.Errorf("fewer runs than asked for: %+v", q)
	}
}
