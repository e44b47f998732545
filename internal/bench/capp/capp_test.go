package capp

import (
	"strings"
	"testing"

	"mendel/checker"
	"mendel/checker/sched/explore"
)

func TestAttemptOf(t *testing.T) {
	failed := &checker.Report{Verdict: explore.Failed, Schedules: 9, Failures: []checker.Failure{{Nth: 4}}}
	if a := attemptOf(failed); !a.Rejected || a.Schedules != 4 {
		t.Errorf("%+v", a)
	}
	if a := attemptOf(&checker.Report{Verdict: explore.Passed, Schedules: 9}); a.Rejected || a.Schedules != 9 {
		t.Errorf("%+v", a)
	}
}

// Only patches that were explored in all modes count for these.
func TestWrite(t *testing.T) {
	telling := &patch{Subject: "s", Name: "telling"}
	for i := range modes {
		telling.Attempts = append(telling.Attempts, attempt{Schedules: 10 + i, Rejected: i != 3})
	}
	r := &report{Patches: []*patch{
		telling, {Subject: "s", Name: "first", Attempts: []attempt{{Schedules: 1, Rejected: true}}},
		{Subject: "s", Name: "passed", Attempts: []attempt{{Schedules: 9}}}, {Subject: "s", Name: "broken", Broken: true},
	}}
	var b strings.Builder
	if err := r.Write(&b, true); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	for _, want := range []string{
		"Of 4 wrong patches the first schedule rejects 1, and 1 are rejected by no schedule", "Of the other 1:",
		"| BASIC | 1 | 10 | 10 | 0.0 | 0 | 0 |", "| COS | 0 | 13 | 13 | 0.0 | 0 | 1 |", "s/telling",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}
