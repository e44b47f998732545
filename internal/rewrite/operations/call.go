package operations

import (
	"go/ast"
	"go/types"
)

// callee is the function that an expression names, and the selection that leads to it.
func (w *Walker) callee(e ast.Expr) (fn *types.Func, sel *ast.SelectorExpr) {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		fn, _ = w.Info.Uses[e].(*types.Func)
	case *ast.SelectorExpr:
		fn, _ = w.Info.Uses[e.Sel].(*types.Func)
		sel = e
	case *ast.IndexExpr:
		return w.callee(e.X)
	case *ast.IndexListExpr:
		return w.callee(e.X)
	}
	return fn, sel
}

// call visits a call.
func (w *Walker) call(c *ast.CallExpr) {
	tv := w.Info.Types[c.Fun]
	if tv.IsBuiltin() {
		w.builtin(c)
		return
	}
	fn, sel := w.callee(c.Fun)
	if fn == nil {
		w.expr(c.Fun)
		w.list(c.Args...)
		return
	}
	op := Operation{Kind: KindOf(fn), Form: w.forms[c], Node: c, Func: fn, Call: c}
	if sel != nil {
		op.Of = w.Info.Selections[sel]
	}
	bound := op.Of != nil && op.Of.Kind() == types.MethodVal
	if bound {
		op.On = sel.X
		op.Path, op.Named = w.path(op.Of)
	} else if len(c.Args) > 0 {
		op.On = c.Args[0]
	}
	if op.Kind != None {
		w.Visit(op)
	}
	if bound {
		w.receiver(sel, op)
	}
	for _, a := range c.Args {
		w.argument(op, a)
	}
}

// function visits a function that is no call's; it reports whether the expression is one.
func (w *Walker) function(e ast.Expr) bool {
	fn, sel := w.callee(e)
	if fn == nil {
		return false
	}
	op := Operation{Kind: KindOf(fn), Form: Value, Node: e, Func: fn}
	if sel != nil {
		op.Of = w.Info.Selections[sel]
	}
	if op.Of == nil || op.Of.Kind() != types.MethodVal {
		if op.Kind != None {
			w.Visit(op)
		}
		return true
	}
	op.On = sel.X
	op.Path, op.Named = w.path(op.Of)
	if op.Kind != None {
		w.Visit(op)
	}
	w.receiver(sel, op)
	return true
}

// path is the way to the method of a selection, and whether it can be written.
func (w *Walker) path(sel *types.Selection) (path []*types.Var, named bool) {
	t, named := sel.Recv(), true
	for _, i := range sel.Index()[:len(sel.Index())-1] {
		s, ok := under(t).(*types.Struct)
		if !ok {
			return path, false
		}
		f := s.Field(i)
		path, t = append(path, f), f.Type()
		named = named && (f.Exported() || f.Pkg() == w.Package)
	}
	return path, named
}

// receiver visits what a method is selected from. One that takes a pointer takes the
// address of what is none.
func (w *Walker) receiver(sel *ast.SelectorExpr, op Operation) {
	recv := op.Func.Signature().Recv()
	if len(op.Path) > 0 || recv != nil && isPointer(recv.Type()) {
		w.base(sel.X)
		return
	}
	w.expr(sel.X)
}

// builtin visits the call of a predeclared function.
func (w *Walker) builtin(c *ast.CallExpr) {
	id, ok := ast.Unparen(c.Fun).(*ast.Ident)
	if !ok || len(c.Args) == 0 {
		w.list(c.Args...)
		return
	}
	switch id.Name {
	case "close":
		w.Visit(Operation{Kind: Close, Form: w.forms[c], Node: c, On: c.Args[0], Call: c})
		w.expr(c.Args[0])
	case "delete", "clear":
		if _, ok := typeOf(w.Info, c.Args[0]).Underlying().(*types.Map); ok {
			w.element(c.Args[0], MapWrite)
		} else {
			w.expr(c.Args[0])
		}
		w.list(c.Args[1:]...)
	case "new", "make":
		w.list(c.Args[1:]...)
	default:
		w.list(c.Args...)
	}
}

// starters are names of functions that run what they are given in a goroutine.
var starters = map[string]bool{"Go": true, "TryGo": true, "Run": true, "AfterFunc": true}

// argument visits an argument of a call. A function literal that is given to one of the
// functions that start goroutines is an operation of its own.
func (w *Walker) argument(of Operation, a ast.Expr) {
	if lit, ok := ast.Unparen(a).(*ast.FuncLit); ok && starters[of.Func.Name()] {
		w.Visit(Operation{Kind: Given, Node: lit, On: lit, Func: of.Func, Call: of.Call})
	}
	w.expr(a)
}
