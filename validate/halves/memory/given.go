package memory

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"mendel/analysis/syntax"
	"mendel/validate/halves/pair"
)

// Given finds calls that change what a method has given under its lock, where the patch holds the lock over such a
// call in another function: what is given is replaced meanwhile, and the change is lost.
func Given(c *pair.Change) (found []pair.Finding) {
	givers := givers(c.Before)
	mended := map[string]bool{}
	for _, fn := range c.After.Funcs {
		was := c.Before.Named[fn.FullName]
		if was == nil || !c.Changed(fn) {
			continue
		}
		had, has := givenTo(c.Before, was, givers), givenTo(c.After, fn, givers)
		for name := range had {
			if len(has[name]) < len(had[name]) && pair.LockCalls(fn) > pair.LockCalls(was) {
				mended[name] = true
			}
		}
	}
	for _, fn := range c.After.Funcs {
		for name, calls := range givenTo(c.After, fn, givers) {
			for _, call := range calls {
				if mended[name] {
					found = append(found, c.At(fn, call.Pos(), "%s changes what %s has given, which others may have replaced since: the patch holds the lock over that elsewhere", types.ExprString(call.Fun), c.After.Named[name].Name.Name))
				}
			}
		}
	}
	return found
}

// givers are the methods that give a field under their lock, and nothing else.
func givers(v *pair.Version) map[string]bool {
	found := map[string]bool{}
	for _, fn := range v.Funcs {
		if givesUnderLock(v, fn) {
			found[fn.FullName] = true
		}
	}
	return found
}

// givenTo are the calls in a function that change a value which one of some methods has given, by the method.
func givenTo(v *pair.Version, fn *pair.Function, givers map[string]bool) map[string][]*ast.CallExpr {
	info := fn.Info()
	given := map[types.Object]string{} // the variables that hold what methods gave
	calls := map[string][]*ast.CallExpr{}
	gives := func(e ast.Expr) string {
		call, ok := ast.Unparen(e).(*ast.CallExpr)
		if !ok {
			return ""
		}
		f := syntax.Callee(info, call.Fun)
		if f == nil || !givers[f.FullName()] {
			return ""
		}
		return f.FullName()
	}
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if n.Tok == token.DEFINE && len(n.Lhs) == 1 {
				if id, ok := n.Lhs[0].(*ast.Ident); ok && gives(n.Rhs[0]) != "" {
					given[info.Defs[id]] = gives(n.Rhs[0])
				}
			}
		case *ast.CallExpr:
			sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr)
			f := syntax.Callee(info, n.Fun)
			if !ok || f == nil || !changesOwn(v.Named[f.FullName()]) {
				break
			}
			name := gives(sel.X)
			if id, ok := ast.Unparen(sel.X).(*ast.Ident); ok && name == "" {
				name = given[info.Uses[id]]
			}
			if name != "" {
				calls[name] = append(calls[name], n)
			}
		}
		return true
	})
	return calls
}

// givesUnderLock reports whether a function does nothing but give a field that is a pointer, under a lock, and some
// function of the program puts another one there.
func givesUnderLock(v *pair.Version, fn *pair.Function) bool {
	if fn.Recv == nil || len(fn.Body.List) != 3 || pair.LockCalls(fn) != 1 {
		return false
	}
	ret, ok := fn.Body.List[2].(*ast.ReturnStmt)
	if !ok || len(ret.Results) != 1 || !syntax.Pointer(fn.Info().TypeOf(ret.Results[0])) {
		return false
	}
	f, ok := pair.FieldOf(fn.Info(), ret.Results[0])
	return ok && slices.ContainsFunc(v.Funcs, func(o *pair.Function) bool {
		return pair.LockCalls(o) > 0 && syntax.Any(o.Body, func(n ast.Node) bool {
			assign, ok := n.(*ast.AssignStmt)
			return ok && slices.ContainsFunc(assign.Lhs, func(l ast.Expr) bool { to, ok := pair.FieldOf(o.Info(), l); return ok && to == f })
		})
	})
}

// changesOwn reports whether a method assigns to a field of its receiver, or to an element of one.
func changesOwn(fn *pair.Function) bool {
	if fn == nil || fn.Recv == nil || len(fn.Recv.List[0].Names) == 0 {
		return false
	}
	recv := fn.Info().Defs[fn.Recv.List[0].Names[0]]
	own := func(e ast.Expr) bool {
		id := syntax.Root(e)
		return id != nil && id != ast.Unparen(e) && recv != nil && fn.Info().Uses[id] == recv
	}
	return syntax.Any(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			return slices.ContainsFunc(n.Lhs, own)
		case *ast.IncDecStmt:
			return own(n.X)
		}
		return false
	})
}
