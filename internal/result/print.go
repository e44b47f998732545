package result

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"mendel/fitness"
	"mendel/internal/report"
	"mendel/mutate"
)

// Print writes the result for people: what failed, each fix as an annotated
// diff with its evidence, or why there is none. Color uses ANSI escapes.
func (r *Result) Print(w io.Writer, color bool) error {
	if r.live.Restored != nil {
		_, err := io.WriteString(w, r.live.Restored.Text)
		return err
	}
	switch {
	case !r.Status.Offers():
		return r.printUnfixed(w)
	case len(r.live.Fixes) == 0: // it was read from a file: the patches are all there is
		for _, f := range r.Fixes {
			if _, err := io.WriteString(w, f.Diff); err != nil {
				return err
			}
		}
		return r.printEnd(w)
	}
	best := r.live.Fixes[0].Mutant
	if err := report.Annotated(w, report.Changes(r.live.Program, best), best.Edits, color); err != nil {
		return err
	}
	if _, err := fmt.Fprintln(w); err != nil {
		return err
	}
	if err := report.Summary(w, r.Story(0)); err != nil {
		return err
	}
	return r.printEnd(w)
}

// printEnd writes what is missing of a fix, and the notes.
func (r *Result) printEnd(w io.Writer) error {
	if r.Status.Reserved() || r.Verified != "" {
		if err := r.printState(w); err != nil {
			return err
		}
	}
	return r.printNotes(w)
}

// printState writes in a line how a repair or a verification ended.
func (r *Result) printState(w io.Writer) error {
	words, what := report.StateWords(string(r.Status), true), r.Reason
	if r.Verified != "" {
		words = report.VerdictWords(string(r.Status))
		if what == "" {
			what = r.Verified
		}
	}
	_, err := fmt.Fprintf(w, "%s: %s\n", words, what)
	return err
}

func (r *Result) printUnfixed(w io.Writer) error {
	for _, f := range r.Failures {
		if err := report.Failed(w, r.live.Program, f.Failure, f.Seen, f.Runs); err != nil {
			return err
		}
		if f.Schedule != "" && r.live.Out != "" {
			if _, err := fmt.Fprintf(w, "  replay it: mendel replay %s\n", filepath.Join(r.live.Out, f.Schedule)); err != nil {
				return err
			}
		}
	}
	if err := r.printState(w); err != nil {
		return err
	}
	if err := r.printPartial(w); err != nil {
		return err
	}
	return r.printNotes(w)
}

// printPartial writes what came closest to a fix.
func (r *Result) printPartial(w io.Writer) error {
	if len(r.Partial) == 0 {
		return nil
	}
	text := "\nWhat came closest:\n"
	for i, p := range r.Partial {
		text += report.Wrap(report.OneLine(p.words()), report.ProseWidth, fmt.Sprintf("  %d. ", i+1), "     ")
		for _, what := range p.Remains {
			text += report.Wrap("remains: "+report.OneLine(what), report.ProseWidth, "     ", "       ")
		}
		if p.Score >= fitness.FullScore && len(p.Remains) == 0 {
			text += "     its validation did not end\n"
		}
	}
	_, err := io.WriteString(w, text+"\n")
	return err
}

// words tell a partial mutant in one line.
func (p Partial) words() string {
	what := "runs"
	if p.Checked {
		what = "sampled schedules"
	}
	return fmt.Sprintf("%s: passes %d of %d %s", Describe(p.Edits), p.Passes, p.Runs, what)
}

func (r *Result) printNotes(w io.Writer) error {
	for _, note := range r.Notes {
		if _, err := fmt.Fprintln(w, "note:", note); err != nil {
			return err
		}
	}
	return nil
}

// Story is what the reports tell fix i with.
func (r *Result) Story(i int) report.Story {
	fixes := r.live.Fixes
	s := report.Story{Program: r.live.Program, Fix: fixes[i], PatchFiles: []string{PatchName(i)}}
	for _, f := range r.Failures {
		s.Failures = append(s.Failures, f.Failure)
	}
	for j, f := range fixes {
		if j != i {
			s.Alternatives = append(s.Alternatives, f)
			s.PatchFiles = append(s.PatchFiles, PatchName(j))
		}
	}
	return s
}

// Ends is the last line of a repair's log: how the repair ended, after how long,
// and with what.
func (r *Result) Ends() string {
	text := fmt.Sprintf("ended: %s after %.1f s", r.Status, r.Seconds)
	if r.Search.Evaluations > 0 {
		text += fmt.Sprintf(", %d scored, %d rejected", r.Search.Evaluations, len(r.Rejected))
	}
	if len(r.Fixes) > 0 {
		text += fmt.Sprintf("; %s: %s", r.Fixes[0].Patch, Describe(r.Fixes[0].Edits))
	}
	if r.Reason != "" {
		text += ": " + r.Reason
	}
	return text
}

// Describe names the edits of a mutant in one line.
func Describe(edits []mutate.Edit) string {
	words := make([]string, len(edits))
	for i, e := range edits {
		if e.Operator == mutate.GivenOperator {
			e.Operator = "changed"
		}
		words[i] = fmt.Sprintf("%s at %s:%d", e.Operator, e.File, e.Line)
		if e.Count > 1 {
			words[i] += fmt.Sprintf(" (%d statements)", e.Count)
		}
		if e.Lock != nil {
			words[i] += " on " + e.Lock.Expr
		}
	}
	if len(words) == 0 {
		return "the original"
	}
	return strings.Join(words, ", ")
}
