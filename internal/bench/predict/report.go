package predict

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"mendel/internal/bench/tables"
)

// A report is the outcome of the command, as saved in predict.json.
type report struct {
	tables.Machine
	Mendel   string     `json:"mendel"` // hash of the source that measured
	Limit    string     `json:"limit"`  // of each package
	Subjects []*outcome `json:"subjects"`
}

// An outcome is what was measured of a subject.
type outcome struct {
	Name   string `json:"name"`
	Kind   string `json:"kind"` // of the failure, by its description
	Buggy  answer `json:"buggy"`
	Mended answer `json:"mended"`
}

// An answer is what became of the tests of one package.
type answer struct {
	Plain     []string `json:"plain,omitempty"`    // kinds of failures of first schedules
	Foretold  []string `json:"foretold,omitempty"` // kinds of failures that were foretold
	Unknown   []string `json:"unknown,omitempty"`  // tests without a verdict, with the reason
	Runs      int      `json:"runs"`               // passing ones that were asked
	Steps     int      `json:"steps"`              // of the longest
	Confirmed int      `json:"confirmed"`
	Refuted   int      `json:"refuted"`
	Undecided int      `json:"undecided"`
	Schedules int      `json:"schedules"`
	Seconds   float64  `json:"seconds"`
}

// atomicity is a kind of bugs that no failure has: any may show it.
const atomicity = "atomicity"

// shown is how the bug of a subject was shown.
func (o *outcome) shown() string {
	has := func(kinds []string) bool {
		return slices.Contains(kinds, o.Kind) || o.Kind == atomicity && len(kinds) > 0
	}
	switch {
	case has(o.Buggy.Plain):
		return "by the first schedule"
	case has(o.Buggy.Foretold):
		return "foretold"
	case len(o.Buggy.Plain) > 0:
		return "by the first schedule, as " + o.Buggy.Plain[0]
	}
	return "no"
}

// Failures implements tables.Document: what is correct must not fail.
func (r *report) Failures() (failures []string) {
	for _, o := range r.Subjects {
		if n := len(o.Mended.Plain) + len(o.Mended.Foretold); n > 0 {
			failures = append(failures, fmt.Sprintf("%s, corrected, fails: %s", o.Name, strings.Join(append(o.Mended.Plain, o.Mended.Foretold...), ", ")))
		}
	}
	return failures
}

// Write implements tables.Document.
func (r *report) Write(w io.Writer, markdown bool) error {
	fmt.Fprintf(w, "%s; %s for each package; Mendel's source %s.\n\n", r.Machine, r.Limit, r.Mendel)
	t := &tables.Table{Header: []string{"subject", "bug", "shown", "runs asked", "steps", "confirmed", "refuted", "not decided", "schedules", "corrected: refuted", "not decided", "schedules"}}
	first, foretold := 0, 0
	for _, o := range r.Subjects {
		switch shown := o.shown(); {
		case shown == "foretold":
			foretold++
		case shown != "no":
			first++
		}
		a, m := o.Buggy, o.Mended
		t.Add(o.Name, o.Kind, o.shown(), a.Runs, a.Steps, a.Confirmed, a.Refuted, a.Undecided, a.Schedules, m.Refuted, m.Undecided, m.Schedules)
	}
	if err := t.Render(w, markdown); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\nOf %d subjects the first schedule shows the bug of %d. Of the other %d, the model of their passing schedules foretells that of %d.\n",
		len(r.Subjects), first, len(r.Subjects)-first, foretold)
	return err
}
