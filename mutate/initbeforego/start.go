package initbeforego

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"github.com/dave/dst"
	"github.com/dave/dst/dstutil"

	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/starts"
	"mendel/mutate/internal/tree"
)

// A start is a statement that starts a goroutine with the function of a plan.
type start struct {
	starts.Start
	from *mutate.Function // that the statement is in
	file string           // of the statement
	call *ast.CallExpr    // of the function
}

// startsOf are all starts of a function; ok is false if it is used in any other way,
// or can be used outside of the program.
func startsOf(fn *mutate.Function) (begun []start, ok bool) {
	for _, from := range starts.By(fn) {
		for _, s := range starts.Of(from) {
			if s.To != fn {
				continue
			}
			st := start{Start: s, from: from, file: from.File.Rel}
			if st.call = callOf(s); st.call == nil || ofExpression(from, st.call) {
				return nil, false
			}
			begun = append(begun, st)
		}
	}
	decl, declared := fn.Node.(*ast.FuncDecl)
	if !declared {
		return begun, len(begun) == 1
	}
	f, isFunc := fn.File.Package.Info.Defs[decl.Name].(*types.Func)
	return begun, isFunc && len(begun) > 0 && !reachable(fn, f) && len(fn.Mentions(f)) == len(begun)
}

// callOf is the call that a start makes in a goroutine; nil if that is made later.
func callOf(s starts.Start) *ast.CallExpr {
	if s.Go != nil {
		return s.Go.Call
	}
	call := ast.Unparen(s.Stmt.(*ast.ExprStmt).X).(*ast.CallExpr)
	if name := syntax.CalledName(call.Fun).Name; name != "Go" && name != "TryGo" {
		return nil
	}
	return &ast.CallExpr{Fun: ast.Unparen(call.Args[0])}
}

// ofExpression reports whether a call is of a method expression, (*T).run(t), which has
// the receiver among its arguments.
func ofExpression(fn *mutate.Function, call *ast.CallExpr) bool {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	method := fn.File.Package.Info.Selections[sel]
	return method != nil && method.Kind() == types.MethodExpr
}

// reachable reports whether a function can be called without being named in the
// program: from outside of it, or as the method of an interface.
func reachable(fn *mutate.Function, f *types.Func) bool {
	recv := f.Signature().Recv()
	if recv == nil {
		return f.Exported() && f.Pkg().Name() != "main"
	}
	t := recv.Type()
	if ptr, ok := t.(*types.Pointer); ok {
		t = ptr.Elem()
	}
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || f.Exported() && named.Obj().Exported() && f.Pkg().Name() != "main" {
		return true
	}
	return fn.AskedFor(f.Name())
}

// given is what a start gives the function's receiver or a parameter; ok is false
// if that is nothing that can be written twice.
func (s start) given(p *plan, param types.Object) (e ast.Expr, ok bool) {
	if decl, declared := p.fn.Node.(*ast.FuncDecl); declared && decl.Recv != nil {
		for _, name := range decl.Recv.List[0].Names {
			if p.info.Defs[name] == param {
				return s.receiver()
			}
		}
	}
	i := 0
	for _, field := range p.fn.Type.Params.List {
		_, variadic := field.Type.(*ast.Ellipsis)
		for _, name := range field.Names {
			if p.info.Defs[name] == param {
				if variadic || i >= len(s.call.Args) {
					return nil, false
				}
				return s.call.Args[i], s.repeats(s.call.Args[i]) && s.typed(s.call.Args[i], param.Type())
			}
			i++
		}
	}
	return nil, false
}

// receiver is what the function is called on, but for methods of embedded fields.
func (s start) receiver() (e ast.Expr, ok bool) {
	sel, ok := ast.Unparen(s.call.Fun).(*ast.SelectorExpr)
	if !ok {
		return nil, false
	}
	method := s.from.File.Package.Info.Selections[sel]
	if method == nil || len(method.Index()) != 1 {
		return nil, false
	}
	return sel.X, s.repeats(sel.X)
}

// repeats reports whether an expression can be written once more before the start:
// a chain of names, the address of one, or a constant.
func (s start) repeats(e ast.Expr) bool {
	e = ast.Unparen(e)
	if _, star := e.(*ast.StarExpr); star {
		return false
	}
	return syntax.Constant(s.from.File.Package.Info, e) || s.from.Path(e).Root != nil
}

// typed reports whether an argument has the type of its parameter by itself: a constant
// may have another one where it is not an argument.
func (s start) typed(e ast.Expr, t types.Type) bool {
	value := s.from.File.Package.Info.Types[e].Value
	return value == nil || types.Identical(t, types.Default(untyped(value)))
}

// untyped is the type of a literal with a value.
func untyped(value constant.Value) types.Type {
	switch value.Kind() {
	case constant.Bool:
		return types.Typ[types.UntypedBool]
	case constant.String:
		return types.Typ[types.UntypedString]
	case constant.Int:
		return types.Typ[types.UntypedInt]
	}
	return types.Typ[types.UntypedFloat]
}

// means reports whether a name means an object where the goroutine is started.
func (s start) means(id *ast.Ident, obj types.Object) bool {
	inner := s.from.File.Package.Types.Scope().Innermost(s.Stmt.Pos())
	if inner == nil {
		return false
	}
	_, found := inner.LookupParent(id.Name, s.Stmt.Pos())
	if pkg, ok := obj.(*types.PkgName); ok {
		there, ok := found.(*types.PkgName)
		return ok && there.Imported() == pkg.Imported()
	}
	return found == obj
}

// occurrences are the places of an assignment that name a receiver or parameter, with
// what stands there now.
type occurrences struct {
	plan   *plan
	places []*occurrence
}

type occurrence struct {
	param   types.Object
	pointer bool // the parameter is one
	base    bool // something is selected from it
	now     dst.Node
}

func (p *plan) occurrences(m *mutate.Mutation, a *ast.AssignStmt) *occurrences {
	o := &occurrences{plan: p}
	syntax.Walk(a, func(n ast.Node, path []ast.Node) {
		id, ok := n.(*ast.Ident)
		if !ok || selected(id, path) || !p.isParameter(p.info.Uses[id]) {
			return
		}
		if now := m.Of(p.fn.File.Rel, id); now != nil {
			_, base := path[len(path)-1].(*ast.SelectorExpr)
			param := p.info.Uses[id]
			o.places = append(o.places, &occurrence{param, syntax.Pointer(param.Type()), base, now})
		}
	})
	return o
}

// become puts what a start gives in the place of each.
func (o *occurrences) become(in dst.Node, s start) {
	for _, place := range o.places {
		e, _ := s.given(o.plan, place.param)
		now := place.written(s, ast.Unparen(e))
		dstutil.Apply(in, func(c *dstutil.Cursor) bool {
			if c.Node() == place.now {
				c.Replace(now)
				return false
			}
			return true
		}, nil)
		place.now = now
	}
}

// written is how a given expression is written at a place. Go takes the address of
// a variable for a method by itself, and looks through it for a field.
func (o *occurrence) written(s start, e ast.Expr) dst.Expr {
	address, isAddress := e.(*ast.UnaryExpr)
	isAddress = isAddress && address.Op == token.AND
	switch {
	case o.base && isAddress:
		return tree.Expr(types.ExprString(address.X))
	case o.base:
	case o.pointer && !syntax.Pointer(s.from.File.Package.Info.TypeOf(e)) && !syntax.Constant(s.from.File.Package.Info, e):
		return &dst.UnaryExpr{Op: token.AND, X: tree.Expr(types.ExprString(e))}
	case !o.pointer && o.value(s, e):
		return &dst.StarExpr{X: tree.Expr(types.ExprString(e))}
	}
	return tree.Expr(types.ExprString(e))
}

// value reports whether a method with a value for a receiver is called on a pointer.
func (o *occurrence) value(s start, e ast.Expr) bool {
	v, ok := o.param.(*types.Var)
	return ok && v.Kind() == types.RecvVar && syntax.Pointer(s.from.File.Package.Info.TypeOf(e))
}
