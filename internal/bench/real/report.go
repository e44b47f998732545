package real

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"mendel"
	"mendel/internal/bench/repository"
	"mendel/internal/bench/tables"
	"mendel/internal/bench/trial"
)

// What is asked, of one arm.
const (
	repairedShare  = 12.0 / 15 // of the bugs are repaired
	checkedShare   = 12.0 / 15 // of them the checker takes part in
	mostValidation = 15.0      // seconds from the first full score to the validated fix, median
)

// A report is the outcome of the real command, as saved in real.json.
type report struct {
	tables.Machine
	Command string       `json:"command"`
	Limit   string       `json:"limit"`  // of one repair, from beginning to end
	Effort  string       `json:"effort"` // of a verification
	Bugs    []*bugReport `json:"bugs"`

	manifestOnly bool // nothing was repaired
}

// A bugReport is what became of one bug.
type bugReport struct {
	repository.Bug `json:"bug"`
	Human          string      `json:"human"` // the diff of the human fix, without tests
	Manifest       *Manifested `json:"manifest,omitempty"`
	Trials         []*armTrial `json:"trials,omitempty"`
}

// An armTrial is one repair of a bug.
type armTrial struct {
	Arm    string `json:"arm"`
	Mendel string `json:"mendel"` // hash of the source that evaluated; of the default arm, that repaired too
	trial.Trial
	Patch    string        `json:"patch,omitempty"`   // the best
	Checker  string        `json:"checker,omitempty"` // why it took no part, or was switched off; "": it took part
	Checked  string        `json:"checked,omitempty"` // the checker's verdict on the fix, in words
	Verified *Verification `json:"verified,omitempty"`
}

// bug finds the report of a bug, or begins one in the order of the work.
func (r *report) bug(b repository.Bug) *bugReport {
	for _, at := range r.Bugs {
		if at.Name == b.Name {
			at.Bug = b
			return at
		}
	}
	at := &bugReport{Bug: b}
	r.Bugs = append(r.Bugs, at)
	return at
}

// trial finds the trial of an arm; nil: there is none.
func (b *bugReport) trial(arm string) *armTrial {
	for _, t := range b.Trials {
		if t.Arm == arm {
			return t
		}
	}
	return nil
}

// unverified reports whether there is a patch that was not verified with an effort.
func (t *armTrial) unverified(effort string) bool {
	return t.Patch != "" && (t.Verified == nil || t.Verified.Effort != effort)
}

// repaired reports whether there is a fix in time and verification found no problem.
func (t *armTrial) repaired() bool {
	return t.OK() && t.Verified != nil && len(t.Verified.Problems()) == 0
}

// verdict says in a few words what became of a repair.
func (t *armTrial) verdict() string {
	switch {
	case t.repaired():
		return "passes verification"
	case t.Verified != nil && len(t.Verified.Problems()) > 0:
		return "refuted: " + tables.FirstLine(t.Verified.Problems()[0])
	case len(t.Problems) > 0:
		return tables.FirstLine(t.Problems[0])
	case t.Status == mendel.Fixed:
		return "not verified"
	}
	return cmp.Or(string(t.Status), "no result") + ": " + cmp.Or(tables.FirstLine(t.Reason), "no reason given")
}

// checkerWords says whether the checker took part.
func (t *armTrial) checkerWords() string {
	if t.Checker != "" {
		return "no: " + tables.FirstLine(t.Checker)
	}
	return strings.TrimSuffix("yes; "+tables.FirstLine(t.Checked), "; ")
}

// validationWords is the time from the first full score to the validated fix.
func (t *armTrial) validationWords() string {
	if s, ok := t.Moments.Validation(); ok {
		return fmt.Sprintf("%.1f", s)
	}
	return "-"
}

// flagWords lists the flags of the fix.
func (t *armTrial) flagWords() string {
	var words []string
	for _, f := range t.Flags {
		words = append(words, string(f))
	}
	return cmp.Or(strings.Join(words, ", "), "-")
}

// arms lists the arms that were tried, in their order.
func (r *report) arms() []string {
	var names []string
	for _, b := range r.Bugs {
		for _, t := range b.Trials {
			if !slices.Contains(names, t.Arm) {
				names = append(names, t.Arm)
			}
		}
	}
	return names
}

// An armSummary is what an arm did with all bugs.
type armSummary struct {
	bugs, repaired, checked int
	seconds, validation     []float64
}

// summary counts what an arm did.
func (r *report) summary(arm string) armSummary {
	var s armSummary
	for _, b := range r.Bugs {
		t := b.trial(arm)
		if t == nil {
			continue
		}
		s.bugs++
		s.seconds = append(s.seconds, t.Seconds)
		if t.repaired() {
			s.repaired++
		}
		if t.Checker == "" {
			s.checked++
		}
		if v, ok := t.Moments.Validation(); ok {
			s.validation = append(s.validation, v)
		}
	}
	return s
}

// Failures implements document. What is asked, is asked of the default arm, or of
// the first if that was not tried.
func (r *report) Failures() []string {
	var all []string
	for _, b := range r.Bugs {
		if b.Manifest != nil && b.Manifest.Problem != "" {
			all = append(all, fmt.Sprintf("%s: %s", b.Name, tables.FirstLine(b.Manifest.Problem)))
		}
	}
	names := r.arms()
	if r.manifestOnly || len(names) == 0 {
		return all
	}
	judged := names[0]
	if slices.Contains(names, trial.DefaultArm) {
		judged = trial.DefaultArm
	}
	s := r.summary(judged)
	if want := int(math.Ceil(repairedShare * float64(s.bugs))); s.repaired < want {
		all = append(all, fmt.Sprintf("%d of %d bugs are repaired, want %d", s.repaired, s.bugs, want))
	}
	if want := int(math.Ceil(checkedShare * float64(s.bugs))); s.checked < want {
		all = append(all, fmt.Sprintf("the checker takes part in %d of %d repairs, want %d", s.checked, s.bugs, want))
	}
	if m := tables.Median(s.validation); m > mostValidation {
		all = append(all, fmt.Sprintf("%.1f s from the first full score to the validated fix in the median, want at most %.0f s", m, mostValidation))
	}
	return all
}

// Write implements document.
func (r *report) Write(w io.Writer, markdown bool) error {
	command := r.Command
	if markdown {
		command = "    " + command
	}
	if _, err := fmt.Fprintf(w, "%s\n\n%s; %s at most for each repair; each patch verified with %s.\n", command, r.Machine, r.Limit, r.Effort); err != nil {
		return err
	}
	for _, part := range []struct {
		title string
		table *tables.Table
	}{
		{"Bugs", r.table()},
		{"Arms", r.armTable()},
		{"The tests before and after the human fixes", r.manifestTable()},
	} {
		if len(part.table.Rows) == 0 {
			continue
		}
		if _, err := fmt.Fprintf(w, "\n%s:\n\n", part.title); err != nil {
			return err
		}
		if err := part.table.Render(w, markdown); err != nil {
			return err
		}
	}
	_, err := io.WriteString(w, "\nA patch that passes verification need not be right: read it beside the human fix.\n")
	return err
}

// table is a line for each repair.
func (r *report) table() *tables.Table {
	t := &tables.Table{Header: []string{
		"bug", "kind", "lines", "arm", "verdict", "seconds", "full score to fix", "mutants", "checker", "operators", "changed lines", "human's", "flags", "test failed",
	}}
	for _, b := range r.Bugs {
		for _, a := range b.Trials {
			operators, lines, failed := "-", "-", "-"
			if a.Patch != "" {
				operators, lines = strings.Join(slices.Compact(slices.Sorted(slices.Values(a.Operators))), ", "), fmt.Sprint(a.ChangedLines)
			}
			if a.Verified != nil && a.Verified.Broken == "" {
				failed = a.Verified.Test.String()
			}
			t.Add(b.Name, b.Kind, b.PackageLines, a.Arm, a.verdict(), fmt.Sprintf("%.1f", a.Seconds), a.validationWords(), a.Search.Evaluations,
				a.checkerWords(), operators, lines, b.HumanLines, a.flagWords(), failed)
		}
	}
	return t
}

// armTable is a line for each arm.
func (r *report) armTable() *tables.Table {
	t := &tables.Table{Header: []string{"arm", "repaired", "checker took part", "seconds", "full score to fix (median)"}}
	for _, name := range r.arms() {
		s := r.summary(name)
		validation := "-"
		if len(s.validation) > 0 {
			validation = fmt.Sprintf("%.1f of %d", tables.Median(s.validation), len(s.validation))
		}
		t.Add(name, fmt.Sprintf("%d of %d", s.repaired, s.bugs), fmt.Sprintf("%d of %d", s.checked, s.bugs), tables.FormatMeanRange(s.seconds), validation)
	}
	return t
}

// manifestTable is a line for each bug whose test was run.
func (r *report) manifestTable() *tables.Table {
	t := &tables.Table{Header: []string{"bug", "test", "fails before in run", "fails after", "problem"}}
	for _, b := range r.Bugs {
		if m := b.Manifest; m != nil {
			t.Add(b.Name, b.Test, m.Before.Done, m.After, cmp.Or(tables.FirstLine(m.Problem), "-"))
		}
	}
	return t
}
