package repair

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"mendel/analysis/evidence"
	"mendel/internal/diagnosis"
	"mendel/internal/dossier"
	"mendel/mutate"
)

// nearlySuspicious is the part of the first place's suspicion that others must have to be
// diagnosed, too. Guessed.
const nearlySuspicious = 0.6

// mostRaces is how many races are diagnosed by the source. Guessed: what several have in
// common shows in a few.
const mostRaces = 6

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
	if j.settings.search.NoRanking {
		return nil
	}
	found := ranked(j.base)
	races := j.races()
	if j.base.kind == evidence.Race {
		found = append(races, bound(found, races)...)
	} else {
		found = append(found, races...)
	}
	if len(found) == 0 {
		return nil
	}
	for i, f := range found {
		tell := j.progress.step
		if i == 0 {
			tell = j.progress.printf
		}
		tell("diagnosed: %s: %s", f.Fault, cmp.Or(f.Says, f.Variable+" at "+f.Places[0].String()))
	}
	return &diagnosed{found: found, edits: -1}
}

// races are what the source shows of the first races.
func (j *judges) races() (found []diagnosis.Finding) {
	n := 0
	for _, f := range j.base.failures {
		if f.Kind != evidence.Race || n == mostRaces {
			continue
		}
		n++
		for _, one := range diagnosis.OfRace(j.space.Locks(), j.program, f.Failure) {
			if !slices.ContainsFunc(found, func(o diagnosis.Finding) bool { return same(o, one) }) {
				found = append(found, one)
			}
		}
	}
	// What is likeliest of each race comes before what is less so of the first one.
	slices.SortStableFunc(found, func(a, b diagnosis.Finding) int { return likely(a.Fault) - likely(b.Fault) })
	return found
}

// likely orders the faults that a race suggests: whether a lock is missing is known from all
// other uses, the order and other names only from the two that race.
func likely(f evidence.Fault) int {
	switch f {
	case evidence.MissingLock, evidence.WrongLock, evidence.ReadLockForWrite, evidence.CapturedVariable, evidence.HandedOut, evidence.CloseDuringSend:
		return 0
	case evidence.OrderViolation, evidence.WaitNotForAll, evidence.Publication, evidence.DataRace:
		return 1
	}
	return 2
}

func same(a, b diagnosis.Finding) bool {
	return a.Fault == b.Fault && a.Variable == b.Variable && a.Lock == b.Lock && slices.Equal(functions(a), functions(b))
}

// functions are those of the places of a finding.
func functions(f diagnosis.Finding) (list []string) {
	for _, p := range f.Places {
		list = append(list, p.File+" "+p.Func)
	}
	return list
}

// ranked are the faults that the ranked places suggest, with the functions around these and
// their partners, and then the fault of all where that is another one.
func ranked(base *baseline) (all []diagnosis.Finding) {
	for _, s := range base.suspects {
		all = with(all, base, s, cmp.Or(s.Suggests, s.Fault))
	}
	for _, s := range base.suspects {
		all = with(all, base, s, s.Fault)
	}
	return all
}

// with adds the fault of a place that is nearly as suspicious as the first, each once.
func with(all []diagnosis.Finding, base *baseline, s dossier.Suspect, fault evidence.Fault) []diagnosis.Finding {
	if s.Suspiciousness < nearlySuspicious*base.suspects[0].Suspiciousness {
		return all
	}
	f := diagnosis.Finding{Fault: fault, Variable: s.Variable}
	for _, p := range []*dossier.Place{&s.Place, s.Partner} {
		if p != nil && p.Func != "" {
			f.Places = append(f.Places, diagnosis.Place{File: p.File, Line: p.Line, Func: p.Func})
		}
	}
	if len(f.Places) == 0 || slices.ContainsFunc(all, func(o diagnosis.Finding) bool { return same(o, f) }) {
		return all
	}
	return append(all, f)
}

// bound gives the findings of executions the guards that the source shows of their
// variables.
func bound(found, races []diagnosis.Finding) []diagnosis.Finding {
	for i := range found {
		k := slices.IndexFunc(races, func(r diagnosis.Finding) bool { return r.Variable != "" && r.Variable == found[i].Variable })
		if k >= 0 {
			found[i].Lock = races[k].Lock
		}
	}
	return found
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
