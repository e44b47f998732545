package operations

import (
	"go/ast"
	"go/token"
	"go/types"
)

// A Walker visits operations.
type Walker struct {
	Info    *types.Info
	Package *types.Package // to which the source belongs
	Shallow bool           // function literals are not entered
	Visit   func(Operation)

	forms map[*ast.CallExpr]Form // of calls that are not made where they stand
}

// Walk visits the operations of a node and of what is below it.
func (w *Walker) Walk(n ast.Node) {
	if w.forms == nil {
		w.forms = map[*ast.CallExpr]Form{}
	}
	switch n := n.(type) {
	case ast.Expr:
		w.expr(n)
	default:
		w.node(n)
	}
}

// children visits what is directly below a node.
func (w *Walker) children(n ast.Node) {
	ast.Inspect(n, func(c ast.Node) bool {
		if c == n || c == nil {
			return true
		}
		w.Walk(c)
		return false
	})
}

// expr visits an expression whose value is used.
func (w *Walker) expr(e ast.Expr) {
	if tv, ok := w.Info.Types[e]; ok && (tv.IsType() || tv.Value != nil) {
		return // not evaluated
	}
	switch e := e.(type) {
	case *ast.Ident, *ast.SelectorExpr, *ast.IndexExpr, *ast.StarExpr:
		w.read(e)
	case *ast.UnaryExpr:
		switch e.Op {
		case token.AND:
			w.operand(e.X)
		case token.ARROW:
			w.receive(e, false)
		default:
			w.expr(e.X)
		}
	case *ast.CompositeLit:
		w.composite(e)
	case *ast.CallExpr:
		w.call(e)
	case *ast.FuncLit:
		if !w.Shallow {
			w.node(e.Body)
		}
	case *ast.SliceExpr:
		if _, array := under(w.Info.TypeOf(e.X)).(*types.Array); array {
			w.operand(e.X)
		} else {
			w.expr(e.X)
		}
		w.list(e.Low, e.High, e.Max)
	default:
		w.children(e)
	}
}

// list visits the expressions that are there.
func (w *Walker) list(all ...ast.Expr) {
	for _, e := range all {
		if e != nil {
			w.expr(e)
		}
	}
}

// receive visits <-c.
func (w *Walker) receive(u *ast.UnaryExpr, pair bool) {
	w.Visit(Operation{Kind: Receive, Node: u, On: u.X, Pair: pair})
	w.expr(u.X)
}

// composite visits the elements of a literal; the names of fields are no expressions.
func (w *Walker) composite(e *ast.CompositeLit) {
	_, isStruct := under(w.Info.TypeOf(e)).(*types.Struct)
	for _, elt := range e.Elts {
		if kv, ok := elt.(*ast.KeyValueExpr); ok {
			if elt = kv.Value; !isStruct {
				w.expr(kv.Key)
			}
		}
		w.expr(elt)
	}
}

// read visits an expression whose value is used: a place that is read, a function, or
// something in which places are read.
func (w *Walker) read(e ast.Expr) {
	if w.function(e) {
		return
	}
	if w.mapOf(e) == nil && w.isPlace(e) {
		w.Visit(Operation{Kind: Read, Node: e, On: e, Var: w.variable(e)})
	}
	w.operand(e)
}

// operand visits the parts of an expression that is not itself read: its address is taken,
// it is assigned to, or a part of it is used.
func (w *Walker) operand(e ast.Expr) {
	switch e := e.(type) {
	case *ast.Ident:
	case *ast.SelectorExpr:
		if w.Info.Selections[e] != nil {
			w.base(e.X)
		}
	case *ast.IndexExpr:
		w.index(e)
	case *ast.StarExpr:
		w.expr(e.X)
	case *ast.ParenExpr:
		w.operand(e.X)
	default:
		w.expr(e)
	}
}

func (w *Walker) index(e *ast.IndexExpr) {
	switch typeOf(w.Info, e.X).Underlying().(type) {
	case *types.Map:
		w.element(e.X, MapRead)
	case *types.Array:
		w.operand(e.X)
	default:
		w.expr(e.X)
	}
	w.expr(e.Index)
}

// element visits a map of which an element is used.
func (w *Walker) element(m ast.Expr, k Kind) {
	w.Visit(Operation{Kind: k, Node: m, On: m, Var: w.variable(m)})
	w.expr(m)
}

// base visits what a field or method is selected from: a pointer is read.
func (w *Walker) base(e ast.Expr) {
	if isPointer(w.Info.TypeOf(e)) {
		w.expr(e)
		return
	}
	w.operand(e)
}

// variable is the variable that an expression denotes or belongs to; nil if there is none.
func (w *Walker) variable(e ast.Expr) *types.Var {
	switch e := e.(type) {
	case *ast.Ident:
		v, _ := w.Info.ObjectOf(e).(*types.Var)
		if v != nil && v.Name() == "_" {
			return nil
		}
		return v
	case *ast.SelectorExpr:
		v, _ := w.Info.Uses[e.Sel].(*types.Var)
		return v
	case *ast.IndexExpr:
		return w.variable(e.X)
	case *ast.StarExpr:
		return w.variable(e.X)
	case *ast.ParenExpr:
		return w.variable(e.X)
	}
	return nil
}

// isPlace reports whether an expression is one of which the address can be taken.
func (w *Walker) isPlace(e ast.Expr) bool { return w.Info.Types[e].Addressable() }

// mapOf is the map of which an expression is an element; nil if it is none.
func (w *Walker) mapOf(e ast.Expr) *ast.IndexExpr {
	if i, ok := ast.Unparen(e).(*ast.IndexExpr); ok {
		if _, ok := typeOf(w.Info, i.X).Underlying().(*types.Map); ok {
			return i
		}
	}
	return nil
}

// typeOf is the type of an expression; never nil.
func typeOf(info *types.Info, e ast.Expr) types.Type {
	if t := info.TypeOf(e); t != nil {
		return t
	}
	return types.Typ[types.Invalid]
}

// under is the underlying type, of a pointer that to which it points.
func under(t types.Type) types.Type {
	if t == nil {
		return nil
	}
	u := t.Underlying()
	if p, ok := u.(*types.Pointer); ok {
		return p.Elem().Underlying()
	}
	return u
}

func isPointer(t types.Type) bool {
	if t == nil {
		return false
	}
	_, ok := t.Underlying().(*types.Pointer)
	return ok
}
