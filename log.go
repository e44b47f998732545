package mendel

import (
	"cmp"
	"fmt"

	"mendel/internal/gotool"
)

// begins is the first line of a repair's log: what is repaired, and with which effort.
func (o Options) begins() string {
	text := "repairing " + cmp.Or(o.Package, "what "+cmp.Or(o.FromName, o.From)+" names")
	if o.Dir != "" {
		text += " in " + o.Dir
	}
	if o.Run != "" {
		text += ", tests matching " + o.Run
	}
	text += fmt.Sprintf(": budget %v, seed %d", o.Budget, o.Seed)
	if o.Out != "" {
		text += ", results in " + o.Out
	}
	return text
}

// ends is the last line: how the repair ended, after how long, and with what.
func (res *Result) ends() string {
	text := fmt.Sprintf("ended: %s after %.1f s", res.Status, res.Seconds)
	if res.Search.Evaluations > 0 {
		text += fmt.Sprintf(", %d scored, %d rejected", res.Search.Evaluations, len(res.Rejected))
	}
	if len(res.Fixes) > 0 {
		best := res.Fixes[0]
		text += fmt.Sprintf("; %s: %s", best.Patch, describe(best.Edits))
	}
	if res.Reason != "" {
		text += ": " + res.Reason
	}
	return text
}

// sweep removes what a killed Mendel left in the place for temporary files. It
// is called at the beginning and again at the end: processes that outlived the
// killed one, such as a go list, may have written on for a moment. What cannot be
// removed is in nobody's way.
func (r *repairer) sweep() {
	n, err := gotool.RemoveLeftovers()
	if n > 0 {
		r.step("removed %d temporary directories of a Mendel that was killed", n)
	}
	if err != nil {
		r.step("some temporary files of a Mendel that was killed are left: %v", err)
	}
}
