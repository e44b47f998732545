package closedone

import (
	"go/ast"
	"go/types"

	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/internal/chanwait"
	"mendel/mutate/internal/donefield"
)

// An ended is a type of values whose receivers end with a context that the function is given which makes the values.
type ended struct {
	donefield.Field
	context string
}

// endedOf is the type of the value that an operation sends to, if its receivers end so; ok is false if they do not.
func endedOf(fn *mutate.Function, op chanwait.Op, base ast.Expr) (d ended, ok bool) {
	send, isSend := op.At.(*ast.SendStmt)
	if !isSend {
		return d, false
	}
	c := fn.Channel(send.Chan)
	if c == nil || c.Escapes || len(c.Receives) == 0 || len(c.Ranges) > 0 {
		return d, false
	}
	var ctx *types.Var
	for _, u := range c.Receives {
		if u.Fn == nil || u.Test || u.Select == nil {
			return d, false
		}
		v := endOf(u.Fn, u.Select)
		if v == nil || ctx != nil && v != ctx {
			return d, false
		}
		ctx = v
	}
	if d.Field, ok = donefield.Of(fn, base, ""); !ok {
		return d, false
	}
	maker := makerOf(fn, ctx)
	if maker == nil || !d.MadeIn(maker.Body) || maker.Reassigns(ctx.Name(), maker.Body.List...) {
		return d, false
	}
	d.context = ctx.Name()
	return d, true
}

// endOf is the parameter of an outer function for whose end, as a context, a select has a case; nil: there is none.
func endOf(fn *mutate.Function, s *ast.SelectStmt) *types.Var {
	info := fn.File.Package.Info
	for _, clause := range s.Body.List {
		comm := clause.(*ast.CommClause).Comm
		if comm == nil {
			continue
		}
		var found *types.Var
		ast.Inspect(comm, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
			if ok && sel.Sel.Name == "Done" && syntax.IsContext(info.TypeOf(sel.X)) {
				if v, ok := fn.Path(sel.X).Root.(*types.Var); ok && fn.Path(sel.X).Rest == "" && v.Kind() == types.ParamVar {
					found = v
				}
			}
			return true
		})
		if found != nil {
			return found
		}
	}
	return nil
}

// makerOf is the declared function of a function's package that has a parameter; nil: it is a literal's.
func makerOf(fn *mutate.Function, v *types.Var) *mutate.Function {
	for _, g := range fn.OfPackage() {
		if decl, ok := g.Node.(*ast.FuncDecl); ok && decl.Type.Pos() <= v.Pos() && v.Pos() < decl.Body.Pos() {
			return g
		}
	}
	return nil
}
