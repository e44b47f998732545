package callback

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/dave/dst"

	"mendel/analysis"
	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/scope"
	"mendel/mutate/internal/capture"
	"mendel/mutate/internal/tree"
	"mendel/mutate/internal/waitgroups"
)

// Foreign reports whether a call runs code that somebody else has given: a function
// value, but for what the function makes itself and what cancels a context, or a
// method of one of the module's interfaces.
func Foreign(fn *mutate.Function, x *ast.CallExpr) bool {
	info := fn.File.Package.Info
	if f := syntax.Callee(info, x.Fun); f != nil {
		return syntax.InterfaceMethod(f) && f.Pkg() != nil && slices.ContainsFunc(fn.Program.Packages, func(p *analysis.Package) bool {
			return p.Path == f.Pkg().Path()
		})
	}
	v := syntax.Variable(info, x.Fun)
	if v == nil || types.TypeString(v.Type(), nil) == "context.CancelFunc" {
		return false
	}
	_, is := v.Type().Underlying().(*types.Signature)
	return is && !madeHere(fn, v)
}

// madeHere reports whether a variable of the function has a literal of it.
func madeHere(fn *mutate.Function, v *types.Var) bool {
	if v.IsField() || v.Kind() != types.LocalVar {
		return false
	}
	return syntax.Any(fn.Body, func(n ast.Node) bool {
		s, ok := n.(*ast.AssignStmt)
		if !ok || len(s.Lhs) != len(s.Rhs) {
			return false
		}
		for i, e := range s.Lhs {
			_, lit := ast.Unparen(s.Rhs[i]).(*ast.FuncLit)
			if id, ok := e.(*ast.Ident); ok && lit && fn.File.Package.Info.ObjectOf(id) == v {
				return true
			}
		}
		return false
	})
}

// Early lists what of a call must be evaluated before the lock is released, if the call is made after that:
// the function and its arguments, but for what has the same value later. The receiver is left out if it is
// copied as a whole. ok is false if that is not enough, since what it leads to may be changed afterwards.
func Early(fn *mutate.Function, x *ast.CallExpr, copied bool) (early []ast.Expr, ok bool) {
	parts := slices.Clone(x.Args)
	fun := ast.Unparen(x.Fun)
	if copied {
		// The receiver is left out.
	} else if sel, is := fun.(*ast.SelectorExpr); is && syntax.Callee(fn.File.Package.Info, fun) != nil {
		parts = append(parts, sel.X)
	} else if syntax.Callee(fn.File.Package.Info, fun) == nil {
		parts = append(parts, fun)
	}
	for _, e := range parts {
		if stays(fn, e) {
			continue
		}
		if leads(fn, e) {
			return nil, false
		}
		early = append(early, e)
	}
	return early, true
}

// stays reports whether an expression has the same value later.
func stays(fn *mutate.Function, e ast.Expr) bool {
	info := fn.File.Package.Info
	if tv := info.Types[e]; tv.Value != nil || tv.IsNil() || tv.IsType() {
		return true
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return staysVariable(fn, info.ObjectOf(e))
	case *ast.SelectorExpr:
		if v, ok := info.ObjectOf(e.Sel).(*types.Var); ok && v.IsField() {
			return fn.Immutable(v) && stays(fn, e.X)
		}
		_, isFunc := info.ObjectOf(e.Sel).(*types.Func)
		return isFunc && info.Selections[e] == nil
	case *ast.CompositeLit:
		return !slices.ContainsFunc(e.Elts, func(elem ast.Expr) bool {
			if kv, ok := elem.(*ast.KeyValueExpr); ok {
				elem = kv.Value
			}
			return !stays(fn, elem)
		})
	}
	return false
}

// staysVariable reports whether a name means the same later: a function, or a variable
// that is assigned to where it is declared and nowhere else.
func staysVariable(fn *mutate.Function, obj types.Object) bool {
	v, ok := obj.(*types.Var)
	if !ok {
		_, isFunc := obj.(*types.Func)
		return isFunc
	}
	if v.Pkg() == nil || v.Parent() == v.Pkg().Scope() {
		return fn.Immutable(v)
	}
	return !waitgroups.Assigns(fn, fn.Node, v) && (capture.PerIteration(fn) || !loopVariable(fn, v))
}

// loopVariable reports whether a loop declares a variable.
func loopVariable(fn *mutate.Function, v *types.Var) bool {
	return syntax.Any(fn.Node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.RangeStmt:
			return n.Pos() <= v.Pos() && v.Pos() < n.Body.Pos()
		case *ast.ForStmt:
			return n.Pos() <= v.Pos() && v.Pos() < n.Body.Pos()
		}
		return false
	})
}

// leads reports whether a value leads to what others may change in place: a slice or
// map that is not made here.
func leads(fn *mutate.Function, e ast.Expr) bool {
	t := fn.File.Package.Info.TypeOf(e)
	if t == nil {
		return true
	}
	if _, made := ast.Unparen(e).(*ast.CallExpr); made {
		return false
	}
	switch t.Underlying().(type) {
	case *types.Slice, *types.Map:
		return true
	}
	return false
}

// Evaluate makes variables of operands of a call: it puts their names into the call, and returns the statements
// that declare them.
func Evaluate(m *mutate.Mutation, e mutate.Edit, fn *mutate.Function, x *ast.CallExpr, operands []ast.Expr) (values []dst.Stmt, err error) {
	file := fn.File.Rel
	names := namesOf(fn, x, operands)
	for i, expr := range operands {
		node, ok := m.Of(file, expr).(dst.Expr)
		if !ok {
			return nil, mutate.Refuse(e, "another edit changed what the call is given")
		}
		stmts, err := tree.Snippet(names[i] + " := nil")
		if err != nil {
			return nil, err
		}
		if err := m.Replace(file, node, dst.NewIdent(names[i])); err != nil {
			return nil, mutate.Refuse(e, "%v", err)
		}
		stmts[0].(*dst.AssignStmt).Rhs[0] = node
		values = append(values, stmts[0])
	}
	return values, nil
}

// namesOf are names for operands of a call: those that they have as fields or parameters, or "given", if they
// are free; of several with one name the later ones have a number.
func namesOf(fn *mutate.Function, x *ast.CallExpr, operands []ast.Expr) (names []string) {
	for i, expr := range operands {
		name := scope.FreeName(fn, nameOf(fn, x, expr))
		if slices.Contains(names, name) {
			name = scope.FreeName(fn, name+strconv.Itoa(i+1))
		}
		names = append(names, name)
	}
	return names
}

func nameOf(fn *mutate.Function, x *ast.CallExpr, expr ast.Expr) string {
	lower := func(name string) string { return strings.ToLower(name[:1]) + name[1:] }
	if sel, ok := ast.Unparen(expr).(*ast.SelectorExpr); ok {
		return lower(sel.Sel.Name)
	}
	sig, _ := fn.File.Package.Info.TypeOf(x.Fun).Underlying().(*types.Signature)
	at := slices.Index(x.Args, expr)
	if sig != nil && at >= 0 && at < sig.Params().Len() && len(sig.Params().At(at).Name()) > 1 {
		return sig.Params().At(at).Name()
	}
	if call, ok := ast.Unparen(expr).(*ast.CallExpr); ok && len(call.Args) == 0 { // t.info()
		if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && !token.IsKeyword(lower(sel.Sel.Name)) {
			return lower(sel.Sel.Name)
		}
	}
	return "given"
}
