package calllocked

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/dave/dst"

	"mendel/analysis"
	"mendel/mutate"
	"mendel/mutate/internal/locked"
)

// withdraw is the form of the edits that ask a callee not to lock.
const withdraw = "argument"

// A request is a constant argument by which a call asks for a lock.
type request struct {
	call    mutate.Call
	arg     *ast.Ident    // true or false
	instead string        // the other one
	lock    analysis.Lock // as the callee names it
	at      ast.Stmt      // where the callee takes it
}

// requests lists the function's calls that ask for a lock, in source order.
func requests(fn *mutate.Function) []request {
	var found []request
	for _, c := range locked.CallsNow(fn) {
		decl := c.To.Node.(*ast.FuncDecl)
		i := 0
		for _, field := range decl.Type.Params.List {
			for _, name := range field.Names {
				if i < len(c.Expr.Args) {
					if r, ok := requestOf(fn, c, name, c.Expr.Args[i]); ok {
						found = append(found, r)
					}
				}
				i++
			}
		}
	}
	return found
}

// requestOf reports whether an argument is true for a parameter that asks for a
// lock, or false for one that asks for none.
func requestOf(fn *mutate.Function, c mutate.Call, param *ast.Ident, arg ast.Expr) (r request, ok bool) {
	r = request{call: c}
	if r.arg, ok = ast.Unparen(arg).(*ast.Ident); !ok {
		return r, false
	}
	value := fn.File.Package.Info.Uses[r.arg]
	yes, no := types.Universe.Lookup("true"), types.Universe.Lookup("false")
	if value != yes && value != no {
		return r, false
	}
	r.instead = "true"
	if value == yes {
		r.instead = "false"
	}
	return r, r.asks(param, value == yes)
}

// asks reports whether all uses of the callee's parameter are conditions under
// which nothing is done but to take or release a lock if it has a value.
func (r *request) asks(param *ast.Ident, value bool) bool {
	info := r.call.To.File.Package.Info
	p := info.Defs[param]
	uses, conditions := 0, 0
	ast.Inspect(r.call.To.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			if p != nil && info.Uses[n] == p {
				uses++
			}
		case *ast.IfStmt:
			cond, not := ast.Unparen(n.Cond), false
			if u, ok := cond.(*ast.UnaryExpr); ok && u.Op == token.NOT {
				cond, not = ast.Unparen(u.X), true
			}
			if id, ok := cond.(*ast.Ident); ok && info.Uses[id] == p && value != not && r.locks(n) {
				conditions++
			}
		}
		return true
	})
	return r.at != nil && uses == conditions
}

// locks reports whether a branch of the callee does nothing but lock, and notes where.
func (r *request) locks(s *ast.IfStmt) bool {
	to := r.call.To
	if s.Init != nil || s.Else != nil || len(s.Body.List) == 0 ||
		slices.ContainsFunc(s.Body.List, func(stmt ast.Stmt) bool { return !to.IsLockCall(stmt) }) {
		return false
	}
	if e, ok := s.Body.List[0].(*ast.ExprStmt); ok && r.at == nil {
		l, method, ok := to.Program.LockCall(to.File, e.X.(*ast.CallExpr))
		if ok && (method == "Lock" || method == "RLock") {
			r.lock, r.at = l, s.Body.List[0]
		}
	}
	return true
}

// edit is the edit that asks for no lock. It drops a guard, as far as is known,
// when the callee uses anything shared.
func (r *request) edit(fn *mutate.Function) mutate.Edit {
	stmt := mutate.Innermost(fn.Statements(), r.call.Expr).Stmt
	e := fn.NewEdit("calllocked", r.call.Expr, stmt)
	e.Form, e.Expr, e.Other, e.Lock = withdraw, r.instead, fn.ID(r.arg), &r.lock
	e.Note = types.ExprString(r.call.Expr.Fun) + " is called with " + r.lock.Expr + " held"
	heat, waits := r.call.To.Narrowing.HeatAt(r.at.Pos())
	if waits != "" {
		e.Heat = max(e.Heat, heat)
	}
	if len(r.call.To.Accesses(r.call.To.Body)) > 0 {
		e.Flags = append(e.Flags, mutate.DropsGuard)
	}
	return e
}

func applyWithdraw(m *mutate.Mutation, e mutate.Edit) error {
	arg, ok := m.Node(e.File, e.Other).(*dst.Ident)
	if !ok || m.Node(e.File, e.Node) == nil || arg.Name == e.Expr {
		return mutate.Refuse(e, "another edit removed the argument")
	}
	arg.Name = e.Expr
	return nil
}
