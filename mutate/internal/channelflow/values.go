package channelflow

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"mendel/analysis/syntax"
)

// value is the node of an expression; nil if its value leads to no channel. An
// expression is examined once.
func (f *flow) value(e ast.Expr) *node {
	e = ast.Unparen(e)
	if n, ok := f.exprs[e]; ok {
		return n
	}
	f.exprs[e] = nil
	n := f.valueOf(e)
	t := f.info.TypeOf(e)
	if n != nil && !f.leads(t) {
		n = nil
	}
	if n != nil && isChan(t) {
		f.chans[e] = true
	}
	f.exprs[e] = n
	return n
}

func (f *flow) valueOf(e ast.Expr) *node {
	switch e := e.(type) {
	case *ast.Ident:
		return f.object(f.info.ObjectOf(e))
	case *ast.SelectorExpr:
		return f.selector(e)
	case *ast.FuncLit:
		n := new(node)
		if sig, ok := f.info.TypeOf(e).(*types.Signature); ok {
			f.signature(n, sig)
		}
		return n
	case *ast.CompositeLit:
		return f.composite(e)
	case *ast.CallExpr:
		return f.callValue(e)
	case *ast.IndexExpr:
		if !f.info.Types[e.Index].IsValue() { // of a generic function
			return f.value(e.X)
		}
		return f.element(e)
	case *ast.IndexListExpr:
		return f.value(e.X)
	case *ast.SliceExpr:
		if x := f.value(e.X); x != nil && syntax.Pointer(f.info.TypeOf(e.X)) {
			return x.target(edgeElem, 0)
		}
		return f.value(e.X)
	case *ast.StarExpr:
		return f.value(e.X).target(edgeElem, 0)
	case *ast.TypeAssertExpr:
		if f.ofList(e.X) {
			return f.held(f.info.TypeOf(e))
		}
		return f.value(e.X)
	case *ast.UnaryExpr:
		switch e.Op {
		case token.AND:
			n := new(node)
			f.join(n, edgeElem, 0, f.value(e.X))
			return n
		case token.ARROW:
			return f.value(e.X).target(edgeElem, 0)
		}
	}
	return nil
}

// selector is the node of a field, method or package's member.
func (f *flow) selector(e *ast.SelectorExpr) *node {
	s := f.info.Selections[e]
	if s == nil {
		return f.object(f.info.Uses[e.Sel])
	}
	switch s.Kind() {
	case types.FieldVal:
		return f.object(s.Obj())
	case types.MethodVal:
		method, ok := s.Obj().(*types.Func)
		if !ok {
			return nil
		}
		f.receive(method, e.X)
		return f.method(method)
	default: // a method expression: the receiver is the first parameter
		method, ok := s.Obj().(*types.Func)
		if !ok {
			return nil
		}
		from, n := f.method(method), new(node)
		sig := method.Origin().Signature()
		if recv := sig.Recv(); recv != nil {
			f.join(n, edgeParam, 0, f.object(recv))
		}
		for i := range sig.Params().Len() {
			f.join(n, edgeParam, i+1, from.target(edgeParam, i))
		}
		for i := range sig.Results().Len() {
			f.join(n, edgeResult, i, from.target(edgeResult, i))
		}
		return n
	}
}

// receive gives a method of the program what it is called on.
func (f *flow) receive(method *types.Func, x ast.Expr) {
	recv := method.Origin().Signature().Recv()
	from := f.value(x)
	if recv == nil || from == nil || types.IsInterface(recv.Type()) {
		return
	}
	to := f.object(recv)
	switch {
	case to == nil:
	case syntax.Pointer(recv.Type()) && !syntax.Pointer(f.info.TypeOf(x)):
		unify(to.target(edgeElem, 0), from)
	case !syntax.Pointer(recv.Type()) && syntax.Pointer(f.info.TypeOf(x)):
		unify(to, from.target(edgeElem, 0))
	default:
		unify(to, from)
	}
}

// method is the node of a method. That of an interface of the program is one
// with those that implement it.
func (f *flow) method(method *types.Func) *node {
	method = method.Origin()
	n := f.object(method)
	recv := method.Signature().Recv()
	if n == nil || recv == nil || !types.IsInterface(recv.Type()) || !f.owned[method.Pkg()] || f.methods[method] {
		return n
	}
	f.methods[method] = true
	iface, ok := recv.Type().Underlying().(*types.Interface)
	if !ok {
		return n
	}
	for _, tn := range f.types() {
		unify(n, f.object(implementation(tn, iface, method)))
	}
	return n
}

// types are the program's own types but for interfaces, local ones included.
func (f *flow) types() []*types.TypeName {
	if f.named != nil {
		return f.named
	}
	f.named = []*types.TypeName{}
	for _, pkg := range f.program.Packages {
		for _, obj := range pkg.Info.Defs {
			if tn, ok := obj.(*types.TypeName); ok && !tn.IsAlias() && !types.IsInterface(tn.Type()) {
				f.named = append(f.named, tn)
			}
		}
	}
	return f.named
}

// implementation is the method by which a type implements an interface's; nil
// if it does not.
func implementation(tn *types.TypeName, iface *types.Interface, method *types.Func) types.Object {
	t := types.NewPointer(tn.Type())
	obj, _, _ := types.LookupFieldOrMethod(t, true, method.Pkg(), method.Name())
	if found, ok := obj.(*types.Func); !ok || found.Signature().Recv() == nil {
		return nil
	}
	if named, ok := tn.Type().(*types.Named); ok && named.TypeParams().Len() > 0 {
		return obj // by name only: it is not instantiated
	}
	if !types.Implements(t, iface) && !generic(iface) {
		return nil
	}
	return obj
}

// composite unifies the elements of a composite literal.
func (f *flow) composite(e *ast.CompositeLit) *node {
	t := f.info.TypeOf(e)
	if t == nil {
		return nil
	}
	u := t.Underlying()
	elided := false // &T in a literal of pointers
	if p, ok := u.(*types.Pointer); ok {
		u, elided = p.Elem().Underlying(), true
	}
	n := new(node)
	for i, elem := range e.Elts {
		value := elem
		kv, keyed := elem.(*ast.KeyValueExpr)
		if keyed {
			value = kv.Value
		}
		switch u := u.(type) {
		case *types.Struct:
			if keyed {
				if id, ok := kv.Key.(*ast.Ident); ok {
					unify(f.object(f.info.Uses[id]), f.value(value))
				}
			} else if i < u.NumFields() {
				unify(f.object(u.Field(i)), f.value(value))
			}
		case *types.Map:
			if keyed {
				f.join(n, edgeKey, 0, f.value(kv.Key))
			}
			f.join(n, edgeElem, 0, f.value(value))
		default:
			f.join(n, edgeElem, 0, f.value(value))
		}
	}
	if elided {
		outer := new(node)
		f.join(outer, edgeElem, 0, n)
		return outer
	}
	return n
}

func (f *flow) element(e *ast.IndexExpr) *node {
	x := f.value(e.X)
	t := f.info.TypeOf(e.X)
	if x == nil || t == nil {
		return nil
	}
	switch t.Underlying().(type) {
	case *types.Map:
		f.join(x, edgeKey, 0, f.value(e.Index))
	case *types.Pointer: // to an array
		x = x.target(edgeElem, 0)
	}
	return x.target(edgeElem, 0)
}

// callValue is the node of a call's first result.
func (f *flow) callValue(e *ast.CallExpr) *node {
	if f.info.Types[e.Fun].IsType() { // a conversion
		if len(e.Args) == 1 {
			return f.value(e.Args[0])
		}
		return nil
	}
	if name := syntax.Builtin(f.info, e); name != "" {
		return f.builtin(name, e)
	}
	return f.call(e).target(edgeResult, 0)
}

// builtin unifies what a predeclared function copies.
func (f *flow) builtin(name string, e *ast.CallExpr) *node {
	switch name {
	case "append":
		n := new(node)
		unify(n, f.value(e.Args[0]))
		for _, arg := range e.Args[1:] {
			if e.Ellipsis.IsValid() {
				unify(n, f.value(arg))
			} else {
				f.join(n, edgeElem, 0, f.value(arg))
			}
		}
		return n
	case "copy":
		if to := f.value(e.Args[0]); to != nil {
			f.join(f.value(e.Args[1]), edgeElem, 0, to.target(edgeElem, 0))
		}
	case "delete":
		f.join(f.value(e.Args[0]), edgeKey, 0, f.value(e.Args[1]))
	case "make", "new":
		return new(node)
	}
	return nil
}

// call unifies arguments and parameters and is the node of what is called, or
// one made for it; its targets are the results. Calls of the same expression give
// the same targets.
func (f *flow) call(e *ast.CallExpr) *node {
	fun := f.value(e.Fun)
	called := syntax.Callee(f.info, e.Fun)
	outside := called != nil && called.Pkg() != nil && !f.owned[called.Pkg()]
	if outside || fun == nil {
		// Calls of one function of the library have nothing in common.
		fun = &node{escapes: outside, foreign: outside}
	}
	sig, ok := coreSignature(f.info.TypeOf(e.Fun))
	if !ok {
		return fun
	}
	puts := putsInList(called)
	for i, arg := range f.arguments(e) {
		if arg == nil {
			continue
		}
		if puts && i == 0 {
			unify(f.held(f.info.TypeOf(e.Args[0])), arg)
			continue
		}
		if outside {
			arg.root().escapes = true
			continue
		}
		last := sig.Params().Len() - 1
		switch {
		case sig.Variadic() && i >= last && !e.Ellipsis.IsValid():
			unify(fun.target(edgeParam, last).target(edgeElem, 0), arg)
		default:
			unify(fun.target(edgeParam, i), arg)
		}
	}
	if outside {
		for i := range sig.Results().Len() {
			target := fun.target(edgeResult, i)
			target.escapes, target.foreign = true, true
		}
	}
	return fun
}

// putsInList reports whether a function puts its first argument into a list of package container/list. That keeps it
// as it is.
func putsInList(f *types.Func) bool {
	return f != nil && ofPackageList(f) && slices.Contains([]string{"PushBack", "PushFront", "InsertBefore", "InsertAfter"}, f.Name())
}

func ofPackageList(obj types.Object) bool {
	return obj != nil && obj.Pkg() != nil && obj.Pkg().Path() == "container/list"
}

// ofList reports whether an expression is what an element of a list holds: its Value, or what Remove returns.
func (f *flow) ofList(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.SelectorExpr:
		return ofPackageList(f.info.Uses[e.Sel]) && e.Sel.Name == "Value"
	case *ast.CallExpr:
		called := syntax.Callee(f.info, e.Fun)
		return called != nil && ofPackageList(called) && called.Name() == "Remove"
	}
	return false
}

// held is the node of what elements of lists hold, for a type: lists are not told apart. Nil where it leads to no channel.
func (f *flow) held(t types.Type) *node {
	if tuple, ok := t.(*types.Tuple); ok { // with a second result
		t = tuple.At(0).Type()
	}
	if !f.leads(t) {
		return nil
	}
	key := types.TypeString(t, nil)
	if f.listed[key] == nil {
		f.listed[key] = new(node)
	}
	return f.listed[key]
}

// arguments are the nodes of what a call is given.
func (f *flow) arguments(e *ast.CallExpr) []*node {
	if len(e.Args) == 1 {
		inner, ok := ast.Unparen(e.Args[0]).(*ast.CallExpr)
		if tuple, several := f.info.TypeOf(e.Args[0]).(*types.Tuple); ok && several {
			n := f.call(inner)
			var out []*node
			for i := range tuple.Len() {
				out = append(out, n.target(edgeResult, i))
			}
			return out
		}
	}
	out := make([]*node, len(e.Args))
	for i, arg := range e.Args {
		out[i] = f.value(arg)
	}
	return out
}

// coreSignature is the signature of what can be called with a type.
func coreSignature(t types.Type) (*types.Signature, bool) {
	if t == nil {
		return nil, false
	}
	sig, ok := t.Underlying().(*types.Signature)
	return sig, ok
}
