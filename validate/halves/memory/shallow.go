package memory

import (
	"go/ast"
	"go/types"

	"mendel/analysis/syntax"
	"mendel/validate/halves/pair"
)

// Shallow finds copies of structs that a patch makes, and that share a slice or map with the original whose elements are
// changed in their place.
//
//	c := *v
//	return &c // c.Stops is v.Stops; or all[name] = &c, for each v of a list or map
func Shallow(c *pair.Change) (found []pair.Finding) {
	changing := changedInPlace(c.After)
	for _, fn := range c.After.Funcs {
		was := c.Before.Named[fn.FullName]
		if !c.Changed(fn) || was != nil && derefs(fn) <= derefs(was) {
			continue
		}
		ast.Inspect(fn.Body, func(n ast.Node) bool {
			a, ok := n.(*ast.AssignStmt)
			if !ok || len(a.Lhs) != len(a.Rhs) {
				return true
			}
			for i, e := range a.Rhs {
				star, ok := ast.Unparen(e).(*ast.StarExpr)
				id, named := a.Lhs[i].(*ast.Ident)
				if !ok || !named {
					continue
				}
				v, ok := fn.Info().ObjectOf(id).(*types.Var)
				if ok && (handedOut(fn, v) || copiesElement(fn, v, star.X)) {
					for _, name := range sharedFields(fn, v, changing) {
						found = append(found, c.At(fn, star.Pos(), "%s is a copy that shares %s with %s, and its elements are changed in their place", v.Name(), name, types.ExprString(star.X)))
					}
				}
			}
			return true
		})
	}
	return found
}

// handedOut reports whether a function returns a variable, or its address.
func handedOut(fn *pair.Function, v *types.Var) bool {
	is := func(e ast.Expr) bool {
		if u, ok := ast.Unparen(e).(*ast.UnaryExpr); ok {
			e = u.X
		}
		return syntax.Is(fn.Info(), e, v)
	}
	return syntax.Any(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ReturnStmt:
			for _, e := range n.Results {
				if is(e) {
					return true
				}
			}
		case *ast.CallExpr:
			if syntax.Builtin(fn.Info(), n) == "append" {
				for _, e := range n.Args[1:] {
					if is(e) {
						return true
					}
				}
			}
		}
		return false
	})
}

// copiesElement reports whether a variable is a loop's copy of an element, which puts it into a list or map: it copies all that
// is in one.
func copiesElement(fn *pair.Function, v *types.Var, of ast.Expr) bool {
	info := fn.Info()
	return syntax.Any(fn.Body, func(n ast.Node) bool {
		loop, ok := n.(*ast.RangeStmt)
		if !ok {
			return false
		}
		value, ok := loop.Value.(*ast.Ident)
		return ok && info.Defs[value] != nil && syntax.Is(info, of, info.Defs[value]) && syntax.Any(loop.Body, func(n ast.Node) bool {
			a, ok := n.(*ast.AssignStmt)
			if !ok || len(a.Lhs) != 1 || len(a.Rhs) != 1 {
				return false
			}
			_, element := ast.Unparen(a.Lhs[0]).(*ast.IndexExpr)
			u, address := ast.Unparen(a.Rhs[0]).(*ast.UnaryExpr)
			return element && address && syntax.Is(info, u.X, v)
		})
	})
}

// sharedFields are the slices and maps of a struct that a function leaves as they are in its copy of it, and whose elements
// are changed in their place.
func sharedFields(fn *pair.Function, v *types.Var, changing map[pair.Field]bool) (names []string) {
	st, ok := v.Type().Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	for f := range st.Fields() {
		of := pair.Field{Owner: types.TypeString(v.Type(), nil), Name: f.Name()}
		if refers(f.Type()) && changing[of] && !setIn(fn, v, f.Name()) {
			names = append(names, f.Name())
		}
	}
	return names
}

// setIn reports whether a function assigns to a field of a variable.
func setIn(fn *pair.Function, v *types.Var, name string) bool {
	return syntax.Any(fn.Body, func(n ast.Node) bool {
		a, ok := n.(*ast.AssignStmt)
		if !ok {
			return false
		}
		for _, e := range a.Lhs {
			if sel, ok := ast.Unparen(e).(*ast.SelectorExpr); ok && sel.Sel.Name == name && syntax.Is(fn.Info(), sel.X, v) {
				return true
			}
		}
		return false
	})
}
