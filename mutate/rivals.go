package mutate

import (
	"go/types"
	"maps"
	"slices"

	"mendel/analysis/syntax"
)

// Rivals are the keys of other locks that the original holds at uses of a
// variable where a lock is not held in the end: they guard it already, as it
// seems, and a second lock keeps nobody out who holds one of them.
func (g *Guarding) Rivals(key string, v *types.Var) []string {
	found := make(map[string]bool)
	for _, u := range g.uses {
		if u.Var != v || u.via || u.settled() || g.after.guardsUse(u, key) == guarded {
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

// Companions are the variables that are used like some others, and that no other
// lock than the one with a key guards anywhere in the original: fields of the same
// struct, or variables of the same function or package, that a function changes which
// uses one of the others too, or reads, if the lock is held wherever they are changed; and
// that are not one goroutine's own. They are in order of their positions.
func (g *Guarding) Companions(key string, vars ...*types.Var) []*types.Var {
	users := make(map[*Function]map[string]bool) // of the others, with what these belong to
	for _, u := range g.uses {
		if !u.via && slices.Contains(vars, u.Var) && !u.settled() {
			if users[u.fn] == nil {
				users[u.fn] = make(map[string]bool)
			}
			users[u.fn][g.space.ownerKey(u)] = true
		}
	}
	found := make(map[*types.Var]bool)
	for _, u := range g.uses {
		if u.via || slices.Contains(vars, u.Var) || !users[u.fn][g.space.ownerKey(u)] || u.settled() {
			continue
		}
		if u.Write || g.changedUnder(key, u.Var) {
			found[u.Var] = true
		}
	}
	maps.DeleteFunc(found, func(v *types.Var, _ bool) bool { return g.oneGoroutine(v) })
	for _, u := range g.uses {
		held, _ := g.before.heldAt(u.fn, u.stmt)
		if len(held) > 0 && g.before.guards(u.fn, u.stmt, u.base, key) != guarded {
			delete(found, u.Var)
		}
	}
	return slices.SortedFunc(maps.Keys(found), func(a, b *types.Var) int { return int(a.Pos()) - int(b.Pos()) })
}

// HeldSomewhere reports whether a lock is held at some use of a variable in the original: where it is
// not, whoever uses it may have it for himself by then.
func (g *Guarding) HeldSomewhere(key string, v *types.Var) bool {
	return slices.ContainsFunc(g.uses, func(u wholeUse) bool {
		return u.Var == v && !u.via && !u.settled() && g.before.guards(u.fn, u.stmt, u.base, key) == guarded
	})
}

// changedUnder reports whether a variable is changed, and in the original always with a lock.
func (g *Guarding) changedUnder(key string, v *types.Var) bool {
	changed := false
	for _, u := range g.uses {
		if u.Var != v || !u.Write || u.via || u.settled() {
			continue
		}
		if g.before.guards(u.fn, u.stmt, u.base, key) != guarded {
			return false
		}
		changed = true
	}
	return changed
}

// oneGoroutine reports whether a variable is used in one goroutine only, of which
// there is one, once others may know it.
func (g *Guarding) oneGoroutine(v *types.Var) bool {
	var own *Function
	for _, u := range g.uses {
		if u.Var != v || u.via || u.settled() {
			continue
		}
		of := g.space.goroutineOf(u.fn, maxFrames)
		if of == nil || own != nil && of != own {
			return false
		}
		own = of
	}
	return own != nil
}

// ownerKey is what a used variable belongs to: the value that it is a field of,
// the function that declares it, or the package.
func (s *Space) ownerKey(u wholeUse) string {
	owner, _ := syntax.CutLast(u.fn.VarName(u.Var))
	switch {
	case u.Var.IsField():
		return "field of " + owner + " " + u.base.String()
	case syntax.PackageLevel(u.Var):
		return "package"
	}
	return "local of " + owner
}
