package textreport

import (
	"fmt"
	"time"

	"mendel/internal/dossier"
	"mendel/internal/report"
)

// A renderer writes the parts of a report in one format.
type renderer interface {
	heading(level int, text prose) // from 1
	paragraph(text prose)
	list(items []prose)
	table(head []string, rows [][]prose)
	patch(f *dossier.Fix)        // the diff of a fix, changes explained where the format can
	diff(text string)            // a unified diff
	lanes(t *dossier.Trace)      // an execution
	aside(title prose, f func()) // what f writes, of less importance
}

// shownEach is how many failures, closest mutants and the like are described in full.
const shownEach = 3

// render writes a dossier in the format of a renderer.
func render(r renderer, d *dossier.Dossier) {
	r.heading(1, "Mendel: "+outcome(d))
	r.paragraph(target(d))
	if d.Reason != "" {
		r.paragraph(sentence(d.Reason))
	}
	renderDiagnoses(r, d.Diagnoses)
	renderFailures(r, d)
	renderSuspects(r, d.Suspects)
	for i := range d.Fixes {
		renderFix(r, d, i)
	}
	renderRegression(r, d.Regression)
	for i := range d.PartialFixes {
		f := &d.PartialFixes[i]
		r.heading(2, say("A fix of the %s alone: %s", report.Covered(d, f), orElse(f.Title, "no title")))
		renderChange(r, f)
	}
	renderPartial(r, d.Partial)
	renderRejected(r, d.Rejected)
	renderSearch(r, d)
	if len(d.Notes) > 0 {
		r.heading(2, "Notes")
		r.list(each(d.Notes, sentence))
	}
}

// each makes prose of each of a list.
func each[T any](all []T, f func(T) prose) []prose {
	out := make([]prose, len(all))
	for i, x := range all {
		out[i] = f(x)
	}
	return out
}

// target says what was repaired, when and with what.
func target(d *dossier.Dossier) prose {
	s := say("%s", code(d.Package))
	if d.Run != "" {
		s += say(", tests matching %s", code(d.Run))
	}
	if !d.Began.IsZero() {
		s += say(", %s", d.Began.UTC().Format(time.DateTime+" MST"))
	}
	s += say(", %s", clock(d.Seconds))
	if d.Budget > 0 {
		s += say(" of %s", clock(d.Budget))
	}
	if d.Resumed > 0 {
		s += say(", resumed %s", report.Count(d.Resumed, "time"))
	}
	s += say(", seed %d", d.Seed)
	if d.Go != "" {
		s += say(", %s", d.Go)
	}
	return s + "."
}

// renderFailures describes how the original fails.
func renderFailures(r renderer, d *dossier.Dossier) {
	if len(d.Failures) == 0 {
		return
	}
	r.heading(2, "What fails")
	for i, f := range d.Failures {
		if i == shownEach {
			rest := d.Failures[i:]
			r.aside(say("%s more that look different", fmt.Sprint(len(rest))), func() {
				r.list(each(rest, func(f dossier.FailureRecord) prose { return failureTitle(f) + ": " + plain(f.Message) + " " + seen(f) }))
			})
			return
		}
		title := failureTitle(f)
		if len(d.Failures) > 1 {
			title = say("%d. ", i+1) + title
		}
		r.heading(3, title)
		r.paragraph(plain(f.Message) + " " + seen(f))
		r.list(each(f.Places, place))
		if f.Trace != nil {
			r.lanes(f.Trace)
			renderEnding(r, f.Trace)
		}
		if f.Schedule != "" {
			r.paragraph(say("Replay it with %s in the output directory.", code("mendel replay "+f.Schedule)))
		}
	}
}

// renderEnding says how an execution ended.
func renderEnding(r renderer, t *dossier.Trace) {
	s := sentence(t.Ending)
	if t.Diverged != "" {
		s += " " + sentence(t.Diverged)
	}
	if s != "" {
		r.paragraph(s)
	}
}

// renderFix describes one fix.
func renderFix(r renderer, d *dossier.Dossier, i int) {
	f := &d.Fixes[i]
	title := say("%s", orElse(f.Title, "A fix"))
	if len(d.Fixes) > 1 {
		title = say("Fix %d of %d: ", i+1, len(d.Fixes)) + title
	}
	r.heading(2, title)
	renderChange(r, f)
	for k, t := range f.Replays {
		if t == nil || k >= len(d.Failures) {
			continue
		}
		r.aside(say("The schedule of failure %d under the fix", k+1), func() {
			r.lanes(t)
			renderEnding(r, t)
		})
	}
}

// renderRegression shows the regression test of the best fix.
func renderRegression(r renderer, t *dossier.Regression) {
	if t == nil {
		return
	}
	if t.Name == "" {
		r.heading(2, "No regression test")
	} else {
		r.heading(2, say("The regression test %s", code(t.Name)))
	}
	r.list(each(t.Words, sentence))
	if test := report.RegressionTest(t); test != nil {
		r.diff(string(report.Patch([]report.Change{*test}, "")))
	}
}

// renderChange says what a fix changes, why, and what supports it.
func renderChange(r renderer, f *dossier.Fix) {
	r.paragraph(say("%s changes %s; apply it with %s at the module's root.",
		code(f.Patch), report.Count(f.ChangedLines, "line"), code("git apply "+f.Patch)))
	r.patch(f)
	r.heading(3, "Why")
	r.list(each(f.Edits, why))
	r.heading(3, "Evidence")
	r.list(support(f.Evidence))
	if against := report.Against(f); len(against) > 0 {
		r.heading(3, "Reasons against it")
		r.list(each(against, func(flag dossier.Flag) prose {
			return say("%s: ", code(flag.Name)) + plain(orElse(flag.Words, "flagged"))
		}))
	}
	if len(f.Evidence.Limits) > 0 {
		r.heading(3, "What this does not show")
		r.list(each(f.Evidence.Limits, sentence))
	}
}

// renderPartial lists the mutants that came closest to a fix.
func renderPartial(r renderer, partial []dossier.Partial) {
	if len(partial) == 0 {
		return
	}
	r.heading(2, "Closest to a fix")
	for i, p := range partial {
		if i == shownEach {
			return
		}
		r.heading(3, say("%s", p.What))
		s := say("Score %.0f of 1000", p.Score)
		if p.Runs > 0 {
			s += say(": passes %d of %d", p.Passes, p.Runs)
		}
		r.paragraph(s + ". It is not a fix.")
		if len(p.Remains) > 0 {
			r.paragraph("What still fails:")
			r.list(each(p.Remains, plain))
		}
		if p.Diff != "" {
			r.diff(p.Diff)
		}
		if p.Trace != nil {
			r.aside("An execution that fails", func() {
				r.lanes(p.Trace)
				renderEnding(r, p.Trace)
			})
		}
	}
}

// renderRejected lists the candidates that are not fixes, and why.
func renderRejected(r renderer, rejected []dossier.Rejected) {
	if len(rejected) == 0 {
		return
	}
	r.heading(2, "Rejected candidates")
	rows := make([][]prose, len(rejected))
	for i, c := range rejected {
		reason := plain(c.Reason)
		if c.Rule != "" {
			reason += say(" It breaks the rule %s.", code(c.Rule))
		}
		rows[i] = []prose{say("%s", c.What), say("%s", c.Stage), reason}
	}
	r.table([]string{"Edits", "Rejected at", "Why"}, rows)
}

// renderSearch says in a few lines what was tried.
func renderSearch(r renderer, d *dossier.Dossier) {
	s := d.Search
	if s.Evaluations == 0 && len(d.Phases) == 0 {
		return
	}
	r.heading(2, "The search")
	if s.Evaluations > 0 {
		text := say("%s in %s, of %s; ", report.Count(s.Evaluations, "mutant"), report.Count(s.Generations, "generation"), report.Count(s.Edits, "possible edit"))
		text += say("%s, %s of the model checker and %s. ", report.Count(s.Builds, "build"), report.Count(s.Schedules, "schedule"), report.Count(s.Runs, "run"))
		text += say("The original scores %.0f of 1000", s.Original)
		if n := len(s.History); n > 0 {
			text += say(", the best mutant %.0f", s.History[n-1].Best)
		}
		r.paragraph(text + ".")
	}
	if s.Ended != "" {
		r.paragraph(plain(report.SearchEnded(s.Ended)))
	}
	if rows := operators(s.Operators); len(rows) > 0 {
		r.table([]string{"Operator", "Tried", "Better", "Passed all", "Fixes"}, rows)
	}
	if len(d.Phases) > 0 {
		text := prose("Time: ")
		for i, p := range d.Phases {
			if i > 0 {
				text += ", "
			}
			text += say("%s %s", p.Name, clock(p.Seconds))
		}
		r.paragraph(text + ".")
	}
}

// shownOperators is how many operators are listed.
const shownOperators = 8

// operators are the rows of a table of what became of the operators' mutants.
func operators(counts []dossier.OperatorCount) [][]prose {
	var rows [][]prose
	for _, c := range counts {
		if len(rows) == shownOperators {
			break
		}
		rows = append(rows, []prose{
			say("%s", code(c.Operator)), say("%d", c.Tried), say("%d", c.Better), say("%d", c.Full), say("%d", c.Fixes),
		})
	}
	return rows
}
