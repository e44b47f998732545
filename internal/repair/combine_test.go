package repair

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"mendel/analysis"
	"mendel/analysis/evidence"
	"mendel/internal/dossier"
	"mendel/internal/repair/original"
	"mendel/internal/result"
	"mendel/internal/sample"
	"mendel/mutate"
)

// The best fixes of all come first, then those with one that is second best.
func TestCombinations(t *testing.T) {
	fix := func(name string) result.Fix { return result.Fix{Patch: name} }
	choices := [][]result.Fix{{fix("a1"), fix("a2")}, {fix("b1"), fix("b2"), fix("b3")}}
	var got []string
	for _, stack := range combinations(choices, 4) {
		var names []string
		for _, f := range stack {
			names = append(names, f.Patch)
		}
		got = append(got, strings.Join(names, "+"))
	}
	if want := []string{"a1+b1", "a1+b2", "a2+b1", "a1+b3"}; !slices.Equal(got, want) {
		t.Errorf("tried %v, want %v", got, want)
	}
}

// An edit that two fixes have is one, whatever each was listed for.
func TestUnion(t *testing.T) {
	lock := func() *analysis.Lock {
		return &analysis.Lock{Expr: "a.mu", Key: "a.mu", New: &analysis.NewLock{Name: "mu"}}
	}
	one := mutate.Edit{Operator: "lockmethod", File: "a.go", Line: 3, Node: 5, Lock: lock(), Heat: 1, Vars: []string{"x"}}
	same := one
	same.Lock, same.Heat, same.Vars, same.Note = lock(), 0.5, []string{"y"}, "several goroutines change y here"
	other := one
	other.Line, other.Node = 9, 11
	edits := union([]result.Fix{{Edits: []mutate.Edit{one}}, {Edits: []mutate.Edit{same, other}}})
	if len(edits) != 2 || edits[0].Line != 3 || edits[1].Line != 9 {
		t.Errorf("edits %+v", edits)
	}
}

// Fixes of some failures are given with what they mend, and what stays is said.
func TestPartialFixes(t *testing.T) {
	base := &original.Baseline{Failures: []original.Failure{
		{Failure: evidence.Failure{Message: "race in A"}}, {Failure: evidence.Failure{Message: "deadlock in B"}},
	}}
	out := &outcome{causes: 2, clusters: []cluster{
		{result.Cluster{Failures: []int{0}, Out: "fault-1", Status: result.Fixed}, &result.Result{Fixes: []result.Fix{{Patch: "fix-1.patch"}}}},
		{result.Cluster{Failures: []int{1}, Out: "fault-2", Status: result.NotFixed, Reason: "no edit is possible"}, &result.Result{}},
	}}
	c := &combination{judges: &judges{base: base}, last: attempt{why: "deadlock in B"}, out: out}
	c.keepPartialFixes()
	s := sessionFor(result.Wanted{Out: t.TempDir()})
	done := &stages{env: envFor(result.Wanted{}), base: base, reproduced: true, outcome: out}
	r, err := s.assemble(t.Context(), t.Context(), done, nil)
	if err != nil {
		t.Fatal(err)
	}
	if p := r.PartialFixes; len(p) != 1 || p[0].Patch != "fault-1/fix-1.patch" || !slices.Equal(p[0].Mends, []int{0}) {
		t.Errorf("partial fixes %+v", p)
	}
	// The reports have them from the cluster's own dossier.
	own := filepath.Join(s.wanted.Out, "fault-1")
	if err := os.Mkdir(own, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := dossier.Write(own, &dossier.Dossier{Fixes: []dossier.Fix{{Patch: "fix-1.patch", Title: "Fix race"}}}); err != nil {
		t.Fatal(err)
	}
	if p := partialFixes(s.wanted.Out, r); len(p) != 1 || p[0].Title != "Fix race" || p[0].Patch != "fault-1/fix-1.patch" || !slices.Equal(p[0].Mends, []int{0}) {
		t.Errorf("partial fixes in the dossier: %+v", p)
	}
	for _, want := range []string{"1 of 2 causes of failure mended", "deadlock in B (no edit is possible)", "with all of them still: deadlock in B", "(fault-1/fix-1.patch)"} {
		if !strings.Contains(r.Reason, want) {
			t.Errorf("reason %q, want %q in it", r.Reason, want)
		}
	}
	if len(r.Fixes) > 0 || r.Status != result.NotFixed {
		t.Errorf("a partial fix counts as a fix: %+v", r)
	}
}

// twoFaults is a package with two races that have nothing to do with each other.
var twoFaults = map[string]string{
	"go.mod": "module example.com/two\n\ngo 1.25\n",
	"two.go": `package two

// A Counter counts events.
type Counter struct{ n int }

// Add counts one event.
func (c *Counter) Add() {
	c.n++
}

// A Log keeps lines.
type Log struct{ lines []string }

// Print keeps a line.
func (l *Log) Print(s string) {
	l.lines = append(l.lines, s)
}
`,
	"two_test.go": `package two

import (
	"sync"
	"testing"
)

func TestAdd(t *testing.T) {
	var c Counter
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(c.Add)
	}
	wg.Wait()
	if c.n != 2 {
		t.Errorf("counted %d of 2", c.n)
	}
}

func TestPrint(t *testing.T) {
	var l Log
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { l.Print("line") })
	}
	wg.Wait()
	if len(l.lines) != 2 {
		t.Errorf("kept %d of 2", len(l.lines))
	}
}
`,
}

// Where the search finds no fix of all, for it is not allowed to combine edits
// here, the clusters are repaired one by one and their fixes put together.
func TestRepairCombines(t *testing.T) {
	sample.Whole(t, "other tests look at clusters without a repair")
	if testing.Short() {
		t.Skip("builds with the go command")
	}
	dir, out := t.TempDir(), t.TempDir()
	for name, text := range twoFaults {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	l := &listener{}
	r, err := Run(context.Background(), result.Wanted{
		Observer: l,
		Dir:      dir, Out: out, Count: 5, Confirm: 5, Generations: 1, Population: 2, Budget: 5 * time.Minute, Timeout: runTimeout,
		Search: result.SearchOptions{NoComposites: true},
	})
	if err != nil || r.Status != result.Fixed {
		t.Fatalf("%s: %s, %v\n%s", r.Status, r.Reason, err, strings.Join(l.lines, "\n"))
	}
	if len(r.Clusters) != 2 || r.Search.Ended != combined {
		t.Errorf("clusters %+v, ended %q", r.Clusters, r.Search.Ended)
	}
	best := r.Fixes[0]
	if len(best.Edits) != 2 || len(best.Mends) != len(r.Failures) {
		t.Errorf("the fix has %d edits and mends %v of %d failures", len(best.Edits), best.Mends, len(r.Failures))
	}
	for _, f := range r.Clusters {
		if f.Status != result.Fixed || len(f.Tests) != 1 {
			t.Errorf("cluster %+v", f)
		}
	}
	cmd := exec.Command("go", "test", "-race", "-count=3", ".")
	cmd.Dir = dir
	if err := r.Apply(best); err != nil {
		t.Fatal(err)
	}
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("the patched program: %v\n%s", err, text)
	}
}
