package seed

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"mendel/analysis"
)

// callOf is the call that a statement is, at once or deferred; nil: it is none.
func callOf(s ast.Stmt) *ast.CallExpr {
	switch s := s.(type) {
	case *ast.ExprStmt:
		call, _ := ast.Unparen(s.X).(*ast.CallExpr)
		return call
	case *ast.DeferStmt:
		return s.Call
	}
	return nil
}

// selector is what a call selects its function by; nil: it does not.
func selector(call *ast.CallExpr) *ast.SelectorExpr {
	if call == nil {
		return nil
	}
	sel, _ := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	return sel
}

// ends reports whether a statement leaves its list.
func ends(s ast.Stmt) bool {
	switch s.(type) {
	case *ast.ReturnStmt, *ast.BranchStmt:
		return true
	}
	return false
}

// told names a statement in a sentence by its first line.
func (f *function) told(s ast.Stmt) string {
	text, rest, more := strings.Cut(f.code(s), "\n")
	text = strings.TrimSpace(text)
	if more && rest != "" {
		text = strings.TrimSuffix(text, "{")
		text = strings.TrimSpace(text) + " ..."
	}
	if len(text) > 50 {
		text = strings.ToValidUTF8(text[:47], "") + "..."
	}
	return fmt.Sprintf("%q (line %d)", text, f.line(s.Pos()))
}

// called is the function or method that a call is of, as "sync.WaitGroup.Wait"
// or "sync/atomic.AddInt64"; "" for calls of values.
func (f *function) called(call *ast.CallExpr) string {
	if call == nil {
		return ""
	}
	var id *ast.Ident
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		id = fun
	case *ast.SelectorExpr:
		id = fun.Sel
	case *ast.IndexExpr:
		if sel, ok := fun.X.(*ast.SelectorExpr); ok {
			id = sel.Sel
		}
	}
	if id == nil {
		return ""
	}
	switch obj := f.File.Package.Info.Uses[id].(type) {
	case *types.Builtin:
		return obj.Name()
	case *types.Func:
		return nameOf(obj)
	}
	return ""
}

// nameOf is a function's name with its package, and its receiver's type.
func nameOf(fn *types.Func) string {
	if fn.Pkg() == nil {
		return fn.Name()
	}
	recv := fn.Signature().Recv()
	if recv == nil {
		return fn.Pkg().Path() + "." + fn.Name()
	}
	t := recv.Type()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	if named, ok := t.(*types.Named); ok {
		return fn.Pkg().Path() + "." + named.Obj().Name() + "." + fn.Name()
	}
	return ""
}

// typeOf is the type of an expression, without a pointer around it.
func (f *function) typeOf(e ast.Expr) types.Type {
	t := f.File.Package.Info.TypeOf(e)
	if t == nil {
		return types.Typ[types.Invalid]
	}
	if p, ok := t.Underlying().(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}

// calls lists the calls that are statements of the function, at once or
// deferred, with the names of what they call.
func (f *function) calls(visit func(s ast.Stmt, call *ast.CallExpr, name string)) {
	for _, s := range f.Statements() {
		if call := callOf(s.Stmt); call != nil {
			visit(s.Stmt, call, f.called(call))
		}
	}
}

// inspect visits the nodes of a function's body, function literals left out.
func (f *function) inspect(visit func(n ast.Node)) {
	inspect(f.Body, visit)
}

func inspect(root ast.Node, visit func(n ast.Node)) {
	ast.Inspect(root, func(n ast.Node) bool {
		if _, ok := n.(*ast.FuncLit); ok && n != root {
			return false
		}
		if n != nil {
			visit(n)
		}
		return true
	})
}

// mayWait reports whether a statement may keep its goroutine waiting: at a
// channel, a lock, or in a method that waits.
func (f *function) mayWait(s ast.Stmt) (waits bool) {
	switch s.(type) {
	case *ast.GoStmt, *ast.DeferStmt:
		return false
	}
	inspect(s, func(n ast.Node) {
		switch n := n.(type) {
		case *ast.SendStmt, *ast.SelectStmt:
			waits = true
		case *ast.UnaryExpr:
			waits = waits || n.Op == token.ARROW
		case *ast.RangeStmt:
			_, channel := f.typeOf(n.X).Underlying().(*types.Chan)
			waits = waits || channel
		case *ast.CallExpr:
			sel := selector(n)
			waits = waits || sel != nil && sel.Sel.Name == "Wait" || len(f.Program.Acquires(f.File, n)) > 0 || f.callsValue(n)
			if _, method, ok := f.Program.LockOf(f.File, n); ok && strings.HasSuffix(method, "Lock") {
				waits = true
			}
		}
	})
	return waits
}

// callsValue reports whether a call is of a function value, which may do anything.
func (f *function) callsValue(call *ast.CallExpr) bool {
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		_, ok := f.File.Package.Info.Uses[fun].(*types.Var)
		return ok
	case *ast.SelectorExpr:
		_, ok := f.File.Package.Info.Uses[fun.Sel].(*types.Var)
		return ok
	}
	return false
}

// uses knows where the objects of a package are used.
type uses struct {
	of map[types.Object][]*ast.Ident // in the order of the files
}

func usesOf(p *analysis.Package) *uses {
	u := &uses{of: map[types.Object][]*ast.Ident{}}
	for _, f := range p.Files {
		ast.Inspect(f.AST, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				if obj := p.Info.Uses[id]; obj != nil {
					u.of[obj] = append(u.of[obj], id)
				}
			}
			return true
		})
	}
	return u
}
