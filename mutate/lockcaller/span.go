package lockcaller

import (
	"cmp"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"mendel/analysis"
	"mendel/mutate"
)

// maxCalls is how deep calls are followed. Guessed.
const maxCalls = 3

// A use is an access to a shared variable that a function comes to, in its own
// text or in functions that it calls.
type use struct {
	analysis.Access
	in     *mutate.Function // where it stands
	base   mutate.Path      // of a field: what it is selected from, as the caller names it
	at     ast.Node         // in the caller: the access, or the call that leads to it
	call   *ast.CallExpr    // the latter; nil for an access of its own
	callee string           // the function called, without its receiver's type
	heat   float64
	locks  []string // keys of what is held there, by callers on the way, too
}

// A thing is what one lock could guard: the fields of one value, or, the zero
// thing, the variables of the package.
type thing struct{ base mutate.Path }

// A body is what a function comes to, to a depth.
type body struct {
	fn    *mutate.Function
	depth int // calls to follow from there
}

// reach lists the uses that some statements of a function come to and that the
// function can name.
func reach(fn *mutate.Function, depth int, stmts ...ast.Stmt) []use {
	var out []use
	for _, a := range fn.Changing(stmts...) {
		u := use{Access: a, in: fn, base: fn.Base(a.Expr), at: a.Expr}
		if fn.Fresh(a.Expr) || a.Var.IsField() == (u.base.Root == nil) || !a.Var.IsField() && !packageLevel(a.Var) {
			continue
		}
		u.locks = holding(fn, a.Expr)
		u.heat = fn.Narrowing.Heat(fn.File.Name, fn.Program.Fset.PositionFor(a.Expr.Pos(), false).Line)
		out = append(out, u)
	}
	if depth == 0 {
		return out
	}
	for _, c := range fn.Calls(stmts...) {
		name := c.To.Name[strings.LastIndex(c.To.Name, ".")+1:]
		around := holding(fn, c.Expr)
		for _, u := range bodyOf(c.To, depth-1) {
			if u.Var.IsField() {
				if u.base = c.Name(u.base); u.base.Root == nil {
					continue
				}
			}
			u.at, u.call, u.callee = c.Expr, c.Expr, name
			if len(around) > 0 {
				u.locks = slices.Concat(around, u.locks)
			}
			out = append(out, u)
		}
	}
	return out
}

// bodyOf lists the uses of a whole function, one for each variable of each value.
// The list must not be changed.
func bodyOf(fn *mutate.Function, depth int) []use {
	return mutate.Remember(fn, body{fn, depth}, func() []use { return findBody(fn, depth) })
}

func findBody(fn *mutate.Function, depth int) []use {
	type variable struct {
		*types.Var
		base mutate.Path
	}
	at := make(map[variable]int)
	var out []use
	for _, u := range reach(fn, depth, fn.Body.List...) {
		v := variable{u.Var, u.base}
		i, known := at[v]
		if !known {
			at[v] = len(out)
			out = append(out, u)
			continue
		}
		out[i].heat = max(out[i].heat, u.heat)
		out[i].locks = common(out[i].locks, u.locks)
	}
	return out
}

// common is what two lists have in common.
func common(a, b []string) []string {
	return slices.DeleteFunc(slices.Clone(a), func(key string) bool { return !slices.Contains(b, key) })
}

// held lists the keys of the locks that are held at an expression of a function.
func holding(fn *mutate.Function, e ast.Expr) []string {
	var keys []string
	for _, l := range fn.HeldAt(mutate.Innermost(fn.Statements(), e).Stmt) {
		keys = append(keys, l.Key)
	}
	return keys
}

func packageLevel(v *types.Var) bool { return v.Pkg() != nil && v.Parent() == v.Pkg().Scope() }

// A span is some consecutive statements that use the same variables of one
// thing more than once, at least once by a call.
type span struct {
	thing
	list        []ast.Stmt
	first, last int
	uses        []use // of the variables used more than once, in source order
	calls       int   // how many calls lead to these
	heat        float64
}

func (s *span) stmts() []ast.Stmt { return s.list[s.first : s.last+1] }

// spans lists the spans of a function.
func spans(fn *mutate.Function) []*span {
	var out []*span
	var visit func(list []ast.Stmt, uses []use)
	visit = func(list []ast.Stmt, uses []use) {
		byStmt := make([][]use, len(list))
		var things []thing
		for i, s := range list {
			byStmt[i] = within(uses, s)
			for _, u := range byStmt[i] {
				if t := (thing{u.base}); !slices.Contains(things, t) {
					things = append(things, t)
				}
			}
		}
		for _, t := range things {
			if !called(t, byStmt) {
				continue
			}
			if s := spanOf(t, list, byStmt); s != nil {
				out = append(out, s)
			}
		}
		for i, s := range list {
			for _, inner := range mutate.Lists(s) {
				visit(inner, byStmt[i])
			}
		}
	}
	visit(fn.Body.List, reach(fn, maxCalls, fn.Body.List...))
	return out
}

// called reports whether some call leads to a use of a thing.
func called(t thing, byStmt [][]use) bool {
	return slices.ContainsFunc(byStmt, func(uses []use) bool {
		return slices.ContainsFunc(uses, func(u use) bool { return u.base == t.base && u.call != nil })
	})
}

// within are those of some uses that a statement comes to. Most often they are neighbours.
func within(uses []use, s ast.Stmt) []use {
	in := func(u use) bool { return s.Pos() <= u.at.Pos() && u.at.End() <= s.End() }
	first := slices.IndexFunc(uses, in)
	if first < 0 {
		return nil
	}
	uses = uses[first:]
	n := 1
	for n < len(uses) && in(uses[n]) {
		n++
	}
	out := uses[:n:n]
	for _, u := range uses[n:] {
		if in(u) {
			out = append(out, u)
		}
	}
	return out
}

// spanOf finds the statements of a list that use variables of a thing more
// than once; nil if there are none, or if a list inside of one has them all.
func spanOf(t thing, list []ast.Stmt, byStmt [][]use) *span {
	times := make(map[*types.Var]map[ast.Node]bool)
	for i, uses := range byStmt {
		for _, u := range uses {
			if u.base != t.base {
				continue
			}
			if times[u.Var] == nil {
				times[u.Var] = make(map[ast.Node]bool)
			}
			times[u.Var][u.at] = true
			if u.call != nil && loops(list[i]) {
				times[u.Var][list[i]] = true // again in the next iteration
			}
		}
	}
	s := &span{thing: t, list: list, first: -1}
	calls := make(map[*ast.CallExpr]bool)
	for i, uses := range byStmt {
		for _, u := range uses {
			if u.base != t.base || len(times[u.Var]) < 2 {
				continue
			}
			if s.first < 0 {
				s.first = i
			}
			s.last = i
			s.uses = append(s.uses, u)
			s.heat = max(s.heat, u.heat)
			if u.call != nil {
				calls[u.call] = true
			}
		}
	}
	s.calls = len(calls)
	if s.calls == 0 || s.first == s.last && s.insideOf(list[s.first]) {
		return nil
	}
	slices.SortStableFunc(s.uses, func(a, b use) int { return cmp.Compare(a.at.Pos(), b.at.Pos()) })
	if !slices.ContainsFunc(s.concerned(), func(u use) bool { return u.call != nil }) {
		return nil // the callees guard what they use: the rest is for other operators
	}
	return s
}

func loops(s ast.Stmt) bool {
	switch s.(type) {
	case *ast.ForStmt, *ast.RangeStmt:
		return true
	}
	return false
}

// insideOf reports whether a list in a statement that does not loop, or more than
// one call in one that does, has all uses.
func (s *span) insideOf(stmt ast.Stmt) bool {
	if loops(stmt) && s.calls < 2 && !s.direct() {
		return false
	}
	return slices.ContainsFunc(mutate.Lists(stmt), func(list []ast.Stmt) bool {
		return len(list) > 0 && !slices.ContainsFunc(s.uses, func(u use) bool {
			return u.at.Pos() < list[0].Pos() || list[len(list)-1].End() < u.at.End()
		})
	})
}

// direct reports whether the function uses one of the variables itself, too.
func (s *span) direct() bool {
	return slices.ContainsFunc(s.uses, func(u use) bool { return u.call == nil })
}

// concerned lists the uses of the variables that no lock is held for each time
// (the lockset idea of Savage et al., Eraser, 1997); where there are none, all:
// then it is the steps together that are not guarded.
func (s *span) concerned() []use {
	always := make(map[*types.Var][]string)
	for _, u := range s.uses {
		if locks, known := always[u.Var]; known {
			always[u.Var] = common(locks, u.locks)
		} else {
			always[u.Var] = u.locks
		}
	}
	bare := slices.DeleteFunc(slices.Clone(s.uses), func(u use) bool { return len(always[u.Var]) > 0 })
	if len(bare) == 0 {
		return s.uses
	}
	return bare
}

// principal is the first concerned use of the variable that is used most often.
func (s *span) principal() use {
	count := make(map[*types.Var]int)
	uses := s.concerned()
	for _, u := range uses {
		count[u.Var]++
	}
	best := uses[0]
	for _, u := range uses[1:] {
		if count[u.Var] > count[best.Var] {
			best = u
		}
	}
	return best
}

// variable is the principal one as the function would write it.
func (s *span) variable() string {
	v := s.principal().Var
	if s.base.Root == nil {
		return v.Name()
	}
	return s.base.String() + "." + v.Name()
}

// names are the narrowing's names of the variables concerned, sorted.
func (s *span) names(fn *mutate.Function) []string {
	var names []string
	for _, u := range s.concerned() {
		names = append(names, fn.VarName(u.Var))
	}
	slices.Sort(names)
	return slices.Compact(names)
}
