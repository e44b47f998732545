package checker

import (
	"context"
	"path/filepath"
	"slices"
	"testing"

	"mendel/checker/sched"
)

// guidedReplay guides the program that fails, and a corrected copy of it, along the
// schedule of a failure.
func guidedReplay(t *testing.T, broken, fixed *Binary, f Failure) {
	t.Helper()
	r, err := broken.GuidedReplay(context.Background(), f.Schedule, GuidedOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Failure == nil || r.Failure.Signature != f.Signature || r.Diverged != "" || len(r.Failure.Trace) == 0 {
		t.Errorf("%s: guided: %+v", f.Message, r)
	}
	r, err = fixed.GuidedReplay(context.Background(), f.Schedule, GuidedOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Failure != nil || r.Reason != "" || r.Diverged == "" || len(r.Goroutines) < 2 || len(r.Trace) == 0 {
		t.Errorf("the corrected copy: %+v", r)
	}
	if !slices.ContainsFunc(r.Trace, func(e sched.Event) bool { return filepath.IsAbs(e.Place.File) }) {
		t.Error("the corrected copy: no step has the name of a file on disk")
	}
	r, err = fixed.GuidedReplay(context.Background(), f.Schedule, GuidedOptions{Steps: 3})
	if err != nil || r.Reason == "" || len(r.Trace) > 10 {
		t.Errorf("the corrected copy in 3 steps: %+v, %v", r, err)
	}
	if _, err := fixed.GuidedReplay(context.Background(), Schedule{Test: "TestNone", Choices: "0"}, GuidedOptions{}); err == nil {
		t.Error("guided in a test that does not exist")
	}
}
