package golater

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"mendel/analysis/syntax"
	"mendel/mutate"
)

// An exit is a return in a statement, and the list that it ends.
type exit struct {
	ret  *ast.ReturnStmt
	list []ast.Stmt
}

// exitsIn lists the exits in a statement.
func (p *plan) exitsIn(s ast.Stmt) (found []exit) {
	for _, st := range p.fn.Statements() {
		if ret, ok := st.Stmt.(*ast.ReturnStmt); ok && syntax.Within[ast.Node](ret, s) {
			found = append(found, exit{ret, st.List})
		}
	}
	return found
}

// returnsSubject reports whether an exit hands out what the starts name, but for errors.
func (p *plan) returnsSubject(ret *ast.ReturnStmt) bool {
	info := p.fn.File.Package.Info
	failure := types.Universe.Lookup("error").Type()
	for _, s := range p.starts {
		for n := range ast.Preorder(s) {
			id, ok := n.(*ast.Ident)
			if !ok {
				continue
			}
			v, ok := info.Uses[id].(*types.Var)
			if ok && !v.IsField() && !types.Identical(v.Type(), failure) && syntax.Names(info, ret, v) {
				return true
			}
		}
	}
	return false
}

// endings are the statements before an exit that only make goroutines end or wait for them.
func (p *plan) endings(list []ast.Stmt) (found []ast.Stmt) {
	for _, s := range list {
		if ends(p.fn, s, make(map[*mutate.Function]bool)) {
			found = append(found, s)
		}
	}
	return found
}

// ends reports whether a statement only makes goroutines end, or waits for them: it closes a
// channel, receives, waits for a group, or calls a function that does nothing else.
func ends(fn *mutate.Function, s ast.Stmt, seen map[*mutate.Function]bool) bool {
	e, ok := s.(*ast.ExprStmt)
	if !ok {
		return false
	}
	info := fn.File.Package.Info
	switch x := ast.Unparen(e.X).(type) {
	case *ast.UnaryExpr:
		return x.Op == token.ARROW
	case *ast.CallExpr:
		if syntax.Builtin(info, x) == "close" {
			return true
		}
		f := syntax.Callee(info, x.Fun)
		if f == nil {
			return false
		}
		switch f.FullName() {
		case "(*sync.WaitGroup).Wait":
			return true
		case "(*sync.Once).Do":
			lit, ok := ast.Unparen(x.Args[0]).(*ast.FuncLit)
			return ok && onlyEnds(fn, lit.Body, seen)
		}
		to := fn.Declared(f)
		if to == nil || seen[to] || f.Signature().Results().Len() > 0 {
			return false
		}
		seen[to] = true
		return onlyEnds(to, to.Body, seen)
	}
	return false
}

// onlyEnds reports whether a body does nothing but make goroutines end.
func onlyEnds(fn *mutate.Function, body *ast.BlockStmt, seen map[*mutate.Function]bool) bool {
	return len(body.List) > 0 && !slices.ContainsFunc(body.List, func(s ast.Stmt) bool { return !ends(fn, s, seen) })
}
