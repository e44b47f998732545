package memory

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/validate/halves/pair"
)

// LateCopies finds copies that a patch makes of what a lock guards, when the lock has been released: while it is copied,
// others change it.
//
//	s.mu.Lock()
//	f := s.flags[name]
//	s.mu.Unlock()
//	return f.clone()
func LateCopies(c *pair.Change) (found []pair.Finding) {
	changing, set := changedInPlace(c.After), fieldsSet(c.After)
	for _, fn := range c.After.Funcs {
		was := c.Before.Named[fn.FullName]
		if was == nil || !c.Changed(fn) || copies(fn)+derefs(fn) <= copies(was)+derefs(was) {
			continue
		}
		released := releases(fn)
		for v, from := range readUnder(fn) {
			at, ok := released[from.lock]
			if !ok || !from.shared(fn, changing, set) {
				continue
			}
			if copied := copiedBehind(fn, v, at); copied.IsValid() {
				f := c.At(fn, copied, "%s is copied when %s has been released: others change it meanwhile", v.Name(), from.lock)
				f.Flag = mutate.IncompleteGuard
				found = append(found, f)
			}
		}
	}
	return found
}

// derefs counts the copies that a function makes by *p.
func derefs(fn *pair.Function) (n int) {
	ast.Inspect(fn.Body, func(x ast.Node) bool {
		if a, ok := x.(*ast.AssignStmt); ok {
			for _, e := range a.Rhs {
				if _, ok := ast.Unparen(e).(*ast.StarExpr); ok {
					n++
				}
			}
		}
		return true
	})
	return n
}

// A guarded value is what a local variable has got from a field while a lock was held.
type guarded struct {
	lock string
	of   pair.Field
	t    types.Type
}

// shared reports whether others change what the variable has: the elements of the list or map, or the fields of the struct
// that it points to.
func (g guarded) shared(_ *pair.Function, changing map[pair.Field]bool, set map[string]bool) bool {
	switch t := g.t.Underlying().(type) {
	case *types.Slice, *types.Map:
		return changing[g.of]
	case *types.Pointer:
		return set[types.TypeString(t.Elem(), nil)]
	}
	return false
}

// readUnder are the local variables that a function gives what is in a field, in a section that it ends by hand.
func readUnder(fn *pair.Function) map[*types.Var]guarded {
	found := map[*types.Var]guarded{}
	held := ""
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.DeferStmt:
			return false
		case *ast.CallExpr:
			switch method := pair.LockMethod(fn.Info(), n); {
			case strings.HasSuffix(method, "Unlock"):
				held = ""
			case method != "":
				held = types.ExprString(n.Fun.(*ast.SelectorExpr).X)
			}
		case *ast.AssignStmt:
			if held == "" || len(n.Rhs) != 1 {
				break
			}
			id, ok := n.Lhs[0].(*ast.Ident)
			from := ast.Unparen(n.Rhs[0])
			if ix, is := from.(*ast.IndexExpr); is {
				from = ix.X
			}
			of, isField := pair.FieldOf(fn.Info(), from)
			v, isVar := fn.Info().ObjectOf(id).(*types.Var)
			if ok && isField && isVar && id.Name != "_" {
				found[v] = guarded{held, of, v.Type()}
			}
		}
		return true
	})
	return found
}

// releases are where a function releases locks by hand for the last time, by their texts.
func releases(fn *pair.Function) map[string]token.Pos {
	found := map[string]token.Pos{}
	syntax.Walk(fn.Body, func(n ast.Node, path []ast.Node) {
		call, ok := n.(*ast.CallExpr)
		if !ok || !strings.HasSuffix(pair.LockMethod(fn.Info(), call), "Unlock") || slices.ContainsFunc(path, func(n ast.Node) bool {
			switch n.(type) {
			case *ast.DeferStmt, *ast.FuncLit:
				return true
			}
			return false
		}) {
			return
		}
		found[types.ExprString(call.Fun.(*ast.SelectorExpr).X)] = call.End()
	})
	return found
}

// copiedBehind is where a function copies what a variable has, behind a place; NoPos: it does not.
func copiedBehind(fn *pair.Function, v *types.Var, behind token.Pos) (at token.Pos) {
	info := fn.Info()
	is := func(e ast.Expr) bool { id, ok := ast.Unparen(e).(*ast.Ident); return ok && info.Uses[id] == v }
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		if n == nil || at.IsValid() || n.End() < behind {
			return false
		}
		switch n := n.(type) {
		case *ast.StarExpr:
			if is(n.X) && n.Pos() > behind {
				at = n.Pos()
			}
		case *ast.CallExpr:
			f := syntax.Callee(info, n.Fun)
			if f == nil || n.Pos() < behind || !slices.Contains([]string{"Clone", "clone", "Copy", "copy"}, f.Name()) {
				break
			}
			sel, ok := n.Fun.(*ast.SelectorExpr)
			if ok && is(sel.X) || slices.ContainsFunc(n.Args, is) {
				at = n.Pos()
			}
		}
		return true
	})
	return at
}

// fieldsSet are the structs of which functions set fields, constructors and copies left out.
func fieldsSet(v *pair.Version) map[string]bool {
	set := map[string]bool{}
	for _, fn := range v.Funcs {
		if strings.HasPrefix(strings.ToLower(fn.Name.Name), "new") {
			continue
		}
		ast.Inspect(fn.Body, func(n ast.Node) bool {
			s, ok := n.(ast.Stmt)
			if !ok {
				return true
			}
			for _, e := range syntax.Assigned(s) {
				if of, ok := pair.FieldOf(fn.Info(), e); ok && !ofCopy(fn, e) {
					set[of.Owner] = true
				}
			}
			return true
		})
	}
	return set
}

// ofCopy reports whether an expression is a field of a struct of the function's own, or of one that it has made or copied.
func ofCopy(fn *pair.Function, e ast.Expr) bool {
	v, ok := pair.RootVar(fn, e).(*types.Var)
	if !ok || v.Kind() != types.LocalVar {
		return false
	}
	if !syntax.Pointer(v.Type()) {
		return true
	}
	return syntax.Any(fn.Body, func(n ast.Node) bool {
		a, ok := n.(*ast.AssignStmt)
		if !ok || len(a.Lhs) != len(a.Rhs) {
			return false
		}
		for i, to := range a.Lhs {
			id, ok := to.(*ast.Ident)
			from := ast.Unparen(a.Rhs[i])
			if u, is := from.(*ast.UnaryExpr); is && u.Op == token.AND {
				from = ast.Unparen(u.X)
			}
			if ok && fn.Info().ObjectOf(id) == v && isNew(fn, from) {
				return true
			}
		}
		return false
	})
}
