package localize

import (
	"strings"
	"testing"

	"mendel/analysis/evidence"
	"mendel/internal/diagnosis"
)

// A diagnosis is right by its name and by one of its first places together; each alone is
// told, too, and where nobody has named the bug the place decides.
func TestJudge(t *testing.T) {
	at := func(functions ...string) (places []diagnosis.Place) {
		for _, fn := range functions {
			places = append(places, diagnosis.Place{File: "a.go", Func: fn})
		}
		return places
	}
	edited := map[string]bool{"a.go put": true}
	found := []diagnosis.Finding{
		{Fault: evidence.DataRace, Places: at("get", "put")},
		{Fault: evidence.MissingLock, Places: at("get", "size", "put")},
		{Fault: evidence.MissingLock, Places: at("put")},
	}
	named := diagnosed{Faults: []evidence.Fault{evidence.MissingLock}, Diagnoses: found}
	named.judge(edited)
	if named.Rank != 3 || named.Place != 1 || named.Name != 2 {
		t.Errorf("right %d, by place %d, by name %d", named.Rank, named.Place, named.Name)
	}
	unnamed := diagnosed{Diagnoses: found}
	unnamed.judge(edited)
	if unnamed.Rank != 1 || unnamed.Place != 1 || unnamed.Name != 0 {
		t.Errorf("right %d, by place %d, by name %d", unnamed.Rank, unnamed.Place, unnamed.Name)
	}
	r := &diagnosesReport{Rows: []diagnosed{named, unnamed, {Program: "broken", Problem: "no tests"}}}
	failures := strings.Join(r.Failures(), "\n")
	for _, want := range []string{"broken: no tests", "1 of 3 programs"} {
		if !strings.Contains(failures, want) {
			t.Errorf("no %q in %s", want, failures)
		}
	}
	if r.Rows = []diagnosed{unnamed}; len(r.Failures()) > 0 {
		t.Errorf("%q", r.Failures())
	}
}
