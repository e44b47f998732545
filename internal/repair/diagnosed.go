package repair

import (
	"fmt"
	"strconv"

	"mendel/internal/diagnosis"
	"mendel/internal/dossier"
	"mendel/mutate"
)

// A diagnosed is what was found to be wrong, and the search for what mends it. A nil one
// has found nothing.
type diagnosed struct {
	found  []diagnosis.Finding
	turns  diagnosis.Turn
	edits  int  // that the turns are of
	scored int  // mutants of which the one edit has a turn
	over   bool // others are tried
}

// diagnose finds out what is wrong with the original, by its races and by the ranked places
// of the fault; nil if nothing is found.
func (j *judges) diagnose() *diagnosed {
	if j.Settings.Search.NoRanking {
		return nil
	}
	found := diagnosis.Of(j.space.Locks, j.Program, j.base.Symptoms())
	if len(found) == 0 {
		return nil
	}
	diagnosis.Declined(j.space, found)
	for i, f := range found {
		tell := j.Progress.Step
		if i == 0 {
			tell = j.Progress.Printf
		}
		tell("diagnosed: %v", f)
		for _, d := range f.Declined {
			j.Progress.Step("  not %s at %s:%d: %s", d.Operator, d.File, d.Line, d.Reason)
		}
	}
	return &diagnosed{found: found, edits: -1}
}

// mostTold is how many diagnoses the reports show. Guessed: what is less likely explains
// nothing more.
const mostTold = 5

// told is what was found as the reports show it.
func (d *diagnosed) told() (all []dossier.Diagnosis) {
	if d == nil {
		return nil
	}
	for _, f := range d.found[:min(mostTold, len(d.found))] {
		one := dossier.Diagnosis{Fault: f.Fault, Certainty: string(f.Certainty), Says: f.Says}
		for _, p := range f.Places {
			one.Places = append(one.Places, dossier.Place{File: p.File, Line: p.Line, Func: p.Func})
		}
		for _, o := range f.Declined {
			one.Declined = append(one.Declined, dossier.Declined{Operator: o.Operator, File: o.File, Line: o.Line, Reason: o.Reason})
		}
		all = append(all, one)
	}
	return all
}

// turn is when an edit is tried for what was found, from 1; 0: it mends nothing of that.
// all are the edits that there are.
func (d *diagnosed) turn(all []mutate.Edit, e mutate.Edit) int {
	if len(all) != d.edits {
		d.turns, d.edits = diagnosis.Plan(d.found, all), len(all)
	}
	return d.turns.Of(e)
}

// goesBeyond notes that a mutant was scored, diagnosed or not; true for the first that
// mends nothing that was found, if others did.
func (d *diagnosed) goesBeyond(mends bool) bool {
	if d == nil || d.over {
		return false
	}
	if mends {
		d.scored++
		return false
	}
	d.over = true
	return d.scored > 0
}

// tried says how many repairs of what was found were tried.
func (d *diagnosed) tried() string {
	if d.scored == 1 {
		return "1 diagnosed repair tried, it did not hold"
	}
	return fmt.Sprintf("%d diagnosed repairs tried, none held", d.scored)
}

// grouped is a number with a comma between groups of three digits.
func grouped(n int) string {
	text := strconv.Itoa(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
