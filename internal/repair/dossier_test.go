package repair

import (
	"bytes"
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"mendel/analysis"
	"mendel/analysis/analysistest"
	"mendel/evolve"
	"mendel/fitness"
	"mendel/internal/dossier"
	"mendel/internal/gotool"
	"mendel/internal/operators"
	"mendel/internal/repair/original"
	"mendel/internal/report"
	"mendel/internal/result"
	"mendel/mutate"
	"mendel/validate"
)

const racingCounter = `package counter

import "sync"

type Counter struct {
	mu   sync.Mutex
	n    int
	last string
}

func (c *Counter) Add(name string) {
	c.n++
	c.last = name
}
`

// repairing is a session that has seen the counter fail and has not searched,
// with the judges it would search by.
func repairing(t *testing.T) (s *session, j *judges, counter string) {
	t.Helper()
	dir := t.TempDir()
	counter = filepath.Join(dir, "counter.go")
	for name, text := range map[string]string{
		"go.mod":     "module example.com/counter\n\ngo 1.25\n",
		"counter.go": racingCounter,
		"counter_test.go": `package counter

import (
	"sync"
	"testing"
)

func TestAdd(t *testing.T) {
	var c Counter
	var wg sync.WaitGroup
	for _, name := range []string{"a", "b"} {
		wg.Go(func() { c.Add(name) })
	}
	wg.Wait()
}
`,
	} {
		if err := gotool.WriteFile(filepath.Join(dir, name), []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	ctx := context.Background()
	s = sessionFor(result.Wanted{Dir: dir, Out: t.TempDir()})
	env := envFor(s.wanted)
	env.Progress = s.progress
	var err error
	if env.Tool, err = gotool.Open(ctx, dir); err != nil {
		t.Fatal(err)
	}
	if env.Program, err = analysistest.Load(ctx, env.Tool, analysis.Target{Dir: dir, Package: "."}); err != nil {
		t.Fatal(err)
	}
	base := original.New(env.Setup, nil, nil)
	if err := base.Explore(ctx); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(base.Close)
	source := fitness.NewCheckerSource(fitness.CheckerOptions{Checker: base.Explorer, Original: base.Checked})
	return s, &judges{environment: env, base: base, source: source}, counter
}

// stagesOf are the stages of a repair that has come to an outcome.
func stagesOf(j *judges, out *outcome) *stages {
	return &stages{env: j.environment, base: j.base, reproduced: true, outcome: out}
}

// withLock is a mutant in which c.mu is held from one line of Add to another.
func withLock(t *testing.T, counter, hash, from, to string) *mutate.Mutant {
	t.Helper()
	text := strings.Replace(racingCounter, from, "c.mu.Lock()\n\t"+from, 1)
	text = strings.Replace(text, to, to+"\n\tc.mu.Unlock()", 1)
	if strings.Count(text, "\n") != strings.Count(racingCounter, "\n")+2 {
		t.Fatalf("no %q to %q", from, to)
	}
	return &mutate.Mutant{
		Hash: hash, Files: map[string][]byte{counter: []byte(text)},
		Edits: []mutate.Edit{{Operator: "lockstatement", File: "counter.go", Line: 12, Func: "(*Counter).Add", Vars: []string{"Counter.n"}}},
	}
}

// locked is the mutant in which Add holds c.mu for all that it does.
func locked(t *testing.T, j *judges) *mutate.Mutant {
	t.Helper()
	n, err := analysis.Narrow(context.Background(), j.Program)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range j.base.Failures {
		n.Merge(original.ByChecker, f.Failure)
	}
	space, err := mutate.NewSpace(j.Program, n, operators.All())
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range space.Edits() {
		if e.Operator == "addlock" && e.Form == "method" && e.Lock != nil && e.Lock.Expr == "c.mu" {
			m, err := space.Mutant(context.Background(), []mutate.Edit{e})
			if err != nil {
				t.Fatal(err)
			}
			return m
		}
	}
	t.Fatalf("no edit locks all of Add: %+v", space.Edits())
	return nil
}

// The dossier of a fixed program has the failing execution of the original and
// the same schedule under the fix, and can be read again.
func TestDossierFixed(t *testing.T) {
	s, j, _ := repairing(t)
	fixed := locked(t, j)
	out := &outcome{}
	out.history = newHistory(time.Now(), 0)
	out.history.observe(evolve.Event{Generation: 1, Evaluations: 1, Best: 1000, Mean: 1000, Mutant: fixed, Result: fitness.Result{Score: 1000}, Operator: "lockstatement"})
	out.fixes = []validatedFix{{Fix: &validate.Fix{Mutant: fixed}, generation: 1}}
	built, err := j.base.Explorer.Checker.Obtain(t.Context(), fixed.Files) // what shows it has some seconds
	if err != nil {
		t.Fatal(err)
	}
	if err := built.Close(); err != nil {
		t.Fatal(err)
	}
	j.show(t.Context(), out)
	r, err := s.assemble(t.Context(), t.Context(), stagesOf(j, out), nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.saveDossier(r, stagesOf(j, out)); err != nil {
		t.Fatal(err)
	}
	d, err := dossier.Read(s.wanted.Out)
	if err != nil {
		t.Fatal(err)
	}
	if d.Status != "fixed" || d.Module != "example.com/counter" || len(d.Search.History) != 1 || len(d.Notes) > 0 {
		t.Errorf("%+v", d)
	}
	traced := slices.IndexFunc(d.Failures, func(f dossier.FailureRecord) bool { return f.Trace != nil })
	if traced < 0 || d.Failures[traced].Schedule == "" || len(d.Failures[traced].Places) != 2 {
		t.Fatalf("failures %+v", d.Failures)
	}
	before := d.Failures[traced].Trace
	if !before.Failed || before.Conflict[0] < 0 || before.Conflict[1] <= before.Conflict[0] || len(before.Bars) > 0 {
		t.Errorf("before: %+v", before)
	}
	if row := before.Rows[before.Conflict[0]]; row.File != "counter.go" || row.Line < 12 || row.Line > 13 || !strings.HasPrefix(row.Op, "write c.") {
		t.Errorf("the first access: %+v", row)
	}
	fix := d.Fixes[0]
	if e := r.Fixes[0].Evidence; !slices.Equal(e.Limits, fix.Evidence.Limits) || e.OtherTests != fix.Evidence.OtherTests || len(e.Limits) == 0 {
		t.Errorf("result.json and the dossier disagree:\n%+v\n%+v", e, fix.Evidence)
	}
	if diff := cmp.Diff(r.Fixes[0].Diff, string(report.PatchFile(&fix))); diff != "" {
		t.Errorf("the dossier gives another patch than the file:\n%s", diff)
	}
	if fix.Patch != "fix-1.patch" || len(fix.Edits) != 1 || len(fix.Edits[0].Conflicts) == 0 || fix.Edits[0].Conflicts[0].Func != "(*Counter).Add" ||
		len(fix.Files) != 1 || fix.Files[0].Before != racingCounter || strings.Contains(fix.Diff, "Fix data race") {
		t.Errorf("fix: %+v", fix)
	}
	after := fix.Replays[traced]
	if after == nil || after.Failed || after.Diverged == "" || after.Ending != "every goroutine is done" {
		t.Fatalf("after: %+v", after)
	}
	if !slices.Equal(after.IDs, before.IDs) {
		t.Errorf("columns %v, want %v", after.IDs, before.IDs)
	}
	var accesses []int // of goroutines
	for i, row := range after.Rows {
		if row.Op == before.Rows[before.Conflict[0]].Op {
			accesses = append(accesses, row.G)
			if bar := after.Bars[len(accesses)-1]; bar.G != row.G || i < bar.From || i > bar.To {
				t.Errorf("row %d is not in the section %+v", i, bar)
			}
		}
	}
	if len(accesses) != 2 || accesses[0] == accesses[1] {
		t.Errorf("the accesses under the fix are by %v: %+v", accesses, after.Rows)
	}
	if n := len(after.Bars); n != 2 || after.Bars[0].Lock != "c.mu" || after.Bars[0].To > after.Bars[1].From {
		t.Errorf("bars %+v", after.Bars)
	}
}

// Of mutants that are no fix the dossier and the output tell what remains, and
// show it. Time that is over is noted, and no error.
func TestDossierPartial(t *testing.T) {
	s, j, counter := repairing(t)
	half := withLock(t, counter, "half", "c.n++", "c.n++")
	refuted := withLock(t, counter, "refuted", "c.n++", "c.last = name")
	refuted.Edits[0].Line, refuted.Edits[0].Node = 13, 1
	rejected := []rejection{{&validate.Rejected{Mutant: refuted, Reason: "it deadlocks"}, 0}}
	j.before.Score = 100
	found := &evolve.Result{Best: []evolve.Scored{
		{Mutant: refuted, Result: fitness.Result{Score: 1000, Runs: 15, Passes: 15}},
		{Mutant: half, Result: fitness.Result{Score: 300, Runs: 30, Passes: 9, Verdict: "failed"}},
		{Mutant: &mutate.Mutant{Hash: "broken"}, Result: fitness.Result{Score: 300, Refused: "does not build"}},
		{Mutant: half, Result: fitness.Result{Score: 100}}, // as the original
	}}
	out := &outcome{reason: "the search no longer improves", partial: j.partial(t.Context(), found, rejected)}
	if len(out.partial) != 2 {
		t.Fatalf("%d partial mutants: %+v", len(out.partial), out.partial)
	}
	r, err := s.assemble(t.Context(), t.Context(), stagesOf(j, out), nil)
	if err != nil {
		t.Fatal(err)
	}
	d := s.dossier(r, stagesOf(j, out))
	if p := d.Partial[0]; !slices.Equal(p.Remains, []string{"rejected: it deadlocks"}) || p.Trace != nil {
		t.Errorf("the refuted one: %+v", p)
	}
	p := d.Partial[1]
	if len(p.Remains) != 1 || !strings.Contains(p.Remains[0], "data race") || p.Trace == nil || !p.Trace.Failed || len(p.Trace.Bars) == 0 ||
		!strings.Contains(p.Diff, "+\tc.mu.Lock()") {
		t.Errorf("the half one: %+v", p)
	}
	if len(d.Suspects) == 0 {
		t.Fatal("no suspects")
	}
	if first := d.Suspects[0]; first.Place.File != "counter.go" || first.Place.Line != 12 || first.Place.Text != "c.n++" || first.Variable != "Counter.n" || first.Partner == nil || first.Says == "" {
		t.Errorf("the first suspect: %+v", first)
	}
	var text bytes.Buffer
	if err := r.Print(&text, false); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"What came closest:\n  1. lockstatement at counter.go:13: passes 15 of 15 runs\n     remains: rejected: it deadlocks", "passes 9 of 30 sampled", "remains: data race"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %q in:\n%s", want, &text)
		}
	}
	over, cancel := context.WithTimeout(context.Background(), 0)
	defer cancel()
	again := j.partial(over, found, rejected)
	if notes := s.progress.Noted(); len(notes) != 1 || !strings.Contains(notes[0], "the time is over") || len(again) != 2 {
		t.Errorf("without time: %v, %d partial", notes, len(again))
	}
}

// A repair that has not come to a program has a dossier all the same.
func TestDossierEarly(t *testing.T) {
	s := sessionFor(result.Wanted{Out: t.TempDir(), Budget: time.Minute})
	early := &result.Result{Status: result.NotReproduced, Reason: "interrupted"}
	done := &stages{env: envFor(result.Wanted{})}
	if err := s.saveDossier(early, done); err != nil {
		t.Fatal(err)
	}
	d, err := dossier.Read(s.wanted.Out)
	if err != nil || d.Status != "not-reproduced" || d.Budget != 60 {
		t.Errorf("%+v, %v", d, err)
	}
	if err := sessionFor(result.Wanted{}).saveDossier(early, done); err != nil {
		t.Errorf("without an output directory: %v", err)
	}
}
