package guard

import (
	"cmp"
	"go/types"
	"maps"
	"slices"

	"mendel/mutate"
)

// united are the edits of several targets, which the evidence names all: each alone
// mends some of the races, and a program with the others left fails as before.
type united struct {
	survey  *survey
	targets []best
}

// A best is the best of a target's forms.
type best struct {
	target
	edit mutate.Edit
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

// add adds the best of a target's forms: the one with the fewest flags, then the one that
// comes to the fewest edits.
func (u *united) add(t target, forms []mutate.Edit) {
	if len(forms) == 0 {
		return
	}
	u.targets = append(u.targets, best{t, slices.MinFunc(forms, func(a, b mutate.Edit) int {
		return cmp.Or(cmp.Compare(len(a.Flags), len(b.Flags)), cmp.Compare(len(a.Parts), len(b.Parts)))
	})})
}

// composite is the edit of the targets that guard racing variables which none before them
// does, those with the fewest flags first; ok is false if there are not two.
func (u *united) composite(racing map[*types.Var]bool) (e mutate.Edit, ok bool) {
	slices.SortStableFunc(u.targets, func(a, b best) int { return cmp.Compare(len(a.edit.Flags), len(b.edit.Flags)) })
	var chosen, parts []mutate.Edit
	for _, t := range u.targets {
		more := slices.DeleteFunc(slices.Collect(maps.Keys(t.vars)), func(v *types.Var) bool { return !racing[v] })
		all := append(slices.Clip(parts), t.edit.Parts...)
		if len(more) == 0 || len(all) > maxParts || !u.survey.whole.Applies(mutate.Composite("guard", all...)) {
			continue
		}
		for _, v := range more {
			delete(racing, v)
		}
		chosen, parts = append(chosen, t.edit), all
	}
	if len(chosen) < 2 {
		return e, false
	}
	e = mutate.Composite("guard", parts...)
	e.Flags, ok = u.survey.whole.Try(e)
	for _, one := range chosen { // no likelier than the least likely
		if one.Belief > 0 && (e.Belief == 0 || one.Belief < e.Belief) {
			e.Belief = one.Belief
		}
	}
	return e, ok
}
