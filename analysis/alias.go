package analysis

import (
	"go/ast"
	"go/token"
	"go/types"
)

// Aliases are classes of variables that may lead to the same memory: slices,
// maps, channels and pointers that are assigned to, passed to or returned
// as one another. Fields of structs need none: a field is the same variable
// whatever value it is in.
//
// The classes are found by unification, without regard to direction or order
// (Steensgaard, "Points-to Analysis in Almost Linear Time", POPL 1996, with
// one level of storage: what a slice of slices leads to counts as the slice).
type aliases struct {
	p       *Program
	ids     *index
	graph   *callGraph
	parent  map[*types.Var]*types.Var
	pointed map[*types.Var]bool // address taken: uses of the variable itself are uses of what pointers lead to
}

func newAliases(p *Program) *aliases {
	a := &aliases{p: p, ids: p.index(), graph: p.calls(), parent: map[*types.Var]*types.Var{}, pointed: map[*types.Var]bool{}}
	for _, pkg := range p.Packages {
		for _, f := range pkg.Files {
			w := &aliasWalker{aliases: a, info: pkg.Info}
			ast.Inspect(f.AST, w.visit)
		}
	}
	return a
}

// find is the representative of a variable's class.
func (a *aliases) find(v *types.Var) *types.Var {
	for {
		up, ok := a.parent[v]
		if !ok {
			return v
		}
		if next, ok := a.parent[up]; ok {
			a.parent[v] = next
		}
		v = up
	}
}

func (a *aliases) union(v, w *types.Var) {
	if v, w = a.find(v), a.find(w); v != w {
		a.parent[w] = v
	}
}

// leads reports whether values of a type lead to memory that several variables
// may lead to and that no field stands for.
func (a *aliases) leads(t types.Type) bool {
	if t == nil {
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Slice, *types.Map, *types.Chan:
		return true
	case *types.Pointer:
		n := namedOf(u)
		_, isStruct := u.Elem().Underlying().(*types.Struct)
		return !isStruct || n == nil || !a.p.owns(n.Obj())
	}
	return false
}

type aliasWalker struct {
	*aliases
	info  *types.Info
	stack []*types.Signature
	nodes []ast.Node
}

func (w *aliasWalker) visit(n ast.Node) bool {
	if n == nil {
		switch w.nodes[len(w.nodes)-1].(type) {
		case *ast.FuncDecl, *ast.FuncLit:
			w.stack = w.stack[:len(w.stack)-1]
		}
		w.nodes = w.nodes[:len(w.nodes)-1]
		return true
	}
	w.nodes = append(w.nodes, n)
	switch n := n.(type) {
	case *ast.FuncDecl:
		fn, _ := w.info.Defs[n.Name].(*types.Func)
		w.stack = append(w.stack, fn.Signature())
	case *ast.FuncLit:
		sig, _ := w.info.TypeOf(n).(*types.Signature)
		w.stack = append(w.stack, sig)
	case *ast.AssignStmt:
		w.assign(n.Lhs, n.Rhs)
	case *ast.ValueSpec:
		var names []ast.Expr
		for _, name := range n.Names {
			names = append(names, name)
		}
		w.assign(names, n.Values)
	case *ast.ReturnStmt:
		if len(w.stack) > 0 {
			w.give(tupleVars(w.stack[len(w.stack)-1].Results()), n.Results)
		}
	case *ast.RangeStmt:
		for _, e := range []ast.Expr{n.Key, n.Value} {
			if e != nil {
				w.same(e, n.X)
			}
		}
	case *ast.SendStmt:
		w.same(n.Chan, n.Value)
	case *ast.CompositeLit:
		w.literal(n)
	case *ast.CallExpr:
		w.call(n)
	}
	return true
}

func tupleVars(t *types.Tuple) []*types.Var {
	var vars []*types.Var
	for v := range t.Variables() {
		vars = append(vars, v)
	}
	return vars
}

func (w *aliasWalker) assign(lhs, rhs []ast.Expr) {
	if len(lhs) == len(rhs) {
		for i := range lhs {
			w.same(lhs[i], rhs[i])
		}
		return
	}
	if len(rhs) != 1 {
		return
	}
	if call, ok := ast.Unparen(rhs[0]).(*ast.CallExpr); ok {
		for _, sig := range w.callees(call) {
			for i, r := range tupleVars(sig.Results()) {
				if i < len(lhs) && w.leads(r.Type()) {
					w.join(w.holders(lhs[i]), []*types.Var{r.Origin()})
				}
			}
		}
		return
	}
	w.same(lhs[0], rhs[0]) // v, ok := m[k], x.(T), <-ch
}

// give unifies variables with the values they are given.
func (w *aliasWalker) give(to []*types.Var, values []ast.Expr) {
	for i, e := range values {
		if i < len(to) && w.leads(w.info.TypeOf(e)) {
			w.join([]*types.Var{to[i].Origin()}, w.holders(e))
		}
	}
}

// same unifies what two expressions lead to.
func (w *aliasWalker) same(to, value ast.Expr) {
	if w.leads(w.info.TypeOf(to)) || w.leads(w.info.TypeOf(value)) {
		w.join(w.holders(to), w.holders(value))
	}
}

func (w *aliasWalker) join(a, b []*types.Var) {
	for _, v := range a {
		for _, x := range b {
			w.union(v, x)
		}
	}
}

func (w *aliasWalker) literal(n *ast.CompositeLit) {
	st, ok := deref(w.info.TypeOf(n)).Underlying().(*types.Struct)
	if !ok {
		return
	}
	for i, elt := range n.Elts {
		if kv, keyed := elt.(*ast.KeyValueExpr); keyed {
			if key, ok := kv.Key.(*ast.Ident); ok {
				if f, ok := w.info.Uses[key].(*types.Var); ok {
					w.give([]*types.Var{f}, []ast.Expr{kv.Value})
				}
			}
		} else if i < st.NumFields() {
			w.give([]*types.Var{st.Field(i)}, []ast.Expr{elt})
		}
	}
}

// call unifies arguments with parameters, and the receiver with the method's.
func (w *aliasWalker) call(n *ast.CallExpr) {
	for _, sig := range w.callees(n) {
		params := tupleVars(sig.Params())
		for i, arg := range n.Args {
			p := i
			if sig.Variadic() && i >= len(params)-1 {
				p = len(params) - 1
			}
			if p >= 0 && p < len(params) {
				w.give([]*types.Var{params[p]}, []ast.Expr{arg})
			}
		}
		if sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr); ok && sig.Recv() != nil && w.info.Selections[sel] != nil {
			w.give([]*types.Var{sig.Recv()}, []ast.Expr{sel.X})
		}
	}
}

// callees are the signatures, as declared, of the module's functions that a call may reach.
func (w *aliasWalker) callees(n *ast.CallExpr) []*types.Signature {
	var sigs []*types.Signature
	fn, static := calledObject(w.info, n).(*types.Func)
	if static && w.p.owns(fn) {
		sigs = append(sigs, fn.Origin().Signature())
	}
	if static && !w.p.owns(fn) {
		return nil // what it calls back gets arguments of its own
	}
	for _, callee := range w.graph.bySite[n.Lparen] {
		switch node := callee.node.(type) {
		case *ast.FuncDecl:
			if fn, ok := callee.object().(*types.Func); ok {
				sigs = append(sigs, fn.Signature())
			}
		case *ast.FuncLit:
			if sig, ok := callee.file.Package.Info.TypeOf(node).(*types.Signature); ok {
				sigs = append(sigs, sig)
			}
		}
	}
	return sigs
}

// holders are the variables that an expression's value may be found in.
func (w *aliasWalker) holders(e ast.Expr) []*types.Var {
	switch e := e.(type) {
	case *ast.Ident:
		return w.variable(w.info.ObjectOf(e))
	case *ast.SelectorExpr:
		return w.variable(w.info.ObjectOf(e.Sel))
	case *ast.ParenExpr:
		return w.holders(e.X)
	case *ast.IndexExpr:
		return w.holders(e.X)
	case *ast.StarExpr:
		return w.holders(e.X)
	case *ast.SliceExpr:
		return w.holders(e.X)
	case *ast.TypeAssertExpr:
		return w.holders(e.X)
	case *ast.UnaryExpr:
		return w.unary(e)
	case *ast.CompositeLit:
		return w.elements(e)
	case *ast.CallExpr:
		return w.results(e)
	}
	return nil
}

func (w *aliasWalker) variable(obj types.Object) []*types.Var {
	if v, ok := obj.(*types.Var); ok && w.p.owns(v) && v.Name() != "_" {
		return []*types.Var{v.Origin()}
	}
	return nil
}

func (w *aliasWalker) unary(e *ast.UnaryExpr) []*types.Var {
	vars := w.holders(e.X)
	if _, isLit := ast.Unparen(e.X).(*ast.CompositeLit); e.Op == token.AND && !isLit {
		for _, v := range vars {
			w.pointed[v] = true
		}
	}
	return vars
}

// elements are what the elements of a slice or map literal lead to.
func (w *aliasWalker) elements(e *ast.CompositeLit) []*types.Var {
	if _, isStruct := deref(w.info.TypeOf(e)).Underlying().(*types.Struct); isStruct {
		return nil
	}
	var vars []*types.Var
	for _, elt := range e.Elts {
		if kv, ok := elt.(*ast.KeyValueExpr); ok {
			elt = kv.Value
		}
		if w.leads(w.info.TypeOf(elt)) {
			vars = append(vars, w.holders(elt)...)
		}
	}
	return vars
}

// results are what a call's only result leads to: of append its arguments, of
// a conversion its operand.
func (w *aliasWalker) results(e *ast.CallExpr) []*types.Var {
	if w.info.Types[e.Fun].IsType() && len(e.Args) == 1 {
		return w.holders(e.Args[0])
	}
	if b, ok := calledObject(w.info, e).(*types.Builtin); ok {
		if b.Name() != "append" {
			return nil
		}
		vars := w.holders(e.Args[0])
		for _, arg := range e.Args[1:] {
			if w.leads(w.info.TypeOf(arg)) && !e.Ellipsis.IsValid() {
				vars = append(vars, w.holders(arg)...)
			}
		}
		return vars
	}
	var vars []*types.Var
	for _, sig := range w.callees(e) {
		if sig.Results().Len() == 1 {
			vars = append(vars, sig.Results().At(0).Origin())
		}
	}
	return vars
}
