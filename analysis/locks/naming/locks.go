package naming

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"mendel/analysis/locks/program"
	"mendel/analysis/syntax"
)

// LockOf is the lock whose method a function selects.
func (m *Names) LockOf(fn *program.Func, op program.Operation) Lock {
	_, index, _ := types.LookupFieldOrMethod(fn.Info().TypeOf(op.Sel.X), true, fn.File.Package.Types, "RLock")
	return Lock{
		RW:   len(index) > 0,
		Path: m.PathOf(fn, op.Sel.X).With(op.Embedded),
		Key:  program.KeyOf(fn.Info(), op.Sel),
		Expr: types.ExprString(op.Sel.X),
		Call: op.Sel,
	}
}

// FuncsOf is the function that an expression names, or the literal that it is or
// that a local variable is.
func (m *Names) FuncsOf(fn *program.Func, fun ast.Expr) []*program.Func {
	fun = ast.Unparen(fun)
	if id, ok := fun.(*ast.Ident); ok {
		if value := m.LocalsOf(fn).Alias[fn.Info().ObjectOf(id)]; value != nil {
			fun = ast.Unparen(value)
		}
	}
	switch fun := fun.(type) {
	case *ast.FuncLit:
		if lit := m.Of(fun); lit != nil {
			return []*program.Func{lit}
		}
	case *ast.CallExpr: // what a function returns
		var list []*program.Func
		for _, to := range m.FuncsOf(fn, fun.Fun) {
			list = append(list, to.Lits...)
		}
		return list
	default:
		if f := syntax.Callee(fn.Info(), fun); f != nil {
			if to := m.Declared(f); to != nil {
				return []*program.Func{to}
			}
		}
	}
	return nil
}

// InCaller are a callee's locks as the caller can name them.
func (m *Names) InCaller(fn *program.Func, call *ast.CallExpr, to *program.Func, l Lock) []Lock {
	if l.Path.Root == nil {
		l.Call = Helper(call)
		return []Lock{l}
	}
	var list []Lock
	args := m.Given(fn, call, to)
	for _, a := range args {
		if rest, ok := l.Path.Below(a.As); ok && a.Path.Known() {
			p := a.Path.With(rest)
			for _, b := range args {
				if b.Path.Known() {
					p.Text = strings.ReplaceAll(p.Text, "["+b.As.ID()+"]", "["+b.Path.ID()+"]")
				}
			}
			if !p.Known() {
				continue
			}
			list = append(list, Lock{Path: p, Key: l.Key, Expr: p.String(), RW: l.RW, Call: Helper(call)})
		}
	}
	return list
}

// Helper is the method of a call that has the name of a lock's method.
func Helper(call *ast.CallExpr) *ast.SelectorExpr {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || !slices.Contains(program.LockMethods, sel.Sel.Name) {
		return nil
	}
	return sel
}
