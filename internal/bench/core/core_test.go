package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"mendel"
)

// A fakeWorker notes what it is asked for and does nothing of it.
type fakeWorker struct {
	calls  []string
	stopAt int // call that is interrupted, from 1; 0: none
}

var errInterrupted = errors.New("interrupted")

func (f *fakeWorker) call(format string, args ...any) error {
	if f.stopAt > 0 && len(f.calls)+1 >= f.stopAt {
		return errInterrupted
	}
	f.calls = append(f.calls, fmt.Sprintf(format, args...))
	return nil
}

// worker is the fake as a coreRun takes it.
func (f *fakeWorker) worker(thorough string) worker {
	return worker{
		repair: func(_ context.Context, source string, seed uint64, arm Arm) (Trial, error) {
			if filepath.Base(source) == "fixed" {
				return Trial{Seed: seed, Status: mendel.NotReproduced, written: []string{"result.json"}}, f.call("corrected %s", subjectOf(source))
			}
			t := goodTrial(arm.Name, seed, 2, 3).Trial
			t.patches = []string{fmt.Sprintf("patch %d", seed%2)}
			return t, f.call("%s %d %s", subjectOf(source), seed, arm.Name)
		},
		build: func(_ context.Context, source string) (BuildTime, error) {
			return BuildTime{Single: 0.5, Generation: 1, Mutants: 20}, f.call("build %s", subjectOf(source))
		},
		verify: func(_ context.Context, s Subject, patch string) (*Verification, error) {
			copy, err := moduleID(s.corrected())
			v := goodVerification()
			v.Effort, v.Copy = thorough, copy
			return v, errors.Join(err, f.call("verify %s %s", s.Name, patch))
		},
		thorough: thorough,
	}
}

// subjectOf is the name of the subject in whose directory something lies.
func subjectOf(dir string) string {
	return regexp.MustCompile(`subject-\w+`).FindString(dir)
}

// fakeSubjects writes two subjects and returns their directory.
func fakeSubjects(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"subject-a", "subject-b"} {
		writeFile(t, filepath.Join(dir, name, "subject.json"), `{"name": "`+name+`"}`)
		writeFile(t, filepath.Join(dir, name, "a.go"), "package a\n")
		writeFile(t, filepath.Join(dir, name, "testdata", "fixed", "a.go"), "package a // fixed\n")
	}
	return dir
}

// A fakeRun is a run of the core command with a fake worker.
type fakeRun struct {
	coreOptions
	version  string
	machine  Machine
	thorough string
	stopAt   int
}

// do opens the results and works; calls is what was done.
func (f fakeRun) do(t *testing.T) (r *coreRun, calls []string, err error) {
	t.Helper()
	arms, err := parseArms(f.arms)
	if err != nil {
		t.Fatal(err)
	}
	subjects, err := readSubjects(f.dir, f.only)
	if err != nil {
		t.Fatal(err)
	}
	w := &fakeWorker{stopAt: f.stopAt}
	r = &coreRun{coreOptions: f.coreOptions, armList: arms, version: f.version, log: io.Discard, worker: w.worker(f.thorough)}
	if err := r.open(f.machine, subjects); err != nil {
		return r, nil, err
	}
	err = r.work(t.Context())
	return r, w.calls, err
}

func newFakeRun(t *testing.T) fakeRun {
	t.Helper()
	return fakeRun{
		coreOptions: coreOptions{dir: fakeSubjects(t), out: t.TempDir(), arms: []string{defaultArm, "random"}, seeds: 3, first: 1, effort: effort{Limit: time.Minute}},
		version:     "v1", machine: Machine{Go: "go1.26", CPUs: 2}, thorough: "much",
	}
}

// everything is what newFakeRun has to do, in order: seed by seed, the arms in
// turn, verification when no more repair is timed, each distinct patch once.
var everything = strings.Split(strings.TrimSpace(`
subject-a 1 default
subject-a 1 random
build subject-a
subject-b 1 default
subject-b 1 random
build subject-b
subject-a 2 random
subject-a 2 default
build subject-a
subject-b 2 random
subject-b 2 default
build subject-b
subject-a 3 default
subject-a 3 random
build subject-a
subject-b 3 default
subject-b 3 random
build subject-b
corrected subject-a
corrected subject-b
verify subject-a patch 1
verify subject-a patch 0
verify subject-b patch 1
verify subject-b patch 0`), "\n")

func TestCoreOrder(t *testing.T) {
	r, calls, err := newFakeRun(t).do(t)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(calls, everything) {
		t.Errorf("done:\n%s", strings.Join(calls, "\n"))
	}
	if f := r.report.failures(); len(f) > 0 {
		t.Errorf("failures %q", f)
	}
}

// Wherever a run is interrupted, the next one does what is left, once.
func TestCoreResumes(t *testing.T) {
	whole, _, err := newFakeRun(t).do(t)
	if err != nil {
		t.Fatal(err)
	}
	for stop := 1; stop <= len(everything); stop++ {
		f := newFakeRun(t)
		f.stopAt = stop
		_, first, err := f.do(t)
		if !errors.Is(err, errInterrupted) {
			t.Fatalf("interrupted at %d: %v", stop, err)
		}
		f.stopAt = 0
		r, second, err := f.do(t)
		if err != nil {
			t.Fatalf("resumed at %d: %v", stop, err)
		}
		// A single build that was timed last is not saved until the next repair is.
		if done := slices.Concat(first, second); !slices.Equal(slices.Compact(done), everything) {
			t.Errorf("interrupted at %d, done:\n%s", stop, strings.Join(done, "\n"))
		}
		if a, b := len(r.report.Subjects[0].Trials), len(whole.report.Subjects[0].Trials); a != b {
			t.Errorf("interrupted at %d: %d trials, want %d", stop, a, b)
		}
		if _, again, err := f.do(t); err != nil || len(again) > 0 {
			t.Errorf("run a third time: %q, %v", again, err)
		}
	}
}

// More seeds and arms add to what there is; more thorough verification is made anew.
func TestCoreExtends(t *testing.T) {
	f := newFakeRun(t)
	f.seeds, f.arms = 1, []string{defaultArm}
	if _, _, err := f.do(t); err != nil {
		t.Fatal(err)
	}
	f.seeds, f.arms, f.thorough, f.only = 2, []string{defaultArm, "random"}, "more", []string{"subject-b"}
	r, calls, err := f.do(t)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"subject-b 1 random", "subject-b 2 random", "subject-b 2 default", "build subject-b",
		"verify subject-b patch 1", "verify subject-b patch 0",
	}
	if !slices.Equal(calls, want) {
		t.Errorf("done %q, want %q", calls, want)
	}
	if n := len(r.report.Subjects); n != 2 {
		t.Errorf("the report has %d subjects, want both", n)
	}
}

func TestCoreRefusesToMix(t *testing.T) {
	f := newFakeRun(t)
	f.seeds = 1
	if _, _, err := f.do(t); err != nil {
		t.Fatal(err)
	}
	for what, c := range map[string]struct {
		change func(*fakeRun)
		mix    bool // allows it
	}{
		"--budget":        {func(f *fakeRun) { f.Limit = time.Hour }, false},
		"--workers":       {func(f *fakeRun) { f.Workers = 7 }, false},
		"--until":         {func(f *fakeRun) { f.Until = untilCandidate }, false},
		"another machine": {func(f *fakeRun) { f.machine.CPUs = 64 }, true},
		"another version": {func(f *fakeRun) { f.version = "v2" }, true},
	} {
		g := f
		c.change(&g)
		if _, _, err := g.do(t); err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("%s: error %v", what, err)
		}
		g.mix = true
		if _, _, err := g.do(t); (err == nil) != c.mix {
			t.Errorf("%s with --mix: error %v", what, err)
		}
	}
}

// Where a repair ends with its candidate there is nothing to verify, builds are
// not timed, and what counts is how soon it came.
func TestCoreUntilCandidate(t *testing.T) {
	f := newFakeRun(t)
	f.seeds, f.Until, f.arms, f.only = 1, untilCandidate, []string{defaultArm}, []string{"subject-a"}
	run, calls, err := f.do(t)
	if n := len(run.report.criteria()); n != 2 {
		t.Errorf("%d criteria, want those of candidates alone", n)
	}
	if want := []string{"subject-a 1 default"}; err != nil || !slices.Equal(calls, want) {
		t.Errorf("%q, want %q, error %v", calls, want, err)
	}
	trial := CoreTrial{Trial: Trial{Until: untilCandidate, Status: mendel.NotFixed, Search: mendel.Search{Candidate: 7, Evaluations: 16, Generations: 2}}}
	s := &CoreSubject{}
	if !s.ok(trial) || evaluations(trial) != 7 || generation(trial) != 2 || !strings.Contains(trial.line(), "mutant 7, generation 2") {
		t.Errorf("ok %t, %v evaluations, generation %v: %s", s.ok(trial), evaluations(trial), generation(trial), trial.line())
	}
	trial.Search.Candidate = 0
	if s.ok(trial) || evaluations(trial) != 16 {
		t.Errorf("without a candidate: ok %t, %v evaluations", s.ok(trial), evaluations(trial))
	}
}

// What is known of a subject that has changed since is worth nothing; of a
// corrected copy that has, only what was compared with it.
func TestCoreChangedSubject(t *testing.T) {
	f := newFakeRun(t)
	f.seeds, f.arms = 1, []string{defaultArm}
	if _, _, err := f.do(t); err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(f.dir, "subject-a", "testdata", "fixed", "a.go"), "package a // better\n")
	_, calls, err := f.do(t)
	if want := []string{"corrected subject-a", "verify subject-a patch 1"}; err != nil || !slices.Equal(calls, want) {
		t.Errorf("corrected copy changed: %q, want %q, error %v", calls, want, err)
	}
	writeFile(t, filepath.Join(f.dir, "subject-b", "a.go"), "package a // other\n")
	_, calls, err = f.do(t)
	if want := []string{"subject-b 1 default", "build subject-b", "corrected subject-b", "verify subject-b patch 1"}; err != nil || !slices.Equal(calls, want) {
		t.Errorf("subject changed: %q, want %q, error %v", calls, want, err)
	}
}

// Timing and verification can be done apart.
func TestCoreVerifyOnly(t *testing.T) {
	f := newFakeRun(t)
	f.seeds, f.arms, f.noVerify, f.command = 1, []string{defaultArm}, true, "repair"
	_, calls, err := f.do(t)
	if err != nil || slices.ContainsFunc(calls, func(c string) bool { return strings.HasPrefix(c, "verify") || strings.HasPrefix(c, "corrected") }) {
		t.Errorf("--no-verify: %q, %v", calls, err)
	}
	f.noVerify, f.from, f.Limit, f.seeds, f.version, f.command = false, filepath.Join(f.out, "core.json"), time.Hour, 9, "v2", "verify"
	r, calls, err := f.do(t)
	want := []string{"corrected subject-a", "corrected subject-b", "verify subject-a patch 1", "verify subject-b patch 1"}
	if err != nil || !slices.Equal(calls, want) {
		t.Errorf("--verify-only: %q, %v", calls, err)
	}
	if r.report.Limit != "1m0s" || r.report.Command != "repair" {
		t.Errorf("the report's limit is %s now, its command %q", r.report.Limit, r.report.Command)
	}
	writeFile(t, filepath.Join(f.dir, "subject-a", "a.go"), "package a // other\n")
	f.thorough = "more"
	r, calls, err = f.do(t)
	if want := []string{"verify subject-b patch 1"}; err != nil || !slices.Equal(calls, want) {
		t.Errorf("--verify-only of a changed subject: %q, %v", calls, err)
	}
	if a := r.report.subject("subject-a"); a == nil || len(a.Trials) != 1 || a.Patches[0].Verified.Effort != "much" {
		t.Errorf("what is known of the changed subject: %+v", a)
	}
	f.from = filepath.Join(f.out, "nosuch.json")
	if _, _, err := f.do(t); err == nil || !strings.Contains(err.Error(), "there is no") {
		t.Errorf("no such file: %v", err)
	}
}

// Two runs with one output directory do not write over each other's results.
func TestCoreGuardsResults(t *testing.T) {
	f := newFakeRun(t)
	f.stopAt = 2
	r, _, err := f.do(t)
	if !errors.Is(err, errInterrupted) {
		t.Fatal(err)
	}
	f.stopAt = 0
	if _, _, err := f.do(t); err != nil {
		t.Fatal(err)
	}
	before := read(t, filepath.Join(f.out, "core.json"))
	if err := r.save(nil); err == nil || !strings.Contains(err.Error(), "another process") {
		t.Errorf("saving over another's results: %v", err)
	}
	f.from, f.out = filepath.Join(f.out, "core.json"), t.TempDir()
	writeFile(t, filepath.Join(f.out, "core.json"), "{}")
	if _, _, err := f.do(t); err == nil || !strings.Contains(err.Error(), "other results") {
		t.Errorf("--verify-only to where other results are: %v", err)
	}
	if after := read(t, f.from); string(after) != string(before) {
		t.Error("the results have changed")
	}
}

// There are no sets but the known ones.
func TestCoreRefusesSet(t *testing.T) {
	if (coreOptions{set: "none", seeds: 1, first: 1, rounds: 1, check: 1, effort: effort{Limit: 1, Runs: 1}}).validate() == nil {
		t.Error("there is a set none")
	}
}
