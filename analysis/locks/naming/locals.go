package naming

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"

	"mendel/analysis/locks/program"
)

// locals are the local variables of a declared function.
type locals struct {
	Alias    map[types.Object]ast.Expr // of those that are given a value once: that value, for which they stand throughout
	First    map[types.Object]ast.Expr // of those that are given a value once: that value, although it may change
	Assigned map[types.Object]bool     // those that are assigned to later, or by address
	changed  map[string]bool           // what else is assigned to, as text without aliases
}

// LocalsOf finds the locals of the declared function around a function.
func (m *Names) LocalsOf(fn *program.Func) *locals {
	root := fn.Decl
	if root == nil {
		root = fn
	}
	if l := m.locals[root]; l != nil {
		return l
	}
	l := findLocals(root)
	m.locals[root] = l
	return l
}

func findLocals(fn *program.Func) *locals {
	info := fn.Info()
	l := &locals{Alias: make(map[types.Object]ast.Expr), Assigned: make(map[types.Object]bool), changed: make(map[string]bool)}
	define := func(id *ast.Ident, value ast.Expr) {
		obj := info.Defs[id]
		if obj == nil { // := of a variable that exists
			l.Assigned[info.Uses[id]] = true
		} else if value != nil {
			l.Alias[obj] = value
		}
	}
	assign := func(e ast.Expr) {
		if id, ok := ast.Unparen(e).(*ast.Ident); ok {
			l.Assigned[info.ObjectOf(id)] = true
		} else if text := plainPath(info, e); text != "" {
			l.changed[text] = true
		}
	}
	ast.Inspect(fn.Node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, e := range n.Lhs {
				id, ok := e.(*ast.Ident)
				switch {
				case !ok || n.Tok != token.DEFINE:
					assign(e)
				case len(n.Lhs) == len(n.Rhs):
					define(id, n.Rhs[i])
				case i == 0 && !isCall(n.Rhs[0]): // v, ok := m[k]
					define(id, n.Rhs[0])
				default:
					define(id, nil)
				}
			}
		case *ast.ValueSpec:
			for i, id := range n.Names {
				if len(n.Names) == len(n.Values) {
					define(id, n.Values[i])
				}
			}
		case *ast.IncDecStmt:
			assign(n.X)
		case *ast.RangeStmt:
			for _, e := range []ast.Expr{n.Key, n.Value} {
				if e != nil && n.Tok == token.ASSIGN {
					assign(e)
				}
			}
		case *ast.UnaryExpr:
			if id, ok := ast.Unparen(n.X).(*ast.Ident); ok && n.Op == token.AND && !isLockType(info.TypeOf(id)) {
				l.Assigned[info.ObjectOf(id)] = true
			}
		}
		return true
	})
	maps.DeleteFunc(l.Alias, func(obj types.Object, _ ast.Expr) bool { return l.Assigned[obj] })
	l.First = maps.Clone(l.Alias)
	for obj, value := range l.Alias {
		if !l.stands(info, obj, value) {
			delete(l.Alias, obj)
		}
	}
	return l
}

func isCall(e ast.Expr) bool { _, ok := ast.Unparen(e).(*ast.CallExpr); return ok }

// isLockType reports whether a type is a struct or one of package sync: the
// address of such a variable is taken to use it, not to assign to it.
func isLockType(t types.Type) bool {
	if t == nil {
		return false
	}
	_, ok := t.Underlying().(*types.Struct)
	return ok
}

// stands reports whether a variable keeps standing for its value: the value is
// no copy of a struct, and no part of it is assigned to.
func (l *locals) stands(info *types.Info, obj types.Object, value ast.Expr) bool {
	switch ast.Unparen(value).(type) {
	case *ast.FuncLit, *ast.CallExpr:
		return true
	}
	switch obj.Type().Underlying().(type) {
	case *types.Struct, *types.Array:
		return false
	}
	ok := true
	ast.Inspect(value, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			ok = ok && !l.Assigned[info.ObjectOf(n)]
		case *ast.SelectorExpr, *ast.IndexExpr:
			ok = ok && !l.changed[plainPath(info, n.(ast.Expr))]
		}
		return ok
	})
	return ok
}

// plainPath is an expression of names, selectors and indexes as text that is
// its own in the function; "" of others.
func plainPath(info *types.Info, e ast.Expr) string {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		if obj := info.ObjectOf(e); obj != nil {
			return fmt.Sprintf("%s@%d", obj.Name(), obj.Pos())
		}
	case *ast.StarExpr:
		return plainPath(info, e.X)
	case *ast.SelectorExpr:
		if x := plainPath(info, e.X); x != "" {
			return x + "." + e.Sel.Name
		}
	case *ast.IndexExpr:
		if x := plainPath(info, e.X); x != "" {
			return x + "[" + types.ExprString(e.Index) + "]"
		}
	}
	return ""
}
