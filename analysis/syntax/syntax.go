// Package syntax answers questions about single syntax nodes and their types, and
// walks trees in the ways that package mutate and its helpers need.
//
//	wg.Go(work)         →   Callee: (*sync.WaitGroup).Go; Started: work
//	defer mu.Unlock()   →   Later: true; Now does not visit the call
package syntax

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// Callee is the function or method that an expression names, its generic
// origin where it has one; nil for anything else.
func Callee(info *types.Info, fun ast.Expr) *types.Func {
	if f, ok := info.Uses[CalledName(fun)].(*types.Func); ok {
		return f.Origin()
	}
	return nil
}

// CalledName is the name of what an expression that is called names; nil if there is none.
func CalledName(fun ast.Expr) *ast.Ident {
	switch f := ast.Unparen(fun).(type) {
	case *ast.Ident:
		return f
	case *ast.SelectorExpr:
		return f.Sel
	case *ast.IndexExpr:
		return CalledName(f.X)
	case *ast.IndexListExpr:
		return CalledName(f.X)
	}
	return nil
}

// Builtin is the name of the predeclared function that a call calls; "" for
// any other.
func Builtin(info *types.Info, call *ast.CallExpr) string {
	id, ok := ast.Unparen(call.Fun).(*ast.Ident)
	if !ok {
		return ""
	}
	if b, ok := info.Uses[id].(*types.Builtin); ok {
		return b.Name()
	}
	return ""
}

// Any reports whether code is, or has in it, a node that is says so of. Function
// literals are looked into.
func Any(code ast.Node, is func(ast.Node) bool) bool {
	for n := range ast.Preorder(code) {
		if is(n) {
			return true
		}
	}
	return false
}

// Walk visits a tree in source order with the nodes around each, outer ones
// first. Function literals are included.
func Walk(n ast.Node, visit func(n ast.Node, path []ast.Node)) {
	var path []ast.Node
	ast.Inspect(n, func(n ast.Node) bool {
		if n == nil {
			path = path[:len(path)-1]
			return true
		}
		visit(n, path)
		path = append(path, n)
		return true
	})
}

// WalkOwn is [Walk] without function literals.
func WalkOwn(n ast.Node, visit func(n ast.Node, path []ast.Node)) {
	if n == nil {
		return
	}
	path := make([]ast.Node, 0, 16)
	ast.Inspect(n, func(n ast.Node) bool {
		if n == nil {
			path = path[:len(path)-1]
			return true
		}
		if _, ok := n.(*ast.FuncLit); ok {
			return false
		}
		visit(n, path)
		path = append(path, n)
		return true
	})
}

// GotoLabels are the labels that the gotos in code name.
func GotoLabels(code ast.Node) map[string]bool {
	labels := map[string]bool{}
	ast.Inspect(code, func(n ast.Node) bool {
		if b, ok := n.(*ast.BranchStmt); ok && b.Tok == token.GOTO && b.Label != nil {
			labels[b.Label.Name] = true
		}
		return true
	})
	return labels
}

// Path is what [Walk] gives with a node of a tree: the nodes around it, outer ones first.
func Path(tree, n ast.Node) (path []ast.Node) {
	found := false
	ast.Inspect(tree, func(at ast.Node) bool {
		switch {
		case found:
			return false
		case at == nil:
			path = path[:len(path)-1]
			return true
		case at == n:
			found = true
			return false
		case !Within(n, at):
			return false
		}
		path = append(path, at)
		return true
	})
	if !found {
		return nil
	}
	return path
}

// Receiver is the name of a method's receiver type; "" of a function.
func Receiver(f *types.Func) string {
	recv := f.Signature().Recv()
	if recv == nil {
		return ""
	}
	t := recv.Type()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	if n, ok := types.Unalias(t).(*types.Named); ok {
		return n.Obj().Name()
	}
	return ""
}

// InterfaceMethod reports whether a function is a method of an interface.
func InterfaceMethod(f *types.Func) bool {
	recv := f.Signature().Recv()
	return recv != nil && types.IsInterface(recv.Type())
}

// Within reports whether a node lies in another, or in one of several.
func Within[N ast.Node](n ast.Node, outer ...N) bool {
	return slices.ContainsFunc(outer, func(o N) bool { return o.Pos() <= n.Pos() && n.End() <= o.End() })
}

// Pointer reports whether a type is that of pointers; nil is none.
func Pointer(t types.Type) bool {
	if t == nil {
		return false
	}
	_, ok := t.Underlying().(*types.Pointer)
	return ok
}

// Compares reports whether an operator compares two values.
func Compares(op token.Token) bool {
	switch op {
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		return true
	}
	return false
}

// IsClause reports whether a statement is a case of a switch or select.
func IsClause(s ast.Stmt) bool {
	switch s.(type) {
	case *ast.CaseClause, *ast.CommClause:
		return true
	}
	return false
}

// InLoop reports whether a node is in a loop of the innermost function around it,
// what a loop begins with left out.
func InLoop(n ast.Node, path []ast.Node) bool {
	for i := len(path) - 1; i >= 0; i-- {
		switch l := path[i].(type) {
		case *ast.FuncLit, *ast.FuncDecl:
			return false
		case *ast.ForStmt:
			if l.Init == nil || n.Pos() >= l.Init.End() || n.Pos() < l.Init.Pos() {
				return true
			}
		case *ast.RangeStmt:
			if n.Pos() >= l.Body.Pos() {
				return true
			}
		}
	}
	return false
}

// Effectless reports whether an expression only asks: it calls nothing but conversions and
// predeclared functions, and receives nothing.
func Effectless(info *types.Info, e ast.Expr) bool {
	return !Any(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.UnaryExpr:
			return n.Op == token.ARROW
		case *ast.CallExpr:
			tv := info.Types[n.Fun]
			return !tv.IsBuiltin() && !tv.IsType()
		}
		return false
	})
}

// ListOf are the statements of a block or a case; nil of anything else.
func ListOf(n ast.Node) []ast.Stmt {
	switch n := n.(type) {
	case *ast.BlockStmt:
		return n.List
	case *ast.CaseClause:
		return n.Body
	case *ast.CommClause:
		return n.Body
	}
	return nil
}

// Lists are the statement lists in a statement, those of its own blocks and
// clauses and no deeper; function literals are left out.
func Lists(s ast.Stmt) [][]ast.Stmt {
	var out [][]ast.Stmt
	ast.Inspect(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.BlockStmt:
			if slices.ContainsFunc(n.List, IsClause) {
				return true
			}
			out = append(out, n.List)
			return false
		case *ast.CaseClause:
			out = append(out, n.Body)
			return false
		case *ast.CommClause:
			out = append(out, n.Body)
			return false
		}
		return true
	})
	return out
}
