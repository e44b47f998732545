package guard

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"mendel/analysis"
	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/held"
)

// small is how many statements, inner ones included, a function may have that
// is locked as a whole although less would do: Lock and defer Unlock at the top
// is how Go programs lock a short method. Guessed.
const small = 12

// closer lists ways to put a function's uses of some variables under a lock: a
// short function as a whole, the wide sections, the tight ones and, where all
// of these leave uses out because something waits between them, the function as
// a whole however long.
func closer(w *mutate.Whole) func(mutate.Closing) [][]mutate.Edit {
	sv := newSurvey(w)
	return func(c mutate.Closing) [][]mutate.Edit {
		t := target{key: c.Key, vars: make(map[*types.Var]bool)}
		for _, v := range c.Vars {
			t.vars[v] = true
		}
		t.seed = sv.seedOf(t)
		var ways [][]mutate.Edit
		add := func(edits []mutate.Edit) {
			if len(edits) > 0 && len(edits) <= maxParts {
				ways = append(ways, edits)
			}
		}
		plans := []*plan{{layout: newLayout(sv, t, true), form: wide}, {layout: newLayout(sv, t, false), form: tight}}
		for _, p := range plans {
			for fn := range c.Open {
				p.setOpen(fn)
			}
			clear(p.uses)
			clear(p.needed)
		}
		whole := plans[0].wholeBody(c.Fn)
		short := statements(c.Fn) <= small && len(sv.blockersIn(c.Fn, c.Fn.Body.Pos(), c.Fn.Body.End())) == 0
		if short {
			add(whole)
		}
		for _, p := range plans {
			add(p.edits(c.Fn))
		}
		if !short {
			add(whole)
		}
		return ways
	}
}

// seedOf is the first access of a target's variables beside which its lock is declared; of
// a lock that is there already, the first of all.
func (sv *survey) seedOf(t target) (seed analysis.Access) {
	for _, a := range sv.accesses {
		if !t.vars[a.Var] {
			continue
		}
		if seed.Var == nil {
			seed = a.Access
		}
		offered := sv.whole.Program.NewLocks(a.fn.File, a.stmt, []analysis.Access{a.Access})
		if slices.ContainsFunc(offered, func(l analysis.Lock) bool { return l.Key == t.key }) {
			return a.Access
		}
	}
	return seed
}

// wholeBody locks a function as a whole, even if something waits in it.
func (p *plan) wholeBody(fn *mutate.Function) []mutate.Edit {
	list := fn.Body.List
	if _, literal := fn.Node.(*ast.FuncLit); literal || len(list) == 0 || fn.Started() || len(p.usesOf(fn)) == 0 {
		return nil
	}
	s := span{list: list, first: 0, last: len(list) - 1}
	uses := p.usesOf(fn)
	for _, l := range p.locks(fn, list, uses) {
		if p.survey.ownLock(p.key, uses[0].Var) && syntax.LockOwner(l) != uses[0].base.String() {
			continue
		}
		if fn.Reassigns(l.Expr, list...) || held.Conflict(fn, l, list...) != "" {
			continue
		}
		s.lock, s.read = l, l.RW && !writes(uses)
		if e, ok := p.body(fn, s); ok {
			return []mutate.Edit{e}
		}
	}
	return nil
}

func writes(uses []use) bool {
	for _, u := range uses {
		if u.Write {
			return true
		}
	}
	return false
}

// statements counts a function's statements.
func statements(fn *mutate.Function) int {
	n := 0
	ast.Inspect(fn.Body, func(node ast.Node) bool {
		switch node.(type) {
		case *ast.BlockStmt:
		case ast.Stmt:
			n++
		}
		return true
	})
	return n
}

// blockersIn are the operations in a part of a function that may take long.
func (sv *survey) blockersIn(fn *mutate.Function, from, to token.Pos) []mutate.Blocker {
	all := fn.Blockers(fn.File)
	first, last := fn.Program.Fset.Position(from).Line, fn.Program.Fset.Position(to).Line
	return slices.DeleteFunc(slices.Clone(all), func(b mutate.Blocker) bool { return b.Line < first || last < b.Line })
}
