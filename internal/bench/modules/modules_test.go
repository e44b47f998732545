package modules

import (
	"bytes"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mendel/analysis/evidence"
	"mendel/checker"
	"mendel/checker/sched/explore"
	"mendel/internal/bench/cached"
	"mendel/internal/bench/tables"
)

const wantModules = `go1.26.8, linux/amd64, 2 CPUs; 5s for each test.

module                  package   test      verdict              up to                      schedules  seconds  reason
golang.org/x/sync@v1    errgroup  TestOne   exhausted            2 preemptions, fair        12         0.2      
golang.org/x/sync@v1    errgroup  TestTwo   exhausted (skipped)  any number of preemptions  1          0.1      
golang.org/x/sync@v1    errgroup  TestBad   failed               -                          3          0.1      race: x and y
example.com/library@v2  .         TestLeak  failed               -                          3          5.0      real: blocked: here; real: blocked: there
example.com/library@v2  .         TestA     inconclusive         -                          0          5.0      blocked at lib.go:12
example.com/library@v2  .         TestB     inconclusive         -                          7          5.0      blocked at lib_test.go:90
example.com/library@v2  .         TestC     exhausted            0 preemptions              9          1.0      time-outs believed; else test-failure: too slow
example.com/library@v2  sub       (all)     inconclusive         -                          0          0.0      does not build

8 tests: exhausted 3, failed 2, inconclusive 3.
Complete, with any number of preemptions: 1 tests; all tests of 0 of 3 packages.
1 of them would fail if a time-out expired while goroutines can go on.
Real, in 1 of them: it is.

inconclusive because  tests
blocked at N          2
does not build        1

Not met:

- golang.org/x/sync@v1, package errgroup, TestBad failed: race: x and y
`

func TestModulesReport(t *testing.T) {
	const sync, library = "golang.org/x/sync@v1", "example.com/library@v2"
	r := &report{Machine: tables.Machine{Go: "go1.26.8", System: "linux/amd64", CPUs: 2}, Limit: "5s", Tests: []*testCheck{
		{Module: sync, Package: "errgroup", Test: "TestOne", Verdict: explore.Exhausted, Bound: 2, Fair: true, Schedules: 12, Seconds: 0.2},
		{Module: sync, Package: "errgroup", Test: "TestTwo", Verdict: explore.Exhausted, Bound: -1, Skipped: true, Schedules: 1, Seconds: 0.1},
		{Module: sync, Package: "errgroup", Test: "TestBad", Verdict: explore.Failed, Schedules: 3, Seconds: 0.1,
			Failures: []moduleFailure{failure(evidence.Race, "x and y", "")}},
		{Module: library, Package: ".", Test: "TestLeak", Verdict: explore.Failed, Schedules: 3, Seconds: 5,
			Failures: []moduleFailure{failure(evidence.Blocked, "here", "it is"), failure(evidence.Blocked, "there", "it is")}},
		{Module: library, Package: ".", Test: "TestA", Verdict: explore.Inconclusive, Seconds: 5, Reason: "blocked at lib.go:12"},
		{Module: library, Package: ".", Test: "TestB", Verdict: explore.Inconclusive, Schedules: 7, Seconds: 5, Reason: "blocked at lib_test.go:90:\nstack"},
		{Module: library, Package: ".", Test: "TestC", Verdict: explore.Exhausted, Schedules: 9, Seconds: 1, ByDesign: []string{"test-failure: too slow"}},
		{Module: library, Package: "sub", Verdict: explore.Inconclusive, Reason: "does not build"},
	}}
	var b bytes.Buffer
	if err := tables.Print(r, &b, false, nil); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(wantModules, b.String()); diff != "" {
		t.Errorf("report (-want +got):\n%s", diff)
	}
}

func failure(kind evidence.Kind, message, real string) moduleFailure {
	return moduleFailure{checker.Failure{Failure: evidence.Failure{Kind: kind, Message: message}}, real}
}

// A review covers a failure only if all of it is what was looked at.
func TestReview(t *testing.T) {
	r := review{kind: evidence.Blocked, function: "(*Pool).worker", why: "looked at"}
	worker := evidence.Stack{Frames: []evidence.Frame{{Func: "example.com/conc/pool.(*Pool).worker"}, {Func: "example.com/conc/pool.other"}}}
	other := evidence.Stack{Frames: []evidence.Frame{{Func: "example.com/conc/pool.other"}, {Func: "example.com/conc/pool.(*Pool).worker"}}}
	for _, c := range []struct {
		kind   evidence.Kind
		stacks []evidence.Stack
		want   string
	}{
		{evidence.Blocked, []evidence.Stack{worker}, "looked at"},
		{evidence.Blocked, []evidence.Stack{worker, worker}, "looked at"},
		{evidence.Deadlock, []evidence.Stack{worker}, ""},
		{evidence.Blocked, []evidence.Stack{worker, other}, ""},
		{evidence.Blocked, []evidence.Stack{{}}, ""},
		{evidence.Blocked, nil, ""},
	} {
		check := &testCheck{Failures: []moduleFailure{{Failure: checker.Failure{Failure: evidence.Failure{Kind: c.kind, Stacks: c.stacks}}}}}
		check.review([]review{r})
		if got := check.Failures[0].Real; got != c.want {
			t.Errorf("%s with %v: %q, want %q", c.kind, c.stacks, got, c.want)
		}
	}
}

// Reviews are of what is checked: another version needs another look.
func TestReviewsAreOfModules(t *testing.T) {
	for _, r := range reviews {
		if !slices.ContainsFunc(cached.Modules(), func(m cached.Module) bool { return m.Name() == r.module }) {
			t.Errorf("%s is not checked", r.module)
		}
		if len(reviewsOf(r.module, r.pkg)) == 0 || r.why == "" || r.function == "" {
			t.Errorf("incomplete: %+v", r)
		}
	}
}

func TestModulesWanted(t *testing.T) {
	o := Options{Only: []string{"sync/err", "conc"}}
	for path, want := range map[string]bool{
		"golang.org/x/sync/errgroup": true, "golang.org/x/sync/semaphore": false,
		importPath("github.com/sourcegraph/conc", "."): true, importPath("github.com/sourcegraph/conc", "pool"): true,
	} {
		if o.wanted(path) != want {
			t.Errorf("%s is wanted: %t", path, !want)
		}
	}
}
