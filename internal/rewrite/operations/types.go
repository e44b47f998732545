package operations

import (
	"go/ast"
	"go/token"
	"go/types"
)

// Underlying is the underlying type of a type and, of a type parameter, what all
// types of its set have as theirs; else the constraint.
func Underlying(t types.Type) types.Type {
	tp, ok := types.Unalias(t).(*types.TypeParam)
	if !ok {
		return t.Underlying()
	}
	constraint, ok := tp.Constraint().Underlying().(*types.Interface)
	if !ok {
		return t.Underlying()
	}
	var common types.Type
	for term := range Terms(constraint) {
		switch {
		case common == nil:
			common = Underlying(term)
		case !types.Identical(common, Underlying(term)):
			if a, ok := common.(*types.Chan); ok {
				if b, ok := Underlying(term).(*types.Chan); ok && types.Identical(a.Elem(), b.Elem()) {
					if a.Dir() == types.SendRecv {
						common = b
					}
					continue
				}
			}
			return constraint
		}
	}
	if common == nil {
		return constraint
	}
	return common
}

// Terms are the types of a constraint's unions, those of embedded constraints too.
func Terms(c *types.Interface) func(yield func(types.Type) bool) {
	return func(yield func(types.Type) bool) {
		for e := range c.EmbeddedTypes() {
			switch e := types.Unalias(e).(type) {
			case *types.Union:
				for t := range e.Terms() {
					if !yield(t.Type()) {
						return
					}
				}
			default:
				if inner, ok := e.Underlying().(*types.Interface); ok {
					for t := range Terms(inner) {
						if !yield(t) {
							return
						}
					}
				} else if !yield(e) {
					return
				}
			}
		}
	}
}

// Pure reports whether an expression may be evaluated twice, and in any order with
// others: it calls nothing, receives nothing and makes nothing new.
func Pure(info *types.Info, e ast.Expr) bool {
	ok := true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if !info.Types[n.Fun].IsType() && info.Types[n].Value == nil {
				ok = ok && isLength(info, n)
			}
		case *ast.UnaryExpr:
			ok = ok && n.Op != token.ARROW
		case *ast.FuncLit, *ast.CompositeLit:
			ok = false
		}
		return ok
	})
	return ok
}

// isLength reports whether a call is len or cap, of what is no channel.
func isLength(info *types.Info, c *ast.CallExpr) bool {
	id, ok := ast.Unparen(c.Fun).(*ast.Ident)
	if !ok {
		return false
	}
	b, ok := info.Uses[id].(*types.Builtin)
	return ok && (b.Name() == "len" || b.Name() == "cap") && !IsChannel(info.TypeOf(c.Args[0]))
}

// IsChannel reports whether a type is one of channels.
func IsChannel(t types.Type) bool {
	if t == nil {
		return false
	}
	_, ok := Underlying(t).(*types.Chan)
	return ok
}
