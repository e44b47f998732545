package naming

import (
	"go/ast"
	"go/types"

	"mendel/analysis/locks/program"
)

// Deferred reports whether a call is that of a defer statement.
func (m *Names) Deferred(s program.Site) bool {
	calls, known := m.defers[s.In]
	if !known {
		calls = make(map[*ast.CallExpr]bool)
		ast.Inspect(s.In.Body, func(n ast.Node) bool {
			if d, ok := n.(*ast.DeferStmt); ok {
				calls[d.Call] = true
			}
			return true
		})
		m.defers[s.In] = calls
	}
	return calls[s.Call]
}

// Names know what expressions mean. Who asks them has them to themselves, as a [View] does.
type Names struct {
	*program.Program
	gifts        map[gift][]Argument // see given
	locals       map[*program.Func]*locals
	paths        map[ast.Expr]Path             // see path
	declarations map[*types.Func]*program.Func // see declared
	parsed       map[string]ast.Expr           // see parse
	defers       map[*program.Func]map[*ast.CallExpr]bool
}

// New is for a program of which nothing has been asked.
func New(p *program.Program) *Names {
	return &Names{
		Program: p,
		gifts:   make(map[gift][]Argument), locals: make(map[*program.Func]*locals), paths: make(map[ast.Expr]Path),
		declarations: make(map[*types.Func]*program.Func), parsed: make(map[string]ast.Expr), defers: make(map[*program.Func]map[*ast.CallExpr]bool),
	}
}

// Declared finds the declaration of a function; nil if the model has none.
func (m *Names) Declared(f *types.Func) *program.Func {
	fn, known := m.declarations[f]
	if !known {
		fn = m.Named(f.FullName())
		m.declarations[f] = fn
	}
	return fn
}
