package askagain

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"mendel/analysis/syntax"
	"mendel/mutate"
)

// A look-up may change something where it finds what is looked for: an entry lives longer, or comes to the front of a
// list. Whoever leaves by that answer has done so once, be it at the first question or at the second one.

// changesWhereItLeaves reports whether what is called changes something only behind its last early exit, from the
// statement with an index on, and gives then the answer by which the caller leaves; by the other answer nothing has
// been changed.
func (w *whole) changesWhereItLeaves(body []ast.Stmt, from int) bool {
	result, leaves, ok := w.leavesBy()
	if !ok {
		return false
	}
	to := w.call.To.Function
	last, ok := body[len(body)-1].(*ast.ReturnStmt)
	if !ok || from == len(body)-1 || !answers(to, last, result, leaves) {
		return false
	}
	for _, s := range body[from : len(body)-1] {
		if mayLeave(s) || !repeats(to, s, nil, maxFrames, may{change: true}) {
			return false
		}
	}
	early := false
	other := true
	for _, s := range body[:from] {
		ast.Inspect(s, func(n ast.Node) bool {
			if ret, ok := n.(*ast.ReturnStmt); ok {
				early = true
				other = other && answers(to, ret, result, !leaves)
			}
			return true
		})
	}
	return early && other && asking(to, last, nil, maxFrames)
}

// changesInBranch reports whether a statement of what is called changes something only where it has found an answer, which
// it returns: the caller leaves by it.
func (w *whole) changesInBranch(s ast.Stmt) bool {
	to := w.call.To.Function
	test, ok := s.(*ast.IfStmt)
	if !ok || test.Else != nil || len(test.Body.List) == 0 || test.Init != nil && !asking(to, test.Init, nil, maxFrames) ||
		!asking(to, &ast.ExprStmt{X: test.Cond}, nil, maxFrames) {
		return false
	}
	last := len(test.Body.List) - 1
	ret, ok := test.Body.List[last].(*ast.ReturnStmt)
	if !ok || !asking(to, ret, nil, maxFrames) || !slices.ContainsFunc(ret.Results, func(e ast.Expr) bool { return !w.nothing(e) }) {
		return false
	}
	return !slices.ContainsFunc(test.Body.List[:last], func(s ast.Stmt) bool {
		return mayLeave(s) || !repeats(to, s, nil, maxFrames, may{change: true})
	})
}

// nothing reports whether a result of what is called says nothing: nil, or a constant.
func (w *whole) nothing(e ast.Expr) bool {
	tv := w.call.To.File.Package.Info.Types[e]
	return tv.IsNil() || tv.Value != nil
}

// leavesBy is the result of the call that the caller's test asks, and the answer for which it leaves.
func (w *whole) leavesBy() (result int, answer, ok bool) {
	var cond ast.Expr
	ask, isAssign := w.asked[0].(*ast.AssignStmt)
	switch test, isTest := w.asked[0].(*ast.IfStmt); {
	case isTest:
		cond = test.Cond
		if ask, isAssign = test.Init.(*ast.AssignStmt); !isAssign {
			return 0, false, false
		}
	case isAssign && len(w.tests) > 0:
		cond = w.tests[0].Cond
	default:
		return 0, false, false
	}
	answer = true
	if not, isNot := ast.Unparen(cond).(*ast.UnaryExpr); isNot && not.Op == token.NOT {
		cond, answer = not.X, false
	}
	info := w.fn.File.Package.Info
	for i, e := range ask.Lhs {
		if id, isIdent := e.(*ast.Ident); isIdent && info.ObjectOf(id) != nil && syntax.Is(info, cond, info.ObjectOf(id)) {
			return i, answer, true
		}
	}
	return 0, false, false
}

// answers reports whether a return gives the constant true, or false, as one of its results.
func answers(fn *mutate.Function, ret *ast.ReturnStmt, result int, answer bool) bool {
	if result >= len(ret.Results) {
		return false
	}
	id, ok := ast.Unparen(ret.Results[result]).(*ast.Ident)
	if !ok {
		return false
	}
	is := fn.File.Package.Info.Uses[id]
	return is == types.Universe.Lookup("true") && answer || is == types.Universe.Lookup("false") && !answer
}

// mayLeave reports whether a statement may leave the function.
func mayLeave(s ast.Stmt) bool {
	return syntax.Any(s, func(n ast.Node) bool {
		_, ok := n.(*ast.ReturnStmt)
		return ok
	})
}
