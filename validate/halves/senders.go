package halves

import (
	"go/ast"
	"go/token"
	"go/types"

	"mendel/analysis/syntax"
)

// senders finds channels whose goroutines wait for ever when the function that receives leaves early,
// where the patch makes room for the senders of another channel.
func (c *change) senders() (found []Finding) {
	mended := false
	for _, fn := range c.after.funcs {
		was := c.before.named[fn.name]
		mended = mended || was != nil && c.changed(fn) && makesRoom(fn) > makesRoom(was)
	}
	if !mended {
		return nil
	}
	for _, fn := range c.after.funcs {
		for _, made := range abandoned(fn) {
			found = append(found, c.at(fn, made.Pos(), "goroutines that send wait for ever when the function returns before it has received from all, as the change mends it elsewhere"))
		}
	}
	return found
}

// makesRoom counts the channels that a function makes with room in them.
func makesRoom(fn *function) (n int) {
	ast.Inspect(fn.Body, func(x ast.Node) bool {
		if call, ok := x.(*ast.CallExpr); ok && syntax.Builtin(fn.info(), call) == "make" && len(call.Args) == 2 {
			n++
		}
		return true
	})
	return n
}

// abandoned are the places at which a function makes a channel without room of its own, to which
// goroutines that it starts send whatever happens, and from which it may not receive all, since it
// returns from the loop in which it receives or waits for something else, too. A channel that
// is used in another way is none.
func abandoned(fn *function) (all []ast.Expr) {
	ast.Inspect(fn.Body, func(x ast.Node) bool {
		a, ok := x.(*ast.AssignStmt)
		if !ok || a.Tok != token.DEFINE || len(a.Lhs) != 1 || len(a.Rhs) != 1 {
			return true
		}
		call, ok := ast.Unparen(a.Rhs[0]).(*ast.CallExpr)
		id, named := a.Lhs[0].(*ast.Ident)
		if !ok || !named || syntax.Builtin(fn.info(), call) != "make" || len(call.Args) != 1 {
			return true
		}
		v, ok := fn.info().Defs[id].(*types.Var)
		if ok && isChannel(v.Type()) && leaves(fn, v) {
			all = append(all, call)
		}
		return true
	})
	return all
}

func isChannel(t types.Type) bool {
	_, ok := t.Underlying().(*types.Chan)
	return ok
}

// leaves says whether goroutines of a function may be left sending to a channel of it.
func leaves(fn *function, v *types.Var) bool {
	sends, early, other := false, false, false
	syntax.Walk(fn.Body, func(n ast.Node, path []ast.Node) {
		id, ok := n.(*ast.Ident)
		if !ok || fn.info().Uses[id] != v || len(path) == 0 {
			return
		}
		inside := within(path)
		switch use := path[len(path)-1].(type) {
		case *ast.SendStmt:
			sends = sends || inside && use.Chan == ast.Expr(id) && !inSelect(path)
			other = other || use.Chan != ast.Expr(id)
		case *ast.UnaryExpr:
			early = early || !inside && use.Op == token.ARROW && leavesLoop(path)
		case *ast.RangeStmt:
			early = early || !inside && hasReturn(use.Body)
		case *ast.CallExpr:
			other = other || syntax.Builtin(fn.info(), use) == ""
		default:
			other = true
		}
	})
	return sends && early && !other
}

// within says whether a path goes through a function literal.
func within(path []ast.Node) bool {
	for _, n := range path {
		if _, ok := n.(*ast.FuncLit); ok {
			return true
		}
	}
	return false
}

// inSelect says whether the send that a path ends with is a case of a select: it may have a way out.
func inSelect(path []ast.Node) bool {
	return len(path) > 1 && isComm(path[len(path)-2])
}

func isComm(n ast.Node) bool {
	_, ok := n.(*ast.CommClause)
	return ok
}

// leavesLoop says whether the receive that a path ends with is in a loop that the function returns
// from, or a case of a select another case of which returns.
func leavesLoop(path []ast.Node) bool {
	for _, n := range path {
		switch n := n.(type) {
		case *ast.ForStmt:
			if hasReturn(n.Body) {
				return true
			}
		case *ast.RangeStmt:
			if hasReturn(n.Body) {
				return true
			}
		case *ast.SelectStmt:
			if hasReturn(n.Body) && len(n.Body.List) > 1 {
				return true
			}
		}
	}
	return false
}

// hasReturn says whether a block returns from its function.
func hasReturn(b *ast.BlockStmt) bool {
	return syntax.Any(b, func(n ast.Node) bool { _, ok := n.(*ast.ReturnStmt); return ok })
}
