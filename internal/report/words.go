package report

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"mendel/analysis"
	"mendel/analysis/evidence"
	"mendel/checker/sched/explore"
	"mendel/mutate"
	"mendel/validate"
	"mendel/validate/rules"
)

// FlagWords says what a flag means for the reviewer of a fix.
func FlagWords(f mutate.Flag) string { return rules.FlagOf(f).Words }

// judgedWords says what judged a fix beside noise: interleavings that were forced, and
// the checker; "" if nothing did.
func judgedWords(f *validate.Fix) string {
	words := checkedWords(f.Checked)
	if n := f.Confirmed.Forced; n > 0 {
		words = strings.TrimSpace(fmt.Sprintf("Forced into the interleaving that failed the original: %s passed. %s", count(n, "run"), words))
	}
	if text := saturationWords(f.Forced); text != "" {
		words = strings.TrimSpace(text + " " + words)
	}
	if s := f.Quality.Scenarios; s.Tried > 0 && len(s.Against) == 0 {
		words = strings.TrimSpace(words + fmt.Sprintf(" Calls that the tests do not make side by side: %s made from the tests, none fails.", count(s.Tried, "scenario")))
	}
	return strings.TrimSpace(words + " " + plantedWords(f.Quality.Planted))
}

// plantedWords says which of the guards that a fix adds its tests need; "" if that is not known.
func plantedWords(p validate.Planted) string {
	switch {
	case p.Tried == 0 && p.Left > 0:
		return fmt.Sprintf("There was no time to find out whether its tests need the %s that it adds.", count(p.Left, "guard"))
	case p.Tried == 0:
		return ""
	}
	text := fmt.Sprintf("Without each of the %s that it adds, taken away one by one, a test or a scenario fails", count(p.Tried, "guard"))
	if p.Tried == 1 {
		text = "Without the guard that it adds a test or a scenario fails"
	}
	if len(p.Unnoticed) > 0 {
		shown := p.Unnoticed[:min(len(p.Unnoticed), shownBlocking)]
		text = fmt.Sprintf("Of %s that it adds, taken away one by one, the tests and scenarios do not need %d: %s", count(p.Tried, "guard"), len(p.Unnoticed), oneLine(strings.Join(shown, "; ")))
		if more := len(p.Unnoticed) - len(shown); more > 0 {
			text += fmt.Sprintf("; and %d more", more)
		}
	}
	if p.Left > 0 {
		text += fmt.Sprintf(" (%d more were not tried for lack of time)", p.Left)
	}
	return text + "."
}

// saturationWords says how far forcing what is predicted around the changes got; "" if it
// was not done.
func saturationWords(s validate.Saturation) string {
	if s.Predicted == 0 {
		return ""
	}
	rest := s.Predicted - s.Exposed - s.Untried
	text := fmt.Sprintf("Of %s predicted around the changed code, %d came about and %d did not in %s each", count(s.Predicted, "interleaving"),
		s.Exposed, rest, count(s.Tries, "attempt"))
	if s.Untried > 0 {
		text += fmt.Sprintf("; %d were not tried so often", s.Untried)
	}
	return text + fmt.Sprintf(": none failed in %s.", count(s.Runs, "run"))
}

// checkedWords says what the model checker made of a fix; "" without one.
func checkedWords(c validate.Checked) string {
	var s, more string
	switch c.Verdict {
	case explore.Exhausted:
		s = fmt.Sprintf("Model checker: %s passed%s (%s tried in %.1f s)", EverySchedule(c.Bound, c.Fair), neededWords(c), count(c.Schedules, "schedule"), c.Seconds)
	case explore.Covered:
		s = fmt.Sprintf("Model checker: %s passed (%s tried in %.1f s)", EveryOutcome, count(c.Schedules, "schedule"), c.Seconds)
	case explore.Passed:
		s = fmt.Sprintf("Model checker: %s passed in %.1f s", count(c.Schedules, "schedule"), c.Seconds)
		if c.Reason == "" { // otherwise all may have been tried; see checkerLimits
			more = "; there are more"
		}
	case explore.Inconclusive:
		return fmt.Sprintf("Model checker: no verdict, %s.", strings.TrimSuffix(oneLine(c.Reason), "."))
	default:
		return ""
	}
	if c.Followed > 0 {
		s += fmt.Sprintf(", among them %s that failed before", count(c.Followed, "schedule"))
	}
	return s + more + "."
}

// neededWords sets what the bug needed beside the bound that was reached.
func neededWords(c validate.Checked) string {
	if c.Needed == 0 || c.Bound < 0 {
		return ""
	}
	return fmt.Sprintf("; the bug needed %d", c.Needed)
}

// guardWords says which uses a fix leaves unguarded, which sections it splits, what else is
// wrong with its locks, and what it guards, or leaves out, that no test shows to need it; "" for nothing of that.
func guardWords(q validate.Quality) string {
	var parts []string
	for _, told := range [][]string{q.Unguarded, q.Split, q.Locks, q.Scenarios.Against} {
		shown := told[:min(len(told), shownBlocking)]
		text := oneLine(strings.Join(shown, "; "))
		if n := len(told) - len(shown); n > 0 {
			text += fmt.Sprintf("; and %d more", n)
		}
		if text != "" {
			parts = append(parts, text+".")
		}
	}
	if len(q.Unexercised) > 0 {
		parts = append(parts, fmt.Sprintf("Not exercised by the tests: the lock for %s.", oneLine(strings.Join(q.Unexercised, ", "))))
	}
	if len(q.Omitted) > 0 {
		parts = append(parts, omittedWords(q)+".")
	}
	return strings.Join(parts, " ")
}

// omittedWords says what a fix leaves out of a wider one.
func omittedWords(q validate.Quality) string {
	return fmt.Sprintf("Without the lock for %s, which the tests do not exercise", oneLine(strings.Join(q.Omitted, ", ")))
}

// sectionWords says what a fix does to critical sections: their length, and
// what may block in them; "" when it neither creates nor extends one.
func sectionWords(q validate.Quality) string {
	if q.LongestSection == 0 {
		return ""
	}
	s := fmt.Sprintf("The longest critical section that it creates or extends has %s", count(q.LongestSection, "statement"))
	if q.NewLocks > 0 {
		s += fmt.Sprintf(", with %s", count(q.NewLocks, "new lock"))
	}
	if len(q.Blocking) == 0 {
		return s + "."
	}
	shown := q.Blocking
	rest := ""
	if n := len(shown) - shownBlocking; n > 1 {
		shown, rest = shown[:shownBlocking], fmt.Sprintf(", and %d more", n)
	}
	return fmt.Sprintf("%s. These operations in it may block: %s%s.", s, oneLine(strings.Join(shown, "; ")), rest)
}

// shownBlocking is how many operations that may block are told in full.
const shownBlocking = 3

// parallelWords compares the speed-ups before and after; "" without them.
func parallelWords(p validate.Parallel) string {
	if p.Rounds == 0 {
		return ""
	}
	what := "the tests"
	if p.Benchmarks {
		what = "the benchmarks"
	}
	s := fmt.Sprintf("Parallelism of %s, one processor against %d: ", what, p.Processors)
	if p.Before == 0 {
		return s + fmt.Sprintf("%.1f times as fast now; the original gave no clear figure.", p.After)
	}
	if math.Abs(p.After/p.Before-1) <= parallelClear {
		return s + fmt.Sprintf("no difference measured, %.1f times as fast.", p.After)
	}
	return s + fmt.Sprintf("%.1f times as fast before, %.1f now.", p.Before, p.After)
}

// place is an edit's position and function.
func place(e mutate.Edit) string {
	s := fmt.Sprintf("%s:%d", e.File, e.Line)
	if e.Func != "" {
		s += " in " + e.Func
	}
	return s
}

// editWords says what an edit does, in one line: operator, lock, variables, extent.
func editWords(e mutate.Edit) string {
	s := e.Operator
	if s == mutate.GivenOperator {
		s = "changed by the patch"
	}
	if e.Lock != nil {
		s += " " + lockWords(*e.Lock, e.Read)
	}
	if len(e.Vars) > 0 {
		s += " for " + list(e.Vars)
	}
	if e.Count > 1 {
		s += fmt.Sprintf(", %d statements", e.Count)
	}
	return s
}

// lockWords names a lock, how it is taken and whether it is new.
func lockWords(l analysis.Lock, read bool) string {
	s := l.Expr
	if read {
		s += " (for reading)"
	}
	if l.New == nil {
		return s
	}
	switch l.New.Kind {
	case "field":
		return s + " (a new field)"
	case "package":
		return s + " (a new package variable)"
	case "local":
		return s + " (a new local variable)"
	}
	return s + " (new)"
}

// list joins names, each once: "a, b and c".
func list(names []string) string {
	var once []string
	for _, n := range names {
		if !slices.Contains(once, n) {
			once = append(once, n)
		}
	}
	switch n := len(once); n {
	case 0:
		return ""
	case 1:
		return once[0]
	default:
		return strings.Join(once[:n-1], ", ") + " and " + once[n-1]
	}
}

// count is a number with its noun.
func count(n int, noun string) string {
	switch {
	case n == 1:
		return "1 " + noun
	case strings.HasSuffix(noun, "x"):
		noun += "e" // fixes
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// positions are the places of a failure worth showing: for each stack its
// part and the innermost frame in the module or, failing that, the innermost
// outside the runtime.
func positions(p *analysis.Program, f evidence.Failure) []string {
	var out []string
	for _, s := range f.Stacks {
		frame, ok := mainFrame(p, s.Frames)
		if !ok {
			continue
		}
		text := fmt.Sprintf("%s:%d in %s", relative(p, frame.File), frame.Line, shortFunc(frame.Func))
		if s.Role != "" {
			text = s.Role + " at " + text
		}
		if text = oneLine(text); !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out
}

func mainFrame(p *analysis.Program, frames []evidence.Frame) (evidence.Frame, bool) {
	for _, f := range frames {
		if p.File(f.File) != nil {
			return f, true
		}
	}
	for _, f := range frames {
		if !strings.HasPrefix(f.Func, "runtime.") && f.File != "" {
			return f, true
		}
	}
	return evidence.Frame{}, false
}

// shortFunc drops the directories of a function's import path.
func shortFunc(name string) string {
	if i := strings.LastIndex(name, "/"); i >= 0 && !strings.ContainsAny(name[i:], "[]") {
		return name[i+1:]
	}
	return name
}

// oneLine replaces what would break a line or act on a terminal.
func oneLine(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\r' || r == '\t':
			return ' '
		case r == utf8.RuneError || !unicode.IsPrint(r):
			return '?'
		}
		return r
	}, s)
	return strings.TrimSpace(s)
}

// wrap breaks text into lines of at most width columns, the first after
// first, the others after indent. Longer words stay whole.
func wrap(text string, width int, first, indent string) string {
	var b strings.Builder
	b.WriteString(first)
	col, empty := utf8.RuneCountInString(first), true
	for word := range strings.FieldsSeq(text) {
		n := utf8.RuneCountInString(word)
		if !empty && col+1+n > width {
			b.WriteString("\n" + indent)
			col, empty = utf8.RuneCountInString(indent), true
		}
		if !empty {
			b.WriteByte(' ')
			col++
		}
		b.WriteString(word)
		col, empty = col+n, false
	}
	b.WriteByte('\n')
	return b.String()
}
