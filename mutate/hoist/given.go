package hoist

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/internal/locked"
)

// addGiven adds the calls of methods on what a method of the value gave, where that is a pointer which others replace
// under the lock: who replaces it takes it that nobody works on the old one any more.
func (g *group) addGiven(fn *mutate.Function) {
	info := fn.File.Package.Info
	for _, u := range slices.Clone(g.uses) {
		if u.call == nil || !replaced(fn, u.method) {
			continue
		}
		kept := keptAs(info, fn, u.call)
		for n := range ast.Preorder(fn.Body) {
			call, ok := n.(*ast.CallExpr)
			if !ok || call == u.call {
				continue
			}
			sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
			if !ok {
				continue
			}
			if ast.Unparen(sel.X) == ast.Expr(u.call) || kept != nil && syntax.Is(info, sel.X, kept) {
				g.uses = append(g.uses, use{node: call, name: types.ExprString(call.Fun)})
			}
		}
	}
}

// keptAs is the variable that a function keeps the result of a call in, and does not assign to again; nil: there is none.
func keptAs(info *types.Info, fn *mutate.Function, call *ast.CallExpr) types.Object {
	for _, st := range fn.Statements() {
		assign, ok := st.Stmt.(*ast.AssignStmt)
		if !ok || assign.Tok != token.DEFINE || len(assign.Lhs) != 1 || ast.Unparen(assign.Rhs[0]) != ast.Expr(call) {
			continue
		}
		if id, ok := assign.Lhs[0].(*ast.Ident); ok && info.Defs[id] != nil && !assignedAgain(info, fn, info.Defs[id]) {
			return info.Defs[id]
		}
	}
	return nil
}

// assignedAgain reports whether something is assigned to a variable that is not its first value.
func assignedAgain(info *types.Info, fn *mutate.Function, v types.Object) bool {
	return slices.ContainsFunc(fn.Statements(), func(st mutate.Statement) bool {
		return slices.ContainsFunc(syntax.Assigned(st.Stmt), func(l ast.Expr) bool {
			id, ok := ast.Unparen(l).(*ast.Ident)
			return ok && info.Uses[id] == v
		})
	})
}

// replaced reports whether a method does nothing under its lock but give a field that is a pointer, and another
// function puts another one into the field under the lock.
func replaced(fn *mutate.Function, method *locked.Function) bool {
	info := method.File.Package.Info
	body := method.Body.List
	ret, ok := body[len(body)-1].(*ast.ReturnStmt)
	if !ok || len(ret.Results) != 1 || len(body) != 3 || !method.Section.Deferred {
		return false
	}
	v := syntax.Field(info, ret.Results[0])
	if v == nil || !syntax.Pointer(v.Type()) {
		return false
	}
	return slices.ContainsFunc(fn.OfPackage(), func(other *mutate.Function) bool {
		return slices.ContainsFunc(other.Sections(), func(s *mutate.Section) bool {
			return s.Lock.Key == method.Section.Lock.Key && !s.Read && slices.ContainsFunc(other.Statements(), func(st mutate.Statement) bool {
				return s.Holds(st.Stmt) && slices.ContainsFunc(syntax.Assigned(st.Stmt), func(l ast.Expr) bool {
					to := syntax.Field(other.File.Package.Info, l)
					return to != nil && to.Origin() == v.Origin()
				})
			})
		})
	})
}
