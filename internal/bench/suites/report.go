package suites

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"time"

	"mendel/internal/bench/tables"
	"mendel/internal/check"
	"mendel/internal/gate"
)

// What is asked of all libraries together.
const (
	leastTests = 1500
	toldShare  = 0.92 // of the tests have a verdict
	realShare  = 0.95 // of the failures are such that a maintainer would mend them
)

// A report is the outcome of the command, as saved in suites.json.
type report struct {
	tables.Machine
	Libraries []*library `json:"libraries"`
}

// A library is what came of one.
type library struct {
	source
	Mendel    string      `json:"mendel,omitempty"` // hash of the source that checked; "": nothing did
	Budget    float64     `json:"budget"`           // seconds
	Seconds   float64     `json:"seconds"`
	GoTest    float64     `json:"goTest"`            // seconds of go test, without builds
	Plain     string      `json:"plain,omitempty"`   // what is wrong with the tests as they are
	Problem   string      `json:"problem,omitempty"` // why there is nothing else
	Counts    check.Tally `json:"counts"`
	Schedules int         `json:"schedules"`
	Steps     int         `json:"steps"`
	Processes int         `json:"processes"`
	Without   []string    `json:"without,omitempty"` // packages of which no test was seen, and why
	Untold    []untold    `json:"untold,omitempty"`  // tests
	Failures  []failure   `json:"failures,omitempty"`
}

// An untold is a test without a verdict.
type untold struct {
	Package string `json:"package"`
	Test    string `json:"test"`
	Cause   string `json:"cause"`
	Reason  string `json:"reason"`
}

// A failure is one with what is thought of it.
type failure struct {
	gate.Failure
	Is    opinion  `json:"is,omitempty"`
	Why   string   `json:"why,omitempty"`
	Table []string `json:"table,omitempty"`
}

// told reports whether a failure is only told: the check does not fail by it.
func (f failure) told() bool { return f.Flaky || f.Left != "" }

// isOf reports whether a library was checked by a Mendel within a budget.
func (l *library) isOf(mendel string, budget time.Duration) bool {
	return l.Mendel == mendel && l.Budget == budget.Seconds()
}

// enter makes the report one of the manifest's libraries, with what is known of them.
func (r *report) enter(m *manifest) {
	known := map[string]*library{}
	for _, l := range r.Libraries {
		known[l.String()] = l
	}
	r.Libraries = nil
	for _, s := range m.Libraries {
		l := cmp.Or(known[s.String()], &library{})
		l.source = s
		l.judge(m)
		r.Libraries = append(r.Libraries, l)
	}
}

// judge says of each failure what the manifest thinks of it.
func (l *library) judge(m *manifest) {
	for i, f := range l.Failures {
		l.Failures[i].Is, l.Failures[i].Why = m.judge(l.String(), f.Failure)
	}
}

// A sum is what came of some libraries.
type sum struct {
	check.Tally
	libraries int // that were checked
	failures  int // by which a check fails
	opinions  map[opinion]int
	told      int // other failures
}

func sumOf(libraries ...*library) sum {
	s := sum{opinions: map[opinion]int{}}
	for _, l := range libraries {
		if l.Mendel != "" {
			s.libraries++
		}
		s.Add(l.Counts)
		for _, f := range l.Failures {
			if f.told() {
				s.told++
				continue
			}
			s.failures++
			s.opinions[f.Is]++
		}
	}
	return s
}

// verdicts is how many tests have one.
func (s sum) verdicts() int { return s.Tests - s.Inconclusive }

// Failures implements tables.Document.
func (r *report) Failures() (unmet []string) {
	s := sumOf(r.Libraries...)
	if s.libraries < len(r.Libraries) {
		unmet = append(unmet, fmt.Sprintf("%d of %d libraries were checked", s.libraries, len(r.Libraries)))
	}
	if s.Tests < leastTests {
		unmet = append(unmet, fmt.Sprintf("there are %d tests, fewer than %d", s.Tests, leastTests))
	}
	if share := float64(s.verdicts()) / float64(max(s.Tests, 1)); share < toldShare {
		unmet = append(unmet, fmt.Sprintf("%.1f %% of the tests have a verdict, fewer than %.0f %%", 100*share, 100*toldShare))
	}
	if n := s.opinions[unjudged]; n > 0 {
		unmet = append(unmet, fmt.Sprintf("%d failures are not judged", n))
	}
	if s.failures > 0 && float64(s.opinions[bug]) < realShare*float64(s.failures) {
		unmet = append(unmet, fmt.Sprintf("%d of %d failures are bugs, fewer than %.0f %%", s.opinions[bug], s.failures, 100*realShare))
	}
	return unmet
}

// Write implements tables.Document.
func (r *report) Write(w io.Writer, markdown bool) error {
	fmt.Fprintf(w, "%s. Verdicts are of tests; failures are those by which a check fails, others are only told. Seconds are of mendel check with its builds, and of go test without.\n\n", r.Machine)
	if err := r.libraries().Render(w, markdown); err != nil {
		return err
	}
	for _, part := range []struct {
		title string
		table *tables.Table
	}{
		{"Failures", r.failures(false)}, {"Only told: flaky under load, or left by the test", r.failures(true)}, {"Without a verdict", r.untold()},
	} {
		if len(part.table.Rows) == 0 {
			continue
		}
		fmt.Fprintf(w, "\n%s:\n\n", part.title)
		if err := part.table.Render(w, markdown); err != nil {
			return err
		}
	}
	return r.schedules(w)
}

func (r *report) libraries() *tables.Table {
	t := &tables.Table{Header: []string{"library", "tests", "fail", "flaky", "left", "complete", "passed", "skipped", "no verdict", "failures", "bugs", "not judged", "schedules", "steps", "processes", "budget", "seconds", "go test"}}
	row := func(name string, s sum, schedules, steps, processes int, budget, seconds, goTest float64) {
		t.Add(name, s.Tests, s.Failed, s.Flaky, s.Left, s.Complete, s.Passed, s.Skipped, s.Inconclusive,
			s.failures, s.opinions[bug], s.opinions[unjudged], schedules, steps, processes, fmt.Sprintf("%.0f", budget), fmt.Sprintf("%.0f", seconds), fmt.Sprintf("%.1f", goTest))
	}
	var all library
	for _, l := range r.Libraries {
		if l.Mendel == "" {
			continue
		}
		name := l.String()
		switch {
		case l.Problem != "":
			name += " (" + l.Problem + ")"
		case len(l.Without) > 0:
			name += fmt.Sprintf(" (and %d packages without any)", len(l.Without))
		}
		row(name, sumOf(l), l.Schedules, l.Steps, l.Processes, l.Budget, l.Seconds, l.GoTest)
		all.Schedules += l.Schedules
		all.Steps += l.Steps
		all.Processes += l.Processes
		all.Budget += l.Budget
		all.Seconds += l.Seconds
		all.GoTest += l.GoTest
	}
	row("all", sumOf(r.Libraries...), all.Schedules, all.Steps, all.Processes, all.Budget, all.Seconds, all.GoTest)
	return t
}

// failures are those by which a check fails, or those that it only tells.
func (r *report) failures(told bool) *tables.Table {
	t := &tables.Table{Header: []string{"library", "test", "kind", "failure", "judged", "why"}}
	for _, l := range r.Libraries {
		for _, f := range l.Failures {
			if f.told() == told {
				t.Add(l, f.Test, f.Kind, tables.FirstLine(f.Message), cmp.Or(string(f.Is), "-"), cmp.Or(f.Why, "-"))
			}
		}
	}
	return t
}

// untold are the tests without a verdict, and the packages.
func (r *report) untold() *tables.Table {
	t := &tables.Table{Header: []string{"library", "package", "test", "cause", "reason"}}
	for _, l := range r.Libraries {
		for _, p := range l.Without {
			t.Add(l, p, "-", "-", "-")
		}
		for _, u := range l.Untold {
			t.Add(l, u.Package, u.Test, u.Cause, tables.FirstLine(u.Reason))
		}
	}
	return t
}

// schedules shows each failure that is a bug, for whoever wants to report it.
func (r *report) schedules(w io.Writer) error {
	for _, l := range r.Libraries {
		for _, f := range l.Failures {
			if f.Is != bug || len(f.Table) == 0 {
				continue
			}
			if _, err := fmt.Fprintf(w, "\n%s, %s: %s\n\n    %s\n", l, f.Test, tables.FirstLine(f.Message), strings.Join(f.Table, "\n    ")); err != nil {
				return err
			}
		}
	}
	return nil
}
