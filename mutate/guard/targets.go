package guard

import (
	"cmp"
	"go/types"
	"maps"
	"slices"
	"strings"

	"mendel/analysis"
	"mendel/analysis/syntax"
	"mendel/mutate"
)

// A target is a lock, by its key, and the variables to guard with it.
type target struct {
	key  string
	vars map[*types.Var]bool
	seed analysis.Access // a variable beside which a new lock is declared
}

// A wish is some variables to guard together, before it is known with which locks.
type wish struct {
	vars  map[*types.Var]bool
	heat  float64 // of the hottest
	seed  analysis.Access
	locks func() []string // keys
}

// targets lists what could be guarded with which lock, hottest first. Locks are looked
// for only as long as there is room in the list.
func (sv *survey) targets() []target {
	var out []target
	hottest := 0.0 // of those listed
	seen := make(map[string]bool)
	for _, w := range sv.wishes() {
		if len(out) >= maxTargets || hottest >= hot && w.heat < warm {
			break
		}
		parts := []string{""}
		for v := range w.vars {
			parts = append(parts, sv.names[v])
		}
		slices.Sort(parts)
		for _, key := range w.locks() {
			parts[0] = key
			if k := strings.Join(parts, "\x00"); !seen[k] {
				seen[k], hottest = true, max(hottest, w.heat)
				out = append(out, target{key: key, vars: w.vars, seed: w.seed})
			}
		}
	}
	return out[:min(len(out), maxTargets)]
}

// wishes lists the variables of each lock and of each group, hottest first.
func (sv *survey) wishes() []wish {
	guards := sv.guards()
	keys := make(map[*types.Var][]string) // of the locks that guard it
	for key, vars := range guards {
		for v := range vars {
			keys[v] = append(keys[v], key)
		}
	}
	heat := make(map[*types.Var]float64)
	for _, p := range sv.accesses {
		heat[p.Var] = max(heat[p.Var], p.heat)
	}
	var out []wish
	add := func(w wish) {
		for v := range w.vars {
			w.heat = max(w.heat, heat[v])
		}
		out = append(out, w)
	}
	for _, key := range slices.Sorted(maps.Keys(guards)) {
		add(wish{vars: guards[key], locks: func() []string { return []string{key} }})
	}
	for _, g := range sv.groups() {
		for _, vars := range []map[*types.Var]bool{g.hot, g.all} {
			if len(vars) > 0 {
				add(wish{vars: vars, seed: g.seed(vars), locks: func() []string { return sv.locksFor(g, vars, keys) }})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b wish) int { return cmp.Compare(b.heat, a.heat) })
	return out
}

// A vote is how often a lock is held around accesses of a variable.
type vote struct{ writes, all int }

func (v vote) compare(o vote) int {
	return cmp.Or(cmp.Compare(v.writes, o.writes), cmp.Compare(v.all, o.all))
}

// guards finds, for each lock, the variables that are accessed under it at
// least as often as under any other (the lockset idea of Savage et al., Eraser, 1997);
// the lock that is held where a variable is written is more likely meant for it than
// another one under which it is read. Reading a copy says nothing.
func (sv *survey) guards() map[string]map[*types.Var]bool {
	votes := make(map[*types.Var]map[string]vote)
	for _, p := range sv.accesses {
		for _, l := range p.held {
			if p.copied || !sv.guardsAccess(l, p) {
				continue
			}
			if votes[p.Var] == nil {
				votes[p.Var] = make(map[string]vote)
			}
			v := votes[p.Var][l.Key]
			v.all++
			if p.Write {
				v.writes++
			}
			votes[p.Var][l.Key] = v
		}
	}
	guards := make(map[string]map[*types.Var]bool)
	for v, keys := range votes {
		most := slices.MaxFunc(slices.Collect(maps.Values(keys)), vote.compare)
		for key, n := range keys {
			if n == most {
				if guards[key] == nil {
					guards[key] = make(map[*types.Var]bool)
				}
				guards[key][v] = true
			}
		}
	}
	return guards
}

// guardsAccess reports whether a held lock is the one of the very value that is
// accessed. A lock that is no field of the value's type guards whatever value.
func (sv *survey) guardsAccess(l analysis.Lock, p *sharedAccess) bool {
	if !sv.ownLock(l.Key, p.Var) || p.base.Root == nil {
		return true
	}
	return syntax.LockOwner(l) == p.base.String()
}

// ownLock reports whether a lock is a field of the struct that a variable is a field of.
func (sv *survey) ownLock(key string, v *types.Var) bool {
	owner, _ := syntax.CutLast(sv.names[v])
	of, _ := syntax.CutLast(key)
	return v.IsField() && owner != "" && v.Pkg() != nil && of == v.Pkg().Path()+"."+owner
}

// A group is the shared variables of one struct, function or package.
type group struct {
	all, hot map[*types.Var]bool // hot is nil where it is all of them, or none
	accesses []*sharedAccess
}

// seed is the first access of one of some variables of the group.
func (g *group) seed(vars map[*types.Var]bool) analysis.Access {
	for _, p := range g.accesses {
		if vars[p.Var] {
			return p.Access
		}
	}
	return analysis.Access{}
}

// groups lists the groups in the order of their first accesses.
func (sv *survey) groups() []*group {
	var out []*group
	by := make(map[string]*group)
	for _, p := range sv.accesses {
		owner, _ := syntax.CutLast(sv.names[p.Var])
		if p.Var.Pkg() != nil {
			owner = p.Var.Pkg().Path() + "." + owner
		}
		g := by[owner]
		if g == nil {
			g = &group{all: make(map[*types.Var]bool), hot: make(map[*types.Var]bool)}
			by[owner] = g
			out = append(out, g)
		}
		g.all[p.Var] = true
		g.accesses = append(g.accesses, p)
		if p.heat >= hot {
			g.hot[p.Var] = true
		}
	}
	for _, g := range out {
		if len(g.hot) == len(g.all) {
			g.hot = nil
		}
	}
	return out
}

// locksFor lists the keys of the locks to try for variables of a group: those
// that guard some of the group already, else one that lies beside them, else a
// new one and, where fields of several values are accessed at once, one of the package.
func (sv *survey) locksFor(g *group, vars map[*types.Var]bool, guards map[*types.Var][]string) []string {
	var keys []string
	add := func(key string) {
		if !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	for v := range g.all {
		for _, key := range guards[v] {
			add(key)
		}
	}
	if slices.Sort(keys); len(keys) > 0 {
		return keys
	}
	for _, p := range g.accesses {
		if !vars[p.Var] {
			continue
		}
		for _, l := range sv.locksAt(p.fn, p.stmt) {
			if sv.ownLock(l.Key, p.Var) {
				add(l.Key)
			}
		}
	}
	if len(keys) > 0 {
		return keys
	}
	bases := make(map[*mutate.Function]map[string]bool)
	for _, p := range g.accesses {
		if !vars[p.Var] {
			continue
		}
		offered := sv.whole.Program.NewLocks(p.fn.File, p.stmt, []analysis.Access{p.Access})
		if bases[p.fn] == nil {
			bases[p.fn] = make(map[string]bool)
		}
		bases[p.fn][p.base.String()] = true
		for i, l := range offered {
			if i == 0 && len(keys) == 0 || len(bases[p.fn]) > 1 && l.New.Kind == analysis.PackageLock {
				add(l.Key)
			}
		}
	}
	return keys
}
