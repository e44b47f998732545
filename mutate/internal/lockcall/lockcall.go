package lockcall

import (
	"go/ast"

	"mendel/analysis"
)

// A Call is a call of a lock's method.
type Call struct {
	Lock   analysis.Lock
	Method string
	On     ast.Expr // what the method is called on: the lock, or what a helper that only calls the lock's method belongs to
	Expr   *ast.CallExpr
}

// Acquires reports whether the call takes the lock.
func (c Call) Acquires() bool { return c.Method == "Lock" || c.Method == "RLock" }

// Of resolves a statement of a file that is only a call of a lock's method.
func Of(p *analysis.Program, f *analysis.File, s ast.Stmt) (Call, bool) {
	if e, ok := s.(*ast.ExprStmt); ok {
		return OfExpr(p, f, ast.Unparen(e.X))
	}
	return Call{}, false
}

// OfExpr resolves an expression of a file that is a call of a lock's method.
func OfExpr(p *analysis.Program, f *analysis.File, e ast.Expr) (Call, bool) {
	call, ok := e.(*ast.CallExpr)
	if !ok {
		return Call{}, false
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return Call{}, false
	}
	lock, method, ok := p.LockCall(f, call)
	if !ok || f.Package.Info.Types[sel.X].IsType() { // (*sync.Mutex).Lock(&mu)
		return Call{}, false
	}
	return Call{lock, method, sel.X, call}, true
}
