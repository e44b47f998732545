package fitness

import (
	"context"
	"slices"
	"testing"

	"mendel/analysis/evidence"
	"mendel/checker"
	"mendel/checker/sched"
	"mendel/checker/sched/explore"
)

// tested is a report of a sample of 30 executions of each test, of which so many passed.
func tested(passed map[string]int) *checker.Report {
	r := &checker.Report{Verdict: explore.Passed, Kinds: map[string]int{}}
	for _, name := range []string{"TestX", "TestY", "TestZ"} {
		n, ok := passed[name]
		if !ok {
			continue
		}
		t := checker.TestReport{Name: name, Verdict: explore.Passed, Schedules: 30, Sampled: 30, Passed: n}
		if n < 30 {
			t.Verdict, r.Verdict = explore.Failed, explore.Failed
			r.Kinds[string(evidence.Race)] += 30 - n
			r.Failures = append(r.Failures, on(evidence.Race, 1, name))
		}
		r.Tests = append(r.Tests, t)
		r.Sampled, r.Passed, r.Schedules = r.Sampled+30, r.Passed+n, r.Schedules+30
	}
	return r
}

// To mend one of two failing tests is half the way, and to break another is no way
// back: each test counts by itself.
func TestJudgeSeveral(t *testing.T) {
	for _, c := range []struct {
		name    string
		passed  map[string]int
		failing int
		want    float64
	}{
		{"original", map[string]int{"TestX": 0, "TestY": 0, "TestZ": 30}, 2, 0},
		{"one is mended", map[string]int{"TestX": 30, "TestY": 0, "TestZ": 30}, 2, 500},
		{"one is mended, one half", map[string]int{"TestX": 30, "TestY": 15, "TestZ": 30}, 2, 750},
		{"another breaks", map[string]int{"TestX": 30, "TestY": 0, "TestZ": 0}, 2, 0},
		{"all break", map[string]int{"TestX": 0, "TestY": 0, "TestZ": 15}, 2, 1000. / 6},
		{"one fails", map[string]int{"TestX": 12, "TestY": 30, "TestZ": 30}, 1, 400},
		{"mended", map[string]int{"TestX": 30, "TestY": 30, "TestZ": 30}, 2, FullScore},
	} {
		if got := Judge(tested(c.passed), 1000, c.failing).Score; got < c.want-1e-9 || got > c.want+1e-9 {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// askedProgram answers a search by the tests that it asks for.
type askedProgram struct {
	passed map[string]int
	asked  [][]string
}

func (p *askedProgram) Check(_ context.Context, s checker.Search) (*checker.Report, error) {
	p.asked = append(p.asked, s.Tests)
	if s.Tests == nil {
		return tested(p.passed), nil
	}
	some := map[string]int{}
	for _, name := range s.Tests {
		some[name] = p.passed[name]
	}
	return tested(some), nil
}

func (p *askedProgram) Close() error { return nil }

// A mutant is tried with the tests that fail in the original, and with all only if
// it does better there.
func TestFailingTestsFirst(t *testing.T) {
	for _, c := range []struct {
		name             string
		original, mutant map[string]int
		asked            int
		score            float64
	}{
		{"no better", map[string]int{"TestX": 10, "TestY": 30}, map[string]int{"TestX": 10, "TestY": 0}, 1, 1000. / 3},
		{"better", map[string]int{"TestX": 10, "TestY": 30}, map[string]int{"TestX": 20, "TestY": 30}, 2, 2000. / 3},
		{"better, and another breaks", map[string]int{"TestX": 10, "TestY": 30}, map[string]int{"TestX": 20, "TestY": 0}, 2, 1000. / 3},
		{"mended", map[string]int{"TestX": 10, "TestY": 30}, map[string]int{"TestX": 30, "TestY": 30}, 2, FullScore},
		{"all tests fail", map[string]int{"TestX": 10, "TestY": 0}, map[string]int{"TestX": 10, "TestY": 0}, 1, 500. / 3},
	} {
		p := &askedProgram{passed: c.mutant}
		s := NewCheckerSource(CheckerOptions{
			Original: tested(c.original),
			BuildAll: func(context.Context, []map[string][]byte) ([]Built, error) { return []Built{{Program: p}}, nil },
		})
		m := written(1)
		if err := s.Prepare(t.Context(), m); err != nil {
			t.Fatal(err)
		}
		r, ok, err := s.Score(t.Context(), m[0])
		if err != nil || !ok || r.Result.Score < c.score-1e-9 || r.Result.Score > c.score+1e-9 {
			t.Errorf("%s: score %v, want %v (%t, %v)", c.name, r.Result.Score, c.score, ok, err)
		}
		if len(p.asked) != c.asked || c.asked == 2 && !slices.Equal(p.asked[0], []string{"TestX"}) {
			t.Errorf("%s: asked for %q", c.name, p.asked)
		}
	}
}

// slowProgram ends after so many steps.
type slowProgram struct {
	needs    int
	searches []checker.Search
}

func (p *slowProgram) Check(_ context.Context, s checker.Search) (*checker.Report, error) {
	p.searches = append(p.searches, s)
	r := tested(map[string]int{"TestX": 30})
	if s.Steps < p.needs {
		r.Verdict, r.Passed, r.Kinds = explore.Inconclusive, 0, map[string]int{sched.Timeout: 30}
	}
	return r, nil
}

func (p *slowProgram) Close() error { return nil }

// Where the original ends early by its failure, a mutant that needs many more steps
// gets them, if it is seen to end. One that does not end is not explored at length.
func TestMoreSteps(t *testing.T) {
	original := tested(map[string]int{"TestX": 0})
	original.Steps = 30 * 50
	for _, c := range []struct {
		name     string
		needs    int
		score    float64
		searches int
	}{
		{"ends", leastSteps, FullScore, 1},
		{"ends later", 5 * leastSteps, FullScore, 3},
		{"does not end", 50 * leastSteps, 0, 2},
	} {
		p := &slowProgram{needs: c.needs}
		s := NewCheckerSource(CheckerOptions{
			Original: original,
			BuildAll: func(context.Context, []map[string][]byte) ([]Built, error) { return []Built{{Program: p}}, nil },
		})
		m := written(1)
		if err := s.Prepare(t.Context(), m); err != nil {
			t.Fatal(err)
		}
		r, _, err := s.Score(t.Context(), m[0])
		if err != nil || r.Result.Score != c.score || len(p.searches) != c.searches {
			t.Errorf("%s: score %v in %d searches, %v; want %v in %d", c.name, r.Result.Score, len(p.searches), err, c.score, c.searches)
		}
		if len(p.searches) > 1 && p.searches[1].Sample != probes {
			t.Errorf("%s: the second search has a sample of %d, want a probe", c.name, p.searches[1].Sample)
		}
	}
}
