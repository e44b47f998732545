package report

import (
	"fmt"
	"slices"
	"strings"

	"mendel/checker/sched"
	"mendel/validate"
)

// Limits says what the evidence of a fix does not show, one entry for each gap.
// Runs is how many runs under noise confirmed the fix, race reports whether the
// race detector watched them, c is what the model checker made of the fix, and
// missing is what the fix has not passed of its validation.
//
// result.json, the dossier and every report have these sentences, and no others.
func Limits(runs int, race bool, c validate.Checked, missing []string) []string {
	out := []string{
		"Runs under noise sample the interleavings; they prove nothing about those that did not occur. " +
			"A patch can make a failure rarer without removing it. Read the patch.",
		"Only what the tests execute was examined.",
	}
	if runs == 0 {
		out[0] = "No run under noise has confirmed the patch, only the model checker. Read the patch."
	}
	if len(missing) > 0 {
		out = slices.Insert(out, 0, fmt.Sprintf("The validation is incomplete: %s.", strings.Join(missing, "; ")))
	}
	out = append(out, checkerLimits(c)...)
	if !race {
		out = append(out, "Without the race detector, a data race that has no visible effect can be missed.")
	}
	return out
}

// checkerLimits says what the model checker left open. Its exhaustive search
// ends at the bound; the strategies that run before sample schedules beyond it.
func checkerLimits(c validate.Checked) []string {
	var out []string
	switch {
	case c.Verdict == sched.Exhausted && c.Bound >= 0:
		out = append(out, fmt.Sprintf("The model checker did not try all schedules with more than %s.", count(c.Bound, "preemption")))
	case c.Verdict == sched.Passed && c.Reason != "":
		out = append(out, fmt.Sprintf("The model checker did not cover everything: %s.", strings.TrimSuffix(oneLine(c.Reason), ".")))
	case c.Verdict == sched.Passed:
		out = append(out, "The model checker did not try all schedules.")
	}
	if c.Verdict == sched.Exhausted && c.Fair {
		out = append(out, "The model checker left out schedules in which a busy wait keeps other goroutines waiting.")
	}
	return out
}

// EverySchedule names the schedules that an exhaustive search covers: those
// with at most bound preemptions, any number if it is negative, and only fair
// ones if fair is set.
func EverySchedule(bound int, fair bool) string { return "every schedule" + upTo(bound, fair) }

// upTo restricts schedules to a bound on preemptions, and to fair ones.
func upTo(bound int, fair bool) string {
	text := ""
	switch {
	case bound == 0:
		text = " without preemption"
	case bound > 0:
		text = " with at most " + count(bound, "preemption")
	}
	if fair {
		text += " in which no busy wait keeps other goroutines waiting"
	}
	return text
}
