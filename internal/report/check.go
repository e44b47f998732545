package report

import (
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"mendel/analysis/evidence"
	"mendel/checker"
	"mendel/checker/sched"
	"mendel/checker/sched/explore"
	"mendel/internal/diagnosis"
)

// CheckOptions say what to write about a check, and how.
type CheckOptions struct {
	Report *checker.Report
	Module string // directory that names of files are shown relative to; "": absolute
	// Schedules are the files that the schedules of Report.Failures were saved
	// in, as the user would name them; empty or shorter: not saved.
	Schedules []string
	// Samples are, by failure, what its test did in random schedules; may be shorter.
	Samples []Sample
	// Diagnoses are, by failure, what is wrong where it shows, the likeliest first; may be shorter.
	Diagnoses [][]diagnosis.Finding
	// Uncontrolled is what in the source is not under control: listed if the
	// report is inconclusive, or Verbose, else counted.
	Uncontrolled []string
	Scale        int      // the tests' loops went round so many times less often; 0: they did not
	Shrunk       []string // how
	Hints        []string // what would help tests that take long
	Preemptions  int      // bound that was asked for; negative: none
	Interrupted  bool     // the check was ended before its time
	Seconds      float64  // of everything, loading and building included; 0: left out
	Verbose      bool
	Source       func(file string) []byte // see InterleavingOptions
	Width        int
	Color        bool
}

// A Sample is what random schedules of a test did.
type Sample struct {
	Schedules int
	Failed    int
	Same      bool // all that failed did so in the kind of the failure
}

// always reports whether every schedule failed in the same way.
func (s Sample) always() bool { return s.Schedules > 1 && s.Failed == s.Schedules && s.Same }

// Check writes the outcome of a check for people: the verdict first, then each
// failure with its interleaving, warnings, what is not under control, and what
// was done.
func Check(w io.Writer, o CheckOptions) error {
	var b strings.Builder
	c := checkText{o, &b}
	c.line("", painter(o.Color).paint(c.verdictColor(), c.verdict()))
	c.advice()
	c.shrunk()
	for i := range o.Report.Failures {
		if err := c.failure(i); err != nil {
			return err
		}
	}
	c.predictions()
	c.warnings()
	c.tests()
	c.uncontrolled()
	c.work()
	for _, hint := range c.Hints {
		c.paragraph("", hint)
	}
	c.tally()
	_, err := io.WriteString(w, b.String())
	return err
}

// A checkText is the text being written.
type checkText struct {
	CheckOptions
	b *strings.Builder
}

func (c checkText) line(indent, text string) { c.b.WriteString(indent + text + "\n") }

// paragraph writes text wrapped, the lines after the first indented more.
func (c checkText) paragraph(indent, text string) {
	if text == "" {
		return
	}
	c.b.WriteString(wrap(oneLine(text), proseWidth(c.Width), indent, indent+"  "))
}

// proseWidth is where text is wrapped on a terminal of a width; 0: it is none.
func proseWidth(width int) int {
	if width <= 0 {
		return textWidth
	}
	return max(minWidth, min(width, defaultWidth))
}

func (c checkText) verdictColor() string {
	switch c.Report.Verdict {
	case explore.Failed:
		return red
	case explore.Inconclusive, checker.Flaky, checker.Left:
		return yellow
	}
	return green
}

// verdict is the first line.
func (c checkText) verdict() string {
	r := c.Report
	of := count(r.Schedules, "schedule") + ofTests(r)
	switch {
	case r.Verdict == explore.Failed:
		return fmt.Sprintf("failed: %s in %s", count(len(r.Failures), "failure"), of)
	case r.Verdict == checker.Flaky:
		return fmt.Sprintf("flaky: %s under load in %s", count(len(r.Failures), "failure"), of)
	case r.Verdict == checker.Left:
		return fmt.Sprintf("left: %s by tests in %s", count(len(r.Failures), "leak"), of)
	case c.Interrupted:
		return fmt.Sprintf("inconclusive: interrupted after %s, none of which failed", of)
	case r.Verdict == explore.Exhausted:
		return fmt.Sprintf("exhausted: no failure in any schedule%s (%s)", upTo(r.Bound, r.Fair), of)
	case r.Verdict == explore.Covered:
		return fmt.Sprintf("covered: no failure in any outcome of any schedule (%s; %s)", classes(r.Classes), of)
	case r.Verdict == explore.Passed && r.Reason != "":
		return fmt.Sprintf("passed: none of %s failed", of) // why there may be more is told next
	case r.Verdict == explore.Passed:
		return fmt.Sprintf("passed: none of %s failed; there are more that were not tried", of)
	}
	return "inconclusive: nothing can be said about the tests"
}

func classes(n int) string {
	if n == 1 {
		return "1 class"
	}
	return fmt.Sprintf("%d classes", n)
}

func ofTests(r *checker.Report) string {
	if len(r.Tests) == 1 {
		return " of " + r.Tests[0].Name
	}
	return fmt.Sprintf(" of %d tests", len(r.Tests))
}

// advice is why, and what to do about it.
func (c checkText) advice() {
	r := c.Report
	c.paragraph("  ", c.reason(r.Reason))
	if r.Verdict == explore.Exhausted && r.Bound >= 0 && (r.Bound < c.Preemptions || c.Preemptions < 0) {
		c.paragraph("  ", "The search ended before all schedules with more preemptions were tried; --budget gives it more time.")
	}
	if r.Verdict == explore.Inconclusive && !c.Interrupted {
		c.paragraph("  ", wayOut(r.Reason)+"; mendel repair runs such tests with noise instead.")
	}
}

// mostShrunk is how many changes of loops are shown unless all is.
const mostShrunk = 4

// shrunk says that loops were made shorter: the verdict is about other tests.
func (c checkText) shrunk() {
	if c.Scale == 0 {
		return
	}
	list := c.Shrunk
	if len(list) > mostShrunk && !c.Verbose {
		list = append(slices.Clone(list[:mostShrunk]), fmt.Sprintf("and %d more", len(list)-mostShrunk))
	}
	c.paragraph("  ", fmt.Sprintf("The verdict is about tests whose loops are shorter (--scale %d): %s. A test that expects what follows from a number in another way may fail for that.", c.Scale, strings.Join(list, "; ")))
}

// wayOut is what the user can do about an inconclusive verdict.
func wayOut(reason string) string {
	if strings.Contains(reason, "within the step bound") {
		return "Leave such a test out with --run, or let its schedules be longer with --steps and perhaps --budget"
	}
	return "Leave such a test out with --run, bring a dependency under control with --instrument, or give more time with --budget"
}

// stackStart is where a reason goes on with the stack of a goroutine.
var stackStart = regexp.MustCompile(`:?\s+goroutine \d+ \[`)

// stackFrame is the position of a call in a stack.
var stackFrame = regexp.MustCompile(`(\S+\.go:\d+)( \+0x[0-9a-f]+)?\s`)

// reason shortens the stack that a reason may have to the innermost position in
// the module.
func (c checkText) reason(text string) string {
	at := stackStart.FindStringIndex(text)
	if at == nil || c.Verbose {
		return text
	}
	short := text[:at[0]]
	for _, m := range stackFrame.FindAllStringSubmatch(text[at[0]:]+"\n", -1) {
		if rel := relativeTo(c.Module, m[1]); rel != m[1] {
			return short + " at " + rel
		}
	}
	return short
}

// failure describes one failure.
func (c checkText) failure(i int) error {
	f := &c.Report.Failures[i]
	c.line("", "")
	title := f.Kind.Words() + " in " + oneLine(f.Test)
	switch {
	case f.Flaky:
		title = "flaky under load: " + title
	case f.Left != "":
		title = "left by the test: " + title
	}
	if len(c.Report.Failures) > 1 {
		title = fmt.Sprintf("%d. %s", i+1, title)
	}
	c.line("", painter(c.Color).paint(bold, title))
	c.paragraph("  ", f.Message)
	if i < len(c.Diagnoses) {
		for _, d := range c.Diagnoses[i][:min(maxDiagnosed, len(c.Diagnoses[i]))] {
			c.paragraph("  ", "diagnosed: "+d.String())
		}
	}
	c.paragraph("  ", foundWords(f))
	if f.Left != "" {
		c.paragraph("  ", "The test does not call what would end this: "+f.Left+". With --leaks=all that is a failure.")
	}
	c.paragraph("  ", needsWords(f))
	c.paragraph("  ", c.behindWords(f.Schedule.Races))
	if i < len(c.Samples) {
		c.paragraph("  ", sampleWords(f.Kind, c.Samples[i]))
	}
	c.log(f.Log)
	c.line("", "")
	err := Interleaving(c.b, InterleavingOptions{
		Kind: f.Kind, Goroutines: f.Goroutines, Trace: f.Trace, Places: f.Places,
		Source: c.Source, Width: c.Width, Color: c.Color,
	})
	if i < len(c.Schedules) && c.Schedules[i] != "" {
		c.line("", "Replay it: mendel replay "+shellWord(c.Schedules[i]))
	}
	return err
}

// maxDiagnosed is how many diagnoses of a failure are shown.
const maxDiagnosed = 2

// behindWords says behind which data races a failure was seen.
func (c checkText) behindWords(races string) string {
	known, err := sched.ParseRaces(races)
	if err != nil || len(known) == 0 {
		return ""
	}
	var pairs []string
	for _, r := range known {
		pairs = append(pairs, fmt.Sprintf("%s:%d and %s:%d", relativeTo(c.Module, r[0].File), r[0].Line, relativeTo(c.Module, r[1].File), r[1].Line))
	}
	return "seen behind data races, whose accesses were made scheduling points: " + strings.Join(pairs, ", ")
}

// foundWords says how a failure was found.
func foundWords(f *checker.Failure) string {
	preemptions := count(f.Preemptions, "preemption")
	if f.Preemptions == 0 {
		preemptions = "no preemption"
	}
	text := fmt.Sprintf("found by %s in schedule %d; it needs %s", f.Strategy, f.Nth, preemptions)
	if f.Strategy == "plain" {
		text = fmt.Sprintf("found in the plain schedule, in which each goroutine runs as long as it can; it needs %s", preemptions)
	}
	if f.Proven && f.Preemptions > 0 {
		text += ", and no schedule with fewer fails this way"
	}
	return text
}

// needsWords says which time-outs have to expire for a failure.
func needsWords(f *checker.Failure) string {
	list := f.TimeOuts
	if len(list) == 0 {
		return ""
	}
	var needs []string
	shortest := list[0].Lasts
	for i, t := range list {
		if i < maxNeeds {
			needs = append(needs, t.String())
		}
		shortest = min(shortest, t.Lasts)
	}
	if more := len(list) - maxNeeds; more > 0 {
		needs = append(needs, fmt.Sprintf("%d more time-outs", more))
	}
	if f.Flaky {
		return fmt.Sprintf("It needs %s, as it may on a busy machine: the test's own time-out decides.", strings.Join(needs, ", and "))
	}
	return fmt.Sprintf("It needs %s. It is expected by design if no goroutine is ever that slow: --patience %v believes that.",
		strings.Join(needs, ", and "), max(shortest, time.Millisecond))
}

// maxNeeds is how many time-outs are named.
const maxNeeds = 3

// sampleWords says how often a test fails. What races or deadlocks in every
// schedule is a matter of concurrency all the same.
func sampleWords(kind evidence.Kind, s Sample) string {
	switch {
	case s.Schedules == 0:
		return ""
	case s.always() && !kind.Concurrent():
		return fmt.Sprintf("It fails this way in every one of %d random schedules: most likely an ordinary bug, not a concurrency bug.", s.Schedules)
	}
	return fmt.Sprintf("%d of %d random schedules of the test fail.", s.Failed, s.Schedules)
}

// maxLog is how many lines of a test's log are shown.
const maxLog = 10

func (c checkText) log(text string) {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	for i, line := range lines {
		if i == maxLog && len(lines) > maxLog+1 {
			c.line("    ", fmt.Sprintf("(%d more lines)", len(lines)-maxLog))
			return
		}
		if line = oneLine(expandTabs(line)); line != "" {
			c.line("    ", clipRight(line, max(defaultWidth, c.Width)-4))
		}
	}
}

// warnings lists the pairs of locks that are taken in both orders, except for
// those that are reported as a deadlock.
func (c checkText) warnings() {
	for _, w := range c.Report.Warnings {
		if c.deadlocked(w) {
			continue
		}
		c.line("", "")
		c.line("", painter(c.Color).paint(yellow, "warning: two locks are taken in both orders in "+oneLine(w.Test)))
		for _, order := range w.Places {
			c.paragraph("  ", fmt.Sprintf("%s, and then %s", c.place(order[0]), c.place(order[1])))
		}
		c.paragraph("  ", "Where both happen at the same time, each can wait for the other for ever.")
	}
}

// deadlocked reports whether goroutines of a failure are blocked where the second
// lock of an order is taken.
func (c checkText) deadlocked(w checker.Inversion) bool {
	for _, f := range c.Report.Failures {
		if f.Test != w.Test || !drawings[f.Kind].stuck {
			continue
		}
		for _, p := range f.Places {
			for _, order := range w.Places {
				if p.File == order[1].File && p.Line == order[1].Line {
					return true
				}
			}
		}
	}
	return false
}

// place names a place for people.
func (c checkText) place(p sched.Place) string {
	text := fmt.Sprintf("%s:%d", relativeTo(c.Module, p.File), p.Line)
	if p.What != "" {
		text += " (" + p.What + ")"
	}
	if p.Goroutine != "" {
		text += " by " + p.Goroutine
	}
	return text
}

func relativeTo(dir, file string) string {
	if dir == "" {
		return file
	}
	if rel, err := filepath.Rel(dir, file); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return file
}

// tests lists the verdicts of single tests where they say more than the whole.
func (c checkText) tests() {
	r := c.Report
	if len(r.Tests) < 2 && !c.Verbose {
		return
	}
	c.line("", "")
	for _, t := range r.Tests {
		text := fmt.Sprintf("%s: %s, %s", t.Name, t.Verdict, count(t.Schedules, "schedule"))
		if t.Verdict == explore.Exhausted {
			text = fmt.Sprintf("%s: exhausted%s, %s", t.Name, upTo(t.Bound, t.Fair), count(t.Schedules, "schedule"))
		}
		if t.Verdict == explore.Covered {
			text = fmt.Sprintf("%s: covered, %s, %s", t.Name, classes(t.Classes), count(t.Schedules, "schedule"))
		}
		if t.Skipped {
			text += ", skipped by itself"
		}
		if reason := c.reason(t.Reason); reason != "" && !strings.Contains(c.reason(r.Reason), reason) {
			text += ": " + reason
		}
		c.paragraph("", text)
	}
}

// mostUncontrolled is how many places that are not under control are listed where nothing
// can be said. Guessed: one of the first is mostly the reason.
const mostUncontrolled = 12

// uncontrolled lists what is not under control.
func (c checkText) uncontrolled() {
	if len(c.Uncontrolled) == 0 {
		return
	}
	c.line("", "")
	if !c.Verbose && c.Report.Verdict != explore.Inconclusive {
		c.line("", fmt.Sprintf("Not under control: %s of the source; -v lists them.", count(len(c.Uncontrolled), "place")))
		return
	}
	c.line("", "Not under control:")
	for i, u := range c.Uncontrolled {
		if left := len(c.Uncontrolled) - i; i == mostUncontrolled && left > 1 && !c.Verbose {
			c.line("  ", fmt.Sprintf("and %s more; -v lists them", count(left, "place")))
			break
		}
		c.paragraph("  ", u)
	}
}

// work says what was done in what time.
func (c checkText) work() {
	r := c.Report
	text := fmt.Sprintf("%s in %.1f s", count(r.Schedules, "schedule"), r.Seconds)
	if r.Seconds > 0 && r.Schedules > 0 {
		text += fmt.Sprintf(" (%s per second)", rate(float64(r.Schedules)/r.Seconds))
	}
	if r.Processes > 1 {
		text += fmt.Sprintf(", in %d processes", r.Processes)
	}
	if c.Seconds > 0 {
		text += fmt.Sprintf("; %.1f s with loading and building", c.Seconds)
	}
	c.line("", "")
	c.line("", text)
}

// tally counts the tests, in the last line, after what would help those without a verdict.
func (c checkText) tally() {
	if len(c.Report.Tests) < 2 {
		return
	}
	t := TallyOf(c.Report.Tests)
	if help := t.help(); len(help) > 0 && c.Report.Verdict != explore.Inconclusive {
		text := strings.Join(help, "; ")
		c.paragraph("", "Of what was not explored: "+text+".")
	}
	c.line("", t.String())
}

// rate is a number with its significant digits.
func rate(x float64) string {
	if x < 10 {
		return fmt.Sprintf("%.1f", x)
	}
	return fmt.Sprintf("%.0f", x)
}

// shellWord quotes a file name for a shell where that is needed.
func shellWord(s string) string {
	for _, r := range s {
		if !strings.ContainsRune("/._-+=:,@%", r) && (r < '0' || r > '9' && r < 'A' || r > 'Z' && r < 'a' || r > 'z') {
			return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
		}
	}
	return s
}
