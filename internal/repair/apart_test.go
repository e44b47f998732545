package repair

import (
	"context"
	"strings"
	"testing"

	"mendel/analysis/evidence"
	"mendel/checker"
	"mendel/internal/result"
)

// A race, and a test that fails in each schedule of the checker, which runs tests from a goroutine of its own, and in no
// run.
var besideAnArtefact = map[string]string{
	"go.mod": "module example.com/tally\n\ngo 1.25\n",
	"tally.go": `package tally

import "sync"

// A Tally counts.
type Tally struct {
	mu sync.Mutex
	n  int
}

// Add counts one more.
func (t *Tally) Add() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.n++
}

// Count is how often Add was called.
func (t *Tally) Count() int { return t.n }
`,
	"tally_test.go": `package tally

import (
	"runtime/debug"
	"strings"
	"sync"
	"testing"
)

func TestCount(t *testing.T) {
	var c Tally
	var wg sync.WaitGroup
	wg.Go(c.Add)
	wg.Go(func() { c.Count() })
	wg.Wait()
}

func TestCaller(t *testing.T) {
	if !strings.Contains(string(debug.Stack()), "testing.tRunner") {
		t.Error("nobody knows who runs this")
	}
}
`,
}

func TestFailuresWithAnotherCauseAreKeptApart(t *testing.T) {
	if testing.Short() {
		t.Skip("builds with the go command")
	}
	dir := t.TempDir()
	writeTree(t, dir, besideAnArtefact)
	l := &listener{}
	r, err := Run(context.Background(), result.Wanted{Dir: dir, Observer: l, Timeout: runTimeout, Count: 5, Confirm: 10})
	if err != nil || r.Status != result.Fixed {
		t.Fatalf("%s: %s, %v\n%s", r.Status, r.Reason, err, strings.Join(l.lines, "\n"))
	}
	if !strings.Contains(strings.Join(r.Notes, "\n"), "kept apart: TestCaller") {
		t.Errorf("no note names the test: %q", r.Notes)
	}
	if flags := r.Fixes[0].Flags; len(flags) != 0 {
		t.Errorf("flags %v: what is seen in each schedule is no news", flags)
	}
	for _, f := range r.Failures {
		if f.Test == "TestCaller" {
			t.Errorf("it counts as a failure: %s", f.Message)
		}
	}
}

// What is repaired first is what most runs show or, where none does, what some schedules show.
func TestMainGroup(t *testing.T) {
	race := failure{Failure: evidence.Failure{Kind: evidence.Race}, seen: 5, runs: 5}
	rare := failure{Failure: evidence.Failure{Kind: evidence.Race}, seen: 2, runs: 5}
	checked := failure{Failure: evidence.Failure{Kind: evidence.Deadlock}}
	for _, tt := range []struct {
		name     string
		failures []failure
		main     []bool
	}{
		{"the more frequent", []failure{race, rare}, []bool{true, false}},
		{"both", []failure{race, race}, []bool{true, true}},
		{"runs before schedules", []failure{rare, checked}, []bool{true, false}},
		{"schedules alone", []failure{checked}, []bool{true}},
	} {
		b := &baseline{failures: tt.failures}
		var groups []group
		for i := range tt.failures {
			groups = append(groups, group{failures: []int{i}})
		}
		main := b.mainGroup(groups)
		for i, g := range groups {
			if main(g) != tt.main[i] {
				t.Errorf("%s: group %d is main: %v", tt.name, i, main(g))
			}
		}
	}
}

// What the original is asked is about a test and a kind or, without a test, about goroutines.
func TestQuestion(t *testing.T) {
	left := func(function string) evidence.Failure {
		return evidence.Failure{Kind: evidence.Blocked, Stacks: []evidence.Stack{{Role: "blocked: select", Frames: []evidence.Frame{{Func: function}}}}}
	}
	failed := evidence.Failure{Kind: evidence.TestFailure, Test: "TestX/sub", Message: "1"}
	again := evidence.Failure{Kind: evidence.TestFailure, Test: "TestX/other", Message: "2"}
	for _, tt := range []struct {
		name      string
		of, other evidence.Failure
		asked     bool
		shown     bool
	}{
		{"the same test and kind", failed, again, true, true},
		{"another kind", failed, evidence.Failure{Kind: evidence.Race, Test: "TestX"}, true, false},
		{"another test", failed, evidence.Failure{Kind: evidence.TestFailure, Test: "TestY"}, true, false},
		{"goroutines", left("work"), left("work"), true, true},
		{"other goroutines", left("work"), left("rest"), true, false},
		{"neither", evidence.Failure{Kind: evidence.Panic}, failed, false, false},
	} {
		q, ok := questionOf(tt.of)
		if ok != tt.asked || ok && q.shown(tt.other) != tt.shown {
			t.Errorf("%s: %v, %v", tt.name, q, ok)
		}
	}
}

// What a test complains of in each schedule and in no run is told from what a run shows of it.
func TestArtefact(t *testing.T) {
	complains := func(test string, seen int) failure {
		return failure{Failure: evidence.Failure{Kind: evidence.TestFailure, Test: test}, seen: seen}
	}
	checked := &checker.Report{Tests: []checker.TestReport{{Name: "TestAlways", Sampled: 30}, {Name: "TestSometimes", Sampled: 30, Passed: 3}}}
	for name, c := range map[string]struct {
		failures []failure
		want     bool
	}{
		"in each schedule":        {[]failure{complains("TestAlways", 0), complains("TestOther", 5)}, true},
		"in some schedules":       {[]failure{complains("TestSometimes", 0), complains("TestOther", 5)}, false},
		"in runs, too":            {[]failure{complains("TestAlways", 1)}, false},
		"in runs, in another way": {[]failure{complains("TestAlways/a", 0), {Failure: evidence.Failure{Kind: evidence.Race, Test: "TestAlways"}, seen: 5}}, false},
	} {
		b := baselineFor(result.Wanted{})
		b.failures, b.checked = c.failures, checked
		if got := b.artefact(0); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
