package stress

import (
	"bytes"
	"strings"
	"testing"

	"mendel/analysis"
	"mendel/analysis/evidence"
	"mendel/checker"
	"mendel/fitness/noise"
	"mendel/internal/gotool"
	"mendel/internal/result"
)

func lost() evidence.Failure {
	return evidence.Failure{Kind: evidence.TestFailure, Signature: "lost", Message: "balance 1, want 2", Test: "TestLost/sub"}
}

func race() evidence.Failure {
	return evidence.Failure{Kind: evidence.Race, Signature: "race", Message: "data race", Test: "TestRace"}
}

// subjectOf is a program of which runs are made up.
func subjectOf() *subject {
	s := &subject{o: Options{Observer: result.Silent{}}, tool: &gotool.Toolchain{}, program: &analysis.Program{Packages: []*analysis.Package{{Path: "p"}}}}
	s.modes = []*mode{{name: Noise}, {name: Controlled, tests: []*controlled{{name: "TestLost"}, {name: "TestRace"}}}}
	return s
}

// Failures with one signature are a group, whatever the mode, and a run that shows
// several is one run of each group.
func TestGroups(t *testing.T) {
	s := subjectOf()
	noised, control := s.modes[0], s.modes[1]
	s.note(noised, noise.Outcome{Pass: true, Tests: 2, Seed: 1})
	s.note(noised, noise.Outcome{Failures: []evidence.Failure{lost()}, Tests: 2, Seed: 2})
	s.note(noised, noise.Outcome{Failures: []evidence.Failure{race(), lost()}, Tests: 2, Seed: 3})
	for _, f := range []*checker.Failure{nil, {Failure: race()}, {Failure: race()}, nil} {
		s.witnessed(control, control.tests[1], checker.Witness{Failure: f})
	}
	s.witnessed(control, control.tests[0], checker.Witness{})
	res := newResult(s.o)
	res.take(s)
	res.conclude()

	if res.Verdict != Failed || len(res.Groups) != 2 {
		t.Fatalf("%s, %d groups, want failed, 2", res.Verdict, len(res.Groups))
	}
	type count struct {
		mode         string
		failed, runs int
	}
	for i, want := range []struct {
		signature string
		counts    []count
	}{
		{"race", []count{{Noise, 1, 3}, {Controlled, 2, 4}}},
		{"lost", []count{{Noise, 2, 3}}},
	} {
		g := res.Groups[i]
		var got []count
		for _, m := range g.Modes {
			got = append(got, count{m.Name, m.Failed, m.Runs})
		}
		if g.Signature != want.signature || len(got) != len(want.counts) {
			t.Errorf("group %d: %s %v, want %v", i, g.Signature, got, want)
			continue
		}
		for k := range got {
			if got[k] != want.counts[k] {
				t.Errorf("group %d: %v, want %v", i, got, want)
			}
		}
	}
	if f := res.files[1].unforced; f == nil || f.Seed != 2 || f.Strategy != "noise" || f.Test != "TestLost" || f.Run != "." {
		t.Errorf("what reproduces the second group: %+v", f)
	}
	if m := res.Modes[0]; m.Failed != 2 || m.Runs != 3 {
		t.Errorf("%s: %d of %d runs failed, want 2 of 3", m.Name, m.Failed, m.Runs)
	}
}

// A verdict says no more than was done.
func TestVerdict(t *testing.T) {
	for _, c := range []struct {
		name string
		res  Result
		want Verdict
		text string
	}{
		{"passed", Result{Modes: []Mode{{Name: Plain, Rate: rateOf(0, 3)}}}, Passed, "nothing failed"},
		{"no run", Result{Modes: []Mode{{Name: Plain}}}, Inconclusive, "--budget"},
		{"no control", Result{Modes: []Mode{{Name: Controlled, Reason: "cgo"}}}, Inconclusive, "controlled: cgo"},
		{"interrupted", Result{Interrupted: true, Modes: []Mode{{Name: Plain, Rate: rateOf(0, 3)}}}, Inconclusive, "interrupted"},
	} {
		c.res.conclude()
		var b bytes.Buffer
		if err := c.res.Print(&b, PrintOptions{}); err != nil {
			t.Fatal(err)
		}
		if c.res.Verdict != c.want || !strings.Contains(b.String(), c.text) {
			t.Errorf("%s: %s, want %s with %q\n%s", c.name, c.res.Verdict, c.want, c.text, &b)
		}
	}
}
