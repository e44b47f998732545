package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"mendel/checker/sched/explore"
	"mendel/validate"
)

// Limits says what the evidence of a fix does not show, one entry for each gap.
//
// result.json, the dossier and every report have these sentences, and no others.
func Limits(f *validate.Fix) []string {
	out := []string{
		"Runs under noise sample the interleavings; they prove nothing about those that did not occur. " +
			"A patch can make a failure rarer without removing it. Read the patch.",
		"Only what the tests execute was examined.",
	}
	if f.Confirmed.Runs == 0 {
		out[0] = "No run under noise has confirmed the patch, only the model checker. Read the patch."
	}
	if len(f.Incomplete) > 0 {
		out = slices.Insert(out, 0, fmt.Sprintf("The validation is incomplete: %s.", strings.Join(f.Incomplete, "; ")))
	}
	if n := f.Confirmed.Alone; n > 0 {
		out = append(out, fmt.Sprintf("Of the runs under noise, %d made only the tests that failed before, and %d all.", n, f.Confirmed.Runs-n))
	}
	for _, test := range slices.Sorted(maps.Keys(f.Confirmed.Delayed)) {
		out = append(out, fmt.Sprintf("%s depends on time and is not judged by runs under noise, which delay goroutines: it failed in %d of %d. By itself, without noise, it passes.",
			test, f.Confirmed.Delayed[test], f.Confirmed.Runs))
	}
	out = append(out, checkerLimits(f.Checked)...)
	for _, message := range slices.Concat(f.Checked.Still, f.Confirmed.Still) {
		out = append(out, fmt.Sprintf("A test fails now and then with the patch as without it: %s.", strings.TrimSuffix(oneLine(message), ".")))
	}
	if why := f.Quality.Scenarios.Detail; why != "" && len(f.Incomplete) == 0 {
		out = append(out, fmt.Sprintf("Calls that the tests do not make side by side were not tried: %s.", strings.TrimSuffix(oneLine(why), ".")))
	}
	if !f.Race {
		out = append(out, "Without the race detector, a data race that has no visible effect can be missed.")
	}
	return out
}

// checkerLimits says what the model checker left open. Its exhaustive search
// ends at the bound; the strategies that run before sample schedules beyond it.
func checkerLimits(c validate.Checked) []string {
	var out []string
	switch {
	case c.Verdict == explore.Exhausted && c.Bound >= 0 && c.Bound < c.Needed:
		out = append(out, fmt.Sprintf("The model checker did not try all schedules with more than %s, and the bug needed %d.", count(c.Bound, "preemption"), c.Needed))
	case c.Verdict == explore.Exhausted && c.Bound >= 0:
		out = append(out, fmt.Sprintf("The model checker did not try all schedules with more than %s.", count(c.Bound, "preemption")))
	case c.Verdict == explore.Passed && c.Reason != "":
		out = append(out, fmt.Sprintf("The model checker did not cover everything: %s.", strings.TrimSuffix(oneLine(c.Reason), ".")))
	case c.Verdict == explore.Passed:
		out = append(out, "The model checker did not try all schedules.")
	}
	if c.Verdict == explore.Exhausted && c.Fair {
		out = append(out, "The model checker left out schedules in which a busy wait keeps other goroutines waiting.")
	}
	return out
}

// EverySchedule names the schedules that an exhaustive search covers: those
// with at most bound preemptions, any number if it is negative, and only fair
// ones if fair is set.
func EverySchedule(bound int, fair bool) string { return "every schedule" + upTo(bound, fair) }

// EveryOutcome names what class-covering exploration covers.
const EveryOutcome = "every outcome of every schedule"

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
