package series

import (
	"cmp"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"time"

	"mendel"
	"mendel/internal/bench/tables"
)

// A seriesReport is what became of a module of several packages, and of a
// package with two bugs.
type seriesReport struct {
	Machine tables.Machine `json:"machine"`
	Mendel  string         `json:"mendel"` // hash of the source
	Broken  []string       `json:"broken"` // packages that are to be fixed
	Sound   string         `json:"sound"`  // the one that is not
	Seed    uint64         `json:"seed"`
	Budget  float64        `json:"budget"` // seconds, of the series
	Runs    int            `json:"runs"`   // of the patched module's tests

	Status  mendel.Status `json:"status"` // of the series
	Seconds float64       `json:"seconds"`
	Members []member      `json:"members"`
	Problem string        `json:"problem,omitempty"` // with all patches together
	Written string        `json:"written,omitempty"` // what is wrong with what --write leaves

	TwoBugs *twoBugsReport `json:"twoBugs,omitempty"` // nil: not tried
}

// A member is a package of the module.
type member struct {
	Name     string        `json:"name"`
	Status   mendel.Status `json:"status"`
	Reason   string        `json:"reason,omitempty"`
	Failures int           `json:"failures"`
	Seconds  float64       `json:"seconds"`
	Glance   mendel.Triage `json:"glance"`
}

// twoBugsReport is what became of the package with two bugs.
type twoBugsReport struct {
	Status    mendel.Status `json:"status"`
	Reason    string        `json:"reason,omitempty"`
	Failures  int           `json:"failures"`
	Mends     int           `json:"mends"` // so many of them, the best fix
	Operators []string      `json:"operators,omitempty"`
	Seconds   float64       `json:"seconds"`
	Problem   string        `json:"problem,omitempty"` // of the patch
}

// take keeps what is asked for of a series.
func (r *seriesReport) take(s *mendel.Series) {
	r.Status, r.Seconds = s.Status, s.Seconds
	for _, m := range s.Packages {
		r.Members = append(r.Members, member{
			Name: path.Base(m.Path), Status: m.Status, Reason: m.Reason,
			Failures: len(m.Failures), Seconds: m.Seconds, Glance: m.Triage,
		})
	}
}

// Write writes the tables.
func (r *seriesReport) Write(w io.Writer, markdown bool) error {
	budget := time.Duration(r.Budget * float64(time.Second))
	if _, err := fmt.Fprintf(w, "%v; %v for all packages of the module; seed %d; Mendel's source %.12s.\n\n", r.Machine, budget, r.Seed, r.Mendel); err != nil {
		return err
	}
	t := &tables.Table{Header: []string{"package", "status", "seconds", "quick look", "failures", "edits", "reason"}}
	for _, m := range r.Members {
		t.Add(m.Name, m.Status, fmt.Sprintf("%.1f", m.Seconds), fmt.Sprintf("%.1f", m.Glance.Seconds), m.Failures, m.Glance.Edits, cmp.Or(tables.FirstLine(m.Reason), "-"))
	}
	t.Add("all", r.Status, fmt.Sprintf("%.1f", r.Seconds), "", "", "", cmp.Or(r.Problem, "-"))
	if err := t.Render(w, markdown); err != nil {
		return err
	}
	if r.TwoBugs == nil {
		return nil
	}
	if _, err := io.WriteString(w, "\nThe package with two bugs:\n\n"); err != nil {
		return err
	}
	two := r.TwoBugs
	t = &tables.Table{Header: []string{"status", "seconds", "failures", "mended by the best fix", "its edits", "problem"}}
	t.Add(two.Status, fmt.Sprintf("%.1f", two.Seconds), two.Failures, two.Mends, cmp.Or(strings.Join(two.Operators, ", "), "-"), cmp.Or(two.Problem, tables.FirstLine(two.Reason), "-"))
	return t.Render(w, markdown)
}

// Failures are the criteria that are not met.
func (r *seriesReport) Failures() []string {
	var missed []string
	miss := func(format string, args ...any) { missed = append(missed, fmt.Sprintf(format, args...)) }
	for _, name := range slices.Concat(r.Broken, []string{r.Sound}) {
		want := mendel.Fixed
		if name == r.Sound {
			want = mendel.NotReproduced
		}
		at := slices.IndexFunc(r.Members, func(m member) bool { return m.Name == name })
		switch {
		case at < 0:
			miss("%s was not tried, want %s", name, want)
		case r.Members[at].Status != want:
			miss("%s is %s, want %s", name, r.Members[at].Status, want)
		}
	}
	if r.Seconds > r.Budget {
		miss("the series took %.1f s of %.0f s", r.Seconds, r.Budget)
	}
	if r.Problem != "" {
		miss("all patches on one copy: %s", tables.FirstLine(r.Problem))
	}
	if r.Written != "" {
		miss("%s", tables.FirstLine(r.Written))
	}
	switch two := r.TwoBugs; {
	case two == nil:
		miss("the package with two bugs was not tried")
	case two.Status != mendel.Fixed:
		miss("the package with two bugs is %s, want fixed", two.Status)
	case two.Mends != two.Failures || two.Failures < 2:
		miss("the fix of two bugs mends %d of %d failures", two.Mends, two.Failures)
	case two.Problem != "":
		miss("the fix of two bugs: %s", tables.FirstLine(two.Problem))
	}
	return missed
}
