package patience

import (
	"go/ast"
	"go/token"
	"go/types"
)

// polls reports whether a sleep is the pause of a loop that asks for something until it
// is so, with a limit behind which the test fails:
//
//	for range 100 {            deadline := time.Now().Add(time.Second)
//		if ready() {           for !ready() {
//			return                 if time.Now().After(deadline) {
//		}                              t.Fatal("never ready")
//		time.Sleep(pause)          }
//	}                              time.Sleep(pause)
//	t.Fatal("never ready")     }
func (f *finder) polls(sleep *ast.CallExpr) bool {
	stmt, ok := f.parents[sleep].(*ast.ExprStmt)
	if !ok {
		return false
	}
	var loop ast.Stmt
	var body *ast.BlockStmt
	for n := f.parents[stmt]; n != nil && loop == nil; n = f.parents[n] {
		switch n := n.(type) {
		case *ast.ForStmt:
			loop, body = n, n.Body
		case *ast.RangeStmt:
			if b, ok := f.info.TypeOf(n.X).Underlying().(*types.Basic); !ok || b.Info()&types.IsInteger == 0 {
				return false
			}
			loop, body = n, n.Body
		case *ast.FuncLit, *ast.FuncDecl:
			return false
		}
	}
	if loop == nil {
		return false
	}
	limit, leaves := false, false // a failure behind a limit, and a way out when it is so
	for _, s := range body.List {
		switch {
		case f.limits(s):
			limit = true
		case f.mentionsFailure(s):
			return false // it asserts each time
		}
		leaves = leaves || f.leaves(s)
	}
	counted := f.limited(loop)
	if l, ok := loop.(*ast.ForStmt); ok && l.Cond != nil && !counted {
		leaves = true // the condition is what is asked
	}
	return leaves && (limit || counted && f.failsBehind(loop))
}

// limits reports whether a statement fails the test when a limit is reached: its condition
// compares a counter or asks for the time.
func (f *finder) limits(s ast.Stmt) bool {
	i, ok := s.(*ast.IfStmt)
	return ok && f.mentionsFailure(i.Body) && f.isLimit(i.Cond)
}

// isLimit reports whether a condition is one on the time, or compares a local number with a
// constant or another one.
func (f *finder) isLimit(cond ast.Expr) (is bool) {
	asks := false
	ast.Inspect(cond, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			o := f.callee(n)
			switch {
			case f.info.Types[n.Fun].IsType():
			case o != nil && o.Pkg() != nil && o.Pkg().Path() == "time":
				is = true
			default:
				asks = true
			}
		case *ast.BinaryExpr:
			switch n.Op {
			case token.LSS, token.LEQ, token.GTR, token.GEQ, token.EQL, token.NEQ:
				is = is || f.isNumber(n.X) && f.isNumber(n.Y)
			}
		}
		return true
	})
	return is && !asks
}

// isNumber reports whether an expression is a local variable or a constant, of a number.
func (f *finder) isNumber(e ast.Expr) bool {
	tv := f.info.Types[e]
	b, ok := tv.Type.Underlying().(*types.Basic)
	if !ok || b.Info()&types.IsNumeric == 0 {
		return false
	}
	_, ident := ast.Unparen(e).(*ast.Ident)
	return ident || tv.Value != nil
}

// limited reports whether a loop ends by itself after some turns or some time.
func (f *finder) limited(loop ast.Stmt) bool {
	l, ok := loop.(*ast.ForStmt)
	return !ok || l.Cond != nil && f.isLimit(l.Cond)
}

// leaves reports whether a statement may leave its loop.
func (f *finder) leaves(s ast.Stmt) (leaves bool) {
	ast.Inspect(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.ForStmt, *ast.RangeStmt:
			return false
		case *ast.ReturnStmt:
			leaves = true
		case *ast.BranchStmt:
			leaves = leaves || n.Tok == token.BREAK || n.Tok == token.GOTO
		}
		return true
	})
	return leaves
}

// failsBehind reports whether a failure stands behind a loop, before anything else waits.
func (f *finder) failsBehind(loop ast.Stmt) bool {
	var list []ast.Stmt
	switch p := f.parents[loop].(type) {
	case *ast.BlockStmt:
		list = p.List
	case *ast.CaseClause:
		list = p.Body
	case *ast.CommClause:
		list = p.Body
	}
	behind := false
	for _, s := range list {
		switch {
		case s == loop:
			behind = true
		case !behind:
		case f.mentionsFailure(s):
			return true
		case f.falseReturn(s):
			return true
		case f.effect(s) == waits:
			return false
		}
	}
	return false
}

// falseReturn reports whether a statement returns what says that it never came so: false,
// or an error.
func (f *finder) falseReturn(s ast.Stmt) bool {
	r, ok := s.(*ast.ReturnStmt)
	if !ok || len(r.Results) == 0 {
		return false
	}
	o := outcome{w: &walk{finder: f}, result: r}
	v := o.valueOf(len(r.Results) - 1)
	return v.notNil || v.constant != nil && v.constant.String() == "false"
}
