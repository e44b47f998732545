package objections

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"mendel/internal/bench/tables"
	"mendel/mutate"
)

// An objectionReport is what is said against all patches.
type objectionReport struct {
	Mendel  string   `json:"mendel"` // hash of the source
	Patches []judged `json:"patches"`
}

// A judged patch.
type judged struct {
	Module  string   `json:"module"`
	Patch   string   `json:"patch"`
	Right   bool     `json:"right"`
	Passes  bool     `json:"passes,omitempty"` // a wrong one that the module's own tests let through
	Refused bool     `json:"refused"`          // by a rule, or as a workaround
	Rule    string   `json:"rule,omitempty"`
	Flags   []string `json:"flags,omitempty"`
	Why     []string `json:"why,omitempty"`
	// With scenarios: how many were made for it, how many of these could be used, and what they
	// show against it.
	Made      int      `json:"made,omitempty"`
	Scenarios int      `json:"scenarios,omitempty"`
	Shown     []string `json:"shown,omitempty"`
	Unread    string   `json:"unread,omitempty"` // why the patch could not be read; "": it was
}

// told reports whether anything at all is said against a patch.
func (j judged) told() bool { return j.Rule != "" || len(j.Flags) > 0 }

// count counts the patches of which all is true.
func (r *objectionReport) count(of ...func(judged) bool) (n int) {
	for _, j := range r.Patches {
		all := true
		for _, is := range of {
			all = all && is(j)
		}
		if all {
			n++
		}
	}
	return n
}

func right(j judged) bool   { return j.Right }
func wrong(j judged) bool   { return !j.Right }
func passes(j judged) bool  { return j.Passes }
func refused(j judged) bool { return j.Refused }
func unread(j judged) bool  { return j.Unread != "" }
func tried(j judged) bool   { return j.Scenarios > 0 }
func shown(j judged) bool   { return len(j.Shown) > 0 }
func either(j judged) bool  { return refused(j) || shown(j) }

// Write writes the figures and a table.
func (r *objectionReport) Write(w io.Writer, markdown bool) error {
	if _, err := fmt.Fprintf(w, `Mendel's source %.12s.

Of %d wrong patches %d are refused and %d flagged or refused; of the %d that pass the tests %d and %d. Of %d right ones %d are refused and %d flagged or refused. %d patches could not be read.

`, r.Mendel,
		r.count(wrong), r.count(wrong, refused), r.count(wrong, judged.told),
		r.count(passes), r.count(passes, refused), r.count(passes, judged.told),
		r.count(right), r.count(right, refused), r.count(right, judged.told), r.count(unread)); err != nil {
		return err
	}
	if r.count(tried) > 0 {
		if _, err := fmt.Fprintf(w, `Scenarios were tried with %d of the patches. Something fails with %d of the wrong ones, %d of which pass the tests; %d of the wrong ones, %d of which pass the tests, are refused or fail so. Something fails with %d of the right ones.

`, r.count(tried), r.count(wrong, shown), r.count(passes, shown), r.count(wrong, either), r.count(passes, either), r.count(right, shown)); err != nil {
			return err
		}
	}
	t := &tables.Table{Header: []string{"module", "patch", "passes the tests", "refused", "by", "why"}}
	for _, j := range r.Patches {
		if len(j.Shown) > 0 {
			j.Flags, j.Why = append(j.Flags, string(mutate.ScenarioFails)), append(j.Why, j.Shown[0])
		}
		by := strings.Join(append(strings.Fields(j.Rule), j.Flags...), ", ")
		t.Add(j.Module, j.Patch, yes(j.Passes), yes(j.Refused), by, cmp.Or(strings.Join(j.Why, "; "), j.Unread))
	}
	return t.Render(w, markdown)
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return ""
}

// Failures are the right patches that are refused.
func (r *objectionReport) Failures() []string {
	var missed []string
	for _, j := range r.Patches {
		if j.Right && j.Refused {
			missed = append(missed, fmt.Sprintf("the right patch %s of %s is refused: %s", j.Patch, j.Module, strings.Join(j.Why, "; ")))
		}
	}
	return missed
}
