package analysis

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// uninstantiated adds the calls, by name, of generic functions and methods that
// the module never instantiates, and of the function literals in them: type
// analysis knows instances only.
func (b *graphBuilder) uninstantiated(funcs map[*ssa.Function]bool) {
	known := map[*function]bool{}
	for fn := range funcs {
		if node := b.cg.Nodes[fn]; node != nil && len(fn.TypeArgs()) == fn.TypeParams().Len() {
			known[b.source(fn)] = true
		}
	}
	declared := map[types.Object]*function{}
	for _, fn := range b.ids.functions {
		if obj := fn.object(); obj != nil {
			declared[obj] = fn
		}
	}
	for _, fn := range b.ids.functions {
		if fn.body != nil && !known[fn] && fn.generic() {
			b.byName(fn, declared)
		}
	}
}

// generic reports whether a function, or the one that a literal is in, has type
// parameters, of its own or of its receiver.
func (fn *function) generic() bool {
	for fn.outer != nil {
		fn = fn.outer
	}
	f, ok := fn.object().(*types.Func)
	return ok && (f.Signature().TypeParams().Len() > 0 || f.Signature().RecvTypeParams().Len() > 0)
}

// byName adds the calls that a function makes by name, of literals where they
// stand, and those by which it starts either.
func (b *graphBuilder) byName(from *function, declared map[types.Object]*function) {
	info := from.file.Package.Info
	add := func(call *ast.CallExpr, start token.Pos, spawn bool) {
		var to *function
		if lit, ok := ast.Unparen(call.Fun).(*ast.FuncLit); ok {
			to = b.ids.byNode[lit]
		} else if f, ok := calledObject(info, call).(*types.Func); ok {
			to = declared[f.Origin()]
		}
		if to != nil {
			b.add(edge{from: from, to: to, pos: call.Lparen, start: start, spawn: spawn})
		}
	}
	started := map[*ast.CallExpr]bool{}
	ast.Inspect(from.body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.GoStmt:
			started[n.Call] = true
			add(n.Call, n.Pos(), true)
		case *ast.CallExpr:
			if !started[n] {
				add(n, n.Lparen, false)
			}
		}
		return true
	})
}
