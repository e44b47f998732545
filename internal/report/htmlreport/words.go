package htmlreport

import (
	"fmt"
	"math"
	"strings"
	"time"

	"mendel/internal/dossier"
	"mendel/internal/report"
)

// A state is how a repair ended: its sign, in a word, and in a sentence.
type state struct{ Class, Sign, Word, Lead string }

// packageState is the state of a package, without a sentence.
func packageState(status string, begun bool) state {
	s := state{Class: "open", Sign: "○", Word: strings.TrimSuffix(sentence(report.StateWords(status, begun)), ".")}
	switch status {
	case "fixed":
		s.Class, s.Sign = "good", "✓"
	case "not-fixed", "fixed-incomplete", "workaround", "error":
		s.Class, s.Sign = "bad", "✗"
	}
	return s
}

// stateOf is the state of a repair.
func stateOf(d *dossier.Dossier) state {
	what := "failure"
	if f := report.Gravest(d.Failures); f != nil {
		what = f.Kind.Words()
		if f.Test != "" {
			what += " in " + f.Test
		}
	}
	s := packageState(d.Status, true)
	if d.Verified != "" {
		return verifiedState(s, d, what)
	}
	switch d.Status {
	case "fixed":
		s.Lead = fmt.Sprintf("A %s has one validated fix.", what)
		if n := report.Validated(d.Fixes); n > 1 {
			s.Lead = fmt.Sprintf("A %s has %d validated fixes, best first.", what, n)
		}
	case "fixed-incomplete":
		s.Lead = fmt.Sprintf("A %s has a fix whose validation is incomplete.", what)
	case "workaround":
		s.Lead = fmt.Sprintf("A %s has a workaround, and no fix was found.", what)
	case "not-fixed":
		s.Lead = fmt.Sprintf("A %s was seen, and no fix was found.", what)
	case "not-reproduced":
		s.Lead = "No failure was seen that is due to concurrency."
	case "error":
		s.Lead = "The repair could not be carried out."
	}
	return s
}

// verifiedState is how the verification of a patch for a failure ended.
func verifiedState(s state, d *dossier.Dossier, what string) state {
	s.Word = strings.TrimSuffix(sentence(report.VerdictWords(d.Status)), ".")
	switch d.Status {
	case "fixed":
		s.Lead = fmt.Sprintf("%s mends a %s: all that could refute it has passed.", d.Verified, what)
	case "fixed-incomplete":
		s.Lead = fmt.Sprintf("%s may mend a %s: its validation is incomplete.", d.Verified, what)
	case "workaround":
		s.Lead = fmt.Sprintf("%s is a workaround for a %s.", d.Verified, what)
	case "not-fixed":
		s.Lead = fmt.Sprintf("%s is no fix for a %s.", d.Verified, what)
	case "not-reproduced":
		s.Lead = fmt.Sprintf("No failure was seen without %s that is due to concurrency.", d.Verified)
	case "error":
		s.Lead = fmt.Sprintf("%s could not be verified.", d.Verified)
	}
	return s
}

// count is a number with its noun, thousands apart.
func count(n int, noun string) string { return plural(n, noun, noun+"s") }

func plural(n int, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return number(n) + " " + more
}

// number separates groups of three digits by commas.
func number(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// duration words seconds, to about two digits.
func duration(seconds float64) string {
	switch {
	case math.IsNaN(seconds) || seconds < 0 || seconds > 1e9:
		return "?"
	case seconds < 9.95:
		return fmt.Sprintf("%.1f s", seconds)
	}
	s := int(math.Round(seconds))
	switch {
	case s < 60:
		return fmt.Sprintf("%d s", s)
	case s < 3600 && s%60 == 0:
		return fmt.Sprintf("%d min", s/60)
	case s < 3600:
		return fmt.Sprintf("%d min %d s", s/60, s%60)
	case s%3600 < 60:
		return fmt.Sprintf("%d h", s/3600)
	}
	return fmt.Sprintf("%d h %d min", s/3600, s%3600/60)
}

// date words a moment, "" if it is not known.
func date(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format("2 January 2006, 15:04 MST")
}

// A row is one check of a fix.
type row struct {
	What, Before, After string
	Sign                string // "✓" passed, "–" not done
}

// evidenceRows lists which checks a fix passed and what the original did there.
func evidenceRows(d *dossier.Dossier, e dossier.Evidence) []row {
	rows := []row{noised(e)}
	if e.Followed > 0 {
		rows = append(rows, row{"The schedules that failed", "all fail", fmt.Sprintf("%s followed under the fix, none fails", count(e.Followed, "schedule")), "✓"})
	}
	if e.Verdict != "" {
		rows = append(rows, checked(d, e))
	} else {
		rows = append(rows, row{"Model checker", "", "was not used", "–"})
	}
	rows = append(rows, either("Race detector", e.Race, "was on", "was off"))
	rows = append(rows, either("go vet", e.Vet, "finds nothing", "was not run"))
	if e.OtherTests != "" {
		rows = append(rows, row{"The package's tests", "", strings.TrimPrefix(e.OtherTests, "The package's tests: "), ""})
	}
	return rows
}

func either(what string, yes bool, passed, not string) row {
	if yes {
		return row{what, "", passed, "✓"}
	}
	return row{what, "", not, "–"}
}

// noised words the runs under noise.
func noised(e dossier.Evidence) row {
	r := row{What: "Runs under noise", Sign: "–", After: "were not made"}
	if e.RunsBefore > 0 {
		r.Before = fmt.Sprintf("%s of %s failed", number(e.FailedBefore), number(e.RunsBefore))
	}
	if e.RunsAfter > 0 {
		r.Sign = "✓"
		r.After = fmt.Sprintf("all %s passed%s, with seeds from %d on", number(e.RunsAfter), report.ButFor(e.Delayed), e.FirstSeed)
	}
	return r
}

// checked words the model checker's verdict.
func checked(d *dossier.Dossier, e dossier.Evidence) row {
	r := row{What: "Model checker", After: strings.TrimPrefix(e.Check, "Model checker: "), Sign: "✓"}
	for _, f := range d.Failures {
		if f.Trace != nil || f.Schedule != "" {
			r.Before = "finds the failure"
		}
	}
	if r.After == "" {
		r.After = fmt.Sprintf("%s, %s tried", e.Verdict, count(e.Schedules, "schedule"))
	}
	switch e.Verdict {
	case "covered", "exhausted", "passed":
	default:
		r.Sign = "–"
	}
	return r
}

// bound names the schedules that the model checker has all tried; "" where there
// are none.
func bound(e dossier.Evidence) string {
	switch e.Verdict {
	case "exhausted":
		return report.EverySchedule(e.Bound, e.Fair)
	case "covered":
		return report.EveryOutcome
	}
	return ""
}

// A cost is a measure of a fix against the original.
type cost struct {
	What, Factor, Words string
	Width               float64 // of its bar, whose mark for "as before" is at costMark
	Better, Worse       bool
}

// Of a cost's bar: the factors are drawn up to costMost.
const (
	costMark = 60.0
	costMost = 2.0
)

// costs lists what was measured.
func costs(e dossier.Evidence) []cost {
	var out []cost
	for _, m := range report.Measures(e) {
		c := cost{What: strings.TrimSuffix(sentence(m.What), "."), Words: "no difference measured", Width: costMark}
		if m.Differs {
			c.Factor, c.Width = fmt.Sprintf("× %.2f", m.Ratio), costMark*min(m.Ratio, costMost)
			c.Words = changed(m)
			more := m.Ratio > 1
			c.Better, c.Worse = more == (m.Better > 0), more == (m.Better < 0)
		}
		out = append(out, c)
	}
	return out
}

// changed words a difference: "31 % longer (12 % to 45 %)".
func changed(m report.Measure) string {
	percent := func(f float64) float64 { return 100 * math.Abs(f-1) }
	which, low, high := m.More, m.Interval.Low, m.Interval.High
	if m.Ratio < 1 {
		which, low, high = m.Less, high, low
	}
	s := fmt.Sprintf("%.0f %% %s", percent(m.Ratio), which)
	if low > 0 {
		s += fmt.Sprintf(" (%.0f %% to %.0f %%)", percent(low), percent(high))
	}
	return s
}

// sentence makes one of a phrase: a capital at its start, a full stop at its end.
func sentence(s string) string {
	s = strings.TrimSpace(s)
	if s == "" {
		return ""
	}
	// What is not a plain word is from the source, where a capital means something.
	first, _, _ := strings.Cut(s, " ")
	if strings.Trim(strings.TrimRight(first, ",:;.!?"), "abcdefghijklmnopqrstuvwxyz-") == "" {
		s = strings.ToUpper(s[:1]) + s[1:]
	}
	return stopped(s)
}

// stopped ends a phrase with a full stop.
func stopped(s string) string {
	if s = strings.TrimSpace(s); s == "" || strings.ContainsRune(".!?", rune(s[len(s)-1])) {
		return s
	}
	return s + "."
}
