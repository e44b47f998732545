package real

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"mendel"
	"mendel/internal/bench/benchtest"
	"mendel/internal/bench/repository"
	"mendel/internal/bench/tables"
	"mendel/internal/bench/trial"
	"mendel/mutate"
)

// sampleReport has a bug that was repaired, one whose patch is refuted, and one
// without a fix.
func sampleReport() *report {
	fixed := func(validation float64) *armTrial {
		return &armTrial{Arm: trial.DefaultArm, Patch: "--- a/a.go\n+++ b/a.go\n@@ -1 +1,2 @@\n+\tmu.Lock() // <b>\n", Checked: "passed after 7 schedules", Trial: trial.Trial{
			Status: mendel.Fixed, Seconds: 20, ChangedLines: 2, Operators: []string{"lockmethod", "lockmethod"}, Flags: []mutate.Flag{mutate.Nested},
			Moments: trial.Moments{FullScore: 5, Fix: 5 + validation},
		}, Verified: &Verification{Effort: "60 runs of the test", Test: Runs{Done: 60}, Passed: 3}}
	}
	refuted := fixed(20)
	refuted.Verified.Test = Runs{Done: 60, Failed: 2, Said: "GOMAXPROCS=1: exit status 1"}
	none := &armTrial{Arm: trial.DefaultArm, Checker: "off: it cannot be instrumented", Trial: trial.Trial{Status: mendel.NotFixed, Reason: "the budget is spent", Seconds: 180}}
	bug := func(name string, t *armTrial) *bugReport {
		return &bugReport{Bug: repository.Bug{Name: name, Repo: "o/n", Kind: "data race", Description: "It races.", HumanLines: 4}, Human: "diff --git a/a.go b/a.go\n-\tn++\n", Trials: []*armTrial{t}}
	}
	return &report{
		Machine: tables.Machine{Go: "go1.26", CPUs: 2}, Command: "go run ./cmd/mendel-bench real", Limit: "3m0s", Effort: "60 runs of the test",
		Bugs: []*bugReport{bug("good-1", fixed(4)), bug("refuted-2", refuted), bug("none-3", none)},
	}
}

// The table says of each repair what came of it and why.
func TestReport(t *testing.T) {
	var b bytes.Buffer
	if err := tables.Print(sampleReport(), &b, true, nil); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"| good-1 | data race | 0 | default | passes verification | 20.0 | 4.0 | 0 | yes; passed after 7 schedules | lockmethod | 2 | 4 | " + string(mutate.Nested) + " | 0 of 60 |",
		"| refuted: the test fails in 2 of 60 runs",
		"| not-fixed: the budget is spent | 180.0 | - | 0 | no: off: it cannot be instrumented | - | - |",
		"| default | 1 of 3 | 2 of 3 | 73.3 (20.0-180.0) | 12.0 of 2 |",
		"- 1 of 3 bugs are repaired, want 3",
		"- the checker takes part in 2 of 3 repairs, want 3",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the report has no %q:\n%s", want, &b)
		}
	}
}

// Validation counts from the first full score, and is judged by its median.
func TestSlowValidation(t *testing.T) {
	r := sampleReport()
	r.Bugs = r.Bugs[1:2]
	if got := strings.Join(r.Failures(), "\n"); !strings.Contains(got, "20.0 s from the first full score") {
		t.Errorf("failures %q", got)
	}
}

// A wrong entry of the manifest is a failure of the evaluation.
func TestManifestFailure(t *testing.T) {
	r := &report{manifestOnly: true, Bugs: []*bugReport{{Bug: repository.Bug{Name: "a"}, Manifest: &Manifested{Problem: "the test does not fail"}}, {Manifest: &Manifested{}}}}
	if f := r.Failures(); len(f) != 1 || !strings.Contains(f[0], "a: the test does not fail") {
		t.Errorf("failures %q", f)
	}
}

// The pages set each patch beside the human fix; what is in a patch is text.
func TestPages(t *testing.T) {
	dir := t.TempDir()
	if err := sampleReport().writePages(dir); err != nil {
		t.Fatal(err)
	}
	page := string(benchtest.Read(t, filepath.Join(dir, pagesName+".html")))
	for _, want := range []string{`<section id="good-1">`, `class="removed">-	n&#43;&#43;`, "mu.Lock() // &lt;b&gt;", "<dd>passes verification</dd>", "off: it cannot be instrumented", "https://github.com/o/n/commit/"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %q", want)
		}
	}
	text := string(benchtest.Read(t, filepath.Join(dir, pagesName+".md")))
	for _, want := range []string{"## refuted-2\n", "- verdict: refuted: the test fails in 2 of 60 runs", "```diff\n--- a/a.go", "4.0 s of them from the first full score"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page has no %q", want)
		}
	}
}

// What is done is not done again, unless verification is to be more thorough; what
// was made under other conditions is not mixed.
func TestContinue(t *testing.T) {
	dir := t.TempDir()
	saved := sampleReport()
	if err := (tables.Files{Dir: dir, Name: reportName}).Save(saved, nil); err != nil {
		t.Fatal(err)
	}
	o := Options{Out: dir}
	o.Limit, o.Runs = 180e9, 60
	arms, err := trial.ParseArms([]string{trial.DefaultArm})
	if err != nil {
		t.Fatal(err)
	}
	open := func(o Options, m tables.Machine) (*evaluation, error) {
		e := &evaluation{Options: o, armList: arms}
		return e, e.open(m)
	}
	e, err := open(o, saved.Machine)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range e.report.Bugs {
		if e.unfinished(b) {
			t.Errorf("%s is to be done again", b.Name)
		}
	}
	e.Runs = 100
	if !e.unfinished(e.report.Bugs[0]) || e.unfinished(e.report.Bugs[2]) {
		t.Error("a patch is to be verified again, and where there is none there is nothing to do")
	}
	if !e.unfinished(e.report.bug(repository.Bug{Name: "new-4"})) {
		t.Error("a new bug is to be repaired")
	}
	if _, err := open(o, tables.Machine{CPUs: 64}); err == nil {
		t.Error("results of two machines are mixed")
	}
	o.Limit = 60e9
	if _, err := open(o, saved.Machine); err == nil {
		t.Error("results with two budgets are mixed")
	}
	o.From = filepath.Join(dir, "nosuch.json")
	if _, err := open(o, saved.Machine); err == nil {
		t.Error("a report that is not there is verified")
	}
}
