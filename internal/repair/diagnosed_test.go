package repair

import (
	"testing"

	"mendel/analysis/evidence"
	"mendel/internal/dossier"
)

// What is diagnosed are the faults of the most suspicious places and of their partners,
// each once; nothing is for a race.
func TestDiagnoses(t *testing.T) {
	at := func(fn string) dossier.Place { return dossier.Place{File: "a.go", Func: fn} }
	partner := at("wait")
	b := &baseline{kind: evidence.Blocked}
	b.suspects = []dossier.Suspect{
		{Fault: evidence.LockNotReleased, Suspiciousness: 0.9, Place: at("take"), Partner: &partner},
		{Fault: evidence.LockNotReleased, Suspiciousness: 0.8, Place: at("take")},
		{Fault: evidence.SenderAlone, Suspiciousness: 0.7, Place: dossier.Place{File: "a.go"}},
		{Fault: evidence.SenderAlone, Suspiciousness: 0.2, Place: at("send")},
	}
	want := []diagnosis{{evidence.LockNotReleased, "a.go", "take"}, {evidence.LockNotReleased, "a.go", "wait"}}
	got := diagnoses(b)
	if len(got) != len(want) || got[0] != want[0] || got[1] != want[1] {
		t.Errorf("%v, want %v", got, want)
	}
	b.kind = evidence.Race
	if got := diagnoses(b); got != nil {
		t.Errorf("of a race: %v", got)
	}
}
