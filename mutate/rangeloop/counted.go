package rangeloop

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/dave/dst"

	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/scope"
	"mendel/mutate/internal/syncops"
)

// A counted loop receives as often as somebody has counted before, from a
// channel that is closed: should there be less, or more, the channel knows.
type counted struct {
	loop *ast.ForStmt
	recv *ast.UnaryExpr
	// list, of a loop that fills a list by index, is what makes the list, in
	// front of the loop; nil: the loop begins with a receive.
	list *ast.CallExpr
}

// countedLoop recognises "for i := 0; i < n; i++" around a receive from a
// channel that is closed somewhere. The body does not use i, but as the index
// of the list that it fills.
func countedLoop(fn *mutate.Function, st mutate.Statement, loop *ast.ForStmt) (*counted, bool) {
	index, bound, ok := counter(fn, loop)
	if !ok {
		return nil, false
	}
	c := &counted{loop: loop}
	filled, recv, fills := filling(fn, loop, index)
	switch {
	case fills:
		if c.list = makes(fn, st, filled, bound); c.list == nil {
			return nil, false
		}
		c.recv = recv
	case len(uses(fn, index, loop.Body)) > 0:
		return nil, false
	default:
		if c.recv, ok = first(loop); !ok {
			return nil, false
		}
	}
	return c, ends(fn, loop, c.recv.X) && mayEnd(fn, loop) && len(fn.Channel(c.recv.X).Closes) > 0
}

// counter takes the header of a loop apart that counts from zero up to a bound.
func counter(fn *mutate.Function, loop *ast.ForStmt) (index types.Object, bound ast.Expr, ok bool) {
	init, isInit := loop.Init.(*ast.AssignStmt)
	cond, isCond := loop.Cond.(*ast.BinaryExpr)
	post, isPost := loop.Post.(*ast.IncDecStmt)
	if !isInit || !isCond || !isPost || len(init.Lhs) != 1 || init.Tok != token.DEFINE || cond.Op != token.LSS || post.Tok != token.INC {
		return nil, nil, false
	}
	id, isIdent := init.Lhs[0].(*ast.Ident)
	zero, isLit := init.Rhs[0].(*ast.BasicLit)
	if !isIdent || !isLit || zero.Value != "0" {
		return nil, nil, false
	}
	index = fn.File.Package.Info.Defs[id]
	return index, cond.Y, index != nil && syntax.Is(fn.File.Package.Info, cond.X, index) && syntax.Is(fn.File.Package.Info, post.X, index)
}

// uses lists where a node names a variable.
func uses(fn *mutate.Function, v types.Object, in ast.Node) []*ast.Ident {
	var found []*ast.Ident
	ast.Inspect(in, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && fn.File.Package.Info.Uses[id] == v {
			found = append(found, id)
		}
		return true
	})
	return found
}

// filling recognises the body "list[i] = <-ch".
func filling(fn *mutate.Function, loop *ast.ForStmt, index types.Object) (list types.Object, recv *ast.UnaryExpr, ok bool) {
	if len(loop.Body.List) != 1 {
		return nil, nil, false
	}
	s, ok := loop.Body.List[0].(*ast.AssignStmt)
	if !ok || s.Tok != token.ASSIGN || len(s.Lhs) != 1 || len(s.Rhs) != 1 {
		return nil, nil, false
	}
	at, ok := s.Lhs[0].(*ast.IndexExpr)
	if !ok || !syntax.Is(fn.File.Package.Info, at.Index, index) {
		return nil, nil, false
	}
	id, ok := at.X.(*ast.Ident)
	if !ok {
		return nil, nil, false
	}
	if list = fn.File.Package.Info.Uses[id]; list == nil {
		return nil, nil, false
	}
	slice, ok := list.Type().Underlying().(*types.Slice)
	if recv, isRecv := receive(s.Rhs[0]); ok && isRecv {
		elem := fn.File.Package.Info.TypeOf(recv)
		return list, recv, types.AssignableTo(elem, slice.Elem())
	}
	return nil, nil, false
}

// makes finds "list := make([]T, n)" in front of a loop in its statement list,
// where n is the loop's bound, or that is the list's length; nil if something
// else happens to the list before the loop or to n.
func makes(fn *mutate.Function, st mutate.Statement, list types.Object, bound ast.Expr) *ast.CallExpr {
	info := fn.File.Package.Info
	for i := st.Index - 1; i >= 0; i-- {
		s, ok := st.List[i].(*ast.AssignStmt)
		if !ok || len(s.Lhs) != 1 || len(s.Rhs) != 1 || s.Tok != token.DEFINE && s.Tok != token.ASSIGN {
			if len(uses(fn, list, st.List[i])) > 0 {
				return nil
			}
			continue
		}
		id, ok := s.Lhs[0].(*ast.Ident)
		if !ok || info.ObjectOf(id) != list {
			if len(uses(fn, list, s)) > 0 {
				return nil
			}
			continue
		}
		call, ok := s.Rhs[0].(*ast.CallExpr)
		if !ok || len(call.Args) != 2 {
			return nil
		}
		builtin, ok := ast.Unparen(call.Fun).(*ast.Ident)
		if !ok || info.Uses[builtin] != types.Universe.Lookup("make") {
			return nil
		}
		if fn.Reassigns(types.ExprString(bound), st.List[i+1:st.Index]...) {
			return nil
		}
		if types.ExprString(bound) == types.ExprString(call.Args[1]) || types.ExprString(bound) == "len("+id.Name+")" {
			return call
		}
		return nil
	}
	return nil
}

// countedEdit is the edit of a counted loop.
func countedEdit(fn *mutate.Function, c *counted) mutate.Edit {
	if c.list == nil {
		return edit(fn, formRange, c.loop, c.recv.X)
	}
	e := edit(fn, formCollect, c.loop, c.recv.X)
	e.Other, e.Expr = fn.ID(c.list), scope.FreeName(fn, "v")
	return e
}

// collect appends what a channel gives to a list that was made for a count of it.
func collect(m *mutate.Mutation, e mutate.Edit, loop *dst.ForStmt) error {
	list, ok := m.Node(e.File, e.Other).(*dst.CallExpr)
	if !ok || len(list.Args) != 2 || len(loop.Body.List) != 1 {
		return mutate.Refuse(e, "another edit changed the list")
	}
	s, ok := loop.Body.List[0].(*dst.AssignStmt)
	if !ok || len(s.Lhs) != 1 || len(s.Rhs) != 1 {
		return mutate.Refuse(e, "another edit changed the receive")
	}
	at, ok := s.Lhs[0].(*dst.IndexExpr)
	ch := syncops.Received(s.Rhs[0])
	if !ok || ch == nil {
		return mutate.Refuse(e, "another edit changed the receive")
	}
	name := at.X.(*dst.Ident).Name
	list.Args = []dst.Expr{list.Args[0], &dst.BasicLit{Kind: token.INT, Value: "0"}, list.Args[1]}
	s.Lhs = []dst.Expr{dst.NewIdent(name)}
	s.Rhs = []dst.Expr{&dst.CallExpr{Fun: dst.NewIdent("append"), Args: []dst.Expr{dst.NewIdent(name), dst.NewIdent(e.Expr)}}}
	over := &dst.RangeStmt{Key: dst.NewIdent(e.Expr), Tok: token.DEFINE, X: ch, Body: loop.Body}
	return m.Replace(e.File, loop, over)
}
