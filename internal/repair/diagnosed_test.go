package repair

import (
	"reflect"
	"testing"

	"mendel/analysis/evidence"
	"mendel/internal/diagnosis"
	"mendel/internal/dossier"
)

// What is found by executions are the faults of the most suspicious places, with those of
// their partners, each once; what a place itself suggests
// comes before what all have in common.
func TestRanked(t *testing.T) {
	at := func(fn string) dossier.Place { return dossier.Place{File: "a.go", Func: fn} }
	partner := at("wait")
	b := &baseline{kind: evidence.Blocked}
	b.suspects = []dossier.Suspect{
		{Fault: evidence.LockNotReleased, Suspiciousness: 0.9, Place: at("take"), Partner: &partner},
		{Fault: evidence.LockNotReleased, Suspiciousness: 0.8, Place: at("take"), Partner: &partner},
		{Fault: evidence.LockNotReleased, Suggests: evidence.SelfDeadlock, Suspiciousness: 0.8, Place: at("lock")},
		{Fault: evidence.SenderAlone, Suspiciousness: 0.7, Place: dossier.Place{File: "a.go"}},
		{Fault: evidence.SenderAlone, Suspiciousness: 0.2, Place: at("send")},
	}
	want := []diagnosis.Finding{
		{Fault: evidence.LockNotReleased, Places: []diagnosis.Place{{File: "a.go", Func: "take"}, {File: "a.go", Func: "wait"}}},
		{Fault: evidence.SelfDeadlock, Places: []diagnosis.Place{{File: "a.go", Func: "lock"}}},
		{Fault: evidence.LockNotReleased, Places: []diagnosis.Place{{File: "a.go", Func: "lock"}}},
	}
	if got := ranked(b); !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// Executions name the variable, and the source the lock that guards it.
func TestBound(t *testing.T) {
	found := []diagnosis.Finding{{Fault: evidence.LostUpdate, Variable: "Account.amount"}, {Fault: evidence.LostUpdate, Variable: "other"}}
	races := []diagnosis.Finding{{Fault: evidence.MissingLock, Variable: "Account.amount", Lock: "bank.Account.mu"}}
	if got := bound(found, races); got[0].Lock != "bank.Account.mu" || got[1].Lock != "" {
		t.Errorf("%+v", got)
	}
}

// It is said once that what was diagnosed did not hold, and only if something was tried.
func TestGoesBeyond(t *testing.T) {
	d := &diagnosed{}
	var said []string
	for _, mends := range []bool{true, true, false, true, false} {
		if d.goesBeyond(mends) {
			said = append(said, d.tried())
		}
	}
	if len(said) != 1 || said[0] != "2 diagnosed repairs tried, none held" {
		t.Errorf("%q", said)
	}
	if (&diagnosed{}).goesBeyond(false) || (*diagnosed)(nil).goesBeyond(false) {
		t.Error("nothing was diagnosed")
	}
	if got := grouped(1640) + " " + grouped(999) + " " + grouped(1234567); got != "1,640 999 1,234,567" {
		t.Error(got)
	}
}
