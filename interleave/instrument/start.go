package instrument

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"mendel/internal/rewrite/operations"
)

// starts rewrites a go statement, so that the new goroutine knows who started it.
func (r *rewriter) starts(s *ast.GoStmt) {
	if lit, ok := ast.Unparen(s.Call.Fun).(*ast.FuncLit); ok {
		r.startsLiteral(s, lit)
	} else if r.canStart(s.Call) {
		r.startsCall(s)
	}
}

// startsLiteral gives the literal one parameter more.
func (r *rewriter) startsLiteral(s *ast.GoStmt, lit *ast.FuncLit) {
	site := r.site(s, "go", lit.Type)
	token := fmt.Sprintf("%sToken%d", r.name, site)
	comma := func(n int) string {
		if n > 0 {
			return ", "
		}
		return ""
	}
	r.Insert(lit.Type.Params.Opening+1, token+" uint64"+comma(len(lit.Type.Params.List)))
	r.Insert(lit.Body.Lbrace+1, fmt.Sprintf(" defer %s.Started(%d, %s)();", r.name, site, token))
	r.Insert(s.Call.Lparen+1, fmt.Sprintf("%s.Forking(%d)%s", r.name, site, comma(len(s.Call.Args))))
}

// startsCall makes "go f(a, b)" a literal that calls f, with f and its arguments
// evaluated before: "t, a0, a1 := Forking(1), a, b; go func() { ...; f(a0, a1) }()".
func (r *rewriter) startsCall(s *ast.GoStmt) {
	c := s.Call
	r.values[c] = true
	site := r.site(s, "go", c.Fun)
	token := fmt.Sprintf("%sToken%d", r.name, site)
	names, args, last := []string{token}, []string{}, c.Fun.End()
	fun := r.Line(c.Fun)
	declared := r.isDeclared(c.Fun)
	if !declared {
		fun = token + "F"
		names = append(names, fun)
	}
	for i, a := range c.Args {
		if r.constant(a) {
			args = append(args, r.Line(a))
			continue
		}
		args = append(args, fmt.Sprintf("%sA%d", token, i))
		names = append(names, args[i])
	}
	begin := fmt.Sprintf("%s := %s.Forking(%d)", strings.Join(names, ", "), r.name, site)
	if declared {
		r.Put(s.Pos(), last, begin)
	} else if sel := r.genericMethod(c.Fun); sel != nil {
		fun += r.Between(sel.X.End(), c.Fun.End())
		r.bound(s.Pos(), begin+", ", sel)
		last = sel.X.End()
	} else {
		r.Put(s.Pos(), c.Fun.Pos(), begin+", ")
	}
	for i, a := range c.Args {
		if slices.Contains(names, args[i]) {
			r.Put(last, a.Pos(), ", ")
		} else {
			r.Put(last, a.End(), "")
		}
		last = a.End()
	}
	list := strings.Join(args, ", ")
	if c.Ellipsis.IsValid() {
		list += "..."
	}
	r.Put(last, c.End(), fmt.Sprintf("; go func() { defer %s.Started(%d, %s)(); %s(%s) }()", r.name, site, token, fun, list))
}

// canStart reports whether startsCall knows how to rewrite a call.
func (r *rewriter) canStart(c *ast.CallExpr) bool {
	if tv := r.info.Types[c.Fun]; tv.IsBuiltin() || tv.IsType() || r.Line(c.Fun) == "" {
		return false
	}
	if sel := r.genericMethod(c.Fun); sel != nil && (len(r.info.Selections[sel].Index()) > 1 || c.Fun != ast.Unparen(c.Fun)) {
		return false
	}
	for _, a := range c.Args {
		if _, several := r.info.TypeOf(a).(*types.Tuple); several {
			return false
		}
		if r.constant(a) && r.Line(a) == "" || r.genericMethod(a) != nil {
			return false
		}
	}
	fun, ok := ast.Unparen(c.Fun).(*ast.SelectorExpr)
	if !ok {
		return true
	}
	fn, _ := r.info.Uses[fun.Sel].(*types.Func)
	return operations.KindOf(fn) != operations.Subtest
}

// constant reports whether an argument need not, or cannot, be evaluated before: a
// constant, nil, or a declared function that may get its type arguments where it goes.
func (r *rewriter) constant(a ast.Expr) bool {
	tv := r.info.Types[a]
	return tv.Value != nil || tv.IsNil() || r.isDeclared(a)
}

// isDeclared reports whether a function is named by its declaration, so that it
// cannot change and may be generic, and gets no hook.
func (r *rewriter) isDeclared(fun ast.Expr) bool {
	switch e := ast.Unparen(fun).(type) {
	case *ast.Ident:
		fn, ok := r.info.Uses[e].(*types.Func)
		return ok && operations.KindOf(fn) == operations.None
	case *ast.SelectorExpr:
		fn, ok := r.info.Uses[e.Sel].(*types.Func)
		s := r.info.Selections[e]
		return ok && (s == nil && operations.KindOf(fn) == operations.None || s != nil && s.Kind() == types.MethodExpr)
	case *ast.IndexExpr:
		return r.isDeclared(e.X)
	case *ast.IndexListExpr:
		return r.isDeclared(e.X)
	}
	return false
}

// genericMethod is the selection of a method with type parameters of its own (Go 1.27),
// with or without type arguments; nil of any other function. It is a value only with all
// its type arguments, which a call's arguments may imply.
func (r *rewriter) genericMethod(fun ast.Expr) *ast.SelectorExpr {
	switch e := ast.Unparen(fun).(type) {
	case *ast.IndexExpr:
		return r.genericMethod(e.X)
	case *ast.IndexListExpr:
		return r.genericMethod(e.X)
	case *ast.SelectorExpr:
		s := r.info.Selections[e]
		if s != nil && s.Kind() == types.MethodVal && s.Obj().(*types.Func).Signature().TypeParams() != nil {
			return e
		}
	}
	return nil
}

// bound rewrites what a generic method is selected from to the value that the method gets,
// and what is in front of it from a position on.
func (r *rewriter) bound(from token.Pos, text string, sel *ast.SelectorExpr) {
	byPointer := isPointer(r.info.Selections[sel].Obj().(*types.Func).Signature().Recv().Type())
	switch has := isPointer(r.info.TypeOf(sel.X)); {
	case byPointer && !has:
		text += "&"
	case has && !byPointer:
		text += "*"
	}
	r.Put(from, sel.X.Pos(), text)
}
