package instrument

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/types"
	"path/filepath"
	"strconv"
)

// callExpr is a call, a conversion or a use of a predeclared function.
func (r *rewriter) callExpr(e *ast.CallExpr) string {
	if len(e.Args) > 0 {
		t := r.typeOf(e.Args[0])
		switch r.builtin(e) {
		case "make":
			if isChan(t) {
				return r.makeChan(e)
			}
		case "close":
			return r.renamed(e, "Close")
		case "len":
			return r.length(e, t, "Len")
		case "cap":
			return r.length(e, t, "Cap")
		case "delete":
			return r.method(e, "Delete")
		case "clear":
			if isMap(t) {
				return r.method(e, "Clear")
			}
			return r.copied(e, "ClearSlice")
		case "copy":
			return r.copied(e, "Copy")
		case "append":
			return r.appended(e)
		}
	}
	if text := cmp.Or(r.conversion(e), r.expression(e)); text != "" {
		return text
	}
	if unsafeString(r.info, e) {
		r.used = true
		return r.rt + ".SharedString(" + r.generic(e) + ")"
	}
	r.called = ast.Unparen(e.Fun)
	if f, ok := r.called.(*ast.SelectorExpr); ok && !r.deferred[e] {
		r.calls[f] = true
	} else if f, _ := r.genericMethod(r.called); f != nil && !r.deferred[e] {
		r.calls[f] = true
	}
	if reason, _ := r.crosses(e); reason != "" {
		return r.splice(e.Pos(), e.End(), append([]part{{e.Fun.Pos(), e.Fun.End(), r.noted(e, r.value(e.Fun))}}, r.listParts(e.Args)...)...)
	}
	if text := r.guard(e); text != "" {
		return text
	}
	if text := r.library(e); text != "" {
		return text
	}
	for i := range e.Args {
		if text := r.givenMain(e, i); text != "" {
			parts := append([]part{{e.Fun.Pos(), e.Fun.End(), r.value(e.Fun)}}, r.parts(e.Args)...)
			parts[i+1].text = text
			return r.splice(e.Pos(), e.End(), parts...)
		}
	}
	return r.splice(e.Pos(), e.End(), append([]part{{e.Fun.Pos(), e.Fun.End(), r.value(e.Fun)}}, r.listParts(e.Args)...)...)
}

// noted is the function of a call. A call that leaves control is reported to the
// engine.
//
//	net.Dial	sched.UncontrolledCall(net.Dial, "x.go:1: net.Dial waits for the network")
//	signal.Stop	sched.Shares(signal.Stop, "x.go:1: gives a channel to ...")
func (r *rewriter) noted(call *ast.CallExpr, function string) string {
	reason, shares := r.crosses(call)
	fn := callee(r.info, call)
	if reason == "" || fn.Signature().TypeParams().Len() > 0 {
		return function // a generic function is no value
	}
	p := r.fset.PositionFor(call.Pos(), true)
	what := strconv.Quote(fmt.Sprintf("%s:%d: %s", filepath.Base(p.Filename), p.Line, reason))
	if shares {
		return r.call("Shares", function, what)
	}
	return r.call("UncontrolledCall", function, what)
}

// parts are expressions of a list, rewritten.
func (r *rewriter) parts(list []ast.Expr) []part {
	var parts []part
	for _, e := range list {
		parts = append(parts, part{e.Pos(), e.End(), r.value(e)})
	}
	return parts
}

// renamed is a call with another function of package sched.
func (r *rewriter) renamed(e *ast.CallExpr, function string) string {
	r.used = true
	return r.splice(e.Pos(), e.End(), append([]part{{e.Fun.Pos(), e.Fun.End(), r.rt + "." + function}}, r.parts(e.Args)...)...)
}

// makeChan is make of a channel. The element type is inferred from the channel's.
func (r *rewriter) makeChan(e *ast.CallExpr) string {
	t := kind(r.typeOf(e.Args[0])).(*types.Chan)
	r.used = true
	function := map[types.ChanDir]string{types.SendRecv: "Make", types.RecvOnly: "MakeReceiver", types.SendOnly: "MakeSender"}[t.Dir()]
	element := r.rt + "." + function + "[" + r.raw(e.Args[0]) + "]"
	if len(e.Args) == 1 {
		return element + "(0)" + r.moved(e.Rparen, e.Args[0].End())
	}
	size := e.Args[1]
	return element + "(int(" + r.moved(size.Pos(), e.Args[0].End()) + r.value(size) + "))" + r.moved(e.Rparen, size.End())
}

// length is len or cap.
func (r *rewriter) length(e *ast.CallExpr, t types.Type, function string) string {
	arg := e.Args[0]
	switch t := kind(t).(type) {
	case *types.Chan:
		r.used = true
		if t.Dir() == types.SendOnly {
			return r.rt + ".To(" + r.moved(arg.Pos(), e.Pos()) + r.value(arg) + ")." + function + "()" + r.moved(e.Rparen, arg.End())
		}
		return r.renamed(e, function)
	case *types.Map:
		if r.wanted(arg) {
			return r.splice(e.Pos(), e.End(), part{arg.Pos(), arg.End(), r.call("MapR", r.value(arg))})
		}
	case *types.Array:
		return r.splice(e.Pos(), e.End(), part{arg.Pos(), arg.End(), r.location(arg)})
	case *types.Interface:
		if r.wanted(arg) {
			return r.splice(e.Pos(), e.End(), part{arg.Pos(), arg.End(), r.call("Sized", r.value(arg))})
		}
	}
	return r.generic(e)
}

// method is an operation of a map: f(m, x) becomes Map(m).f(x). Like the
// original it can be deferred.
func (r *rewriter) method(e *ast.CallExpr, name string) string {
	if !isMap(r.typeOf(e.Args[0])) || !r.wanted(e.Args[0]) {
		return r.generic(e)
	}
	r.used = true
	m := e.Args[0]
	rest := part{m.End(), e.Rparen, ")." + name + "("}
	if len(e.Args) > 1 {
		key := e.Args[1]
		rest = part{m.End(), key.Pos(), ")." + name + "(" + r.moved(key.Pos(), m.End())}
		return r.splice(e.Pos(), e.End(), part{e.Fun.Pos(), e.Fun.End(), r.rt + ".Map"},
			part{m.Pos(), m.End(), r.value(m)}, rest, part{key.Pos(), key.End(), r.value(key)})
	}
	return r.splice(e.Pos(), e.End(), part{e.Fun.Pos(), e.Fun.End(), r.rt + ".Map"},
		part{m.Pos(), m.End(), r.value(m)}, rest)
}

// copied is a predeclared function over the elements of slices.
func (r *rewriter) copied(e *ast.CallExpr, function string) string {
	wanted := false
	for i, a := range e.Args {
		switch t := kind(r.typeOf(a)).(type) {
		case *types.Slice:
		case *types.Basic:
			function = "CopyString"
		default:
			if i == 0 || t == nil || !r.mixed(a) {
				return r.generic(e)
			}
			to := e.Args[0]
			return r.splice(e.Pos(), e.End(), part{to.Pos(), to.End(), r.value(to)}, part{a.Pos(), a.End(), r.contents(a)})
		}
		wanted = wanted || r.wanted(a)
	}
	if !wanted {
		return r.generic(e)
	}
	return r.renamed(e, function)
}

// unsafeString reports whether a call is one of unsafe.String.
func unsafeString(info *types.Info, e *ast.CallExpr) bool {
	s, ok := ast.Unparen(e.Fun).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	b, ok := info.Uses[s.Sel].(*types.Builtin)
	return ok && b.Name() == "String"
}
