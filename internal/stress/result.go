package stress

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"mendel/analysis"
	"mendel/analysis/evidence"
	"mendel/checker"
	"mendel/internal/cover"
	"mendel/internal/gotool"
	"mendel/internal/report"
	"mendel/internal/result"
)

// A Verdict is what the runs have shown.
type Verdict string

// Verdicts. The command's exit codes are 1, 0, 2 and 2 in this order.
const (
	Failed       Verdict = "failed"       // some run failed
	Passed       Verdict = "passed"       // none did
	Inconclusive Verdict = "inconclusive" // no run ended: see the reason
	Error        Verdict = "error"        // bad usage, does not build, broken environment
)

// Name is the file in the output directory that a result is in.
const Name = "stress.json"

// A Result is what the runs have shown; it is what stress.json holds.
type Result struct {
	Verdict     Verdict       `json:"verdict"`
	Reason      string        `json:"reason,omitempty"`
	Target      result.Target `json:"target"`
	Seed        uint64        `json:"seed"`
	Modes       []Mode        `json:"modes"`
	Groups      []Group       `json:"groups"` // the most telling kind first, then the most frequent
	Bisection   *Bisection    `json:"bisection,omitempty"`
	Notes       []string      `json:"notes,omitempty"`
	Interrupted bool          `json:"interrupted,omitempty"`
	Seconds     float64       `json:"seconds"` // loading and building included

	program *analysis.Program
	files   []file
}

// A Mode is what was done in one mode. Of Controlled, a run is a schedule of one test.
type Mode struct {
	Name    string  `json:"name"`
	Rate            // of runs that failed, in whatever way
	Seconds float64 `json:"seconds,omitempty"` // that they took
	Reason  string  `json:"reason,omitempty"`  // why there are no runs, or fewer than there might be
}

// A Group is failures with one signature.
type Group struct {
	evidence.Failure          // the first that was seen
	Tests            []string `json:"tests"`
	First            string   `json:"first"` // mode in which it was seen first
	Modes            []Mode   `json:"modes"` // Failed counts the runs with a failure of the group
	// File is that for mendel replay, in the output directory; "": none was written.
	File     string `json:"file,omitempty"`
	Schedule bool   `json:"schedule"` // File is a schedule, which fails always
}

// A file is what reproduces a group: one of both.
type file struct {
	schedule *checker.File
	unforced *cover.File
}

func newResult(o Options) *Result {
	return &Result{
		Verdict: Error, Seed: o.Seed, Target: result.Target{Package: o.Package, Run: o.Run},
		Modes: []Mode{}, Groups: []Group{}, // lists in JSON, though they be empty
	}
}

// take takes over what was seen of a program.
func (res *Result) take(s *subject) {
	res.program = s.program
	slices.SortStableFunc(s.modes, func(a, b *mode) int {
		return cmp.Compare(slices.Index(Modes, a.name), slices.Index(Modes, b.name))
	})
	for _, m := range s.modes {
		res.Modes = append(res.Modes, Mode{m.name, rateOf(m.failed, m.runs), m.seconds, m.why()})
	}
	if s.harness != nil && s.tool.RaceErr != nil {
		res.Notes = append(res.Notes, fmt.Sprintf("Noise was without the race detector: %v", s.tool.RaceErr))
	}
	if s.ignored > 0 {
		res.Notes = append(res.Notes, fmt.Sprintf("%s had races in functions with //mendel:exclude, which do not count.", report.Count(s.ignored, "run")))
	}
	slices.SortStableFunc(s.groups, func(a, b *group) int {
		return cmp.Or(cmp.Compare(a.Kind.Rank(), b.Kind.Rank()), cmp.Compare(b.total(), a.total()))
	})
	for _, g := range s.groups {
		told := Group{Failure: g.Failure, Tests: append([]string{}, g.tests...), First: g.first, Modes: []Mode{}, Schedule: g.schedule != nil}
		for _, m := range s.modes {
			if runs := m.runsOf(g); runs > 0 {
				told.Modes = append(told.Modes, Mode{Name: m.name, Rate: rateOf(g.seen[m.name], runs)})
			}
		}
		res.Groups = append(res.Groups, told)
		res.files = append(res.files, s.file(g))
	}
}

// why is why a mode made no runs, or fewer than it might.
func (m *mode) why() string {
	if m.reason != "" {
		return m.reason
	}
	var texts []string
	for _, t := range m.tests {
		if t.reason != "" {
			texts = append(texts, t.name+": "+t.reason)
		}
	}
	return strings.Join(texts, "; ")
}

// total is the number of runs that a group was seen in.
func (g *group) total() (n int) {
	for _, runs := range g.seen {
		n += runs
	}
	return n
}

// runsOf are the runs in which a group could be seen: under control those of its tests.
func (m *mode) runsOf(g *group) int {
	if m.name != Controlled {
		return m.runs
	}
	n := 0
	for _, t := range m.tests {
		if slices.Contains(g.tests, t.name) {
			n += t.runs
		}
	}
	return n
}

// file is what reproduces a group.
func (s *subject) file(g *group) file {
	if g.schedule != nil {
		if f, err := s.control.File(*g.schedule); err == nil {
			return file{schedule: f}
		}
	}
	f := g.Failure
	if f.Test == "" && len(g.tests) > 0 {
		f.Test = g.tests[0]
	}
	f.Test, _, _ = strings.Cut(f.Test, "/")
	if g.seed != nil {
		return file{unforced: cover.Unforced(s.program, cover.Noise, s.o.Run, *g.seed, f)}
	}
	return file{unforced: cover.Unforced(s.program, cover.Stress, s.o.Run, s.o.Seed, f)}
}

// conclude gives the verdict.
func (res *Result) conclude() {
	runs := 0
	for _, m := range res.Modes {
		runs += m.Runs
	}
	switch {
	case len(res.Groups) > 0:
		res.Verdict = Failed
	case res.Interrupted:
		res.Verdict, res.Reason = Inconclusive, "interrupted before anything failed"
	case runs == 0:
		res.Verdict, res.Reason = Inconclusive, "no run ended within the budget; give more with --budget, or a --timeout"
		for _, m := range res.Modes {
			if m.Reason != "" {
				res.Reason = m.Name + ": " + m.Reason
			}
		}
	default:
		res.Verdict = Passed
	}
}

// save writes stress.json and what reproduces the groups, and removes what an earlier
// run has left.
func (res *Result) save(dir string) error {
	if dir == "" {
		return nil
	}
	if err := result.Remove(dir, "failure-*.schedule", "failure-*"+cover.Extension); err != nil {
		return err
	}
	for i, f := range res.files {
		name := result.ScheduleName(i)
		var err error
		if f.schedule != nil {
			err = checker.WriteSchedule(filepath.Join(dir, name), f.schedule)
		} else {
			name = strings.TrimSuffix(name, filepath.Ext(name)) + cover.Extension
			err = f.unforced.Write(filepath.Join(dir, name))
		}
		if err != nil {
			return err
		}
		res.Groups[i].File = name
	}
	data, err := res.JSON()
	if err != nil {
		return err
	}
	if err := gotool.WriteFile(filepath.Join(dir, Name), data); err != nil {
		return fmt.Errorf("save the result: %w", err)
	}
	return nil
}

// JSON is the result as in stress.json.
func (res *Result) JSON() ([]byte, error) { return result.Indent(res) }
