package checker

import (
	"strings"
	"testing"

	"mendel/analysis"
	"mendel/checker/sched/explore"
)

// A dependency with which the rewritten program does not build is left as it is,
// and that is said; the checker goes on with the others.
func TestUnfitDependency(t *testing.T) {
	c := load(t, unpack(t, "testdata/unfit.txtar"), analysis.Target{}, Config{})
	b := build(t, c)
	got := strings.Join(b.Uncontrolled(), "\n")
	for _, want := range []string{
		"example.com/timers is not instrumented: with it under control the program does not build",
		"example.com/asm is not instrumented: it has files that are not plain Go: asm.s",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q does not say %q", got, want)
		}
	}
	if r := mustCheck(t, b, Search{}); r.Verdict != explore.Failed {
		t.Errorf("the race was not found: %+v", r)
	}
	if c.Counts(); c.builds.Builds().Executables != 2 {
		t.Errorf("%d executables were built, want one that fails and one that does not", c.builds.Builds().Executables)
	}
}

// To tests that count or list goroutines, the engine's do not exist.
// They sleep until goroutines have ended.
func TestCounting(t *testing.T) {
	b := build(t, load(t, unpack(t, "testdata/counting.txtar"), analysis.Target{}, Config{}))
	if u := b.Uncontrolled(); len(u) > 0 {
		t.Errorf("not under control: %q", u)
	}
	r := mustCheck(t, b, Search{All: true, Schedules: 50, Patience: -1})
	for _, test := range r.Tests {
		if leaks := strings.HasSuffix(test.Name, "Leak"); leaks != (test.Verdict == explore.Failed) || !leaks && test.Verdict != explore.Exhausted && test.Verdict != explore.Passed {
			t.Errorf("%s: %s %s", test.Name, test.Verdict, test.Reason)
		}
	}
	for _, f := range r.Failures {
		t.Logf("%s: %.900s", f.Test, f.Message)
	}
}
