package core

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mendel"
	"mendel/checker/sched/explore"
	"mendel/internal/bench/benchtest"
	"mendel/internal/bench/subject"
	"mendel/internal/bench/tables"
	"mendel/internal/bench/trial"
	"mendel/internal/bench/verify"
	"mendel/mutate"
)

const goodID, poorID = "111111111111", "222222222222"

// goodTrial is a repair that came to a fix.
func goodTrial(arm string, seed uint64, seconds float64, evaluations int) armTrial {
	quality := &mendel.Quality{NewLocks: 1, LongestSection: 3, Blocking: []string{"bank.go:7: channel receive"}, Parallelism: 0.98}
	return armTrial{Arm: arm, Mendel: "aaa", PatchIDs: []string{goodID}, Trial: trial.Trial{
		Seed: seed, Status: mendel.Fixed, Seconds: seconds, Generation: 1, ChangedLines: 4, PeakBytes: 90 << 20, Fixes: 1, Quality: quality,
		Phases:   map[string]float64{"load": 0.5, "search": seconds - 0.5},
		Search:   mendel.Search{Evaluations: evaluations, Schedules: 1000, Runs: 150, Programs: 10, Executables: 2, BuildSeconds: 0.8},
		Building: trial.Building{Programs: 8, Seconds: 0.4},
	}}
}

// goodVerification speaks for a patch.
func goodVerification() *verify.Verification {
	return &verify.Verification{
		Effort: "some", Runs: 1000, WiderTest: "w1", Check: verify.Check{Verdict: explore.Exhausted, Bound: 2, Words: "exhausted up to 2 preemptions: 35 schedules of 2 tests", Schedules: 35},
		Parallelism: &verify.Parallelism{Patched: 1.8, Corrected: 1.9, Kept: 0.95, Least: 0.93, Most: 0.99, Rounds: 5},
	}
}

// sampleReport has a subject that meets all criteria and, unless only that is
// wanted, one that meets few.
func sampleReport(all bool) *report {
	good := &subjectReport{
		Subject: subject.Subject{Name: "account", Kind: "race", COREIMCTime: "3m29s"}, Source: "s1",
		Trials:    []armTrial{goodTrial(trial.DefaultArm, 1, 5, 20), goodTrial(trial.DefaultArm, 2, 7, 40)},
		Patches:   []*patchReport{{ID: goodID, Text: "diff", Verified: goodVerification()}},
		Corrected: &correctedTrial{Trial: trial.Trial{Status: mendel.NotReproduced}, Written: []string{"result.json"}},
		Wider:     &verify.Wider{Test: "w1", Original: "go test: exit status 1"},
		Builds:    []buildTime{{Seed: 1, Single: 0.2, Generation: 1, Mutants: 20}, {Seed: 2, Single: 0.3, Generation: 0.8, Mutants: 20}, {Seed: 3, Single: 0.25, Generation: 0.9, Mutants: 20}},
	}
	r := &report{
		Machine: tables.Machine{Go: "go1.26.8", System: "linux/amd64", CPUs: 2}, Command: "go run ./cmd/mendel-bench core", Limit: "2m0s",
		Subjects: []*subjectReport{good},
	}
	if !all {
		return r
	}
	poor := goodVerification()
	poor.Noised, poor.Serialised, poor.Runs = "noised run 3 (seed 7) failed: race | x", []string{"p.go:7"}, 3
	poor.Check = verify.Check{Verdict: explore.Inconclusive, Words: "inconclusive: why"}
	poor.Parallelism.Kept = 0.5
	poor.Wider = "go test: exit status 1: WARNING: DATA RACE"
	slow := goodTrial(trial.DefaultArm, 1, 70, 100)
	slow.PatchIDs, slow.ChangedLines, slow.PeakBytes = []string{poorID, goodID}, 40, 600<<20
	slow.Building.Seconds, slow.Flags = 10, []mutate.Flag{mutate.Nested}
	none := armTrial{Arm: trial.DefaultArm, Mendel: "bbb", Trial: trial.Trial{Seed: 2, Status: mendel.NotFixed, Seconds: 90, Reason: "generations exhausted"}}
	none.Problem("it took longer than the 2m0s allowed")
	r.Subjects = append(r.Subjects, &subjectReport{
		Subject: subject.Subject{Name: "buffer", Kind: "blocked"}, Trials: []armTrial{slow, none},
		Patches:   []*patchReport{{ID: goodID, Text: "diff", Verified: goodVerification()}, {ID: poorID, Text: "poor", Verified: poor}},
		Corrected: &correctedTrial{Trial: trial.Trial{Status: mendel.Fixed}, Written: []string{"fix-1.patch", "result.json"}},
		Wider:     &verify.Wider{Test: "w1"},
		Builds:    []buildTime{{Seed: 1, Single: 0.5, Generation: 2, Mutants: 10}},
	})
	return r
}

func TestCoreReportMet(t *testing.T) {
	r := sampleReport(false)
	var b bytes.Buffer
	if err := tables.Print(r, &b, false, nil); err != nil {
		t.Fatal(err)
	}
	golden(t, "core-met.txt", b.Bytes())
}

func TestCoreReportNotMet(t *testing.T) {
	var b bytes.Buffer
	if err := tables.Print(sampleReport(true), &b, true, errors.New("interrupted")); err != nil {
		t.Fatal(err)
	}
	golden(t, "core-not-met.md", b.Bytes())
}

// golden compares with a file in testdata.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	name = filepath.Join("testdata", name)
	if *benchtest.Update {
		if err := os.WriteFile(name, got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(string(benchtest.Read(t, name)), string(got)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

// One seed in ten may fail to give a fix.
func TestEnoughFixed(t *testing.T) {
	s := &subjectReport{Patches: []*patchReport{{ID: goodID}}}
	for seed := range uint64(30) {
		s.Trials = append(s.Trials, goodTrial(trial.DefaultArm, seed, 1, 1))
	}
	for i := range 4 {
		if want := i <= 3; s.enoughFixed(trial.DefaultArm) != want {
			t.Errorf("%d of 30 seeds without a fix: enough is %v", i, !want)
		}
		s.Trials[i].Status = mendel.NotFixed
	}
	if s.enoughFixed(trial.DefaultArm) {
		t.Error("4 of 30 seeds without a fix are too many")
	}
	if s.enoughFixed("random") {
		t.Error("an arm without trials has fixed nothing")
	}
}

// A fix that verification speaks against is none, in whatever trial; whether it
// keeps the parallelism is another question.
func TestRefutedFix(t *testing.T) {
	r := sampleReport(false)
	s := r.Subjects[0]
	s.Patches[0].Verified.Parallelism.Kept = 0.1
	if n := len(s.fixed(trial.DefaultArm)); n != 2 {
		t.Errorf("fixed %d times, want 2", n)
	}
	s.Patches[0].Verified.Plain = "go test: exit status 1"
	if n := len(s.fixed(trial.DefaultArm)); n != 0 {
		t.Errorf("a refuted patch fixes %d times", n)
	}
}

// What was not measured is not met, and the report says so.
func TestNotMeasured(t *testing.T) {
	r := sampleReport(false)
	r.Subjects[0].Patches[0].Verified = nil
	r.Subjects[0].Corrected, r.Subjects[0].Builds = nil, nil
	var missing []string
	for _, c := range r.criteria() {
		if c.word() == "not measured" {
			missing = append(missing, c.Asked)
		}
	}
	if len(missing) != 7 || len(r.Failures()) != 7 {
		t.Errorf("not measured: %q; failures %q", missing, r.Failures())
	}
	for i, c := range (&report{}).criteria() {
		if c.word() != "not measured" {
			t.Errorf("criterion %d of an empty report: %s", i, c.word())
		}
	}
}

// Patches of other arms are not what is judged.
func TestCriteriaAreOfDefaultArm(t *testing.T) {
	r := sampleReport(false)
	s := r.Subjects[0]
	other := goodTrial("checker-only", 1, 500, 3)
	other.PatchIDs = []string{poorID}
	s.Trials = append(s.Trials, other)
	s.Patches = append(s.Patches, &patchReport{ID: poorID, Verified: &verify.Verification{Broken: "git apply: no"}})
	if f := r.Failures(); len(f) > 0 {
		t.Errorf("failures %q", f)
	}
	if got := r.armTable().Rows[1]; !slices.Equal(got, []string{"checker-only", "0 of 1", "0 of 1", "500.0", "-", "-", "0.67", "1"}) {
		t.Errorf("the other arm's line: %q", got)
	}
}

func TestReadCore(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "core.json")
	if r, err := readReport(name); r != nil || err != nil {
		t.Errorf("no file: %v, %v", r, err)
	}
	want := sampleReport(true)
	if err := (tables.Files{Dir: dir, Name: reportName}).Save(want, nil); err != nil {
		t.Fatal(err)
	}
	got, err := readReport(name)
	if err != nil {
		t.Fatal(err)
	}
	a, _ := json.Marshal(want)
	b, _ := json.Marshal(got)
	if !bytes.Equal(a, b) {
		t.Errorf("read back:\n%s\nwant\n%s", b, a)
	}
	for what, spoil := range map[string]func(*report){
		"no patch":        func(r *report) { r.Subjects[0].Patches = nil },
		"no mutants":      func(r *report) { r.Subjects[0].Builds[0].Mutants = 0 },
		"without a patch": func(r *report) { r.Subjects[0].Trials[0].PatchIDs = nil },
	} {
		r := sampleReport(false)
		spoil(r)
		data, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		benchtest.WriteFile(t, name, string(data))
		if _, err := readReport(name); err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("%s: error %v", what, err)
		}
	}
	benchtest.WriteFile(t, name, "{")
	if _, err := readReport(name); err == nil {
		t.Error("half a file is no error")
	}
}

// Arms are compared by pairs of one subject and seed.
func TestPairs(t *testing.T) {
	r := sampleReport(false)
	s := r.Subjects[0]
	failed := goodTrial("random", 2, 100, 90)
	failed.Status, failed.PatchIDs = mendel.NotFixed, nil
	s.Trials = append(s.Trials, goodTrial("random", 1, 10, 20), failed, goodTrial("random", 3, 1, 1))
	got := r.pair("random")
	if got.pairs != 2 || got.fixed != (score{forDefault: 1}) || got.evaluations != (score{forDefault: 1}) || got.seconds != (score{forDefault: 2}) {
		t.Errorf("pairs %+v", got)
	}
	want := []string{"random", "2", "1 : 0 (p = 1)", "1.00", "1 : 0 (p = 1)", "2.00", "2 : 0 (p = 0.5)"}
	if rows := r.pairTable().Rows; len(rows) != 1 || !slices.Equal(rows[0], want) {
		t.Errorf("table %q, want %q", rows, want)
	}
	if rows := r.armSubjectTable().Rows; len(rows) != 1 || !slices.Equal(rows[0], []string{"account", "2 of 2, 30.0, 6.0 s", "2 of 3, 10.5, 37.0 s"}) {
		t.Errorf("by subject %q", rows)
	}
}

// Our own subjects have criteria of their own: no single repair may take long.
func TestOwnCriteria(t *testing.T) {
	r := &report{Subjects: []*subjectReport{{
		Subject: subject.Subject{Name: "a", Class: "double close"},
		Trials:  []armTrial{{Trial: trial.Trial{Seconds: 3, Status: mendel.Fixed}, Arm: trial.DefaultArm}, {Trial: trial.Trial{Seed: 2, Seconds: 31, Status: mendel.Fixed}, Arm: trial.DefaultArm}},
	}}}
	if !slices.Contains(r.Failures(), "a, seed 2: 31.0 s, want at most 30 s") {
		t.Errorf("failures %q", r.Failures())
	}
	r.Subjects = append(r.Subjects, &subjectReport{Subject: subject.Subject{Name: "b"}})
	if r.own() {
		t.Error("CORE's subjects count as our own")
	}
}
