package lockatomics

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"mendel/analysis"
	"mendel/analysis/syntax"
	"mendel/mutate"
)

// An operation is a call that loads or changes an atomic variable.
type operation struct {
	analysis.Access
	call *ast.CallExpr
	base mutate.Path // what the variable is a field of; of a package variable the zero Path
	cas  bool        // it changes the variable only if nobody else has
}

// A user is a function with the operations that it makes on the variables of one
// value.
type user struct {
	fn   *mutate.Function
	base mutate.Path
	ops  []operation // in source order
	// helped are calls of functions that make operations for it, on the variables also.
	helped []*ast.CallExpr
	also   []*types.Var
}

// A group is the atomic variables of one type or package.
type group struct {
	owner string
	vars  []*types.Var
	users []*user
	near  bool // one of the functions is among the narrowed ones
}

// groups lists the groups that narrowed functions use, in the order in which they
// are first used.
func groups(w *mutate.Whole) []*group {
	var out []*group
	for _, fn := range w.All() {
		for _, u := range users(fn) {
			owner := owner(u)
			i := slices.IndexFunc(out, func(g *group) bool { return g.owner == owner })
			if i < 0 {
				i, out = len(out), append(out, &group{owner: owner})
			}
			out[i].users = append(out[i].users, u)
			out[i].near = out[i].near || slices.Contains(w.Functions, fn)
			for _, o := range u.ops {
				if !slices.Contains(out[i].vars, o.Var) {
					out[i].vars = append(out[i].vars, o.Var)
				}
			}
		}
	}
	out = slices.DeleteFunc(out, func(g *group) bool { return !g.near })
	for _, g := range out {
		slices.SortFunc(g.vars, func(a, b *types.Var) int { return cmp.Compare(a.Pos(), b.Pos()) })
	}
	return out
}

// owner names what the variables of a user belong to.
func owner(u *user) string {
	o := u.ops[0]
	if !o.Var.IsField() {
		return o.Var.Pkg().Path()
	}
	t := u.fn.File.Package.Info.TypeOf(ast.Unparen(o.Expr).(*ast.SelectorExpr).X)
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	return t.String()
}

// users parts the operations of a function by the value that they are on.
func users(fn *mutate.Function) []*user {
	var out []*user
	for _, s := range fn.Body.List {
		syntax.Now(s, func(n ast.Node) {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return
			}
			o, ok := operationOf(fn, call)
			if !ok {
				return
			}
			i := slices.IndexFunc(out, func(u *user) bool { return u.base == o.base })
			if i < 0 {
				i, out = len(out), append(out, &user{fn: fn, base: o.base})
			}
			out[i].ops = append(out[i].ops, o)
		})
	}
	for _, u := range out {
		slices.SortFunc(u.ops, func(a, b operation) int { return cmp.Compare(a.call.Pos(), b.call.Pos()) })
	}
	return out
}

// operationOf takes a call of a method or function of sync/atomic apart; ok is
// false for other calls, and for variables that nobody shares or no path leads to.
func operationOf(fn *mutate.Function, call *ast.CallExpr) (o operation, ok bool) {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	f := syntax.Callee(fn.File.Package.Info, call.Fun)
	if !ok || f == nil || f.Pkg() == nil || f.Pkg().Path() != "sync/atomic" {
		return o, false
	}
	on := ast.Unparen(sel.X)
	if f.Signature().Recv() == nil {
		if len(call.Args) == 0 {
			return o, false
		}
		at, ok := ast.Unparen(call.Args[0]).(*ast.UnaryExpr)
		if !ok || at.Op != token.AND {
			return o, false
		}
		on = ast.Unparen(at.X)
	}
	o = operation{call: call, cas: strings.HasPrefix(f.Name(), "CompareAndSwap"), Access: analysis.Access{Expr: on, Write: !strings.HasPrefix(f.Name(), "Load")}}
	switch x := on.(type) {
	case *ast.Ident:
		v, variable := fn.File.Package.Info.Uses[x].(*types.Var)
		o.Var = v
		return o, variable && v.Pkg() != nil && v.Parent() == v.Pkg().Scope()
	case *ast.SelectorExpr:
		s := fn.File.Package.Info.Selections[x]
		if s == nil || s.Kind() != types.FieldVal || len(s.Index()) != 1 || fn.Fresh(x) {
			return o, false
		}
		o.Var, o.base = s.Obj().(*types.Var).Origin(), fn.Path(x.X)
		return o, o.base.Root != nil
	}
	return o, false
}

// several reports whether a function makes more than one operation, which
// could be meant to be one step; what it does to one variable alone is one where it
// swaps it on condition.
func (u *user) several() bool {
	if len(u.helped) > 0 {
		return true
	}
	one := !slices.ContainsFunc(u.ops, func(o operation) bool { return o.Var != u.ops[0].Var })
	return len(u.ops) > 1 && !(one && slices.ContainsFunc(u.ops, func(o operation) bool { return o.cas }))
}

// writes reports whether a function changes one of the variables.
func (u *user) writes() bool {
	return slices.ContainsFunc(u.ops, func(o operation) bool { return o.Write })
}

// checks reports whether a function first looks and then changes.
func (u *user) checks() bool {
	i := slices.IndexFunc(u.ops, func(o operation) bool { return o.Write })
	return i > 0 && u.several()
}

// extent is the smallest run of statements of one list that has all operations, and the
// calls of helpers.
func (u *user) extent() (st mutate.Statement, count int, ok bool) {
	first, last := u.ops[0].call, u.ops[len(u.ops)-1].call
	for _, call := range u.helped {
		if call.Pos() < first.Pos() {
			first = call
		}
		if call.Pos() > last.Pos() {
			last = call
		}
	}
	for _, s := range u.fn.Statements() {
		if s.Stmt.Pos() > first.Pos() || first.End() > s.Stmt.End() {
			continue
		}
		for i, end := range s.List[s.Index:] {
			if end.Pos() <= last.Pos() && last.End() <= end.End() {
				st, count, ok = s, i+1, true // an inner list comes later
			}
		}
	}
	return st, count, ok
}
