package judged

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"mendel"
	"mendel/internal/bench/cases"
	"mendel/internal/bench/disguise"
	"mendel/internal/bench/tables"
)

// Bounds of the criteria for a whole set.
const (
	minRight     = 0.85 // of the programs, a fix that the judge finds sound
	maxWrongSaid = 0.05 // of what is called a fix, unsound
)

// A report is what became of the programs.
type report struct {
	Machine tables.Machine `json:"machine"`
	Mendel  string         `json:"mendel"` // hash of the source
	Budget  float64        `json:"budget"` // seconds for each program
	Seed    uint64         `json:"seed"`
	Runs    int            `json:"runs"` // of the judge
	Check   bool           `json:"check,omitempty"`
	Rows    []row          `json:"rows"`
}

// A row is a program that was repaired, or a patch that was known.
type row struct {
	Program string `json:"program"`
	Set     string `json:"set"`
	Kind    string `json:"kind"`
	As      string `json:"as,omitempty"` // how it is written (package disguise); "": as it is

	Status    mendel.Status `json:"status,omitempty"`
	Reason    string        `json:"reason,omitempty"` // when it is not called fixed
	Seconds   float64       `json:"seconds,omitempty"`
	Mutants   int           `json:"mutants,omitempty"` // scored until the first with a full score, that one included
	Operators []string      `json:"operators,omitempty"`
	Flags     []string      `json:"flags,omitempty"`

	Patch string `json:"patch,omitempty"` // the name of a known one
	Right bool   `json:"right,omitempty"`

	Judged  bool   `json:"judged,omitempty"`
	Problem string `json:"problem,omitempty"` // what the judge says; "": sound, if judged
}

func (r row) sound() bool { return r.Judged && r.Problem == "" }

// sameConditions reports whether the rows of two reports can stand in one.
func (r *report) sameConditions(o *report) bool {
	return r.Mendel == o.Mendel && r.Budget == o.Budget && r.Seed == o.Seed && r.Runs == o.Runs && r.Check == o.Check
}

// has reports whether a program was done as it is written in a way.
func (r *report) has(p cases.Program, way string) bool {
	return slices.ContainsFunc(r.Rows, func(row row) bool {
		return row.Program == p.Name && row.Set == p.Set && row.way() == way
	})
}

// way is how the program of a row is written.
func (r row) way() string { return cmp.Or(r.As, string(disguise.Plain)) }

// group is what a row counts for: its set, and how its program is written.
func (r row) group() string {
	if way := r.way(); way != string(disguise.Plain) {
		return r.Set + ", " + way
	}
	return r.Set
}

// Write writes the tables.
func (r *report) Write(w io.Writer, markdown bool) error {
	if _, err := fmt.Fprintf(w, "%v; %.0f s each; seed %d; %d runs of the judge; Mendel's source %.12s.\n\n", r.Machine, r.Budget, r.Seed, r.Runs, r.Mendel); err != nil {
		return err
	}
	if r.Check {
		return r.known().Render(w, markdown)
	}
	if err := r.repaired().Render(w, markdown); err != nil {
		return err
	}
	if _, err := fmt.Fprintln(w); err != nil {
		return err
	}
	return r.totals().Render(w, markdown)
}

// known is the table of the patches that were known.
func (r *report) known() *tables.Table {
	t := &tables.Table{Header: []string{"program", "patch", "is", "judged"}}
	for _, row := range r.Rows {
		is := "wrong"
		if row.Right {
			is = "right"
		}
		t.Add(row.Program, row.Patch, is, cmp.Or(tables.FirstLine(row.Problem), "sound"))
	}
	return t
}

// repaired is the table of the repairs.
func (r *report) repaired() *tables.Table {
	t := &tables.Table{Header: []string{"program", "set", "as", "called", "judged", "seconds", "mutants", "operators", "flags", "reason"}}
	for _, row := range r.Rows {
		judged := "-"
		if row.Judged {
			judged = cmp.Or(tables.FirstLine(row.Problem), "sound")
		}
		t.Add(row.Program, row.Set, row.way(), row.Status, judged, fmt.Sprintf("%.1f", row.Seconds), tables.FormatPositive("%.0f", float64(row.Mutants)),
			cmp.Or(strings.Join(row.Operators, "+"), "-"), cmp.Or(strings.Join(row.Flags, " "), "-"), cmp.Or(tables.FirstLine(row.Reason), "-"))
	}
	return t
}

// A total counts the programs of a set.
type total struct {
	programs, fixed, right, others int // others: not called fixed, with a patch that is sound
	seconds                        []float64
}

// count counts the programs of each group, in the order of their names.
func (r *report) count() (sets []string, totals map[string]*total) {
	totals = map[string]*total{}
	for _, row := range r.Rows {
		if totals[row.group()] == nil {
			totals[row.group()] = &total{}
			sets = append(sets, row.group())
		}
		t := totals[row.group()]
		t.programs++
		switch {
		case row.Status == mendel.Fixed && row.sound():
			t.right++
			t.seconds = append(t.seconds, row.Seconds)
			fallthrough
		case row.Status == mendel.Fixed:
			t.fixed++
		case row.sound():
			t.others++
		}
	}
	slices.Sort(sets)
	return sets, totals
}

func (r *report) totals() *tables.Table {
	t := &tables.Table{Header: []string{"set", "programs", "called fixed", "sound of these", "others that are sound", "median seconds of the sound"}}
	sets, totals := r.count()
	for _, s := range sets {
		c := totals[s]
		median := "-"
		if len(c.seconds) > 0 {
			median = fmt.Sprintf("%.1f", tables.Median(c.seconds))
		}
		t.Add(s, c.programs, c.fixed, c.right, c.others, median)
	}
	return t
}

// Failures are the criteria that are not met.
func (r *report) Failures() (failures []string) {
	if r.Check {
		for _, row := range r.Rows {
			if row.sound() != row.Right {
				failures = append(failures, fmt.Sprintf("%s, %s: %s", row.Program, row.Patch, cmp.Or(row.Problem, "the judge finds nothing")))
			}
		}
		return failures
	}
	sets, totals := r.count()
	for _, s := range sets {
		t := totals[s]
		if float64(t.right) < minRight*float64(t.programs) {
			failures = append(failures, fmt.Sprintf("%s: %d of %d programs have a sound fix, asked are %s", s, t.right, t.programs, tables.Percent(minRight)))
		}
		if wrong := t.fixed - t.right; float64(wrong) > maxWrongSaid*float64(t.fixed) {
			failures = append(failures, fmt.Sprintf("%s: %d of %d that are called fixed are unsound, allowed are %s", s, wrong, t.fixed, tables.Percent(maxWrongSaid)))
		}
	}
	return failures
}
