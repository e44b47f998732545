package addunlock

import (
	"go/ast"
	gotoken "go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"mendel/analysis/syntax"
	"mendel/mutate"
)

// finishers matches methods that end what a value stands for.
var finishers = regexp.MustCompile(`(?i)^(finish|release|done|close|end|free|return|give|put|rollback|abort|discard|complete|leave|exit|unlock|stop|cancel)`)

// finishing finds the calls of a function that end what a value stands for which the function has from a call: a permit, a
// turn, a transaction. Ending it changes what goroutines share.
//
//	permit, err := b.Admit()
//	if err != nil {
//		return err
//	}
//	...
//	permit.Release()
func finishing(fn *mutate.Function) (all []helped) {
	info := fn.File.Package.Info
	for _, st := range fn.Statements() {
		x, to := called(fn, st.Stmt)
		if to == nil || !isMethod(to) || len(x.Args) > 0 || slices.ContainsFunc(all, func(h helped) bool { return h.text == types.ExprString(x) }) {
			continue
		}
		sel, ok := ast.Unparen(x.Fun).(*ast.SelectorExpr)
		if !ok || !finishers.MatchString(sel.Sel.Name) || !synchronises(to, 2) {
			continue
		}
		id, ok := ast.Unparen(sel.X).(*ast.Ident)
		if !ok {
			continue
		}
		v, ok := info.Uses[id].(*types.Var)
		if !ok || v.IsField() {
			continue
		}
		for _, made := range fn.Statements() {
			assign, ok := made.Stmt.(*ast.AssignStmt)
			if !ok || assign.Tok != gotoken.DEFINE || len(assign.Rhs) != 1 || !behind(made, st.Stmt) {
				continue
			}
			first, ok := assign.Lhs[0].(*ast.Ident)
			if _, fromCall := ast.Unparen(assign.Rhs[0]).(*ast.CallExpr); !ok || !fromCall || info.Defs[first] != v || passedOn(fn, v) {
				continue
			}
			h := helped{taken: made, release: st.Stmt.(*ast.ExprStmt), text: types.ExprString(x)}
			if len(assign.Lhs) > 1 && made.Index+1 < len(made.List) {
				h.asks, _ = made.List[made.Index+1].(*ast.IfStmt)
			}
			all = append(all, h)
		}
	}
	return all
}

// synchronises reports whether a function takes a lock, uses a channel or an atomic variable, itself, in a literal, or in
// what it calls so deep.
func synchronises(fn *mutate.Function, deep int) bool {
	for _, c := range fn.Calls(fn.Body.List...) {
		if deep > 0 && c.To != fn && synchronises(c.To, deep-1) {
			return true
		}
	}
	return syntax.Any(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SendStmt:
			return true
		case *ast.UnaryExpr:
			return n.Op == gotoken.ARROW
		case *ast.CallExpr:
			if syntax.Builtin(fn.File.Package.Info, n) == "close" {
				return true
			}
			f := syntax.Callee(fn.File.Package.Info, n.Fun)
			return f != nil && f.Pkg() != nil && (f.Pkg().Path() == "sync" || f.Pkg().Path() == "sync/atomic")
		}
		return false
	})
}

// passedOn reports whether others get a variable's value, who may end what it stands for: a literal, a call, a
// field, a channel or a result.
func passedOn(fn *mutate.Function, v *types.Var) (found bool) {
	info := fn.File.Package.Info
	syntax.Walk(fn.Body, func(n ast.Node, path []ast.Node) {
		id, ok := n.(*ast.Ident)
		if !ok || info.Uses[id] != v {
			return
		}
		if slices.ContainsFunc(path, func(n ast.Node) bool { _, literal := n.(*ast.FuncLit); return literal }) {
			found = true
			return
		}
		switch path[len(path)-1].(type) {
		case *ast.SelectorExpr, *ast.BinaryExpr, *ast.StarExpr:
		default:
			found = true
		}
	})
	return found
}

// endsIn reports whether a statement itself makes the call that ends what was taken: return p.Release().
func (h helped) endsIn(exit ast.Stmt) bool {
	return syntax.Any(exit, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		return ok && strings.HasPrefix(h.text, types.ExprString(call.Fun)+"(")
	})
}
