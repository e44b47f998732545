package core

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
	"mendel/internal/bench/benchtest"
	"mendel/internal/bench/identity"
	"mendel/internal/bench/programs"
	"mendel/internal/bench/subject"
	"mendel/internal/bench/tables"
	"mendel/internal/bench/trial"
	"mendel/internal/bench/verify"
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

// worker is the fake as an evaluation takes it.
func (f *fakeWorker) worker(thorough string) worker {
	return worker{
		repair: func(_ context.Context, source string, seed uint64, arm trial.Arm) (trial.Trial, error) {
			if filepath.Base(source) == "fixed" {
				return trial.Trial{Seed: seed, Status: mendel.NotReproduced, Written: []string{"result.json"}}, f.call("corrected %s", subjectOf(source))
			}
			t := goodTrial(arm.Name, seed, 2, 3).Trial
			t.Patches = []string{fmt.Sprintf("patch %d", seed%2)}
			return t, f.call("%s %d %s", subjectOf(source), seed, arm.Name)
		},
		build: func(_ context.Context, source string) (buildTime, error) {
			return buildTime{Single: 0.5, Generation: 1, Mutants: 20}, f.call("build %s", subjectOf(source))
		},
		verify: func(_ context.Context, s subject.Subject, patch string) (*verify.Verification, error) {
			copy, err := identity.Module(s.Corrected())
			v := goodVerification()
			test, failed := verify.WiderHash(s)
			v.Effort, v.Copy, v.WiderTest = thorough, copy, test
			return v, errors.Join(err, failed, f.call("verify %s %s", s.Name, patch))
		},
		widen: func(_ context.Context, s subject.Subject) (*verify.Wider, error) {
			test, err := verify.WiderHash(s)
			copy, failed := identity.Module(s.Corrected())
			return &verify.Wider{Test: test, Copy: copy, Runs: 1, Original: "it fails"}, errors.Join(err, failed, f.call("widen %s", s.Name))
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
		benchtest.WriteFile(t, filepath.Join(dir, name, "subject.json"), `{"name": "`+name+`"}`)
		benchtest.WriteFile(t, filepath.Join(dir, name, "a.go"), "package a\n")
		benchtest.WriteFile(t, filepath.Join(dir, name, "testdata", "fixed", "a.go"), "package a // fixed\n")
		benchtest.WriteFile(t, subject.Subject{Dir: filepath.Join(dir, name)}.Wider(), "package a // wider\n")
	}
	return dir
}

// A fakeRun is a run of the core command with a fake worker.
type fakeRun struct {
	Options
	version  string
	machine  tables.Machine
	thorough string
	stopAt   int
}

// do opens the results and works; calls is what was done.
func (f fakeRun) do(t *testing.T) (r *evaluation, calls []string, err error) {
	t.Helper()
	arms, err := trial.ParseArms(f.Arms)
	if err != nil {
		t.Fatal(err)
	}
	subjects, err := subject.Read(f.Dir, f.Only)
	if err != nil {
		t.Fatal(err)
	}
	w := &fakeWorker{stopAt: f.stopAt}
	r = &evaluation{Options: f.Options, armList: arms, version: f.version, log: io.Discard, worker: w.worker(f.thorough)}
	if err := r.open(f.machine, subjects); err != nil {
		return r, nil, err
	}
	err = r.work(t.Context())
	return r, w.calls, err
}

func newFakeRun(t *testing.T) fakeRun {
	t.Helper()
	return fakeRun{
		Options: Options{Dir: fakeSubjects(t), Out: t.TempDir(), Arms: []string{trial.DefaultArm, "random"}, Seeds: 3, First: 1, Wider: 1, Effort: programs.Effort{Limit: time.Minute}},
		version: "v1", machine: tables.Machine{Go: "go1.26", CPUs: 2}, thorough: "much",
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
widen subject-a
widen subject-b
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
	if f := r.report.Failures(); len(f) > 0 {
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
	f.Seeds, f.Arms = 1, []string{trial.DefaultArm}
	if _, _, err := f.do(t); err != nil {
		t.Fatal(err)
	}
	f.Seeds, f.Arms, f.thorough, f.Only = 2, []string{trial.DefaultArm, "random"}, "more", []string{"subject-b"}
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
	f.Seeds = 1
	if _, _, err := f.do(t); err != nil {
		t.Fatal(err)
	}
	for what, c := range map[string]struct {
		change func(*fakeRun)
		mix    bool // allows it
	}{
		"--budget":        {func(f *fakeRun) { f.Limit = time.Hour }, false},
		"--workers":       {func(f *fakeRun) { f.Workers = 7 }, false},
		"--until":         {func(f *fakeRun) { f.Until = trial.UntilCandidate }, false},
		"another machine": {func(f *fakeRun) { f.machine.CPUs = 64 }, true},
		"another version": {func(f *fakeRun) { f.version = "v2" }, true},
	} {
		g := f
		c.change(&g)
		if _, _, err := g.do(t); err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("%s: error %v", what, err)
		}
		g.Mix = true
		if _, _, err := g.do(t); (err == nil) != c.mix {
			t.Errorf("%s with --mix: error %v", what, err)
		}
	}
}

// Where a repair ends with its candidate there is nothing to verify, builds are
// not timed, and what counts is how soon it came.
func TestCoreUntilCandidate(t *testing.T) {
	f := newFakeRun(t)
	f.Seeds, f.Until, f.Arms, f.Only = 1, trial.UntilCandidate, []string{trial.DefaultArm}, []string{"subject-a"}
	run, calls, err := f.do(t)
	if n := len(run.report.criteria()); n != 2 {
		t.Errorf("%d criteria, want those of candidates alone", n)
	}
	if want := []string{"subject-a 1 default"}; err != nil || !slices.Equal(calls, want) {
		t.Errorf("%q, want %q, error %v", calls, want, err)
	}
	trial := armTrial{Trial: trial.Trial{Until: trial.UntilCandidate, Status: mendel.NotFixed, Search: mendel.Search{Candidate: 7, Evaluations: 16, Generations: 2}}}
	s := &subjectReport{}
	if !s.ok(trial) || evaluations(trial) != 7 || generation(trial) != 2 || !strings.Contains(trial.Line(), "mutant 7, generation 2") {
		t.Errorf("ok %t, %v evaluations, generation %v: %s", s.ok(trial), evaluations(trial), generation(trial), trial.Line())
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
	f.Seeds, f.Arms = 1, []string{trial.DefaultArm}
	if _, _, err := f.do(t); err != nil {
		t.Fatal(err)
	}
	benchtest.WriteFile(t, filepath.Join(f.Dir, "subject-a", "testdata", "fixed", "a.go"), "package a // better\n")
	_, calls, err := f.do(t)
	if want := []string{"corrected subject-a", "widen subject-a", "verify subject-a patch 1"}; err != nil || !slices.Equal(calls, want) {
		t.Errorf("corrected copy changed: %q, want %q, error %v", calls, want, err)
	}
	benchtest.WriteFile(t, filepath.Join(f.Dir, "subject-b", "a.go"), "package a // other\n")
	_, calls, err = f.do(t)
	if want := []string{"subject-b 1 default", "build subject-b", "corrected subject-b", "widen subject-b", "verify subject-b patch 1"}; err != nil || !slices.Equal(calls, want) {
		t.Errorf("subject changed: %q, want %q, error %v", calls, want, err)
	}
	benchtest.WriteFile(t, subject.Subject{Dir: filepath.Join(f.Dir, "subject-a")}.Wider(), "package a // wider still\n")
	_, calls, err = f.do(t)
	if want := []string{"widen subject-a", "verify subject-a patch 1"}; err != nil || !slices.Equal(calls, want) {
		t.Errorf("wider test changed: %q, want %q, error %v", calls, want, err)
	}
}

// Timing and verification can be done apart.
func TestCoreVerifyOnly(t *testing.T) {
	f := newFakeRun(t)
	f.Seeds, f.Arms, f.NoVerify, f.Command = 1, []string{trial.DefaultArm}, true, "repair"
	_, calls, err := f.do(t)
	if err != nil || slices.ContainsFunc(calls, func(c string) bool { return strings.HasPrefix(c, "verify") || strings.HasPrefix(c, "corrected") }) {
		t.Errorf("--no-verify: %q, %v", calls, err)
	}
	f.NoVerify, f.From, f.Limit, f.Seeds, f.version, f.Command = false, filepath.Join(f.Out, "core.json"), time.Hour, 9, "v2", "verify"
	r, calls, err := f.do(t)
	want := []string{"corrected subject-a", "corrected subject-b", "widen subject-a", "widen subject-b", "verify subject-a patch 1", "verify subject-b patch 1"}
	if err != nil || !slices.Equal(calls, want) {
		t.Errorf("--verify-only: %q, %v", calls, err)
	}
	if r.report.Limit != "1m0s" || r.report.Command != "repair" {
		t.Errorf("the report's limit is %s now, its command %q", r.report.Limit, r.report.Command)
	}
	benchtest.WriteFile(t, filepath.Join(f.Dir, "subject-a", "a.go"), "package a // other\n")
	f.thorough = "more"
	r, calls, err = f.do(t)
	if want := []string{"verify subject-b patch 1"}; err != nil || !slices.Equal(calls, want) {
		t.Errorf("--verify-only of a changed subject: %q, %v", calls, err)
	}
	if a := r.report.subject("subject-a"); a == nil || len(a.Trials) != 1 || a.Patches[0].Verified.Effort != "much" {
		t.Errorf("what is known of the changed subject: %+v", a)
	}
	f.From = filepath.Join(f.Out, "nosuch.json")
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
	before := benchtest.Read(t, filepath.Join(f.Out, "core.json"))
	if err := r.save(nil); err == nil || !strings.Contains(err.Error(), "another process") {
		t.Errorf("saving over another's results: %v", err)
	}
	f.From, f.Out = filepath.Join(f.Out, "core.json"), t.TempDir()
	benchtest.WriteFile(t, filepath.Join(f.Out, "core.json"), "{}")
	if _, _, err := f.do(t); err == nil || !strings.Contains(err.Error(), "other results") {
		t.Errorf("--verify-only to where other results are: %v", err)
	}
	if after := benchtest.Read(t, f.From); string(after) != string(before) {
		t.Error("the results have changed")
	}
}

// There are no sets but the known ones.
func TestCoreRefusesSet(t *testing.T) {
	if (Options{Set: "none", Seeds: 1, First: 1, Rounds: 1, Check: 1, Effort: programs.Effort{Limit: 1, Runs: 1}}).validate() == nil {
		t.Error("there is a set none")
	}
}
