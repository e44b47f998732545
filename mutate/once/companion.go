package once

import (
	"go/ast"
	"go/types"
	"maps"

	"mendel/analysis"
	"mendel/analysis/syntax"
)

// A guarded is what a Once sets: the variables that literals assign which it is given,
// and where these are.
type guarded struct {
	sets map[*types.Var]bool
	in   []*ast.FuncLit
}

// guardedOnces finds what the Onces of a program set.
func guardedOnces(p *analysis.Program) map[*types.Var]*guarded {
	found := make(map[*types.Var]*guarded)
	for _, pkg := range p.Packages {
		for _, f := range pkg.Files {
			ast.Inspect(f.AST, func(n ast.Node) bool {
				once, lit := doneBy(pkg.Info, n)
				if once == nil {
					return true
				}
				if found[once] == nil {
					found[once] = &guarded{sets: make(map[*types.Var]bool)}
				}
				found[once].in = append(found[once].in, lit)
				maps.Copy(found[once].sets, assigned(pkg.Info, lit))
				return true
			})
		}
	}
	return found
}

// doneBy is the Once that a call gives a literal; nil for other nodes.
func doneBy(info *types.Info, n ast.Node) (*types.Var, *ast.FuncLit) {
	call, ok := n.(*ast.CallExpr)
	if !ok || len(call.Args) != 1 {
		return nil, nil
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	lit, literal := ast.Unparen(call.Args[0]).(*ast.FuncLit)
	if !ok || !literal || sel.Sel.Name != "Do" {
		return nil, nil
	}
	once := variable(info, sel.X)
	if once == nil || !isOnce(once.Type()) {
		return nil, nil
	}
	return once, lit
}

// assigned are the fields and package variables that a literal assigns.
func assigned(info *types.Info, lit *ast.FuncLit) map[*types.Var]bool {
	found := make(map[*types.Var]bool)
	ast.Inspect(lit.Body, func(n ast.Node) bool {
		if s, ok := n.(ast.Stmt); ok {
			for _, e := range syntax.Assigned(s) {
				if v := variable(info, e); v != nil {
					found[v] = true
				}
			}
		}
		return true
	})
	return found
}

// companions are the Onces under which others set what a literal does that is called.
func companions(info *types.Info, call *ast.CallExpr, known map[*types.Var]*guarded) map[*types.Var]bool {
	lit, ok := ast.Unparen(call.Fun).(*ast.FuncLit)
	if !ok {
		return nil
	}
	found := make(map[*types.Var]bool)
	sets := assigned(info, lit)
	for once, g := range known {
		if !g.around(call) && g.shares(sets) {
			found[once] = true
		}
	}
	return found
}

// around reports whether a call is made under the Once already.
func (g *guarded) around(call *ast.CallExpr) bool {
	for _, lit := range g.in {
		if lit.Pos() <= call.Pos() && call.End() <= lit.End() {
			return true
		}
	}
	return false
}

func (g *guarded) shares(sets map[*types.Var]bool) bool {
	for v := range sets {
		if g.sets[v] {
			return true
		}
	}
	return false
}
