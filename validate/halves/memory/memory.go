package memory

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"mendel/analysis/syntax"
	"mendel/validate/halves/pair"
)

// element is what a field's name gets for the elements of its list or map: "labels[]".
const element = "[]"

// ownMemory is the field whose slice or map an expression has, or of which it has an element that is one: it names it,
// or a local variable that is declared with it and gets nothing else.
func ownMemory(fn *pair.Function, e ast.Expr) (f pair.Field, ok bool) {
	info := fn.Info()
	switch e := ast.Unparen(e).(type) {
	case *ast.SelectorExpr:
		return pair.FieldOf(info, e)
	case *ast.IndexExpr:
		if f, ok = pair.FieldOf(info, e.X); ok {
			f.Name += element
		}
		return f, ok
	case *ast.Ident:
		from := declaredWith(fn, e)
		if _, again := from.(*ast.Ident); from == nil || again {
			return pair.Field{}, false
		}
		return ownMemory(fn, from)
	}
	return pair.Field{}, false
}

// declaredWith is what a local variable is declared with, if it gets nothing else; nil: it does, or is none.
func declaredWith(fn *pair.Function, id *ast.Ident) (from ast.Expr) {
	info := fn.Info()
	v, ok := info.ObjectOf(id).(*types.Var)
	if !ok || v.Kind() != types.LocalVar {
		return nil
	}
	others := false
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		assign, ok := n.(*ast.AssignStmt)
		if !ok {
			return true
		}
		for i, l := range assign.Lhs {
			if to, ok := ast.Unparen(l).(*ast.Ident); !ok || info.ObjectOf(to) != v {
				continue
			}
			if assign.Tok == token.DEFINE && i == 0 && len(assign.Rhs) == 1 {
				from = ast.Unparen(assign.Rhs[0])
			} else {
				others = true
			}
		}
		return true
	})
	if others {
		return nil
	}
	return from
}

// changedInPlace are the fields whose elements some function changes, and whose elements' elements. Those that the
// function has just put in place of others do not count, nor those of structs that it has made.
func changedInPlace(v *pair.Version) map[pair.Field]bool {
	all := map[pair.Field]bool{}
	for _, fn := range v.Funcs {
		ast.Inspect(fn.Body, func(n ast.Node) bool {
			for _, e := range syntax.InPlace(fn.Info(), n) {
				for _, e := range append([]ast.Expr{e}, assignedAlso(fn, e)...) {
					if of, ok := ownMemory(fn, e); ok && !renewed(fn, of, n.Pos()) && !ofNew(fn, e) {
						all[of] = true
					}
				}
			}
			return true
		})
	}
	return all
}

// renewed reports whether a function puts a copy, or something new, into a field in front of a place.
func renewed(fn *pair.Function, of pair.Field, before token.Pos) bool {
	return syntax.Any(fn.Body, func(n ast.Node) bool {
		a, ok := n.(*ast.AssignStmt)
		if !ok || len(a.Lhs) != len(a.Rhs) || a.End() > before {
			return false
		}
		for i, e := range a.Lhs {
			if f, ok := pair.FieldOf(fn.Info(), e); ok && f == of && isNew(fn, a.Rhs[i]) {
				return true
			}
		}
		return false
	})
}

// isNew reports whether an expression is a copy, or new memory.
func isNew(fn *pair.Function, e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.CompositeLit:
		return true
	case *ast.CallExpr:
		switch syntax.Builtin(fn.Info(), e) {
		case "make", "new":
			return true
		case "append":
			return e.Ellipsis.IsValid() && isEmpty(fn.Info(), e.Args[0])
		}
		f := syntax.Callee(fn.Info(), e.Fun)
		return f != nil && slices.Contains([]string{"Clone", "clone", "Copy", "copy", "Collect"}, f.Name())
	}
	return false
}

// ofNew reports whether an expression is a field of a struct that a loop takes from a list of the function's own, which
// was empty when it was declared.
func ofNew(fn *pair.Function, e ast.Expr) bool {
	info := fn.Info()
	sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	id, ok := ast.Unparen(sel.X).(*ast.Ident)
	if !ok {
		return false
	}
	return syntax.Any(fn.Body, func(n ast.Node) bool {
		loop, ok := n.(*ast.RangeStmt)
		if !ok {
			return false
		}
		value, ok := loop.Value.(*ast.Ident)
		list, isName := ast.Unparen(loop.X).(*ast.Ident)
		return ok && isName && info.Defs[value] != nil && info.Defs[value] == info.Uses[id] && declaredEmpty(fn, info.Uses[list])
	})
}

// declaredEmpty reports whether a function declares a variable without a value.
func declaredEmpty(fn *pair.Function, v types.Object) bool {
	return syntax.Any(fn.Body, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		return ok && len(spec.Values) == 0 && slices.ContainsFunc(spec.Names, func(id *ast.Ident) bool { return fn.Info().Defs[id] == v })
	})
}

// assignedAlso is what a local variable may have got, where it is changed: the element that was found, or a new one.
func assignedAlso(fn *pair.Function, e ast.Expr) (all []ast.Expr) {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return nil
	}
	v := fn.Info().ObjectOf(id)
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		if assign, ok := n.(*ast.AssignStmt); ok && len(assign.Rhs) == 1 {
			if to, ok := ast.Unparen(assign.Lhs[0]).(*ast.Ident); ok && fn.Info().ObjectOf(to) == v {
				all = append(all, assign.Rhs[0])
			}
		}
		return true
	})
	return all
}

// givenAway is the text of the field that an expression gives away without a copy, as a result or in a struct, though
// its elements are changed in their place; "": none is. What a method that is for callers under the lock returns
// counts as its own.
func givenAway(c *pair.Change, fn *pair.Function, e ast.Expr, changing map[pair.Field]bool) string {
	if !refers(fn.Info().TypeOf(e)) {
		return ""
	}
	if call, ok := ast.Unparen(e).(*ast.CallExpr); ok {
		f := syntax.Callee(fn.Info(), call.Fun)
		if f == nil || f.Exported() || !strings.HasSuffix(f.Name(), "Locked") {
			return ""
		}
		for _, to := range c.After.Funcs {
			if to.Info().Defs[to.Name] != types.Object(f) || len(to.Body.List) != 1 {
				continue
			}
			if ret, ok := to.Body.List[0].(*ast.ReturnStmt); ok && len(ret.Results) > 0 {
				return givenAway(c, to, ret.Results[0], changing)
			}
		}
		return ""
	}
	of, ok := ownMemory(fn, e)
	if !ok || !changing[of] || takenOut(fn, e) || reset(fn, of) {
		return ""
	}
	return types.ExprString(e)
}

// reset says whether a function puts something else into a field: what was there is no longer the value's.
func reset(fn *pair.Function, of pair.Field) bool {
	of.Name = strings.TrimSuffix(of.Name, element)
	return syntax.Any(fn.Body, func(n ast.Node) bool {
		assign, ok := n.(*ast.AssignStmt)
		if !ok {
			return false
		}
		for _, l := range assign.Lhs {
			if f, ok := pair.FieldOf(fn.Info(), l); ok && f == of {
				return true
			}
		}
		return false
	})
}

// borrows says whether a function that the patch changes takes a lock around a call of a method that gives away memory of
// its value: that mends one of those who have it.
func borrows(c *pair.Change, fn *pair.Function, changing map[pair.Field]bool) (of string) {
	was := c.Before.Named[fn.FullName]
	if was == nil || !c.Changed(fn) || pair.LockCalls(fn) <= pair.LockCalls(was) {
		return ""
	}
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		if f := syntax.Callee(fn.Info(), call.Fun); f != nil && f.Signature().Recv() != nil && strings.HasSuffix(f.Name(), "Locked") && givenAway(c, fn, call, changing) != "" {
			of = strings.TrimPrefix(types.TypeString(f.Signature().Recv().Type(), nil), "*")
		}
		return true
	})
	return of
}
