package channels

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"mendel/analysis/syntax"
	"mendel/validate/halves/pair"
)

// Insistent finds sends that a goroutine makes whatever happens, where the patch gives another send of the same
// function a way out: whoever receives may have left before these, too. The channel has no room, or a fixed one that
// it sends to any number of times, and who receives from it does so in a select that has other cases, or in a loop
// that it leaves.
func Insistent(c *pair.Change) (found []pair.Finding) {
	roomless, bounded := withoutRoom(c.After, false), withoutRoom(c.After, true)
	for _, fn := range c.After.Funcs {
		was := c.Before.Named[fn.FullName]
		if was == nil || !c.Changed(fn) || len(plainSends(fn)) >= len(plainSends(was)) || selectSends(fn) <= selectSends(was) {
			continue
		}
		for _, send := range plainSends(fn) {
			of, ok := pair.FieldOf(fn.Info(), send.Chan)
			if ok && (roomless[of] || bounded[of] && anyNumber(fn, send)) && offered(c.After, of) {
				found = append(found, c.At(fn, send.Pos(), "it sends to %s whatever happens, and the patch gives another send here a way out", types.ExprString(send.Chan)))
			}
		}
	}
	return found
}

// plainSends are the sends of a function that are no case of a select with others.
func plainSends(fn *pair.Function) (all []*ast.SendStmt) {
	syntax.Walk(fn.Body, func(n ast.Node, path []ast.Node) {
		if send, ok := n.(*ast.SendStmt); ok && !inCase(append(slices.Clip(path), n)) {
			all = append(all, send)
		}
	})
	return all
}

// selectSends counts the sends of a function that are a case of a select with others.
func selectSends(fn *pair.Function) (n int) {
	syntax.Walk(fn.Body, func(x ast.Node, path []ast.Node) {
		if _, ok := x.(*ast.SendStmt); ok && inCase(append(slices.Clip(path), x)) {
			n++
		}
	})
	return n
}

// anyNumber reports whether a function makes a send in a loop, or in a function that it hands on.
func anyNumber(fn *pair.Function, send *ast.SendStmt) bool {
	found := false
	syntax.Walk(fn.Body, func(n ast.Node, path []ast.Node) {
		if n != ast.Node(send) {
			return
		}
		for i, outer := range path {
			switch outer.(type) {
			case *ast.ForStmt, *ast.RangeStmt:
				found = true
			case *ast.FuncLit:
				call, ok := path[max(0, i-1)].(*ast.CallExpr)
				found = found || ok && slices.Contains(call.Args, ast.Expr(outer.(*ast.FuncLit)))
			}
		}
	})
	return found
}

// withoutRoom are the fields that only get channels without room or, if fixed, with one that is a constant.
func withoutRoom(v *pair.Version, fixed bool) map[pair.Field]bool {
	room, made := map[pair.Field]bool{}, map[pair.Field]bool{}
	note := func(fn *pair.Function, of pair.Field, e ast.Expr) {
		call, ok := ast.Unparen(e).(*ast.CallExpr)
		constant := ok && len(call.Args) == 2 && fn.Info().Types[call.Args[1]].Value != nil
		if !ok || syntax.Builtin(fn.Info(), call) != "make" || len(call.Args) != 1 && !(fixed && constant) {
			room[of] = true
			return
		}
		made[of] = true
	}
	for _, fn := range v.Funcs {
		ast.Inspect(fn.Body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				for i, l := range n.Lhs {
					if of, ok := pair.FieldOf(fn.Info(), l); ok && len(n.Rhs) == len(n.Lhs) && pair.IsChannel(fn.Info().TypeOf(l)) {
						note(fn, of, n.Rhs[i])
					}
				}
			case *ast.CompositeLit:
				for _, e := range n.Elts {
					kv, ok := e.(*ast.KeyValueExpr)
					if !ok {
						continue
					}
					if id, ok := kv.Key.(*ast.Ident); ok && fn.Info().TypeOf(kv.Value) != nil && pair.IsChannel(fn.Info().TypeOf(kv.Value)) {
						note(fn, pair.Field{Owner: types.TypeString(fn.Info().TypeOf(n), nil), Name: id.Name}, kv.Value)
					}
				}
			}
			return true
		})
	}
	for of := range room {
		delete(made, of)
	}
	return made
}

// offered says whether all receives from a field's channel are cases of a select with others, or of a range that is
// left before the channel is closed, and there is one.
func offered(v *pair.Version, of pair.Field) bool {
	offered, insists := false, false
	for _, fn := range v.Funcs {
		syntax.Walk(fn.Body, func(n ast.Node, path []ast.Node) {
			var from ast.Expr
			left := false
			switch n := n.(type) {
			case *ast.UnaryExpr:
				if n.Op == token.ARROW {
					from = n.X
				}
			case *ast.RangeStmt:
				from, left = n.X, leftEarly(n.Body)
			}
			if from == nil {
				return
			}
			if f, ok := pair.FieldOf(fn.Info(), from); !ok || f != of {
				return
			}
			if left || inCase(path) {
				offered = true
			} else {
				insists = true
			}
		})
	}
	return offered && !insists
}

// inCase says whether a path leads into the operation of one of several cases of a select.
func inCase(path []ast.Node) bool {
	for i, n := range path {
		clause, ok := n.(*ast.CommClause)
		if !ok || i+1 >= len(path) || clause.Comm == nil || path[i+1] != ast.Node(clause.Comm) {
			continue
		}
		return slices.ContainsFunc(path[:i], func(o ast.Node) bool {
			s, ok := o.(*ast.SelectStmt)
			return ok && slices.Contains(s.Body.List, ast.Stmt(clause)) && len(s.Body.List) > 1
		})
	}
	return false
}
