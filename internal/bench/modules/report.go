package modules

import (
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"

	"mendel/checker/sched/explore"
	"mendel/internal/bench/tables"
)

// table is a line for each test.
func (r *report) table() *tables.Table {
	t := &tables.Table{Header: []string{"module", "package", "test", "verdict", "up to", "schedules", "seconds", "reason"}}
	for _, c := range r.Tests {
		verdict, reason := string(c.Verdict), tables.FirstLine(c.Reason)
		if c.Skipped {
			verdict += " (skipped)"
		}
		if len(c.Failures) > 0 {
			reason = c.failureWords()
		}
		if len(c.ByDesign) > 0 {
			reason = strings.Join(append([]string{"time-outs believed; else " + strings.Join(c.ByDesign, "; ")}, reason), "; ")
			reason = strings.TrimSuffix(reason, "; ")
		}
		test := c.Test
		if test == "" {
			test = "(all)"
		}
		t.Add(c.Module, c.Package, test, verdict, c.bound(), c.Schedules, fmt.Sprintf("%.1f", c.Seconds), reason)
	}
	return t
}

// bound says up to which bound all schedules were covered, "-" where they were not.
func (c *testCheck) bound() string {
	if c.Verdict == explore.Covered {
		return tables.BoundWords(-1)
	}
	if c.Verdict != explore.Exhausted {
		return "-"
	}
	text := tables.BoundWords(c.Bound)
	if c.Fair {
		text += ", fair"
	}
	return text
}

// failureWords lists the failures, those that are real marked.
func (c *testCheck) failureWords() string {
	var words []string
	for _, f := range c.Failures {
		text := fmt.Sprintf("%s: %s", f.Kind, f.Message)
		if f.Real != "" {
			text = "real: " + text
		}
		words = append(words, text)
	}
	return strings.Join(words, "; ")
}

// Failures implements document: the tests with failures that are not known to
// be real.
func (r *report) Failures() []string {
	var failures []string
	for _, c := range r.Tests {
		alarms := c.alarms()
		if c.Verdict == explore.Failed && len(c.Failures) == 0 {
			alarms = []string{"no failure is given"}
		}
		if len(alarms) > 0 {
			failures = append(failures, fmt.Sprintf("%s, package %s, %s failed: %s", c.Module, c.Package, c.Test, strings.Join(alarms, "; ")))
		}
	}
	return failures
}

// detail is what makes reasons of one sort differ: places, names, numbers.
var detail = regexp.MustCompile(`\S*\.go:\d+(:\d+)?\S*|\b\d+(\.\d+)?(ms|s|m)?\b`)

// Write implements document.
func (r *report) Write(w io.Writer, markdown bool) error {
	if _, err := fmt.Fprintf(w, "%s; %s for each test.\n\n", r.Machine, r.Limit); err != nil {
		return err
	}
	if err := r.table().Render(w, markdown); err != nil {
		return err
	}
	verdicts, reasons, byDesign := map[explore.Verdict]int{}, map[string]int{}, 0
	for _, c := range r.Tests {
		verdicts[c.Verdict]++
		if len(c.ByDesign) > 0 {
			byDesign++
		}
		if c.Verdict == explore.Inconclusive {
			reasons[detail.ReplaceAllString(tables.FirstLine(c.Reason), "N")]++
		}
	}
	if _, err := fmt.Fprintf(w, "\n%d tests: %s.\n", len(r.Tests), tables.CountWords(verdicts)); err != nil {
		return err
	}
	if err := r.writeComplete(w); err != nil {
		return err
	}
	if byDesign > 0 {
		if _, err := fmt.Fprintf(w, "%d of them would fail if a time-out expired while goroutines can go on.\n", byDesign); err != nil {
			return err
		}
	}
	if err := r.writeReal(w); err != nil {
		return err
	}
	if len(reasons) == 0 {
		return nil
	}
	t := &tables.Table{Header: []string{"inconclusive because", "tests"}}
	tables.AddCounts(t, reasons)
	if _, err := fmt.Fprintln(w); err != nil {
		return err
	}
	return t.Render(w, markdown)
}

// complete reports whether all schedules of a test are covered, whatever their preemptions.
func (c *testCheck) complete() bool {
	return c.Verdict == explore.Covered || c.Verdict == explore.Exhausted && c.Bound < 0
}

// writeComplete says how much is complete.
func (r *report) writeComplete(w io.Writer) error {
	tests, packages, partly := 0, map[string]bool{}, map[string]bool{}
	for _, c := range r.Tests {
		name := c.Module + " " + c.Package
		packages[name] = true
		if c.complete() {
			tests++
		} else {
			partly[name] = true
		}
	}
	_, err := fmt.Fprintf(w, "Complete, with any number of preemptions: %d tests; all tests of %d of %d packages.\n", tests, len(packages)-len(partly), len(packages))
	return err
}

// writeReal says how many tests have real failures, and why these are real.
func (r *report) writeReal(w io.Writer) error {
	tests := map[string]int{}
	for _, c := range r.Tests {
		reasons := map[string]bool{}
		for _, f := range c.Failures {
			reasons[f.Real] = true
		}
		for why := range reasons {
			tests[why]++
		}
	}
	delete(tests, "")
	for _, why := range slices.Sorted(maps.Keys(tests)) {
		if _, err := fmt.Fprintf(w, "Real, in %d of them: %s.\n", tests[why], why); err != nil {
			return err
		}
	}
	return nil
}
