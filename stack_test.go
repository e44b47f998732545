package mendel

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
	"mendel/mutate"
)

// The best fixes of all come first, then those with one that is second best.
func TestStacks(t *testing.T) {
	fix := func(name string) Fix { return Fix{Patch: name} }
	choices := [][]Fix{{fix("a1"), fix("a2")}, {fix("b1"), fix("b2"), fix("b3")}}
	var got []string
	for _, stack := range stacks(choices, 4) {
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
	one := mutate.Edit{Operator: "lockmethod", File: "a.go", Line: 3, Lock: lock(), Heat: 1, Vars: []string{"x"}}
	same := one
	same.Lock, same.Heat, same.Vars, same.Note = lock(), 0.5, []string{"y"}, "several goroutines change y here"
	other := one
	other.Line = 9
	edits := union([]Fix{{Edits: []mutate.Edit{one}}, {Edits: []mutate.Edit{same, other}}})
	if len(edits) != 2 || edits[0].Line != 3 || edits[1].Line != 9 {
		t.Errorf("edits %+v", edits)
	}
}

// Fixes of some failures are given with what they mend, and what stays is said.
func TestTellPartial(t *testing.T) {
	r := &repairer{result: &Result{Status: NotFixed, Failures: []Failure{
		{Failure: evidence.Failure{Message: "race in A"}}, {Failure: evidence.Failure{Message: "deadlock in B"}},
	}}}
	s := &stacking{hunt: &hunt{repairer: r}, last: tried{why: "deadlock in B"}, faults: []Fault{
		{Failures: []int{0}, Out: "fault-1", Status: Fixed, result: &Result{Fixes: []Fix{{Patch: "fix-1.patch"}}}},
		{Failures: []int{1}, Out: "fault-2", Status: NotFixed, Reason: "no edit is possible", result: &Result{}},
	}}
	s.tellPartial()
	if p := r.result.PartialFixes; len(p) != 1 || p[0].Patch != "fault-1/fix-1.patch" || !slices.Equal(p[0].Mends, []int{0}) {
		t.Errorf("partial fixes %+v", p)
	}
	// The reports have them from the fault's own dossier.
	r.o.Out = t.TempDir()
	own := filepath.Join(r.o.Out, "fault-1")
	if err := os.Mkdir(own, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := dossier.Write(own, &dossier.Dossier{Fixes: []dossier.Fix{{Patch: "fix-1.patch", Title: "Fix race"}}}); err != nil {
		t.Fatal(err)
	}
	if p := r.partialFixes(); len(p) != 1 || p[0].Title != "Fix race" || p[0].Patch != "fault-1/fix-1.patch" || !slices.Equal(p[0].Mends, []int{0}) {
		t.Errorf("partial fixes in the dossier: %+v", p)
	}
	for _, want := range []string{"1 of 2 causes of failure mended", "deadlock in B (no edit is possible)", "with all of them still: deadlock in B", "(fault-1/fix-1.patch)"} {
		if !strings.Contains(r.result.Reason, want) {
			t.Errorf("reason %q, want %q in it", r.result.Reason, want)
		}
	}
	if len(r.result.Fixes) > 0 || r.result.Status != NotFixed {
		t.Errorf("a partial fix counts as a fix: %+v", r.result)
	}
}

// Outcomes of faults that an earlier repair had do not stay.
func TestForgetFaults(t *testing.T) {
	out := t.TempDir()
	for _, name := range []string{"fault-1", "fault-2"} {
		if err := os.Mkdir(filepath.Join(out, name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(out, name, "fix-1.patch"), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	res := &Result{Faults: []Fault{{Out: "fault-1", result: &Result{}}}}
	if err := res.forgetFaults(out); err != nil {
		t.Fatal(err)
	}
	left, err := filepath.Glob(filepath.Join(out, "*", "fix-1.patch"))
	if err != nil || len(left) != 1 || filepath.Base(filepath.Dir(left[0])) != "fault-1" {
		t.Errorf("left %v, %v", left, err)
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
// here, the faults are repaired one by one and their fixes put together.
func TestRepairStacks(t *testing.T) {
	if testing.Short() {
		t.Skip("builds with the go command")
	}
	dir, out := t.TempDir(), t.TempDir()
	for name, text := range twoFaults {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	result, err := Repair(context.Background(), Options{
		Dir: dir, Out: out, Count: 5, Confirm: 15, Generations: 1, Population: 2, Budget: 5 * time.Minute,
		Search: SearchOptions{NoComposites: true},
	})
	if err != nil || result.Status != Fixed {
		t.Fatalf("%s: %s, %v", result.Status, result.Reason, err)
	}
	if len(result.Faults) != 2 || result.Search.Ended != stacked {
		t.Errorf("faults %+v, ended %q", result.Faults, result.Search.Ended)
	}
	best := result.Fixes[0]
	if len(best.Edits) != 2 || len(best.Mends) != len(result.Failures) {
		t.Errorf("the fix has %d edits and mends %v of %d failures", len(best.Edits), best.Mends, len(result.Failures))
	}
	for _, f := range result.Faults {
		if f.Status != Fixed || len(f.Tests) != 1 {
			t.Errorf("fault %+v", f)
		}
	}
	cmd := exec.Command("go", "test", "-race", "-count=3", ".")
	cmd.Dir = dir
	if err := result.Apply(best); err != nil {
		t.Fatal(err)
	}
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("the patched program: %v\n%s", err, text)
	}
}
