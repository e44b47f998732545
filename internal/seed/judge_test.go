package seed

import (
	"slices"
	"testing"

	"mendel/analysis/evidence"
	"mendel/checker"
	"mendel/checker/sched/explore"
)

// A complaint with one goroutine is none of concurrency; a race or blocked goroutine is.
func TestAlone(t *testing.T) {
	for _, c := range []struct {
		kind       evidence.Kind
		goroutines []string
		want       bool
	}{
		{evidence.TestFailure, []string{"main"}, true}, {evidence.Panic, []string{"main"}, true},
		{evidence.TestFailure, []string{"main", "a.go:3"}, false}, {evidence.Deadlock, []string{"main"}, false},
	} {
		f := checker.Failure{Goroutines: c.goroutines}
		f.Kind = c.kind
		if got := alone(f); got != c.want {
			t.Errorf("%s with %d goroutines: %t", c.kind, len(c.goroutines), got)
		}
	}
}

// What the checker says of a test that it cannot follow counts for nothing: only the
// others are asked for. Without any, it is not asked at all.
func TestFollowed(t *testing.T) {
	r := &checker.Report{Verdict: explore.Inconclusive, Tests: []checker.TestReport{
		{Name: "TestPlain", Verdict: explore.Passed}, {Name: "TestOwnBinary", Verdict: explore.Inconclusive},
		{Name: "TestSkipped", Verdict: explore.Exhausted, Skipped: true}, {Name: "TestSmall", Verdict: explore.Exhausted},
	}}
	if got := followed(r); !slices.Equal(got, []string{"TestPlain", "TestSmall"}) {
		t.Errorf("followed %q", got)
	}
	for _, c := range []struct {
		judge judge
		want  bool
	}{
		{judge{}, true},
		{judge{unfit: "runs a process", followed: []string{"TestPlain"}}, true},
		{judge{unfit: "runs a process"}, false},
	} {
		if got := c.judge.checks(); got != c.want {
			t.Errorf("%+v: %t", c.judge, got)
		}
	}
}
