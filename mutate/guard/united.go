package guard

import (
	"cmp"
	"go/types"
	"slices"

	"mendel/mutate"
)

// united are the edits of several targets, which the evidence names all: each alone
// mends some of the races, and a program with the others left fails as before.
type united struct {
	survey  *survey
	racing  map[*types.Var]bool
	guarded map[*types.Var]bool // by the targets that were added
	chosen  []mutate.Edit
	parts   []mutate.Edit // of those that were chosen
}

// racing are the variables that are used on the lines which the evidence names.
func (sv *survey) racing() map[*types.Var]bool {
	named := make(map[*types.Var]bool)
	for _, p := range sv.accesses {
		if p.heat == 1 {
			named[p.Var] = true
		}
	}
	return named
}

// add adds the best of a target's forms if it guards racing variables that none before
// it does: the one with the fewest flags, then the one that comes to the fewest edits.
func (u *united) add(t target, forms []mutate.Edit) {
	if len(forms) == 0 {
		return
	}
	var more []*types.Var
	for v := range t.vars {
		if u.racing[v] && !u.guarded[v] {
			more = append(more, v)
		}
	}
	if len(more) == 0 {
		return
	}
	best := slices.MinFunc(forms, func(a, b mutate.Edit) int {
		return cmp.Or(cmp.Compare(len(a.Flags), len(b.Flags)), cmp.Compare(len(a.Parts), len(b.Parts)))
	})
	if len(u.parts)+len(best.Parts) > maxParts || !u.survey.whole.Applies(mutate.Composite("guard", append(slices.Clip(u.parts), best.Parts...)...)) {
		return
	}
	for _, v := range more {
		u.guarded[v] = true
	}
	u.parts = append(u.parts, best.Parts...)
	u.chosen = append(u.chosen, best)
}

// composite is the edit of all targets; ok is false if there are not two.
func (u *united) composite() (e mutate.Edit, ok bool) {
	if len(u.chosen) < 2 {
		return e, false
	}
	e = mutate.Composite("guard", u.parts...)
	e.Flags, ok = u.survey.whole.Try(e)
	for _, one := range u.chosen { // no likelier than the least likely
		if one.Belief > 0 && (e.Belief == 0 || one.Belief < e.Belief) {
			e.Belief = one.Belief
		}
	}
	return e, ok
}
