package orderlocks

import (
	"go/ast"
	"go/types"
	"slices"

	"mendel/mutate"
	"mendel/mutate/fact/exits"
)

// A collector is a loop that takes the lock of one value after the other, and keeps them: in the order of a
// list that a caller has given, as a rule.
type collector struct {
	loop    ast.Stmt
	acquire ast.Stmt
	owner   *types.Named
	key     string // of the locks
}

// collectors lists the function's loops of that kind that come to their end, in source order.
func collectors(fn *mutate.Function) (all []collector) {
	for _, c := range collecting(fn) {
		if len(exits.Of(fn, c.loop)) == 0 && !slices.ContainsFunc(all, func(o collector) bool { return o.loop == c.loop }) {
			all = append(all, c)
		}
	}
	return all
}

// collecting lists the acquisitions in a function's loops that are deferred to be released.
func collecting(fn *mutate.Function) (all []collector) {
	for _, st := range fn.Statements() {
		if st.Index+1 >= len(st.List) || !fn.IsLockCall(st.Stmt) || !fn.Loops(st.Stmt) {
			continue
		}
		x, ok := st.Stmt.(*ast.ExprStmt)
		release, deferred := st.List[st.Index+1].(*ast.DeferStmt)
		if !ok || !deferred {
			continue
		}
		lock, method := selected(x.X)
		of, unlock := selected(release.Call)
		if lock == nil || of == nil || method != "Lock" || unlock != "Unlock" || types.ExprString(lock) != types.ExprString(of) {
			continue
		}
		value, rest, ok := ownerOf(fn, lock)
		loop := outermost(fn, st.Stmt)
		if loop == nil || !ok || rest == "" {
			continue
		}
		t := fn.File.Package.Info.TypeOf(value)
		if p, pointer := types.Unalias(t).(*types.Pointer); pointer {
			t = p.Elem()
		}
		if named, ok := types.Unalias(t).(*types.Named); ok && named.Obj().Pkg() != nil {
			all = append(all, collector{loop, st.Stmt, named, named.Obj().Pkg().Path() + "." + named.Obj().Name() + rest})
		}
	}
	return all
}

// selected is what a call's method is called of, and the method's name.
func selected(e ast.Expr) (of ast.Expr, method string) {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return nil, ""
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return nil, ""
	}
	return sel.X, sel.Sel.Name
}

// outermost is the loop around a statement, no other being around it.
func outermost(fn *mutate.Function, s ast.Stmt) ast.Stmt {
	for _, st := range fn.Statements() {
		switch st.Stmt.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			if st.Stmt.Pos() <= s.Pos() && s.End() <= st.Stmt.End() {
				return st.Stmt
			}
		}
	}
	return nil
}

// edit is the edit of a loop: only one goroutine at a time takes several of these locks.
func (c collector) edit(fn *mutate.Function) (e mutate.Edit, ok bool) {
	gate, ok := gateOf(fn, c.owner)
	if !ok {
		return e, false
	}
	e = fn.NewEdit("orderlocks", c.loop, c.acquire)
	e.Form, e.Lock, e.Group = ofLoop, &gate, c.key
	e.Note = "one goroutine at a time takes several of these locks"
	if heat, waits := fn.Narrowing.HeatAt(c.acquire.Pos()); waits != "" {
		e.Heat = max(e.Heat, heat)
	}
	return e, true
}

// collected reports whether some loop of the package takes several locks with a key: an order of two at a
// time is not enough then.
func collected(fn *mutate.Function, key string) bool {
	return slices.ContainsFunc(fn.OfPackage(), func(g *mutate.Function) bool {
		return !g.File.Test && slices.ContainsFunc(collecting(g), func(c collector) bool { return c.key == key })
	})
}
