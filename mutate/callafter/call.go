package callafter

import (
	"go/ast"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/dave/dst"

	"mendel/analysis"
	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/internal/capture"
	"mendel/mutate/internal/waitgroups"
)

// A call is a statement that calls what may use the value whose lock is held.
type call struct {
	fn    *mutate.Function
	stmt  *ast.ExprStmt
	early []ast.Expr // what has to be evaluated when the call is put off
	copy  *copied    // what has to be copied then; nil: nothing
}

// calls lists the calls among a function's statements that can be put off.
func calls(fn *mutate.Function) []call {
	var list []call
	for _, st := range fn.Statements() {
		stmt, ok := st.Stmt.(*ast.ExprStmt)
		if !ok {
			continue
		}
		x, ok := ast.Unparen(stmt.X).(*ast.CallExpr)
		if !ok {
			continue
		}
		of := copiedFor(fn, x)
		if of == nil && !foreign(fn, x) && !fn.Relocks(x) {
			continue
		}
		if early, ok := evaluated(fn, x, of); ok {
			list = append(list, call{fn, stmt, early, of})
		}
	}
	return list
}

// foreign reports whether a call runs code that somebody else has given: a function
// value, but for what the function makes itself and what cancels a context, or a
// method of one of the module's interfaces.
func foreign(fn *mutate.Function, x *ast.CallExpr) bool {
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

// evaluated lists what of a call must be evaluated where the call stands; ok is false
// if that is not enough, since what it leads to may be changed afterwards.
func evaluated(fn *mutate.Function, x *ast.CallExpr, of *copied) (early []ast.Expr, ok bool) {
	parts := slices.Clone(x.Args)
	fun := ast.Unparen(x.Fun)
	if of != nil {
		// The receiver is a copy.
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

// statements are those of calls.
func statements(list []call) []ast.Stmt {
	var out []ast.Stmt
	for _, c := range list {
		out = append(out, c.stmt)
	}
	return out
}

// putOff makes a call wait in a list, which is written as text.
func (c call) putOff(m *mutate.Mutation, e mutate.Edit, list string) error {
	file := c.fn.File.Rel
	old, ok := m.StmtOf(file, c.stmt).(*dst.ExprStmt)
	if !ok {
		return mutate.Refuse(e, "another edit changed the call")
	}
	for i, expr := range c.early {
		if err := c.evaluate(m, e, old, expr, i); err != nil {
			return err
		}
	}
	if c.copy != nil {
		if err := c.copy.make(m, e, c, old); err != nil {
			return err
		}
	}
	stmts, err := mutate.Snippet(list + " = append(" + list + ", func() { call() })")
	if err != nil {
		return err
	}
	waits := stmts[0].(*dst.AssignStmt)
	lit := waits.Rhs[0].(*dst.CallExpr).Args[1].(*dst.FuncLit)
	lit.Body.List[0].(*dst.ExprStmt).X = old.X
	return m.Replace(file, old, waits)
}

// evaluate makes a variable of an operand before the statement of the call.
func (c call) evaluate(m *mutate.Mutation, e mutate.Edit, old dst.Stmt, expr ast.Expr, i int) error {
	file := c.fn.File.Rel
	node, ok := m.Of(file, expr).(dst.Expr)
	if !ok {
		return mutate.Refuse(e, "another edit changed what the call is given")
	}
	name := c.name(expr, i)
	stmts, err := mutate.Snippet(name + " := nil")
	if err != nil {
		return err
	}
	if err := m.Replace(file, node, dst.NewIdent(name)); err != nil {
		return mutate.Refuse(e, "%v", err)
	}
	stmts[0].(*dst.AssignStmt).Rhs[0] = node
	return m.Insert(file, old, false, stmts...)
}

// name is a name for an operand of the call: the one that it has as a field or
// parameter, if that is free.
func (c call) name(expr ast.Expr, i int) string {
	name := "given"
	x := ast.Unparen(c.stmt.X).(*ast.CallExpr)
	switch n := ast.Unparen(expr).(type) {
	case *ast.SelectorExpr:
		name = strings.ToLower(n.Sel.Name[:1]) + n.Sel.Name[1:]
	default:
		sig, _ := c.fn.File.Package.Info.TypeOf(x.Fun).Underlying().(*types.Signature)
		at := slices.Index(x.Args, expr)
		if sig != nil && at >= 0 && at < sig.Params().Len() && len(sig.Params().At(at).Name()) > 1 {
			name = sig.Params().At(at).Name()
		}
	}
	name = c.fn.FreeName(name)
	for j := range i { // of two with one name the second has a number
		if c.name(c.early[j], j) == name {
			name = c.fn.FreeName(name + strconv.Itoa(i+1))
		}
	}
	return name
}
