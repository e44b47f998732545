package regress

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"time"

	"mendel/internal/bench/cases"
)

// A test is wrong if it is red with a right patch, or green with one that leaves the failure;
// shares are of the programs that have a failing schedule.
func TestReport(t *testing.T) {
	r := &report{Rows: []row{
		{Program: "unseen", Set: "small", Unseen: "passed: no failing schedule in 9"},
		{Program: "right", Set: "small", Kind: "race", Means: "plain", Seconds: 10, Patches: []judgement{
			{Patch: "fix", Right: true, Runs: 3}, {Patch: "wrong/half", Left: true, Runs: 3, Red: 3}, {Patch: "wrong/other"},
		}},
		{Program: "red", Set: "small", Kind: "race", Means: "order", Order: true, Seconds: 20, Patches: []judgement{
			{Patch: "alt/other", Right: true, Runs: 3, Red: 1, Said: "go test: exit status 1"},
		}},
		{Program: "green", Set: "modules", Kind: "deadlock", Means: "bubble", Seconds: 60, Patches: []judgement{
			{Patch: "wrong/half", Left: true, Runs: 3, Red: 2},
		}},
		{Program: "none", Set: "modules", Kind: "panic", Reasons: []string{"plain: it does not fail"}},
	}}
	want := []string{
		"3 of 4 programs have a test, asked are 80 %",
		"the test of red is red in 1 of 3 with alt/other, which is right: go test: exit status 1",
		"the test of green is green in 1 of 3 with wrong/half, which leaves the failure",
	}
	if got := r.Failures(); strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%q, want %q", got, want)
	}
	var page bytes.Buffer
	if err := r.Write(&page, true); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"| small | 3 | 2 | 2 | order 1, plain 1 | 15 | 1 |", "| all | 5 | 4 | 3 | bubble 1, order 1, plain 1 | 20 | 2 |", "| plain: it does not fail |"} {
		if !strings.Contains(page.String(), line) {
			t.Errorf("no %q in\n%s", line, &page)
		}
	}
}

// Programs are of the sets that are named, and results belong to their conditions.
func TestPrograms(t *testing.T) {
	o := Options{Sets: []string{"small", SubjectSet}, Only: []string{"recheck", "account"}, Subjects: "../../../subjects"}
	all, err := o.programs()
	if err != nil || len(all) != 2 {
		t.Fatalf("%d programs, %v", len(all), err)
	}
	dir := t.TempDir()
	if err := all[1].write(dir); err != nil {
		t.Fatal(err)
	}
	fix, err := all[1].fix(t.Context(), dir)
	if err != nil || len(fix.Files) == 0 || bytes.Equal(fix.Files[0].Before, fix.Files[0].After) && len(fix.Files) == 1 {
		t.Errorf("the fix of a subject: %+v, %v", fix, err)
	}
	for _, wrong := range []Options{{Sets: []string{"none"}}, {Sets: []string{"small"}, Only: []string{"account"}}} {
		wrong.Check, wrong.Budget, wrong.Seed = time.Second, time.Second, 1
		if err := Run(t.Context(), wrong, io.Discard, io.Discard); err == nil {
			t.Errorf("%+v is no error", wrong)
		}
	}
	if known, err := cases.Read([]string{"small"}, []string{"recheck"}); err != nil || !(&report{Rows: []row{{Program: "recheck", Set: "small"}}}).has(program{name: known[0].Name, set: known[0].Set}) {
		t.Errorf("what was done is done again, %v", err)
	}
}
