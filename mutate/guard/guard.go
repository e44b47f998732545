package guard

import (
	_ "embed"
	"slices"

	"mendel/analysis"
	"mendel/analysis/evidence"
	"mendel/mutate"
)

//go:embed doc.go
var doc string

// Operator guards every access of some variables with one lock.
var Operator = &mutate.Operator{
	Name:     "guard",
	Doc:      doc,
	Prior:    map[evidence.Kind]float64{evidence.Race: 5, evidence.TestFailure: 3, evidence.Panic: 3, evidence.Deadlock: 0.5, evidence.Blocked: 0.5},
	Faults:   []evidence.Fault{evidence.DataRace, evidence.MissingLock},
	Needs:    "shared variable that a lock in scope could guard at all its uses",
	Adds:     true,
	Together: together,
	Close:    closer,
}

// Limits of what is listed. Guessed: most programs stay below them, and what
// is left out is the coldest.
const (
	maxTargets = 24 // locks with their variables
	maxParts   = 16 // edits in one composite
)

// flagDiscount is what a flag of the result leaves of the belief: of composites
// that are alike the one without flags is tried first.
const flagDiscount = 0.75

// sharedDiscount is what a composite loses that declares one lock for all values of
// a type: values that have nothing to do with each other wait for each other then.
const sharedDiscount = 0.6

func together(w *mutate.Whole) []mutate.Edit {
	sv := newSurvey(w)
	all := &united{survey: sv}
	var out []mutate.Edit
	for _, t := range sv.targets() {
		layouts := map[bool]*layout{true: newLayout(sv, t, true), false: newLayout(sv, t, false)}
		var forms []mutate.Edit
		for _, form := range []form{apart, wide, tight, waiting} {
			p := &plan{layout: layouts[form == wide], form: form}
			if e, ok := p.composite(); ok {
				forms = append(forms, e)
			}
		}
		all.add(t, forms)
		out = append(out, forms...)
	}
	if e, ok := all.composite(sv.racing()); ok {
		out = append(out, e)
	}
	return out
}

// A form is how sections are laid around the accesses of a function.
type form int

const (
	wide    form = iota // one section from the first to the last, or the whole function
	tight               // one for each run of statements that access
	apart               // tight; the lock of another value that is held around an access is released before
	waiting             // tight; also around a statement that decides by the variables and may wait in a branch
)

// composite puts the edits of all functions together, of a single one too. ok is
// false where there are none, too many, or none that the form is for.
func (p *plan) composite() (e mutate.Edit, ok bool) {
	var parts []mutate.Edit
	for _, fn := range p.survey.whole.Functions {
		if p.open[fn] || len(p.usesOf(fn)) == 0 || !p.locked(fn) {
			continue
		}
		edits := p.edits(fn)
		parts = append(parts, edits...)
		if copies := p.survey.inPlace(fn, p.usesOf(fn)); len(copies) > 0 && len(edits) > 0 {
			if p.form != wide { // what was read at once is to be read in one section
				return e, false
			}
			parts = append(parts, copies...)
		}
		if len(parts) > maxParts {
			return e, false
		}
	}
	if len(parts) == 0 || len(parts) > maxParts || p.form == apart && !p.parted || p.form == waiting && !p.waits {
		return e, false
	}
	e = mutate.Composite("guard", parts...)
	flags, ok := p.survey.whole.Try(e)
	if !ok {
		if parts = p.compatible(parts); len(parts) == 0 {
			return e, false
		}
		e = mutate.Composite("guard", parts...)
		flags, _ = p.survey.whole.Try(e)
	}
	if p.partly(parts) {
		flags = append(flags, mutate.IncompleteGuard)
	}
	against := len(flags)
	if p.blocks && !slices.Contains(flags, mutate.Blocks) {
		against++ // validation will flag it
	}
	for range against {
		e.Doubt(flagDiscount)
	}
	if p.seed.Var != nil && p.seed.Var.IsField() && slices.ContainsFunc(parts, newPackageLock) {
		e.Doubt(sharedDiscount)
	}
	e.Flags = flags
	return e, true
}

// partly reports whether some parts put a variable under the lock that is not one of those
// to guard, and leave it without where another function, or a part for others, uses it.
func (p *plan) partly(parts []mutate.Edit) bool {
	covered := make(map[string]map[string]bool) // by function, the variables that its parts cover
	others := make(map[string]bool)
	for _, part := range parts {
		in := part.File + " " + part.Func
		if covered[in] == nil {
			covered[in] = make(map[string]bool)
		}
		for _, name := range part.Vars {
			covered[in][name], others[name] = true, true
		}
	}
	for v := range p.vars {
		delete(others, p.survey.names[v])
	}
	return len(others) > 0 && slices.ContainsFunc(p.survey.accesses, func(a *sharedAccess) bool {
		name := p.survey.names[a.Var]
		held := func(l analysis.Lock) bool { return l.Key == p.key }
		return others[name] && !slices.ContainsFunc(a.held, held) && !covered[a.fn.File.Rel+" "+a.fn.Name][name] && (!a.fn.Quiet() || a.heat >= hot)
	})
}

// newPackageLock reports whether an edit declares a lock at package level.
func newPackageLock(e mutate.Edit) bool {
	return e.Lock != nil && e.Lock.New != nil && e.Lock.New.Kind == "package"
}

// compatible leaves out the parts that do not go with earlier ones.
func (p *plan) compatible(parts []mutate.Edit) []mutate.Edit {
	var kept []mutate.Edit
	for _, part := range parts {
		more := append(kept[:len(kept):len(kept)], part)
		if p.survey.whole.Applies(mutate.Composite("guard", more...)) {
			kept = more
		}
	}
	return kept
}
