package repair

import (
	"strings"
	"testing"

	"mendel/analysis/evidence"
	"mendel/fitness/noise"
)

// failedRun is a run that failed in one way.
func failedRun(kind evidence.Kind, signature string) noise.Outcome {
	return noise.Outcome{Failures: []evidence.Failure{{Kind: kind, Signature: signature, Message: signature}}, Tests: 1}
}

func TestSequentialFailure(t *testing.T) {
	wrong := failedRun(evidence.TestFailure, "wrong answer")
	for _, tt := range []struct {
		name          string
		plain, noised []noise.Outcome
		want          string // part of the reason; "": it is a matter of concurrency
	}{
		{"same assertion always", []noise.Outcome{wrong, wrong}, []noise.Outcome{wrong}, "without concurrency"},
		{"passes alone", []noise.Outcome{wrong, {Pass: true, Tests: 1}}, []noise.Outcome{wrong}, ""},
		{"other assertion each time", []noise.Outcome{wrong, failedRun(evidence.TestFailure, "other")}, []noise.Outcome{wrong}, ""},
		{"race behind the assertion", []noise.Outcome{wrong, wrong}, []noise.Outcome{wrong, failedRun(evidence.Race, "race")}, ""},
		{"deadlock even alone", []noise.Outcome{failedRun(evidence.Deadlock, "d")}, []noise.Outcome{wrong}, ""},
		{"blocked under noise", []noise.Outcome{wrong}, []noise.Outcome{failedRun(evidence.Blocked, "b")}, ""},
		{"no plain run", nil, []noise.Outcome{wrong}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := &baseline{noised: tt.noised}
			b.summarise()
			got := ""
			if !b.concurrent() {
				got = sequentialFailure(tt.plain)
			}
			if tt.want == "" && got != "" || !strings.Contains(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// The failures are counted by signature, races first, and the kind is that of
// most runs.
func TestSummarise(t *testing.T) {
	race, wrong := failedRun(evidence.Race, "race"), failedRun(evidence.TestFailure, "wrong")
	both := race
	both.Failures = append(both.Failures[:1:1], wrong.Failures...)
	b := &baseline{noised: []noise.Outcome{wrong, both, {Pass: true}, race, wrong}}
	b.summarise()
	if b.failed != 4 {
		t.Errorf("%d runs failed, want 4", b.failed)
	}
	if b.kind != evidence.Race { // two of each: the race explains more
		t.Errorf("kind %s, want race", b.kind)
	}
	var got []string
	for _, f := range b.failures {
		got = append(got, f.Signature)
		if f.runs != 5 {
			t.Errorf("%s: of %d runs, want 5", f.Signature, f.runs)
		}
	}
	if strings.Join(got, " ") != "race wrong" || b.failures[0].seen != 2 || b.failures[1].seen != 3 {
		t.Errorf("failures %+v", b.failures)
	}
}
