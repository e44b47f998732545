package memory

import (
	"slices"

	"mendel/analysis"
	"mendel/mutate"
	"mendel/mutate/clonemap"
	"mendel/mutate/copyreused"
	"mendel/mutate/renew"
	"mendel/validate/halves/pair"
)

// Lent finds the places that still hand over memory of a pool or buffer, where the patch mends
// others of them.
func Lent(c *pair.Change) (found []pair.Finding) {
	was, now := handedIn(c.Before), handedIn(c.After)
	for _, h := range now {
		mends := slices.ContainsFunc(was, func(o copyreused.Handed) bool {
			return o.Owner == h.Owner && !slices.ContainsFunc(now, func(n copyreused.Handed) bool { return n.Owner == o.Owner && n.Func == o.Func })
		})
		if mends {
			found = append(found, pair.Finding{
				File: h.File, Line: c.After.Fset.PositionFor(h.Pos, false).Line, Func: h.Func,
				What: "memory is handed over that is used again (" + h.Why + "), as the patch mends it elsewhere",
				Flag: mutate.LeftElsewhere,
			})
		}
	}
	return found
}

func handedIn(v *pair.Version) []copyreused.Handed {
	return copyreused.HandedOver(&analysis.Program{Fset: v.Fset, Packages: v.Packages})
}

// Emptied finds functions that give away the memory of a variable and fill it again, where the patch has
// another one begin with new memory, or give away a copy, or has the same one do so for a slice whose elements refer to
// that memory.
func Emptied(c *pair.Change) (found []pair.Finding) {
	was, now := emptiedIn(c.Before), emptiedIn(c.After)
	for _, e := range now {
		what := "the patch mends that elsewhere"
		mends := slices.ContainsFunc(was, func(o renew.Emptied) bool {
			if slices.ContainsFunc(now, func(n renew.Emptied) bool { return n.Owner == o.Owner && n.Func == o.Func }) {
				return false
			}
			if o.Owner != e.Owner && o.Func == e.Func && slices.Contains(e.In, o.Owner) {
				what = "the patch gives new memory to " + o.Owner + ", whose elements refer to it"
				return true
			}
			return o.Owner == e.Owner
		})
		if mends {
			found = append(found, pair.Finding{
				File: e.File, Line: c.After.Fset.PositionFor(e.Pos, false).Line, Func: e.Func,
				What: e.Text + " is given away and filled again: " + what,
				Flag: mutate.LeftElsewhere,
			})
		}
	}
	return found
}

func emptiedIn(v *pair.Version) []renew.Emptied {
	return renew.EmptiedGiven(&analysis.Program{Fset: v.Fset, Packages: v.Packages})
}

// Kept finds functions that give away a slice or map which a container has, where the patch gives away a copy of one that it has
// elsewhere, in the same function, too.
func Kept(c *pair.Change) (found []pair.Finding) {
	was, now := keptIn(c.Before), keptIn(c.After)
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
			found = append(found, pair.Finding{
				File: k.File, Line: c.After.Fset.PositionFor(k.Pos, false).Line, Func: k.Func,
				What: k.Text + " is given away, and " + k.Owner + " gives it to others, too: the patch gives away a copy elsewhere",
				Flag: mutate.LeftElsewhere,
			})
		}
	}
	return found
}

func keptIn(v *pair.Version) []clonemap.Kept {
	return clonemap.KeptGiven(&analysis.Program{Fset: v.Fset, Packages: v.Packages})
}
