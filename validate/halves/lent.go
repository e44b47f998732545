package halves

import (
	"slices"

	"mendel/analysis"
	"mendel/mutate"
	"mendel/mutate/clonemap"
	"mendel/mutate/copyreused"
	"mendel/mutate/renew"
)

// lent finds the places that still hand over memory of a pool or buffer, where the patch mends
// others of them.
func (c *change) lent() (found []Finding) {
	was, now := c.before.handed(), c.after.handed()
	for _, h := range now {
		mends := slices.ContainsFunc(was, func(o copyreused.Handed) bool {
			return o.Owner == h.Owner && !slices.ContainsFunc(now, func(n copyreused.Handed) bool { return n.Owner == o.Owner && n.Func == o.Func })
		})
		if mends {
			found = append(found, Finding{
				File: h.File, Line: c.after.fset.PositionFor(h.Pos, false).Line, Func: h.Func,
				What: "memory is handed over that is used again (" + h.Why + "), as the patch mends it elsewhere",
				Flag: mutate.LeftElsewhere,
			})
		}
	}
	return found
}

func (v *version) handed() []copyreused.Handed {
	return copyreused.HandedOver(&analysis.Program{Fset: v.fset, Packages: v.packages})
}

// emptied finds functions that give away the memory of a variable and fill it again, where the patch has
// another one begin with new memory, or give away a copy.
func (c *change) emptied() (found []Finding) {
	was, now := c.before.emptied(), c.after.emptied()
	for _, e := range now {
		mends := slices.ContainsFunc(was, func(o renew.Emptied) bool {
			return o.Owner == e.Owner && !slices.ContainsFunc(now, func(n renew.Emptied) bool { return n.Owner == o.Owner && n.Func == o.Func })
		})
		if mends {
			found = append(found, Finding{
				File: e.File, Line: c.after.fset.PositionFor(e.Pos, false).Line, Func: e.Func,
				What: e.Text + " is given away and filled again: the patch mends that elsewhere",
				Flag: mutate.LeftElsewhere,
			})
		}
	}
	return found
}

func (v *version) emptied() []renew.Emptied {
	return renew.EmptiedGiven(&analysis.Program{Fset: v.fset, Packages: v.packages})
}

// kept finds functions that give away a slice or map which a container has, where the patch gives away a copy of one that it has
// elsewhere, in the same function, too.
func (c *change) kept() (found []Finding) {
	was, now := c.before.kept(), c.after.kept()
	places := func(all []clonemap.Kept, of clonemap.Kept) (n int) {
		for _, k := range all {
			if k.Owner == of.Owner && k.Func == of.Func {
				n++
			}
		}
		return n
	}
	for _, k := range now {
		mends := slices.ContainsFunc(was, func(o clonemap.Kept) bool { return o.Owner == k.Owner && places(now, o) < places(was, o) })
		if mends {
			found = append(found, Finding{
				File: k.File, Line: c.after.fset.PositionFor(k.Pos, false).Line, Func: k.Func,
				What: k.Text + " is given away, and " + k.Owner + " gives it to others, too: the patch gives away a copy elsewhere",
				Flag: mutate.LeftElsewhere,
			})
		}
	}
	return found
}

func (v *version) kept() []clonemap.Kept {
	return clonemap.KeptGiven(&analysis.Program{Fset: v.fset, Packages: v.packages})
}
