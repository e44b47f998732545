package diagnosis

import (
	"reflect"
	"testing"

	"mendel/analysis/evidence"
)

// What is found by executions are the faults of the most suspicious places, with those of
// their partners, each once; what a place itself suggests comes before what all have in
// common. What was found by comparing is not shown, and what is not suspicious only possible.
func TestRanked(t *testing.T) {
	at := func(fn string) Place { return Place{File: "a.go", Line: 3, Func: fn} }
	found := unique(ranked([]Suspect{
		{Fault: evidence.LockNotReleased, Suspiciousness: 0.9, Places: []Place{at("take"), at("wait")}, Says: "takes it"},
		{Fault: evidence.LockNotReleased, Suspiciousness: 0.8, Places: []Place{at("take"), at("wait")}, Says: "again"},
		{Fault: evidence.LockNotReleased, Suggests: evidence.SelfDeadlock, Suspiciousness: 0.8, Places: []Place{at("lock")}, Says: "locks", Compared: true},
		{Fault: evidence.SenderAlone, Suspiciousness: 0.7, Places: []Place{{File: "a.go"}}, Says: "is nowhere"},
		{Fault: evidence.SenderAlone, Suspiciousness: 0.56, Places: []Place{at("send")}, Says: "sends"},
		{Fault: evidence.SenderAlone, Suspiciousness: 0.2, Places: []Place{at("more")}, Says: "sends more"},
	}))
	want := []Finding{
		{Fault: evidence.LockNotReleased, Places: []Place{at("take"), at("wait")}, Says: "a.go:3 takes it", Certainty: Shown},
		{Fault: evidence.SelfDeadlock, Places: []Place{at("lock")}, Says: "a.go:3 locks", Certainty: Likely},
		{Fault: evidence.SenderAlone, Places: []Place{at("send")}, Says: "a.go:3 sends", Certainty: Possible},
		{Fault: evidence.LockNotReleased, Places: []Place{at("lock")}, Says: "a.go:3 locks", Certainty: Likely},
	}
	if !reflect.DeepEqual(found, want) {
		t.Errorf("%v\nwant %v", found, want)
	}
}

// Executions name the variable, and the source the lock that guards it.
func TestBound(t *testing.T) {
	found := []Finding{{Fault: evidence.LostUpdate, Variable: "Account.amount"}, {Fault: evidence.LostUpdate, Variable: "other"}}
	races := []Finding{{Fault: evidence.MissingLock, Variable: "Account.amount", Lock: "bank.Account.mu"}}
	if got := bound(found, races); got[0].Lock != "bank.Account.mu" || got[1].Lock != "" {
		t.Errorf("%+v", got)
	}
}
