package ownend

import (
	"go/ast"
	"go/types"
	"slices"

	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/internal/chanwait"
)

// channels lists the edits that end a wait of a function at a channel: those of other
// functions that have handed the channel on.
func channels(fn *mutate.Function) (edits []mutate.Edit) {
	for _, op := range chanwait.Ops(fn) {
		heat, seen := op.Heat(fn)
		if !seen {
			continue
		}
		for _, e := range op.Chan {
			c := fn.Channel(e)
			if c == nil || !chanwait.Empty(c.Elem) || !first(fn, c) {
				continue
			}
			for _, through := range fn.OfProgram() {
				for _, e := range handing(through, c) {
					e.Heat = max(e.Heat, heat)
					edits = append(edits, e)
				}
			}
		}
	}
	return edits
}

// first reports whether no other function has an earlier receive from a channel where a
// goroutine was seen waiting: the edits are listed once.
func first(fn *mutate.Function, c *mutate.Channel) bool {
	for _, u := range c.Receives {
		at := []ast.Node{u.Node}
		if u.Select != nil {
			at = append(at, u.Select)
		}
		if u.Fn != nil && slices.ContainsFunc(at, func(n ast.Node) bool { _, waits := u.Fn.Narrowing.HeatAt(n.Pos()); return waits != "" }) {
			return u.Fn == fn
		}
	}
	return false
}

// handing lists the edits of a function that hands on a channel which it was given.
func handing(fn *mutate.Function, c *mutate.Channel) (edits []mutate.Edit) {
	if !returnsValues(fn) {
		return nil
	}
	for _, v := range given(fn, isEnd) {
		if fn.ChannelOf(v) != c {
			continue
		}
		for _, arg := range handed(fn, v) {
			anchor := outermost(fn, arg)
			if anchor == nil || len(behind(fn, arg)) == 0 {
				continue
			}
			e := fn.NewEdit("ownend", arg)
			e.Form, e.Expr, e.Other = formRelay, v.Name(), fn.ID(anchor)
			if watched(fn, v, arg) {
				e.Form = formChannel
			}
			e.Note = "what is started here ends when this function returns"
			edits = append(edits, e)
		}
	}
	return edits
}

// isEnd reports whether a type is that of channels that say that something is over.
func isEnd(t types.Type) bool {
	c, ok := t.Underlying().(*types.Chan)
	return ok && c.Dir() != types.SendOnly && chanwait.Empty(c.Elem())
}

// handed lists the arguments of a function's calls that are a variable, where only
// receiving is allowed.
func handed(fn *mutate.Function, v *types.Var) (args []*ast.Ident) {
	info := fn.File.Package.Info
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		if _, literal := n.(*ast.FuncLit); literal {
			return false
		}
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		sig, ok := signature(info, call)
		for i, arg := range call.Args {
			id, name := ast.Unparen(arg).(*ast.Ident)
			if !ok || !name || info.Uses[id] != v || i >= sig.Params().Len() {
				continue
			}
			if p, ok := sig.Params().At(i).Type().Underlying().(*types.Chan); ok && p.Dir() == types.RecvOnly {
				args = append(args, id)
			}
		}
		return true
	})
	return args
}

// signature is the signature of what a call calls.
func signature(info *types.Info, call *ast.CallExpr) (sig *types.Signature, ok bool) {
	t := info.TypeOf(call.Fun)
	if t == nil {
		return nil, false
	}
	sig, ok = t.Underlying().(*types.Signature)
	return sig, ok
}

// watched reports whether a function, wherever it waits behind a call, watches a channel.
func watched(fn *mutate.Function, v *types.Var, arg ast.Node) bool {
	info := fn.File.Package.Info
	for _, op := range behind(fn, arg) {
		if !slices.ContainsFunc(op.Chan, func(e ast.Expr) bool { return syntax.Is(info, e, v) }) {
			return false
		}
	}
	return true
}
