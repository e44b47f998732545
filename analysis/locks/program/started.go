package program

import (
	"go/ast"
	"go/types"
	"slices"

	"mendel/analysis/syntax"
)

// Started reports whether a literal, or one around it, is a goroutine's.
func (m *Program) Started(fn *Func) bool {
	for ; fn != nil; fn = fn.Up {
		if lit, ok := fn.Node.(*ast.FuncLit); ok && m.StartedItself(lit) {
			return true
		}
	}
	return false
}

// StartedItself reports whether a literal is a goroutine's.
func (m *Program) StartedItself(lit *ast.FuncLit) bool {
	return m.Index().Started[lit] || m.Base != nil && m.Base.Index().Started[lit]
}

// StartedIn reports whether what is at the end of a path runs in a goroutine of its own.
func (m *Program) StartedIn(path []ast.Node) bool {
	return slices.ContainsFunc(path, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			return true
		case *ast.FuncLit:
			return m.Started(m.Of(n))
		}
		return false
	})
}

// startNamed notes the literals that are goroutines' by the name of a local variable: one that is given
// a single literal, and is used for nothing but to be started.
func (ix *Index) startNamed(fn *Func) {
	info := fn.Info()
	literals := make(map[*types.Var][]*ast.FuncLit)
	names := make(map[*ast.Ident]bool) // uses that start the variable's function, or give it the literal
	given := func(to, from ast.Expr) {
		id, ok := ast.Unparen(to).(*ast.Ident)
		if !ok {
			return
		}
		v, ok := info.ObjectOf(id).(*types.Var)
		lit, literal := ast.Unparen(from).(*ast.FuncLit)
		if ok && literal {
			literals[v] = append(literals[v], lit)
			names[id] = true
		}
	}
	sites := make(map[*types.Var][]ast.Node)
	started := func(fun ast.Expr) {
		if id, ok := ast.Unparen(fun).(*ast.Ident); ok {
			if v, ok := info.Uses[id].(*types.Var); ok {
				names[id], sites[v] = true, append(sites[v], id)
			}
		}
	}
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if len(n.Lhs) == len(n.Rhs) {
				for i, to := range n.Lhs {
					given(to, n.Rhs[i])
				}
			}
		case *ast.ValueSpec:
			if len(n.Names) == len(n.Values) {
				for i, to := range n.Names {
					given(to, n.Values[i])
				}
			}
		case *ast.GoStmt:
			started(n.Call.Fun)
		case *ast.CallExpr:
			if syntax.StartsArgument(n) {
				for _, arg := range n.Args {
					started(arg)
				}
			}
		}
		return true
	})
	if len(literals) == 0 {
		return
	}
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && !names[id] {
			if v, ok := info.Uses[id].(*types.Var); ok {
				delete(literals, v)
			}
		}
		return true
	})
	for v, lits := range literals {
		if len(lits) == 1 && !v.IsField() && v.Parent() != v.Pkg().Scope() {
			ix.Started[lits[0]], ix.starts[lits[0]] = true, sites[v]
		}
	}
}

// StartedAgain reports whether several goroutines run a literal with the same variable: it is started in a loop
// that the variable is declared before, at several places, or by itself.
func (m *Program) StartedAgain(fn *Func, v *types.Var) bool {
	lit, ok := fn.Node.(*ast.FuncLit)
	if !ok || v == nil || !m.StartedItself(lit) {
		return false
	}
	sites := m.Index().starts[lit]
	if sites == nil && m.Base != nil {
		sites = m.Base.Index().starts[lit]
	}
	if sites == nil {
		sites = []ast.Node{lit}
	}
	if len(sites) > 1 {
		return true
	}
	again := false
	syntax.Walk(fn.Decl.Body, func(n ast.Node, path []ast.Node) {
		if n != sites[0] {
			return
		}
		for _, up := range path {
			switch up.(type) {
			case *ast.ForStmt, *ast.RangeStmt:
				again = again || v.Pos() < up.Pos() || v.Pos() >= up.End()
			case *ast.FuncLit:
				again = again || up == ast.Node(lit)
			}
		}
	})
	return again
}
