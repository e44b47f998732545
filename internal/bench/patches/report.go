package patches

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"time"

	"mendel"
	"mendel/internal/bench/tables"
)

// leastRefused is the share of the wrong patches that has to be refused.
const leastRefused = 0.95

// A verifyReport is what became of all patches.
type verifyReport struct {
	Machine tables.Machine `json:"machine"`
	Mendel  string         `json:"mendel"` // hash of the source
	Seed    uint64         `json:"seed"`
	Budget  float64        `json:"budget"` // seconds, of one patch
	Patches []verified     `json:"patches"`
}

// A verified patch.
type verified struct {
	Subject string        `json:"subject"`
	Patch   string        `json:"patch"`
	Right   bool          `json:"right"`
	Status  mendel.Status `json:"status"`
	Stage   string        `json:"stage,omitempty"` // that refused it
	Rule    string        `json:"rule,omitempty"`
	Flags   []string      `json:"flags,omitempty"`
	Reason  string        `json:"reason,omitempty"`
	Seconds float64       `json:"seconds"`
}

// good reports whether a patch was judged as it ought to be: a wrong one refused with
// the reason.
func (v verified) good() bool {
	if v.Right {
		return v.Status == mendel.Fixed
	}
	return v.Status == mendel.NotFixed && v.Stage != "" && v.Reason != ""
}

// counts are how many patches are right or wrong, and how many of these are judged so.
func (r *verifyReport) counts(right bool) (good, all int) {
	for _, v := range r.Patches {
		if v.Right == right {
			all++
			if v.good() {
				good++
			}
		}
	}
	return good, all
}

// Write writes the table.
func (r *verifyReport) Write(w io.Writer, markdown bool) error {
	right, rights := r.counts(true)
	wrong, wrongs := r.counts(false)
	if _, err := fmt.Fprintf(w, "%v; %v for a patch; seed %d; Mendel's source %.12s.\n\n%d of %d right patches validated, %d of %d wrong ones refused.\n\n",
		r.Machine, time.Duration(r.Budget*float64(time.Second)), r.Seed, r.Mendel, right, rights, wrong, wrongs); err != nil {
		return err
	}
	t := &tables.Table{Header: []string{"subject", "patch", "status", "as it ought", "stage", "seconds", "reason"}}
	for _, v := range r.Patches {
		as := "yes"
		if !v.good() {
			as = "NO"
		}
		t.Add(v.Subject, v.Patch, v.Status, as, cmp.Or(v.Rule, v.Stage, "-"), fmt.Sprintf("%.1f", v.Seconds), cmp.Or(tables.FirstLine(v.Reason), strings.Join(v.Flags, ", "), "-"))
	}
	return t.Render(w, markdown)
}

// Failures are the criteria that are not met.
func (r *verifyReport) Failures() []string {
	var missed []string
	for _, v := range r.Patches {
		if v.Right && !v.good() {
			missed = append(missed, fmt.Sprintf("the right patch of %s is %s: %s", v.Subject, v.Status, tables.FirstLine(v.Reason)))
		}
	}
	if wrong, all := r.counts(false); float64(wrong) < leastRefused*float64(all) {
		missed = append(missed, fmt.Sprintf("%d of %d wrong patches are refused, want %.0f %%", wrong, all, 100*leastRefused))
	}
	return missed
}
