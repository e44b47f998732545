package signalearly

import (
	"go/ast"
	"go/types"
	"slices"

	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/internal/syncops"
	"mendel/mutate/internal/waitgroups"
)

// A finisher is a call, elsewhere in the package, of a function that calls Done of a wait
// group for what it is given.
type finisher struct {
	call *ast.CallExpr
	arg  int    // index of what it is given
	on   string // the channel whose case in a select makes the call; "": it stands elsewhere
}

// unfinished lists the edits of the cases of a select that drop a parameter which another
// case hands on, where functions of the package finish such a value by a call.
func unfinished(fn *mutate.Function, sel *ast.SelectStmt) (out []mutate.Edit) {
	if fn.Type.Results.NumFields() > 0 {
		return nil
	}
	for _, p := range parameters(fn) {
		if !handedOn(fn, sel, p) {
			continue
		}
		for _, c := range sel.Body.List {
			clause := c.(*ast.CommClause)
			op, ok := syncops.Of(fn, clause.Comm)
			if !ok || op.Kind != syncops.Receive || !drops(fn, sel, clause, p) {
				continue
			}
			if text, ok := finish(fn, types.ExprString(op.On), p); ok {
				out = append(out, drop(fn, clause, text))
			}
		}
	}
	return out
}

// parameters are those of a function that have names and are pointers.
func parameters(fn *mutate.Function) (vars []*types.Var) {
	for _, f := range fn.Type.Params.List {
		for _, name := range f.Names {
			if v, ok := fn.File.Package.Info.Defs[name].(*types.Var); ok && syntax.Pointer(v.Type()) {
				vars = append(vars, v)
			}
		}
	}
	return vars
}

// handedOn reports whether a case of a select sends a variable, or gives it to a function.
func handedOn(fn *mutate.Function, sel *ast.SelectStmt, v *types.Var) bool {
	info := fn.File.Package.Info
	return syntax.Any(sel, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			return slices.ContainsFunc(n.Args, func(a ast.Expr) bool { return syntax.Is(info, a, v) })
		case *ast.SendStmt:
			return syntax.Is(info, n.Value, v)
		}
		return false
	})
}

// drops reports whether a case leaves the function and does nothing with a variable.
func drops(fn *mutate.Function, sel *ast.SelectStmt, clause *ast.CommClause, v *types.Var) bool {
	if syntax.Names(fn.File.Package.Info, clause, v) || len(clause.Body) > 1 {
		return false
	}
	if len(clause.Body) == 1 {
		_, returns := clause.Body[0].(*ast.ReturnStmt)
		return returns
	}
	return fn.Body.List[len(fn.Body.List)-1] == ast.Stmt(sel)
}

// finish is the call that finishes a variable as others do, best as in a case for the same
// channel.
func finish(fn *mutate.Function, on string, v *types.Var) (text string, ok bool) {
	for _, f := range finishers(fn, v.Type()) {
		if t, means := f.text(fn, v); means && (!ok || f.on == on) {
			if text, ok = t, true; f.on == on {
				break
			}
		}
	}
	return text, ok
}

// finishers are the calls of functions that call Done for a value of a type.
func finishers(fn *mutate.Function, t types.Type) []finisher {
	type finishersOf struct{ t types.Type }
	return mutate.Once(fn, finishersOf{t}, func() (found []finisher) {
		for _, other := range fn.OfPackage() {
			if other.File.Package != fn.File.Package {
				continue
			}
			for _, c := range other.Calls(other.Body.List...) {
				arg := slices.IndexFunc(c.Expr.Args, func(a ast.Expr) bool { return syntax.SameGeneric(other.File.Package.Info.TypeOf(a), t) })
				if arg >= 0 && finishes(c.To) {
					found = append(found, finisher{c.Expr, arg, caseOf(other, c.Expr)})
				}
			}
		}
		return found
	})
}

// finishes reports whether a function calls Done once, of a group that it does not count up.
func finishes(fn *mutate.Function) bool {
	done := 0
	for _, c := range waitgroups.Calls(fn) {
		switch c.Method {
		case "Done":
			done++
		default:
			return false
		}
	}
	return done == 1
}

// caseOf is the channel of the case of a select that a call stands in; "": it is in none.
func caseOf(fn *mutate.Function, call *ast.CallExpr) (on string) {
	syntax.Walk(fn.Body, func(n ast.Node, path []ast.Node) {
		if n != ast.Node(call) {
			return
		}
		for _, around := range path {
			if c, ok := around.(*ast.CommClause); ok {
				if op, ok := syncops.Of(fn, c.Comm); ok {
					on = types.ExprString(op.On)
				}
			}
		}
	})
	return on
}

// text is the call for another variable, where all else in it is the receiver, or of the
// package or the language.
func (f finisher) text(fn *mutate.Function, v *types.Var) (text string, ok bool) {
	args := ""
	for i, a := range f.call.Args {
		if i > 0 {
			args += ", "
		}
		if i == f.arg {
			args += v.Name()
			continue
		}
		if !ofPackage(fn, a) {
			return "", false
		}
		args += types.ExprString(a)
	}
	if sel, isSel := ast.Unparen(f.call.Fun).(*ast.SelectorExpr); isSel && !sameReceiver(fn, sel.X) {
		return "", false
	}
	return types.ExprString(f.call.Fun) + "(" + args + ")", true
}

// ofPackage reports whether an expression is a name that means the same everywhere in the package.
func ofPackage(fn *mutate.Function, e ast.Expr) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		_, literal := ast.Unparen(e).(*ast.BasicLit)
		return literal
	}
	obj := fn.File.Package.Info.Uses[id]
	return obj != nil && (obj.Parent() == types.Universe || obj.Parent() == fn.File.Package.Types.Scope())
}

// sameReceiver reports whether an expression is a name that a function has for its
// receiver, or a parameter, of the same type.
func sameReceiver(fn *mutate.Function, e ast.Expr) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return false
	}
	inner := fn.File.Package.Types.Scope().Innermost(fn.Body.Lbrace + 1)
	if inner == nil {
		return false
	}
	_, found := inner.LookupParent(id.Name, fn.Body.Lbrace+1)
	obj := fn.File.Package.Info.Uses[id]
	return found != nil && obj != nil && syntax.SameGeneric(found.Type(), obj.Type())
}
