package mendel

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"mendel/analysis/evidence"
	"mendel/evolve"
	"mendel/internal/report"
	"mendel/mutate"
	"mendel/validate"
)

// phase ends the phase before and begins another, or goes on with one.
func (r *repairer) phase(name, format string, args ...any) {
	r.endPhase()
	r.journal.counted(r.workDone())
	r.phaseBegan = time.Now()
	r.phaseNow = slices.IndexFunc(r.result.Phases, func(p Phase) bool { return p.Name == name })
	if r.phaseNow < 0 {
		r.phaseNow = len(r.result.Phases)
		r.result.Phases = append(r.result.Phases, Phase{Name: name})
	}
	r.o.Observer.Phase(format, args...)
}

// endPhase adds how long the phase took, and building in it.
func (r *repairer) endPhase() {
	if len(r.result.Phases) == 0 {
		return
	}
	p := &r.result.Phases[r.phaseNow]
	p.Seconds += time.Since(r.phaseBegan).Seconds()
	r.phaseBegan = time.Now()
	if r.explorer != nil {
		so := r.explorer.checker.Builds()
		p.Programs += so.Programs - r.phaseBuilt.Programs
		p.BuildSeconds += (so.Time - r.phaseBuilt.Time).Seconds()
		r.phaseBuilt = so
	}
}

// note keeps what limits the work.
func (r *repairer) note(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	r.result.Notes = append(r.result.Notes, text)
	r.o.Observer.Printf("note: %s", text)
}

// step tells of a step when asked for each.
func (r *repairer) step(format string, args ...any) {
	if r.o.Verbose {
		r.o.Observer.Printf(format, args...)
	}
}

func (r *repairer) countNarrowing() {
	types, functions, variables := r.narrowing.Findings()
	r.result.Narrowed = Narrowed{
		Before: r.narrowing.Before, Edits: len(r.space.Edits()),
		Types: len(types), Functions: len(functions), Variables: len(variables),
	}
}

func (r *repairer) printNarrowing() {
	var table bytes.Buffer
	r.narrowing.Table(&table)
	for line := range strings.Lines(table.String()) {
		r.o.Observer.Printf("%s", strings.TrimRight(line, "\n"))
	}
	r.o.Observer.Printf("%d edits", len(r.space.Edits()))
}

// describe names the edits of a mutant in one line.
func describe(edits []mutate.Edit) string {
	words := make([]string, len(edits))
	for i, e := range edits {
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

// words lists flags.
func words(flags []mutate.Flag) string {
	list := make([]string, len(flags))
	for i, f := range flags {
		list[i] = string(f)
	}
	return strings.Join(list, ", ")
}

// noFix says why there is none.
func (r *repairer) noFix(found *evolve.Result) string {
	if found == nil {
		return "the search could not begin"
	}
	best := ""
	if len(found.Best) > 0 {
		result := found.Best[0].Result
		what := "runs"
		if result.Verdict != "" {
			what = "sampled schedules"
		}
		which := fmt.Sprintf("the best of %d mutants", found.Evaluations)
		if found.Evaluations == 1 {
			which = "the only mutant"
		}
		best = fmt.Sprintf("; %s passed %d of %d %s: %s", which,
			result.Passes, result.Runs, what, describe(found.Best[0].Mutant.Edits))
	}
	switch found.Ended {
	case evolve.Accepted: // only where nothing is validated
		return "it was to end with the first candidate" + best
	case evolve.NoEdits:
		return "no edit of the synchronisation is possible in the functions used concurrently"
	case evolve.Converged:
		return fmt.Sprintf("the search has converged after %d generations: every edit was tried alone, and for many generations nothing has improved%s", found.Generations, best)
	case evolve.Exhausted:
		return spaceExhausted(found) + best
	case evolve.OutOfGenerations:
		return fmt.Sprintf("no fix in %d generations, as many as there were to be%s", found.Generations, best)
	}
	return cmp.Or(strings.TrimPrefix(best, "; "), "no mutant was scored") // ranOut says why it ended
}

// spaceExhausted says that there was nothing left to try.
func spaceExhausted(found *evolve.Result) string {
	return fmt.Sprintf("the space is exhausted: every mutant that the edits can make was tried, %d in all", found.Evaluations)
}

// inTests says that a failure lies in code that is only edited when asked for;
// "" if none does, or it was.
func (r *repairer) inTests() string {
	if r.o.IncludeTests {
		return ""
	}
	for _, f := range r.result.Failures {
		if at, ok := r.testCode(f.Failure); ok {
			return fmt.Sprintf("; the failure is in test code (%s), which is left alone: --include-tests lets it be changed, but no assertion", at)
		}
	}
	return ""
}

// testCode is the place in a test file where all of a failure's goroutines are
// that are in the module, by the innermost of its lines; ok is false if one is
// elsewhere. A test's own complaint is no such failure.
func (r *repairer) testCode(f evidence.Failure) (at string, ok bool) {
	if f.Kind == evidence.TestFailure {
		return "", false
	}
	for _, s := range f.Stacks {
		for _, frame := range s.Frames {
			file := r.program.File(frame.File)
			if file == nil {
				continue
			}
			if !file.Test {
				return "", false
			}
			if at == "" {
				at = fmt.Sprintf("%s:%d", file.Rel, frame.Line)
			}
			break
		}
	}
	return at, at != ""
}

// ranOut words the result of a repair that was ended from outside.
func (r *repairer) ranOut(ctx context.Context) {
	r.result.spent = ctx.Err() == nil
	why := fmt.Sprintf("the budget of %v is spent", r.o.Budget)
	if ctx.Err() != nil {
		why = "interrupted"
	}
	switch {
	case r.result.Status == Fixed:
		r.note("%s; these are the best fixes until then", why)
	case r.result.Status == NotFixed && r.result.Reason != "":
		r.result.Reason = why + ": " + r.result.Reason
	case len(r.result.Failures) > 0:
		r.result.Status, r.result.Reason = NotFixed, why+" before the search found anything"
	default:
		r.result.Status, r.result.Reason = NotReproduced, why+" before the tests had failed"
	}
}

// tell turns the fixes found into the result's, best first.
func (r *repairer) tell() {
	validate.Rank(r.fixes)
	if len(r.fixes) > 0 && r.changesTests(r.fixes[0]) {
		r.note("the fix changes code in test files, but no assertion; see that it does not hide a bug of what is tested")
	}
	for i, f := range r.fixes {
		story := r.result.story(r.fixes, i)
		message := report.Message(story)
		diff := report.Patch(report.Changes(r.program, f.Mutant), message)
		r.result.Fixes = append(r.result.Fixes, Fix{
			Patch: patchName(i), Diff: string(diff), Edits: f.Mutant.Edits, Score: f.Score.Score,
			ChangedLines: f.Changed.Total(), Flags: slices.Clone(f.Flags), Generation: r.seen[f.Mutant.Hash],
			Evidence: Evidence{
				FailedBefore: f.Before.Runs - f.Before.Passes, RunsBefore: f.Before.Runs,
				RunsAfter: f.Confirmed.Runs, Race: f.Race, Vet: f.Vet.Verdict == validate.Passed,
				OtherTests: testsInWords(f.Tests), Check: checkOf(f), Limits: limits(f),
			},
			Cost:    Cost{Time: f.Cost.Time, Switches: f.Cost.Switches},
			Quality: f.Quality,
			found:   f,
		})
	}
}

// changesTests tells whether a fix changes a test file.
func (r *repairer) changesTests(f *validate.Fix) bool {
	for name := range f.Mutant.Files {
		if file := r.program.File(name); file != nil && file.Test {
			return true
		}
	}
	return false
}

// story is what fix i is told with.
func (res *Result) story(fixes []*validate.Fix, i int) report.Story {
	s := report.Story{Program: res.program, Fix: fixes[i], PatchFiles: []string{patchName(i)}}
	for _, f := range res.Failures {
		s.Failures = append(s.Failures, f.Failure)
	}
	for j, f := range fixes {
		if j != i {
			s.Alternatives = append(s.Alternatives, f)
			s.PatchFiles = append(s.PatchFiles, patchName(j))
		}
	}
	return s
}

func patchName(i int) string { return fmt.Sprintf("fix-%d.patch", i+1) }

// testsInWords says how the package's other tests did.
func testsInWords(t validate.TestCheck) string {
	if t.Verdict != validate.Passed {
		return "not run: " + t.Detail
	}
	words := fmt.Sprintf("%d tests passed in %d plain runs", t.Tests, t.Plain)
	if t.Race > 0 {
		words += fmt.Sprintf(" and %d with -race", t.Race)
	}
	if len(t.Ignored) > 0 {
		words += "; left out, because the original fails them too: " + strings.Join(t.Ignored, ", ")
	}
	return words
}

// checkOf is what the checker made of a fix; nil when it was not used.
func checkOf(f *validate.Fix) *Checked {
	c := f.Checked
	if c.Verdict == "" {
		return nil
	}
	return &Checked{
		Verdict: c.Verdict, Bound: c.Bound, Fair: c.Fair, Reason: c.Reason,
		Followed: c.Followed, Schedules: c.Schedules, Seconds: c.Seconds,
	}
}

// limits says what noised runs and the checker do not show.
func limits(f *validate.Fix) []string {
	return report.Limits(f.Confirmed.Runs, f.Race, f.Checked)
}

// Print writes the result for people: what failed, each fix as an annotated
// diff with its evidence, or why there is none. Color uses ANSI escapes.
func (res *Result) Print(w io.Writer, color bool) error {
	if res.printed != "" {
		_, err := io.WriteString(w, res.printed)
		return err
	}
	if res.Status != Fixed {
		return res.printUnfixed(w)
	}
	best := res.Fixes[0].found
	changes := report.Changes(res.program, best.Mutant)
	if err := report.Annotated(w, changes, best.Mutant.Edits, color); err != nil {
		return err
	}
	fixes := make([]*validate.Fix, len(res.Fixes))
	for i, f := range res.Fixes {
		fixes[i] = f.found
	}
	if _, err := fmt.Fprintln(w); err != nil {
		return err
	}
	if err := report.Summary(w, res.story(fixes, 0)); err != nil {
		return err
	}
	return res.printNotes(w)
}

func (res *Result) printUnfixed(w io.Writer) error {
	for _, f := range res.Failures {
		if err := report.Failed(w, res.program, f.Failure, f.Seen, f.Runs); err != nil {
			return err
		}
		if f.Schedule != "" && res.out != "" {
			if _, err := fmt.Fprintf(w, "  replay it: mendel replay %s\n", filepath.Join(res.out, f.Schedule)); err != nil {
				return err
			}
		}
	}
	word := map[Status]string{NotFixed: "not fixed", NotReproduced: "not reproduced", Failed: "error"}[res.Status]
	if _, err := fmt.Fprintf(w, "%s: %s\n", word, res.Reason); err != nil {
		return err
	}
	if err := res.printPartial(w); err != nil {
		return err
	}
	return res.printNotes(w)
}

func (res *Result) printNotes(w io.Writer) error {
	for _, note := range res.Notes {
		if _, err := fmt.Fprintln(w, "note:", note); err != nil {
			return err
		}
	}
	return nil
}
