package fitness

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"mendel/analysis/evidence"
	"mendel/checker"
	"mendel/checker/sched/explore"
	"mendel/internal/gotool"
	"mendel/mutate"
)

// A fakeChecker gives the answer set and records what it was asked.
type fakeChecker struct {
	report *checker.Report
	err    error

	mu       sync.Mutex
	searches []checker.Search
}

func (c *fakeChecker) Check(ctx context.Context, _ map[string][]byte, s checker.Search) (*checker.Report, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.searches = append(c.searches, s)
	if err := ctx.Err(); err != nil {
		return c.report, err
	}
	return c.report, c.err
}

// checked is a report about one test.
func checked(v explore.Verdict, sampled, passed int, failures ...checker.Failure) *checker.Report {
	r := &checker.Report{
		Verdict: v, Sampled: sampled, Passed: passed, Failures: failures, Schedules: sampled + 5,
		Tests: []checker.TestReport{{Name: "TestX", Schedules: sampled + 5}},
	}
	for _, f := range failures {
		if r.Kinds == nil && sampled > passed {
			r.Kinds = map[string]int{string(f.Kind): sampled - passed}
		}
	}
	return r
}

// on is a failure on a schedule.
func on(kind evidence.Kind, nth int, choices string) checker.Failure {
	return checker.Failure{
		Failure:  evidence.Failure{Kind: kind, Signature: string(kind) + choices},
		Schedule: checker.Schedule{Test: "TestX", Choices: choices}, Nth: nth,
	}
}

// original is what the checker says of a program that races.
var original = checked(explore.Failed, 30, 0, on(evidence.Race, 1, "0 1"), on(evidence.Deadlock, 7, "1 0"))

func made(i int, operators ...string) *mutate.Mutant {
	m := mutant(i)
	for _, op := range operators {
		m.Edits = append(m.Edits, mutate.Edit{Operator: op})
	}
	return m
}

func TestJudge(t *testing.T) {
	race, lock := on(evidence.Race, 3, "0"), on(evidence.Deadlock, 500, "1")
	several := checked(explore.Failed, 60, 45, race)
	several.Tests = append(several.Tests, checker.TestReport{Name: "TestY", Schedules: 30}, checker.TestReport{Name: "TestZ", Skipped: true})
	for _, c := range []struct {
		name   string
		report *checker.Report
		score  float64
		kinds  map[evidence.Kind]int
	}{
		{"always", checked(explore.Failed, 30, 0, race), 0, map[evidence.Kind]int{evidence.Race: 30}},
		{"often", checked(explore.Failed, 30, 12, race), 400, map[evidence.Kind]int{evidence.Race: 18}},
		{"in one of two tests", several, 500, map[evidence.Kind]int{evidence.Race: 15}},
		{"late", checked(explore.Failed, 30, 30, lock), 1000 * (30 + 500./1001) / 31, map[evidence.Kind]int{evidence.Deadlock: 1}},
		{"without a sample", checked(explore.Failed, 0, 0, lock), 1000 * 500. / 1001, map[evidence.Kind]int{evidence.Deadlock: 1}},
		{"never", checked(explore.Passed, 30, 30), FullScore, nil},
		{"cannot be", checked(explore.Exhausted, 0, 0), FullScore, nil},
		{"has no such outcome", checked(explore.Covered, 0, 0), FullScore, nil},
	} {
		r := Judge(c.report, 1000, 1)
		if d := r.Score - c.score; d > 1e-9 || d < -1e-9 {
			t.Errorf("%s: score %v, want %v", c.name, r.Score, c.score)
		}
		failed := 0
		for kind, n := range r.Failures {
			if c.kinds[kind] != n {
				t.Errorf("%s: %d of kind %s, want %d", c.name, n, kind, c.kinds[kind])
			}
			failed += n
		}
		if failed != r.Runs-r.Passes || len(r.Failures) != len(c.kinds) || len(r.Samples) != len(c.report.Failures) {
			t.Errorf("%s: %+v does not add up", c.name, r)
		}
		if r.Verdict != c.report.Verdict || r.Schedules != c.report.Schedules || r.Refused != "" {
			t.Errorf("%s: %+v", c.name, r)
		}
	}
	inconclusive := checked(explore.Inconclusive, 30, 30)
	inconclusive.Reason = "blocks in net"
	if r := Judge(inconclusive, 1000, 1); r.Score != 0 || !strings.Contains(r.Refused, "blocks in net") {
		t.Errorf("inconclusive: %+v", r)
	}
}

// The later a failure is found, the better; a rare failure in the sample is
// worse than any found after it; and nothing that fails has a full score.
func TestJudgeRises(t *testing.T) {
	var scores []float64
	for passed := range 30 {
		scores = append(scores, Judge(checked(explore.Failed, 30, passed, on(evidence.Race, 1, "0")), 1000, 1).Score)
	}
	for _, nth := range []int{31, 32, 900, 1000} {
		scores = append(scores, Judge(checked(explore.Failed, 30, 30, on(evidence.Race, nth, "0")), 1000, 1).Score)
	}
	beyond := Judge(checked(explore.Failed, 30, 30, on(evidence.Race, 1_000_000, "0")), 1000, 1).Score
	if scores = append(scores, beyond, FullScore); beyond != scores[len(scores)-3] {
		t.Errorf("beyond the limit: %v, at it: %v", beyond, scores[len(scores)-3])
	}
	scores = slices.Compact(scores)
	if len(scores) != 30+4+1 || !slices.IsSorted(scores) {
		t.Errorf("scores do not rise: %v", scores)
	}
}

func TestCheckerDecides(t *testing.T) {
	passes := checked(explore.Passed, 30, 30)
	for _, c := range []struct {
		name     string
		original *checker.Report
		alone    bool
		report   *checker.Report
		ok       bool
		full     bool
		refused  bool
	}{
		{"fails", original, false, original, true, false, false},
		{"passes", original, false, checked(explore.Exhausted, 30, 30), true, true, false},
		{"passes, and so did the original", passes, false, passes, false, true, false},
		{"fails, though the original did not", passes, false, original, true, false, false},
		{"cannot tell", original, false, checked(explore.Inconclusive, 0, 0), false, false, true},
		{"cannot tell, and noise is blind", original, true, checked(explore.Inconclusive, 0, 0), true, false, true},
	} {
		s := NewCheckerSource(CheckerOptions{Checker: &fakeChecker{report: c.report}, Original: c.original, Alone: c.alone})
		r, ok, err := s.Score(t.Context(), made(1, "a"))
		if err != nil || ok != c.ok || (r.Result.Score == FullScore) != c.full || (r.Result.Refused != "") != c.refused {
			t.Errorf("%s: %+v, %v, %v", c.name, r, ok, err)
		}
	}
}

// What the checker cannot judge noise does.
func TestHybrid(t *testing.T) {
	c := &fakeChecker{report: checked(explore.Inconclusive, 0, 0)}
	l := scripted(pass())
	e := evaluatorOf(l, Options{Before: []Source{NewCheckerSource(CheckerOptions{Checker: c, Original: original})}})
	r, err := e.Evaluate(t.Context(), made(1, "a"))
	if err != nil || r.Score != FullScore || r.Runs != coreRuns || r.Verdict != "" {
		t.Errorf("%+v, %v; want the score of noise", r, err)
	}
	c.report = original
	if r, err = e.Evaluate(t.Context(), made(2, "b")); err != nil || r.Score != 0 || r.Verdict != explore.Failed || l.launched != 1 {
		t.Errorf("%+v, %v; want the score of the checker", r, err)
	}
}

func TestCheckerErrors(t *testing.T) {
	full := errors.New("disk full")
	for _, c := range []struct {
		name  string
		err   error
		alone bool
		off   bool
		fails bool
	}{
		{"does not build", &gotool.BuildError{Output: "undefined: x"}, false, false, false},
		{"does not build, alone", &gotool.BuildError{Output: "undefined: x"}, true, false, false},
		{"broken", full, false, true, false},
		{"broken, alone", full, true, false, true},
	} {
		s := NewCheckerSource(CheckerOptions{Checker: &fakeChecker{err: c.err}, Original: original, Alone: c.alone})
		r, ok, err := s.Score(t.Context(), made(1))
		if (s.Off() != "") != c.off || (err != nil) != c.fails || ok != (c.alone && !c.fails) || r.Result.Score != 0 {
			t.Errorf("%s: %+v, %v, %v; off %q", c.name, r, ok, err, s.Off())
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s := NewCheckerSource(CheckerOptions{Checker: &fakeChecker{report: original}, Original: original})
	if _, _, err := s.Score(ctx, made(1)); !errors.Is(err, context.Canceled) || s.Off() != "" {
		t.Errorf("cancelled: %v, off %q", err, s.Off())
	}
}

// After ten time-outs no mutant is checked any more, unless nobody else can judge.
func TestSwitchedOff(t *testing.T) {
	hangs := checked(explore.Inconclusive, 0, 0)
	hangs.TimedOut = true
	for _, alone := range []bool{false, true} {
		c := &fakeChecker{report: hangs}
		said := 0
		s := NewCheckerSource(CheckerOptions{Checker: c, Original: original, Alone: alone, Log: func(f string, a ...any) {
			if strings.Contains(fmt.Sprintf(f, a...), "switched off") {
				said++
			}
		}})
		for i := range 12 {
			if _, ok, err := s.Score(t.Context(), made(i)); ok != alone || err != nil {
				t.Fatalf("alone %v, mutant %d: %v, %v", alone, i, ok, err)
			}
		}
		want := 10
		if alone {
			want = 12
		}
		if len(c.searches) != want || (s.Off() != "") == alone || (said == 1) == alone {
			t.Errorf("alone %v: %d mutants were checked, off %q, said %d times", alone, len(c.searches), s.Off(), said)
		}
	}
}

// Once noise has refuted what the checker passed, noise scores it, from the
// next generation on; what fails is still the checker's.
func TestNoiseRefuted(t *testing.T) {
	c := &fakeChecker{report: checked(explore.Passed, 30, 30)}
	s := NewCheckerSource(CheckerOptions{Checker: c, Original: original})
	score := func() bool {
		_, ok, err := s.Score(t.Context(), made(1))
		if err != nil {
			t.Fatal(err)
		}
		return ok
	}
	if r, ok := s.Original(); !ok || r.Score != 0 || r.Failures[evidence.Race] != 30 {
		t.Errorf("the original: %+v, %v", r, ok)
	}
	s.NoiseRefuted()
	if !score() {
		t.Error("it counts within the generation: then it matters who is scored first")
	}
	s.EndGeneration()
	if score() {
		t.Error("still trusted")
	}
	if _, ok := s.Original(); ok {
		t.Error("the original is measured otherwise than its mutants")
	}
	if c.report = original; !score() {
		t.Error("a failure does not count any more")
	}
}

// A mutant is shown first what failed the mutants it was made from.
func TestFirst(t *testing.T) {
	failing := func(choices string) *checker.Report {
		return checked(explore.Failed, 30, 0, on(evidence.Race, 1, choices))
	}
	play := func(order []int) []checker.Schedule {
		c := &fakeChecker{}
		s := NewCheckerSource(CheckerOptions{Checker: c, Original: original})
		mutants := []*mutate.Mutant{made(1, "a"), made(2, "b"), made(3, "a", "b"), made(4, "c"), made(5, "a")}
		for _, i := range order {
			c.report = failing(fmt.Sprint("2*", i+1))
			if _, _, err := s.Score(t.Context(), mutants[i]); err != nil {
				t.Fatal(err)
			}
		}
		if first := s.First(made(9, "a", "b", "d")); len(first) != len(original.Failures) {
			t.Errorf("a generation learns from itself: %v", first)
		}
		s.EndGeneration()
		if _, _, err := s.Score(t.Context(), made(9, "a", "b", "d")); err != nil {
			t.Fatal(err)
		}
		return c.searches[len(c.searches)-1].First
	}
	first := play([]int{0, 1, 2, 3, 4})
	var got []string
	for _, f := range first {
		got = append(got, f.Choices)
	}
	// That of both edits, then those of one, the latest first, then the original's.
	if want := "2*3, 2*5, 2*2, 2*1, 0 1, 1 0"; strings.Join(got, ", ") != want {
		t.Errorf("followed %q, want %q", got, want)
	}
	if other := play([]int{4, 2, 3, 1, 0}); !slices.Equal(other, first) {
		t.Errorf("it matters who was scored first: %v and %v", other, first)
	}
}

// Edits are enumerated again when more is known of the failure: they have more
// heat then, and are the same edits. So the counterexample of a mutant that was
// made before is found for a mutant that is made of it now.
func TestFirstAfterHeatRose(t *testing.T) {
	c := &fakeChecker{report: checked(explore.Failed, 30, 0, on(evidence.Race, 1, "2*3"))}
	s := NewCheckerSource(CheckerOptions{Checker: c, Original: original})
	edit := mutate.Edit{Operator: "lockmethod", File: "a.go", Line: 3, Node: 7, Vars: []string{"T.n"}, Heat: 0.25}
	parent, child := made(1), made(2, "other")
	parent.Edits = []mutate.Edit{edit}
	if _, ok, err := s.Score(t.Context(), parent); !ok || err != nil {
		t.Fatal(ok, err)
	}
	s.EndGeneration()
	edit.Heat = 1
	child.Edits = append(child.Edits, edit)
	if first := s.First(child); len(first) != 1+len(original.Failures) || first[0].Choices != "2*3" {
		t.Errorf("shown first: %v, want the counterexample of the parent before the original's", first)
	}
}

// The list of schedules followed has an end, and no schedule twice.
func TestFirstIsShort(t *testing.T) {
	c := &fakeChecker{}
	s := NewCheckerSource(CheckerOptions{Checker: c, Original: original})
	for i := range 300 {
		c.report = checked(explore.Failed, 30, 0, on(evidence.Race, 1, fmt.Sprint(i/2, " 0")))
		if _, _, err := s.Score(t.Context(), made(i, "a")); err != nil {
			t.Fatal(err)
		}
		s.EndGeneration()
	}
	first := s.First(made(999, "a", "b"))
	if len(first) > maxFollowed || len(first) <= len(original.Failures) {
		t.Errorf("%d schedules: %v", len(first), first)
	}
	if unique := slices.Compact(slices.Clone(first)); len(unique) != len(first) {
		t.Errorf("a schedule twice: %v", first)
	}
	if len(s.remembered) > maxRemembered {
		t.Errorf("%d schedules are remembered", len(s.remembered))
	}
}
