package claimearly

import (
	"errors"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"github.com/dave/dst"

	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/internal/tree"
)

// The test may ask a function that takes the lock and returns the flag, or what a comparison
// of it with a constant says. Others ask it, too, so that it stays as it is: the section is
// written where the test is.

// An asked is what a call in a test asks a function for.
type asked struct {
	call   *ast.CallExpr
	to     *mutate.Function
	result ast.Expr // what the function returns
	flag   ast.Expr // in the result
	path   mutate.Path
	text   string // of the result where the call is
}

// inFunction is the section of a function that an if asks, by one call.
func inFunction(fn *mutate.Function, st mutate.Statement) (f first, ok bool) {
	check, ok := st.Stmt.(*ast.IfStmt)
	if !ok || check.Init != nil || check.Else != nil || !leaving(fn, check.Body.List) {
		return f, false
	}
	calls := fn.Calls(st.Stmt)
	i := slices.IndexFunc(calls, func(c mutate.Call) bool { return syntax.Within[ast.Node](c.Expr, check.Cond) })
	if i < 0 || !quiet(check.Cond, calls[i].Expr) {
		return f, false
	}
	a := &asked{call: calls[i].Expr, to: calls[i].To}
	section, result, ok := sectionOf(a.to)
	if !ok || !a.means(calls[i], result) {
		return f, false
	}
	lock, _, _ := lockCall(a.to, section)
	at := calls[i].Name(a.to.Path(lockExpr(section)))
	if at.Root == nil {
		return f, false
	}
	lock.Expr = at.String()
	return first{lock: lock, acquire: st.Stmt, anchor: st.Stmt, list: st.List, end: st.Index, asked: a}, true
}

// quiet reports whether a condition calls nothing else, and waits for nothing.
func quiet(cond ast.Expr, call *ast.CallExpr) bool {
	return !syntax.Any(cond, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			return n != call
		case *ast.UnaryExpr:
			return n.Op == token.ARROW
		}
		return false
	})
}

// sectionOf is the acquisition of a function that only returns something under a lock, and
// what it returns.
func sectionOf(fn *mutate.Function) (acquire ast.Stmt, result ast.Expr, ok bool) {
	list := fn.Body.List
	if len(list) < 3 {
		return nil, nil, false
	}
	lock, method, ok := lockCall(fn, list[0])
	ret, isReturn := list[len(list)-1].(*ast.ReturnStmt)
	if !ok || method != "Lock" && method != "RLock" || !isReturn || len(ret.Results) != 1 {
		return nil, nil, false
	}
	release, _, deferred := deferredCall(fn, list[1])
	if deferred && len(list) == 3 && release.Key == lock.Key {
		return list[0], ret.Results[0], true
	}
	copied, isAssign := list[1].(*ast.AssignStmt)
	release, _, released := lockCall(fn, list[2])
	if !isAssign || len(list) != 4 || len(copied.Lhs) != 1 || !released || release.Key != lock.Key {
		return nil, nil, false
	}
	return list[0], copied.Rhs[0], types.ExprString(copied.Lhs[0]) == types.ExprString(ret.Results[0])
}

// lockExpr is what a statement locks.
func lockExpr(acquire ast.Stmt) ast.Expr {
	return ast.Unparen(acquire.(*ast.ExprStmt).X).(*ast.CallExpr).Fun.(*ast.SelectorExpr).X
}

// means finds the flag in what a function returns, and writes that for the caller.
func (a *asked) means(call mutate.Call, result ast.Expr) bool {
	a.result, a.flag = result, ast.Unparen(result)
	before, after := "", ""
	switch e := a.flag.(type) {
	case *ast.UnaryExpr:
		if e.Op != token.NOT {
			return false
		}
		a.flag, before = e.X, "!"
	case *ast.BinaryExpr:
		if !syntax.Compares(e.Op) || a.to.File.Package.Info.Types[e.Y].Value == nil {
			return false
		}
		a.flag, after = e.X, " "+e.Op.String()+" "+types.ExprString(e.Y)
	}
	a.path = call.Name(a.to.Path(a.flag))
	a.text = before + a.path.String() + after
	return a.path.Root != nil
}

// inTest is what the result is written in the place of in a condition, and how: a comparison
// that is negated becomes the opposite one.
func (a *asked) inTest(cond ast.Expr) (of ast.Expr, text string) {
	compared, ok := ast.Unparen(a.result).(*ast.BinaryExpr)
	switch not, negated := cond.(*ast.UnaryExpr); {
	case !ok || cond == ast.Expr(a.call):
		return a.call, a.text
	case negated && not.X == ast.Expr(a.call):
		return cond, a.path.String() + " " + syntax.OppositeOf(compared.Op).String() + " " + types.ExprString(compared.Y)
	}
	return a.call, "(" + a.text + ")"
}

// value is what the function returns where the flag is set.
func (a *asked) value(flag constant.Value) constant.Value {
	return syntax.Evaluate(a.to.File.Package.Info, a.result, func(e ast.Expr) constant.Value {
		if e == ast.Unparen(a.flag) {
			return flag
		}
		return nil
	})
}

// testedByCall reports whether the test leaves where the flag is set.
func (c *claim) testedByCall() bool {
	return c.fn.Path(c.flag) == c.first.asked.path && c.value != nil && c.leaving(knowledge{}, c.first.anchor) != nil
}

// section puts the test into a section, which sets the flag.
func (c *claim) section(m *mutate.Mutation, e mutate.Edit, test, now dst.Stmt) error {
	check, ok := test.(*dst.IfStmt)
	if !ok {
		return mutate.Refuse(e, "another edit changed the test")
	}
	of, text := c.first.asked.inTest(c.first.anchor.(*ast.IfStmt).Cond)
	lock := c.first.lock
	return errors.Join(
		m.Replace(e.File, m.Of(e.File, of), tree.Expr(text)),
		m.Insert(e.File, check.Body.List[0], false, m.Call(lock, "Unlock", "")),
		m.Insert(e.File, test, false, m.Call(lock, "Lock", "")),
		m.Insert(e.File, test, true, now, m.Call(lock, "Unlock", "")),
	)
}
