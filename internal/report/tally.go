package report

import (
	"fmt"
	"slices"
	"strings"

	"mendel/checker"
	"mendel/checker/sched/explore"
)

// A Tally counts what became of tests.
type Tally struct {
	Tests        int `json:"tests"`
	Failed       int `json:"failed"`
	Flaky        int `json:"flaky"`    // only if a test's own time-out expires early
	Left         int `json:"left"`     // it leaves goroutines that it does not end
	Complete     int `json:"complete"` // covered or exhausted
	Passed       int `json:"passed"`   // and there are more schedules
	Skipped      int `json:"skipped"`  // by themselves
	Inconclusive int `json:"inconclusive"`

	untold []untold
}

// An untold is a test of which nothing can be said.
type untold struct {
	name  string
	cause checker.Cause
}

// TallyOf counts tests.
func TallyOf(tests []checker.TestReport) Tally {
	t := Tally{Tests: len(tests)}
	for _, one := range tests {
		switch {
		case one.Verdict == explore.Failed:
			t.Failed++
		case one.Verdict == checker.Flaky:
			t.Flaky++
		case one.Verdict == checker.Left:
			t.Left++
		case one.Verdict == explore.Inconclusive:
			t.Inconclusive++
			t.untold = append(t.untold, untold{one.Name, one.Cause})
		case one.Skipped:
			t.Skipped++
		case one.Verdict == explore.Exhausted || one.Verdict == explore.Covered:
			t.Complete++
		default:
			t.Passed++
		}
	}
	return t
}

// Add adds the tests of another package.
func (t *Tally) Add(other Tally) {
	t.Tests += other.Tests
	t.Failed += other.Failed
	t.Flaky += other.Flaky
	t.Left += other.Left
	t.Complete += other.Complete
	t.Passed += other.Passed
	t.Skipped += other.Skipped
	t.Inconclusive += other.Inconclusive
	t.untold = append(t.untold, other.untold...)
}

// mostUntold is how many tests without a verdict are named for each cause.
const mostUntold = 3

// String is the last line of a check: "88 tests: 2 fail, 71 covered or exhausted, 12
// passed, 3 not explored (too long: TestUMPSCQueue, TestSoak, TestAll)".
func (t Tally) String() string {
	var parts []string
	add := func(n int, one, many string) {
		if n == 1 {
			parts = append(parts, "1 "+one)
		} else if n > 1 {
			parts = append(parts, fmt.Sprintf("%d %s", n, many))
		}
	}
	add(t.Failed, "fails", "fail")
	add(t.Flaky, "flaky under load", "flaky under load")
	add(t.Left, "leaves goroutines", "leave goroutines")
	add(t.Complete, "covered or exhausted", "covered or exhausted")
	add(t.Passed, "passed", "passed")
	add(t.Skipped, "skipped", "skipped")
	add(t.Inconclusive, "not explored", "not explored")
	text := count(t.Tests, "test") + ": " + strings.Join(parts, ", ")
	if why := t.why(); why != "" {
		text += " (" + why + ")"
	}
	return text
}

// why are the tests without a verdict, by cause.
func (t Tally) why() string {
	var causes []checker.Cause
	names := map[checker.Cause][]string{}
	for _, u := range t.untold {
		if !slices.Contains(causes, u.cause) {
			causes = append(causes, u.cause)
		}
		names[u.cause] = append(names[u.cause], oneLine(u.name))
	}
	var parts []string
	for _, cause := range causes {
		list := names[cause]
		if len(list) > mostUntold {
			list = append(slices.Clone(list[:mostUntold]), "...")
		}
		parts = append(parts, fmt.Sprintf("%s: %s", cause, strings.Join(list, ", ")))
	}
	return strings.Join(parts, "; ")
}

// help is what would help tests without a verdict, a sentence for each cause.
func (t Tally) help() (sentences []string) {
	for _, c := range []struct {
		cause checker.Cause
		text  string
	}{
		{checker.TooLong, "give what takes too long more time with --budget, and alone with --run"},
		{checker.Endless, "let what does not end make more steps with --steps"},
		{checker.Outside, "bring a dependency under control with --instrument, or run what is not under control with --native"},
	} {
		if slices.ContainsFunc(t.untold, func(u untold) bool { return u.cause == c.cause }) {
			sentences = append(sentences, c.text)
		}
	}
	return sentences
}
