package checker

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"mendel/analysis/evidence"
	"mendel/checker/sched"
	"mendel/checker/sched/explore"
)

// A Report has the verdict, and what was done to reach it.
type Report struct {
	Verdict explore.Verdict `json:"verdict"` // of all tests together: the worst of failed, inconclusive, passed, exhausted, covered
	Reason  string          `json:"reason,omitempty"`
	// Bound is, with explore.Exhausted, the bound on preemptions up to which all
	// schedules of all tests were covered; -1: any number.
	Bound      int            `json:"bound"`
	Fair       bool           `json:"fair,omitempty"`
	Classes    int            `json:"classes,omitempty"` // with explore.Covered: of all tests
	Tests      []TestReport   `json:"tests"`
	Failures   []Failure      `json:"failures,omitempty"` // each signature once, most telling kind first
	Apart      []Failure      `json:"apart,omitempty"`    // what is kept apart: see KeepApart
	Warnings   []Inversion    `json:"warnings,omitempty"`
	Schedules  int            `json:"schedules"`
	Steps      int            `json:"steps"`
	Processes  int            `json:"processes"`             // started
	PerProcess bool           `json:"per_process,omitempty"` // state could not be re-initialised: one process for each schedule; Reason says why
	Sampled    int            `json:"sampled,omitempty"`
	Passed     int            `json:"passed,omitempty"` // of Sampled
	Kinds      map[string]int `json:"kinds,omitempty"`  // of the failed ones of Sampled
	Seconds    float64        `json:"seconds"`
	Carried    int            `json:"carried,omitempty"`  // of Schedules: not made, but taken over from other programs
	Repeated   int            `json:"repeated,omitempty"` // of Schedules: not made, since others of them came to the same
	Spun       int            `json:"spun,omitempty"`     // schedules in which a goroutine went on for ever without waiting
	Delivered  []Delivered    `json:"-"`                  // with Search.Deliver or Search.Expect
	// TimedOut reports that the verdict is inconclusive because a process had to
	// be ended or blocked outside control.
	TimedOut bool `json:"timed_out,omitempty"`
}

// A TestReport is the part of one test.
type TestReport struct {
	Name      string          `json:"name"`
	Verdict   explore.Verdict `json:"verdict"`
	Reason    string          `json:"reason,omitempty"`
	Bound     int             `json:"bound"`
	Fair      bool            `json:"fair,omitempty"`
	Classes   int             `json:"classes,omitempty"` // with explore.Covered
	Skipped   bool            `json:"skipped,omitempty"`
	Cause     Cause           `json:"cause,omitempty"` // with explore.Inconclusive
	Schedules int             `json:"schedules"`
	// Predicted is what the strategy predict was told.
	Predicted *explore.Predicted `json:"predicted,omitempty"`
	Sampled   int                `json:"sampled,omitempty"`
	Passed    int                `json:"passed,omitempty"` // of Sampled
	Kinds     map[string]int     `json:"kinds,omitempty"`  // of the failed ones of Sampled
	Fails     []evidence.Kind    `json:"fails,omitempty"`  // of its failures, each once
}

// An Inversion is two locks that are taken in both orders; a warning, even
// where no schedule deadlocked.
type Inversion struct {
	Test string `json:"test"`
	sched.Inversion
}

// String returns the verdict in one line: "exhausted up to 2 preemptions: 35
// schedules of 2 tests".
func (r *Report) String() string {
	schedules := count(r.Schedules, "schedule")
	if len(r.Tests) > 1 {
		schedules += fmt.Sprintf(" of %d tests", len(r.Tests))
	}
	switch r.Verdict {
	case explore.Failed, Flaky, Left:
		f := r.Failures[0]
		text := fmt.Sprintf(string(r.Verdict)+": %s in schedule %d of %s", f.Kind, f.Nth, f.Test)
		if n := len(r.Failures) - 1; n > 0 {
			text += fmt.Sprintf(" and %s", count(n, "other failure"))
		}
		return text
	case explore.Exhausted:
		bound, fair := "", ""
		if r.Bound >= 0 {
			bound = fmt.Sprintf(" up to %s", count(r.Bound, "preemption"))
		}
		if r.Fair {
			fair = " (fair schedules only)"
		}
		return fmt.Sprintf("exhausted%s%s: %s", bound, fair, schedules)
	case explore.Covered:
		return fmt.Sprintf("covered: every outcome of every schedule (%s): %s", count(r.Classes, "class"), schedules)
	case explore.Passed:
		reason := ""
		if r.Reason != "" {
			reason = " (" + firstLine(r.Reason) + ")"
		}
		return "passed " + schedules + reason
	}
	return "inconclusive: " + firstLine(r.Reason)
}

// severity orders verdicts, worst first.
var severity = []explore.Verdict{explore.Failed, explore.Inconclusive, Flaky, Left, explore.Passed, explore.Exhausted, explore.Covered}

// report is what is known now.
func (k *check) report() *Report {
	k.mu.Lock()
	defer k.mu.Unlock()
	r := &Report{
		Processes: k.processes,
		Kinds:     map[string]int{},
		Seconds:   time.Since(k.began).Seconds(),
	}
	r.begin()
	for _, t := range k.tests {
		one := k.verdict(t)
		one.Cause = k.cause(t, &one)
		r.add(k.b.checker, t, one)
	}
	if k.s.Suite {
		r.judgeSuite()
	}
	slices.SortStableFunc(r.Failures, func(a, b Failure) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a.Kind.Rank(), b.Kind.Rank()))
	})
	r.end()
	return r
}

// rank puts what is to be mended first.
func rank(f Failure) int { return slices.Index(severity, f.verdict()) }

// verdict is that of a test with this failure alone.
func (f *Failure) verdict() explore.Verdict {
	switch {
	case f.Flaky:
		return Flaky
	case f.Left != "":
		return Left
	}
	return explore.Failed
}

// failed is the verdict of a test with failures.
func (t *tested) failed() explore.Verdict {
	worst := Left
	for _, f := range t.failures {
		if slices.Index(severity, f.verdict()) < slices.Index(severity, worst) {
			worst = f.verdict()
		}
	}
	return worst
}

// add adds a test to a report.
func (r *Report) add(c *Checker, t *tested, one TestReport) {
	r.Tests = append(r.Tests, one)
	r.judge(one)
	r.Schedules += one.Schedules
	r.Steps += t.perProcess.steps
	r.TimedOut = r.TimedOut || one.Verdict == explore.Inconclusive && (t.hung || t.perProcess.hung || isHung(one.Reason))
	r.PerProcess = r.PerProcess || t.stateful != ""
	for _, f := range t.failures {
		same := func(g Failure) bool { return g.Signature == f.Signature && g.verdict() == f.verdict() }
		if !slices.ContainsFunc(r.Failures, same) {
			r.Failures = append(r.Failures, f)
		}
	}
	r.sampled(one.Sampled, one.Passed, one.Kinds)
	for _, a := range t.answers {
		if !a.Stateful { // else its counts mean nothing
			r.Steps += a.Steps
			r.Spun += a.Spun
			r.Carried += a.Carried
			r.Repeated += a.Repeated
			r.delivered(c, t.name, a.Delivered)
		}
		for _, i := range a.Inversions {
			r.warn(Inversion{t.name, i})
		}
	}
}

func (r *Report) sampled(n, passed int, kinds map[string]int) {
	r.Sampled += n
	r.Passed += passed
	r.Kinds = sum(r.Kinds, kinds)
}

// sum adds counts to others, which it may change.
func sum(counts, more map[string]int) map[string]int {
	if counts == nil && len(more) > 0 {
		counts = map[string]int{}
	}
	for kind, n := range more {
		counts[kind] += n
	}
	return counts
}

// warn adds a warning, unless there is one about the same places.
func (r *Report) warn(i Inversion) {
	if !slices.ContainsFunc(r.Warnings, func(j Inversion) bool { return i.places() == j.places() }) {
		r.Warnings = append(r.Warnings, i)
	}
}

// places are the files and lines of an inversion, whichever order was seen first.
func (i Inversion) places() string {
	var orders []string
	for _, order := range i.Places {
		text := ""
		for _, p := range order {
			text += fmt.Sprintf("%s:%d ", p.File, p.Line)
		}
		orders = append(orders, text)
	}
	slices.Sort(orders)
	return strings.Join(orders, "/ ")
}

// verdict combines the answers of the processes that explored a test. The caller
// holds k.mu.
func (k *check) verdict(t *tested) TestReport {
	k.disorder(t)
	r := TestReport{Name: t.name, Schedules: t.perProcess.executions, Skipped: t.perProcess.skipped}
	r.Sampled, r.Passed, r.Kinds = t.perProcess.sampled, t.perProcess.passed, maps.Clone(t.perProcess.kinds)
	for _, a := range t.answers {
		if !a.Stateful {
			r.Sampled += a.Sampled
			r.Passed += a.Passed
			r.Kinds = sum(r.Kinds, a.Kinds)
			r.Schedules += a.Executions
			r.Skipped = r.Skipped || a.Skipped
			if a.Predicted != nil {
				r.Predicted = a.Predicted
			}
		}
	}
	for _, f := range t.failures {
		r.Schedules = max(r.Schedules, f.Nth) // found by a process that was ended before it answered how many it made
		if !slices.Contains(r.Fails, f.Kind) {
			r.Fails = append(r.Fails, f.Kind)
		}
	}
	switch {
	case len(t.failures) > 0:
		if r.Verdict = t.failed(); r.Verdict == Left {
			r.Reason = "it does not call " + t.failures[0].Left
		}
	case k.planted != "":
		r.Verdict, r.Reason = explore.Inconclusive, "the self-check failed: "+k.planted
	case t.noAnswer != "" && !t.exhausted():
		r.Verdict, r.Reason = explore.Inconclusive, t.noAnswer
	case t.stateful != "":
		t.alone(&r)
	default:
		k.together(t, &r)
	}
	if r.Reason == "" && slices.ContainsFunc(t.answers, func(a answer) bool { return a.After }) {
		r.Reason = "the tests before it are run first, since it fails without what they leave behind"
	}
	if r.Reason == "" && t.stateful != "" {
		r.Reason = "one process for each schedule: " + t.stateful
	}
	return r
}

// exhausted reports whether a process had nothing left to explore.
func (t *tested) exhausted() bool {
	return slices.ContainsFunc(t.answers, func(a answer) bool { return a.Complete && !a.helper && !a.Stateful })
}

// alone gives the verdict of executions in processes of their own: never
// exhausted, because the executions are independent samples.
func (t *tested) alone(r *TestReport) {
	switch {
	case t.perProcess.broken != "":
		r.Verdict, r.Reason = explore.Inconclusive, t.perProcess.broken
	case t.perProcess.executions == 0:
		r.Verdict = explore.Inconclusive
		r.Reason = "no schedule was explored within the budget; one process is needed for each: " + t.stateful
	default:
		r.Verdict = explore.Passed
	}
}

// together gives the verdict of processes that explored a test side by side.
func (k *check) together(t *tested, r *TestReport) {
	if len(t.answers) == 0 {
		r.Verdict, r.Reason = explore.Inconclusive, "no schedule was explored within the budget"
		switch {
		case k.interrupted:
			r.Reason = "interrupted"
		case k.over:
			r.Reason = "not explored: the search ended with the failure of another test"
		}
		return
	}
	answers := t.answers
	if k.s.Suite {
		answers = telling(answers)
	}
	worst := slices.MinFunc(answers, func(a, b answer) int {
		return cmp.Compare(slices.Index(severity, a.Verdict), slices.Index(severity, b.Verdict))
	})
	for _, a := range t.answers {
		if a.Complete && !a.helper {
			worst = a // whatever the others were cut off at
		}
	}
	r.Verdict, r.Reason = worst.Verdict, worst.Reason
	switch r.Verdict {
	case explore.Exhausted:
		r.Bound, r.Fair = worst.Bound, worst.Fair
	case explore.Covered:
		r.Classes = worst.Classes
	case explore.Failed: // without a failure that counts
		r.Verdict = explore.Inconclusive
		if r.Reason == "" {
			r.Reason = "a failure was reported without saying which"
		}
	}
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	if strings.HasSuffix(noun, "s") {
		return fmt.Sprintf("%d %ses", n, noun)
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	return s
}
