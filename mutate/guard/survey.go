package guard

import (
	"cmp"
	"go/ast"
	"go/types"
	"maps"
	"slices"
	"strings"

	"mendel/analysis"
	"mendel/mutate"
	"mendel/mutate/internal/locking"
	"mendel/mutate/internal/syntax"
)

// hot is the heat from which evidence is taken to name a variable: an access
// stands on a line that a failure names, or in the function that one ends in.
const hot = 0.8

// warm is the heat that a lock's variables need to have once the evidence names
// others: those are what it is about.
const warm = 0.25

// A survey is what a program accesses, and under which locks.
type survey struct {
	whole    *mutate.Whole
	names    map[types.Object]string // of shared variables: "Account.amount"
	accesses []*sharedAccess         // by function, in source order
	by       map[*mutate.Function][]*sharedAccess
	users    map[*types.Var][]*mutate.Function // that access a variable
	edits    map[id]mutate.Edit                // of moves
	tried    map[id]bool                       // whether an edit gives a mutant alone
	locks    map[ast.Stmt][]analysis.Lock      // see locksAt
	calls    map[*mutate.Function][]callAt     // see callsIn
}

// A callAt is a call with what is held there.
type callAt struct {
	mutate.Call
	stmt ast.Stmt // innermost one of a statement list around it; nil: none
	held map[string]bool
}

// A sharedAccess is an access of a shared variable that somebody else may make at the same time.
type sharedAccess struct {
	analysis.Access
	fn   *mutate.Function
	stmt ast.Stmt // innermost one of a statement list
	base mutate.Path
	held []analysis.Lock
	heat float64
}

func newSurvey(w *mutate.Whole) *survey {
	sv := &survey{
		whole: w, names: make(map[types.Object]string),
		by: make(map[*mutate.Function][]*sharedAccess), users: make(map[*types.Var][]*mutate.Function),
		edits: make(map[id]mutate.Edit), tried: make(map[id]bool),
		locks: make(map[ast.Stmt][]analysis.Lock), calls: make(map[*mutate.Function][]callAt),
	}
	for _, v := range w.Narrowing.Findings() {
		if v.Object != nil {
			sv.names[v.Object] = v.Name
		}
	}
	for _, op := range moves {
		for _, e := range w.EditsOf(op.Name) {
			sv.edits[idOf(e)] = e
		}
	}
	for _, fn := range w.Functions {
		stmts := fn.Statements()
		for _, a := range fn.Accesses(fn.Body) {
			if sv.names[a.Var] == "" || fn.Fresh(a.Expr) {
				continue
			}
			p := &sharedAccess{Access: a, fn: fn, stmt: mutate.Innermost(stmts, a.Expr).Stmt, base: fn.Base(a.Expr)}
			if p.stmt == nil {
				continue
			}
			p.held = fn.HeldAt(p.stmt)
			p.heat = w.Narrowing.Heat(fn.File.Name, w.Program.Fset.PositionFor(a.Expr.Pos(), false).Line)
			sv.accesses = append(sv.accesses, p)
			sv.by[fn] = append(sv.by[fn], p)
			if users := sv.users[p.Var]; len(users) == 0 || users[len(users)-1] != fn {
				sv.users[p.Var] = append(users, fn)
			}
		}
	}
	return sv
}

// callsIn lists the calls, by name, in a function's text. The list must not be changed.
func (sv *survey) callsIn(fn *mutate.Function) []callAt {
	calls, known := sv.calls[fn]
	if !known {
		stmts := fn.Statements()
		for _, c := range fn.Calls(fn.Body) {
			at := callAt{Call: c, stmt: mutate.Innermost(stmts, c.Expr).Stmt}
			if at.stmt != nil {
				at.held = make(map[string]bool)
				for _, l := range fn.HeldAt(at.stmt) {
					at.held[l.Key] = true
				}
			}
			calls = append(calls, at)
		}
		sv.calls[fn] = calls
	}
	return calls
}

// locksAt lists the existing locks in scope at a statement of a function.
func (sv *survey) locksAt(fn *mutate.Function, s ast.Stmt) []analysis.Lock {
	found, known := sv.locks[s]
	if !known {
		found = fn.Program.Locks(fn.File, s)
		sv.locks[s] = found
	}
	return found
}

// An id tells the edits of single operators apart.
type id struct {
	operator, file, lock, key string
	node, count               int
	read                      bool
}

func idOf(e mutate.Edit) id {
	i := id{operator: e.Operator, file: e.File, node: e.Node, count: e.Count, read: e.Read}
	if e.Lock != nil {
		i.lock, i.key = e.Lock.Expr, e.Lock.Key
	}
	return i
}

// fits reports whether an edit of sections gives a mutant by itself.
func (sv *survey) fits(fn *mutate.Function, e mutate.Edit) bool {
	i := idOf(e)
	ok, known := sv.tried[i]
	if !known {
		ok = locking.Fits(fn, e)
		sv.tried[i] = ok
	}
	return ok
}

// A target is a lock, by its key, and the variables to guard with it.
type target struct {
	key  string
	vars map[*types.Var]bool
	seed analysis.Access // a variable beside which a new lock is declared
	heat float64
}

// targets lists what could be guarded with which lock, hottest first.
func (sv *survey) targets() []target {
	guards := sv.guards()
	var out []target
	seen := make(map[string]bool)
	heat := make(map[*types.Var]float64)
	keys := make(map[*types.Var][]string) // of the locks that guard it
	for _, p := range sv.accesses {
		heat[p.Var] = max(heat[p.Var], p.heat)
	}
	for key, vars := range guards {
		for v := range vars {
			keys[v] = append(keys[v], key)
		}
	}
	add := func(key string, vars map[*types.Var]bool, seed analysis.Access) {
		t := target{key: key, vars: vars, seed: seed}
		parts := []string{key}
		for v := range vars {
			t.heat = max(t.heat, heat[v])
			parts = append(parts, sv.names[v])
		}
		slices.Sort(parts[1:])
		if k := strings.Join(parts, "\x00"); !seen[k] {
			seen[k] = true
			out = append(out, t)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(guards)) {
		add(key, guards[key], analysis.Access{})
	}
	for _, g := range sv.groups() {
		for _, vars := range []map[*types.Var]bool{g.hot, g.all} {
			if len(vars) == 0 {
				continue
			}
			for _, l := range sv.locksFor(g, vars, keys) {
				add(l, vars, g.seed(vars))
			}
		}
	}
	slices.SortStableFunc(out, func(a, b target) int { return cmp.Compare(b.heat, a.heat) })
	if len(out) > 0 && out[0].heat >= hot {
		out = slices.DeleteFunc(out, func(t target) bool { return t.heat < warm })
	}
	return out[:min(len(out), maxTargets)]
}

// guards finds, for each lock, the variables that are accessed under it at
// least as often as under any other (the lockset idea of Savage et al., Eraser, 1997).
func (sv *survey) guards() map[string]map[*types.Var]bool {
	count := make(map[*types.Var]map[string]int)
	for _, p := range sv.accesses {
		for _, l := range p.held {
			if sv.guardsAccess(l, p) {
				if count[p.Var] == nil {
					count[p.Var] = make(map[string]int)
				}
				count[p.Var][l.Key]++
			}
		}
	}
	guards := make(map[string]map[*types.Var]bool)
	for v, keys := range count {
		most := slices.Max(slices.Collect(maps.Values(keys)))
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
