package splits

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"mendel/analysis/locks"
	"mendel/analysis/locks/program"
	"mendel/analysis/syntax"
)

// A channel with room for one is a lock: who has sent to it keeps others out until it receives what it has sent.
// Two sections of a mutex within that are one:
//
//	turn <- struct{}{}
//	defer func() { <-turn }()
//	mu.Lock()
//	if grant.valid() {
//		mu.Unlock()
//		return
//	}
//	mu.Unlock()
//	next := refresh()
//	mu.Lock()
//	grant = next
//	mu.Unlock()

// takesTurns reports whether a function has sent to such a channel before a read, and receives from it behind a write.
func takesTurns(m *locks.View, r, w Step) bool {
	fn, info := r.In, r.In.Info()
	return syntax.Any(fn.Body, func(n ast.Node) bool {
		send, ok := n.(*ast.SendStmt)
		if !ok || send.End() > r.At.Pos() || !passes(fn, send, r) || !roomForOne(m, info, send.Chan) {
			return false
		}
		is := types.ExprString(send.Chan)
		back := false
		syntax.Walk(fn.Node, func(n ast.Node, path []ast.Node) {
			recv, ok := n.(*ast.UnaryExpr)
			if ok && recv.Op == token.ARROW && types.ExprString(recv.X) == is {
				deferred := slices.ContainsFunc(path, func(n ast.Node) bool { _, ok := n.(*ast.DeferStmt); return ok })
				back = back || deferred && recv.Pos() > send.Pos() && recv.Pos() < r.At.Pos() || recv.Pos() > w.At.End()
			}
		})
		return back
	})
}

// passes reports whether a function comes to a step only by a send: not by another case of a select, nor around an if.
func passes(fn *program.Func, send *ast.SendStmt, r Step) bool {
	path := syntax.Path(fn.Body, send)
	for i, n := range path {
		switch n := n.(type) {
		case *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt, *ast.CaseClause, *ast.FuncLit:
			if !syntax.Within[ast.Node](r.At, n) {
				return false
			}
		case *ast.CommClause:
			if syntax.Within[ast.Node](r.At, n) {
				continue
			}
			block, ok := path[i-1].(*ast.BlockStmt)
			if !ok || slices.ContainsFunc(block.List, func(o ast.Stmt) bool { return o != n && !program.LeavesAtEnd(fn.Info(), o.(*ast.CommClause).Body) }) {
				return false
			}
		}
	}
	return true
}

// roomForOne reports whether all channels that are made for a field have room for one element.
func roomForOne(m *locks.View, info *types.Info, ch ast.Expr) bool {
	field := syntax.Field(info, ch)
	if field == nil {
		return false
	}
	some, all := false, true
	for _, fn := range m.Shipped() {
		made := func(value ast.Expr) {
			call, ok := ast.Unparen(value).(*ast.CallExpr)
			one := ok && syntax.Builtin(fn.Info(), call) == "make" && len(call.Args) == 2 && fn.Info().Types[call.Args[1]].Value != nil && fn.Info().Types[call.Args[1]].Value.String() == "1"
			some, all = true, all && one
		}
		ast.Inspect(fn.Body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				for i, e := range n.Lhs {
					if len(n.Lhs) == len(n.Rhs) && syntax.Field(fn.Info(), e) == field {
						made(n.Rhs[i])
					}
				}
			case *ast.KeyValueExpr:
				id, ok := n.Key.(*ast.Ident)
				if !ok {
					break
				}
				if v, ok := fn.Info().Uses[id].(*types.Var); ok && v.Origin() == field {
					made(n.Value)
				}
			}
			return true
		})
	}
	return some && all
}
