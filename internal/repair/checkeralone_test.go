package repair

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mendel/checker/sched/explore"
	"mendel/evolve"
	"mendel/fitness"
	"mendel/internal/report"
	"mendel/internal/result"
	"mendel/internal/sample"
	"mendel/mutate"
	"mendel/validate"
)

// What is said of a fix is what the checker did.
func TestFixChecked(t *testing.T) {
	fix := func(c validate.Checked) *validate.Fix {
		return &validate.Fix{Race: true, Confirmed: validate.Confirmation{Runs: 1}, Checked: c}
	}
	if c := checkOf(fix(validate.Checked{})); c != nil {
		t.Errorf("without a checker: %+v", c)
	}
	bounded := fix(validate.Checked{Verdict: explore.Exhausted, Bound: 2, Followed: 3, Schedules: 99, Seconds: 1})
	if c := checkOf(bounded); *c != (result.Checked{Verdict: explore.Exhausted, Bound: 2, Followed: 3, Schedules: 99, Seconds: 1}) {
		t.Errorf("%+v", c)
	}
	for _, c := range []struct {
		fix  *validate.Fix
		want string
		n    int
	}{
		{fix(validate.Checked{}), "Runs under noise", 2},
		{bounded, "more than 2 preemptions", 3},
		{fix(validate.Checked{Verdict: explore.Exhausted, Bound: -1}), "Runs under noise", 2},
		{fix(validate.Checked{Verdict: explore.Passed}), "did not try all schedules", 3},
	} {
		if got := report.Limits(c.fix); len(got) != c.n || !strings.Contains(strings.Join(got, " "), c.want) {
			t.Errorf("limits of %+v: %q", c.fix.Checked, got)
		}
	}
	best := evolve.Scored{Mutant: &mutate.Mutant{}, Result: fitness.Result{Runs: 30, Passes: 29, Verdict: explore.Failed}}
	if why := new(judges).noFix(&evolve.Result{Ended: evolve.OutOfGenerations, Best: []evolve.Scored{best}}); !strings.Contains(why, "29 of 30 sampled schedules") {
		t.Error(why)
	}
}

// hidden is a module whose race is not in what noise runs, since that is built
// with -race: only the checker sees it.
var hidden = map[string]string{
	"go.mod": "module example.com/hidden\n\ngo 1.25\n",
	"counter.go": `// Package hidden counts.
package hidden

import "sync"

// A Counter counts.
type Counter struct {
	mu sync.Mutex // guards n
	n  int
}

// Value is how many there were.
func (c *Counter) Value() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.n
}
`,
	"add.go": `//go:build !race

package hidden

// Add counts one.
func (c *Counter) Add() {
	c.n++
}
`,
	"add_race.go": `//go:build race

package hidden

// Add counts one.
func (c *Counter) Add() {
	c.mu.Lock()
	c.n++
	c.mu.Unlock()
}
`,
	"counter_test.go": `package hidden

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
	if n := c.Value(); n != 2 {
		t.Errorf("%d of 2", n)
	}
}
`,
}

// A failure that noise cannot show is repaired with the checker alone, and
// without the checker it is not reproduced.
func TestCheckerAlone(t *testing.T) {
	sample.Whole(t, "TestNoNoise repairs the same program by the checker alone")
	if testing.Short() {
		t.Skip("builds with the go command")
	}
	dir := t.TempDir()
	for name, text := range hidden {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	out := t.TempDir()
	res, err := Run(context.Background(), result.Wanted{Dir: dir, Out: out, Confirm: 15, Timeout: runTimeout})
	if err != nil {
		t.Fatal(err)
	}
	for _, note := range res.Notes {
		if strings.Contains(note, "no race detector") {
			t.Skip(note)
		}
	}
	if res.Status != result.Fixed || len(res.Failures) != 1 || res.Failures[0].Runs != 0 || res.Failures[0].Schedule == "" {
		t.Fatalf("%s: %s; failures %+v", res.Status, res.Reason, res.Failures)
	}
	fix := res.Fixes[0]
	if c := fix.Evidence.Check; c == nil || c.Verdict != explore.Covered || c.Followed == 0 || fix.Evidence.RunsAfter != 15 || fix.Evidence.FailedBefore != 0 {
		t.Errorf("evidence %+v, check %+v", fix.Evidence, fix.Evidence.Check)
	}
	if !strings.Contains(fix.Diff, "+	c.mu.Lock()") || res.Search.Checks < 3 || res.Search.Schedules == 0 {
		t.Errorf("search %+v, fix\n%s", res.Search, fix.Diff)
	}
	if _, err := os.Stat(filepath.Join(out, res.Failures[0].Schedule)); err != nil {
		t.Error(err)
	}
}
