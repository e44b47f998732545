package mutate

import (
	"go/types"
	"maps"
	"slices"

	"mendel/mutate/internal/syntax"
)

// Rivals are the keys of other locks that the original holds at uses of a
// variable where a lock is not held in the end: they guard it already, as it
// seems, and a second lock keeps nobody out who holds one of them.
func (g *Guarding) Rivals(key string, v *types.Var) []string {
	found := make(map[string]bool)
	for _, u := range g.uses {
		if u.Var != v || u.via || u.fn.settled(u) || g.after.guardsUse(u, key) == guarded {
			continue
		}
		held, _ := g.before.heldAt(u.fn, u.stmt)
		for _, h := range held {
			if h.Key != key && g.before.guards(u.fn, u.stmt, u.base, h.Key) == guarded {
				found[h.Key] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// Companions are the variables that are used like some others, and that no
// lock guards anywhere in the original: fields of the same struct, or variables
// of the same function or package, that a function writes which writes one of
// the others too. They are in order of their positions.
func (g *Guarding) Companions(vars ...*types.Var) []*types.Var {
	writers := make(map[*Function]map[string]bool) // of the others, with what these belong to
	for _, u := range g.uses {
		if u.Write && !u.via && slices.Contains(vars, u.Var) && !u.fn.settled(u) {
			if writers[u.fn] == nil {
				writers[u.fn] = make(map[string]bool)
			}
			writers[u.fn][g.space.ownerKey(u)] = true
		}
	}
	found := make(map[*types.Var]bool)
	for _, u := range g.uses {
		if u.Write && !u.via && !slices.Contains(vars, u.Var) && writers[u.fn][g.space.ownerKey(u)] && !u.fn.settled(u) {
			found[u.Var] = true
		}
	}
	for _, u := range g.uses {
		if held, _ := g.before.heldAt(u.fn, u.stmt); len(held) > 0 {
			delete(found, u.Var)
		}
	}
	return slices.SortedFunc(maps.Keys(found), func(a, b *types.Var) int { return int(a.Pos()) - int(b.Pos()) })
}

// ownerKey is what a used variable belongs to: the value that it is a field of,
// the function that declares it, or the package.
func (s *Space) ownerKey(u wholeUse) string {
	owner, _ := syntax.CutLast(u.fn.VarName(u.Var))
	switch {
	case u.Var.IsField():
		return "field of " + owner + " " + u.base.String()
	case packageVariable(u.Var):
		return "package"
	}
	return "local of " + owner
}
