package report

import (
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"mendel/analysis"
	"mendel/analysis/evidence"
	"mendel/fitness"
	"mendel/mutate"
	"mendel/validate"
	"mendel/validate/rules"
)

// textWidth is where text for people is wrapped, in columns.
const textWidth = 78

// shownFailures is how many failures are shown in full: one race shows itself
// in many pairs of positions.
const shownFailures = 3

// A Story is a fix with what a report needs to describe it.
type Story struct {
	Program  *analysis.Program
	Failures []evidence.Failure // of the original, the one to repair first
	Fix      *validate.Fix
	// Alternatives are further fixes, best first.
	Alternatives []*validate.Fix
	// PatchFiles names the patch files of Fix and Alternatives, in that order; may be empty.
	PatchFiles []string
}

// Summary writes for people what failed and how often, what the patch does,
// how often it was run since, what it costs, its flags, its alternatives, and
// what all this does not prove.
func Summary(w io.Writer, s Story) error {
	var b strings.Builder
	section(&b, "What failed", s.failed())
	section(&b, "What the patch does", s.does())
	section(&b, "Evidence", s.evidence())
	section(&b, "Reasons against it", flags(s.Fix.Flags))
	section(&b, "What this does not show", s.limits())
	section(&b, "Alternatives", s.alternatives())
	_, err := io.WriteString(w, b.String())
	return err
}

// section writes a title with its paragraphs, unless there are none.
func section(b *strings.Builder, title string, paragraphs []string) {
	if len(paragraphs) == 0 {
		return
	}
	if b.Len() > 0 {
		b.WriteByte('\n')
	}
	b.WriteString(title + "\n")
	for _, p := range paragraphs {
		for i, part := range strings.Split(strings.TrimSuffix(p, "\n"), "\n") {
			if i == 0 {
				b.WriteString(wrap(part, textWidth, "  ", "    "))
			} else {
				b.WriteString("    " + strings.TrimSpace(part) + "\n")
			}
		}
	}
}

// failed describes the failures, and how often each kind was seen.
func (s Story) failed() []string {
	var out []string
	if f := s.Fix.Before; f.Runs > 0 {
		line := fmt.Sprintf("%d of %s of the original under noise failed", f.Runs-f.Passes, count(f.Runs, "run"))
		if kinds := kindCounts(f); kinds != "" {
			line += ": " + kinds
		}
		out = append(out, line+".")
	}
	for i, f := range s.Failures {
		if rest := len(s.Failures) - i; i == shownFailures && rest > 1 {
			out = append(out, fmt.Sprintf("and %d more that look different.", rest))
			break
		}
		out = append(out, failureText(s.Program, f, 0, 0))
	}
	return out
}

// kindCounts lists the kinds of failing runs, the most frequent first.
func kindCounts(r fitness.Result) string {
	kinds := slices.SortedFunc(maps.Keys(r.Failures), func(a, b evidence.Kind) int {
		if d := r.Failures[b] - r.Failures[a]; d != 0 {
			return d
		}
		return strings.Compare(string(a), string(b))
	})
	var parts []string
	for _, k := range kinds {
		if n := r.Failures[k]; n > 0 {
			parts = append(parts, fmt.Sprintf("%s %d", k.Words(), n))
		}
	}
	return strings.Join(parts, ", ")
}

// does describes the edits and the size of the patch.
func (s Story) does() []string {
	var out []string
	for _, e := range s.Fix.Mutant.Edits {
		text := fmt.Sprintf("%s: %s", place(e), editWords(e))
		if e.Note != "" {
			text += " (" + e.Note + ")"
		}
		out = append(out, oneLine(text))
	}
	size := fmt.Sprintf("%s of code added, %d removed", count(s.Fix.Changed.Added, "line"), s.Fix.Changed.Removed)
	if n := s.Fix.Changed.Comments; n > 0 {
		size += ", " + count(n, "comment line") + " changed"
	}
	if n := s.Fix.Changed.Realigned; n > 0 {
		size += fmt.Sprintf(", %d realigned", n)
	}
	switch g := s.Fix.Guarded; {
	case g > 0:
		size += fmt.Sprintf("; %s more under a lock", count(g, "statement"))
	case g < 0:
		size += fmt.Sprintf("; %s fewer under a lock", count(-g, "statement"))
	}
	out = append(out, size+".")
	for _, words := range []string{sectionWords(s.Fix.Quality), guardWords(s.Fix.Quality)} {
		if words != "" {
			out = append(out, words)
		}
	}
	return out
}

// evidence lists what the fix passed and what it costs.
func (s Story) evidence() []string {
	f := s.Fix
	how := "under noise and the race detector"
	if !f.Race {
		how = "under noise, without the race detector"
	}
	out := []string{fmt.Sprintf("%s %s: all passed%s.", count(f.Confirmed.Runs, "run"), how, ButFor(slices.Sorted(maps.Keys(f.Confirmed.Delayed))))}
	if f.Confirmed.Runs == 0 {
		out[0] = "No run under noise was made."
	}
	if miss := missed(f); miss != "" {
		out = append(out, miss)
	}
	if words := judgedWords(f); words != "" {
		out = append(out, words)
	}
	out = append(out, checkWords("go vet", f.Vet, "nothing found"))
	out = append(out, TestWords(f.Tests))
	out = append(out, s.cost())
	if words := parallelWords(f.Parallel); words != "" {
		out = append(out, words)
	}
	return out
}

// ButFor words that tests which depend on time did not pass all runs under noise.
func ButFor(tests []string) string {
	if len(tests) == 0 {
		return ""
	}
	depend := "depends"
	if len(tests) > 1 {
		depend = "depend"
	}
	return ", but for " + list(tests) + ", which " + depend + " on time"
}

// missed words the chance that the old failure was merely not seen.
func missed(f *validate.Fix) string {
	return Missed(f.Before.Runs-f.Before.Passes, f.Before.Runs, f.Confirmed.Runs)
}

// chance words a probability given by its natural logarithm.
func chance(ln float64) string {
	const negligible = 1e-9
	switch p := math.Exp(ln); {
	case p < negligible:
		return "less than one in a billion"
	case p < 0.01:
		return fmt.Sprintf("about 1 in %s", thousands(1/p))
	default:
		return fmt.Sprintf("about %.0f %%", 100*p)
	}
}

// thousands rounds to two digits and separates groups of three.
func thousands(x float64) string {
	scale := math.Pow(10, math.Floor(math.Log10(x))-1)
	digits := fmt.Sprintf("%.0f", math.Round(x/scale)*scale)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// checkWords words a check's verdict and its remark.
func checkWords(name string, c validate.Check, passed string) string {
	switch {
	case c.Verdict != validate.Passed:
		return fmt.Sprintf("%s: not run: %s.", name, oneLine(c.Detail))
	case c.Detail != "":
		return fmt.Sprintf("%s: %s, %s.", name, passed, oneLine(c.Detail))
	}
	return fmt.Sprintf("%s: %s.", name, passed)
}

// TestWords says how the package's other tests did with a fix.
func TestWords(t validate.TestCheck) string {
	passed := fmt.Sprintf("%s passed in %s without noise", count(t.Tests, "test"), count(t.Plain, "plain run"))
	if t.Race > 0 {
		passed += fmt.Sprintf(" and %d with -race", t.Race)
	}
	s := checkWords("The package's tests", t.Check, passed)
	if len(t.Ignored) > 0 {
		s += fmt.Sprintf(" Left out, because the original fails them too: %s.", list(t.Ignored))
	}
	return s
}

// cost says what a fix costs beside its parallelism, or why that is not known.
func (s Story) cost() string {
	switch c := s.Fix.Cost; {
	case c.Detail != "":
		return fmt.Sprintf("Cost: not measured, because %s.", c.Detail)
	case c.Pairs == 0:
		return "Cost: not measured, because the two programs did not both pass without noise."
	}
	e := s.evidenceRecord()
	e.Parallelism = 0
	return CostWords(e)
}

// flags explains the reasons against a fix, the gravest first as Rank has it.
func flags(fs []mutate.Flag) []string {
	var out []string
	for _, f := range rules.Flags {
		if slices.Contains(fs, f.Name) {
			out = append(out, fmt.Sprintf("%s: %s.", f.Name, f.Words))
		}
	}
	for _, f := range fs {
		if !slices.ContainsFunc(rules.Flags, func(known rules.Flag) bool { return known.Name == f }) {
			out = append(out, fmt.Sprintf("%s.", f))
		}
	}
	return out
}

// limits says what the evidence leaves open.
func (s Story) limits() []string {
	return Limits(s.Fix)
}

// alternatives lists the other fixes in one line each.
func (s Story) alternatives() []string {
	var out []string
	for i, f := range s.Alternatives {
		text := editsShort(f.Mutant.Edits) + fmt.Sprintf("; %s changed", count(f.Changed.Total(), "line"))
		if len(f.Flags) > 0 {
			names := make([]string, len(f.Flags))
			for j, flag := range f.Flags {
				names[j] = string(flag)
			}
			text += "; " + list(names)
		}
		if len(f.Incomplete) > 0 {
			text += "; validation incomplete"
		}
		if len(f.Quality.Omitted) > 0 {
			text += "; " + strings.ToLower(omittedWords(f.Quality)[:1]) + omittedWords(f.Quality)[1:]
		}
		if i+1 < len(s.PatchFiles) {
			text = s.PatchFiles[i+1] + ": " + text
		}
		out = append(out, text+".")
	}
	return out
}

// editsShort names edits by operator, lock and line.
func editsShort(edits []mutate.Edit) string {
	parts := make([]string, len(edits))
	for i, e := range edits {
		parts[i] = oneLine(fmt.Sprintf("%s at %s:%d", editWords(e), e.File, e.Line))
	}
	return strings.Join(parts, ", ")
}
