package mutate

import (
	"go/ast"
	"go/token"
	"go/types"
)

// value is the node of an expression; nil if its value leads to no channel. An
// expression is looked at once.
func (f *channelFlow) value(e ast.Expr) *flowNode {
	e = ast.Unparen(e)
	if n, ok := f.exprs[e]; ok {
		return n
	}
	f.exprs[e] = nil
	n := f.valueOf(e)
	if n != nil && !f.leads(f.info.TypeOf(e)) {
		n = nil
	}
	f.exprs[e] = n
	return n
}

func (f *channelFlow) valueOf(e ast.Expr) *flowNode {
	switch e := e.(type) {
	case *ast.Ident:
		return f.object(f.info.ObjectOf(e))
	case *ast.SelectorExpr:
		return f.selector(e)
	case *ast.FuncLit:
		n := new(flowNode)
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
		if x := f.value(e.X); x != nil && pointer(f.info.TypeOf(e.X)) {
			return x.kid(kidElem, 0)
		}
		return f.value(e.X)
	case *ast.StarExpr:
		return f.value(e.X).kid(kidElem, 0)
	case *ast.TypeAssertExpr:
		return f.value(e.X)
	case *ast.UnaryExpr:
		switch e.Op {
		case token.AND:
			n := new(flowNode)
			f.join(n, kidElem, 0, f.value(e.X))
			return n
		case token.ARROW:
			return f.value(e.X).kid(kidElem, 0)
		}
	}
	return nil
}

func pointer(t types.Type) bool {
	if t == nil {
		return false
	}
	_, ok := t.Underlying().(*types.Pointer)
	return ok
}

// selector is the node of a field, method or package's member.
func (f *channelFlow) selector(e *ast.SelectorExpr) *flowNode {
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
		from, n := f.method(method), new(flowNode)
		sig := method.Origin().Signature()
		if recv := sig.Recv(); recv != nil {
			f.join(n, kidParam, 0, f.object(recv))
		}
		for i := range sig.Params().Len() {
			f.join(n, kidParam, i+1, from.kid(kidParam, i))
		}
		for i := range sig.Results().Len() {
			f.join(n, kidResult, i, from.kid(kidResult, i))
		}
		return n
	}
}

// receive gives a method of the program what it is called on.
func (f *channelFlow) receive(method *types.Func, x ast.Expr) {
	recv := method.Origin().Signature().Recv()
	from := f.value(x)
	if recv == nil || from == nil || types.IsInterface(recv.Type()) {
		return
	}
	to := f.object(recv)
	switch {
	case to == nil:
	case pointer(recv.Type()) && !pointer(f.info.TypeOf(x)):
		unify(to.kid(kidElem, 0), from)
	case !pointer(recv.Type()) && pointer(f.info.TypeOf(x)):
		unify(to, from.kid(kidElem, 0))
	default:
		unify(to, from)
	}
}

// method is the node of a method. That of an interface of the program is one
// with those that implement it.
func (f *channelFlow) method(method *types.Func) *flowNode {
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
func (f *channelFlow) types() []*types.TypeName {
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
func (f *channelFlow) composite(e *ast.CompositeLit) *flowNode {
	t := f.info.TypeOf(e)
	if t == nil {
		return nil
	}
	u := t.Underlying()
	elided := false // &T in a literal of pointers
	if p, ok := u.(*types.Pointer); ok {
		u, elided = p.Elem().Underlying(), true
	}
	n := new(flowNode)
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
				f.join(n, kidKey, 0, f.value(kv.Key))
			}
			f.join(n, kidElem, 0, f.value(value))
		default:
			f.join(n, kidElem, 0, f.value(value))
		}
	}
	if elided {
		outer := new(flowNode)
		f.join(outer, kidElem, 0, n)
		return outer
	}
	return n
}

func (f *channelFlow) element(e *ast.IndexExpr) *flowNode {
	x := f.value(e.X)
	t := f.info.TypeOf(e.X)
	if x == nil || t == nil {
		return nil
	}
	switch t.Underlying().(type) {
	case *types.Map:
		f.join(x, kidKey, 0, f.value(e.Index))
	case *types.Pointer: // to an array
		x = x.kid(kidElem, 0)
	}
	return x.kid(kidElem, 0)
}

// callValue is the node of a call's first result.
func (f *channelFlow) callValue(e *ast.CallExpr) *flowNode {
	if f.info.Types[e.Fun].IsType() { // a conversion
		if len(e.Args) == 1 {
			return f.value(e.Args[0])
		}
		return nil
	}
	if name := builtin(f.info, e); name != "" {
		return f.builtin(name, e)
	}
	return f.call(e).kid(kidResult, 0)
}

// builtin unifies what a predeclared function copies.
func (f *channelFlow) builtin(name string, e *ast.CallExpr) *flowNode {
	switch name {
	case "append":
		n := new(flowNode)
		unify(n, f.value(e.Args[0]))
		for _, arg := range e.Args[1:] {
			if e.Ellipsis.IsValid() {
				unify(n, f.value(arg))
			} else {
				f.join(n, kidElem, 0, f.value(arg))
			}
		}
		return n
	case "copy":
		if to := f.value(e.Args[0]); to != nil {
			f.join(f.value(e.Args[1]), kidElem, 0, to.kid(kidElem, 0))
		}
	case "delete":
		f.join(f.value(e.Args[0]), kidKey, 0, f.value(e.Args[1]))
	case "make", "new":
		return new(flowNode)
	}
	return nil
}

// call unifies arguments and parameters and is the node of what is called, or
// one made for it; its kids are the results. Calls of the same expression give
// the same kids.
func (f *channelFlow) call(e *ast.CallExpr) *flowNode {
	fun := f.value(e.Fun)
	called := callee(f.info, e.Fun)
	outside := called != nil && called.Pkg() != nil && !f.owned[called.Pkg()]
	if outside || fun == nil {
		// Calls of one function of the library have nothing in common.
		fun = &flowNode{escapes: outside, foreign: outside}
	}
	sig, ok := coreSignature(f.info.TypeOf(e.Fun))
	if !ok {
		return fun
	}
	for i, arg := range f.arguments(e) {
		if arg == nil {
			continue
		}
		if outside {
			arg.root().escapes = true
			continue
		}
		last := sig.Params().Len() - 1
		switch {
		case sig.Variadic() && i >= last && !e.Ellipsis.IsValid():
			unify(fun.kid(kidParam, last).kid(kidElem, 0), arg)
		default:
			unify(fun.kid(kidParam, i), arg)
		}
	}
	if outside {
		for i := range sig.Results().Len() {
			kid := fun.kid(kidResult, i)
			kid.escapes, kid.foreign = true, true
		}
	}
	return fun
}

// arguments are the nodes of what a call is given.
func (f *channelFlow) arguments(e *ast.CallExpr) []*flowNode {
	if len(e.Args) == 1 {
		inner, ok := ast.Unparen(e.Args[0]).(*ast.CallExpr)
		if tuple, several := f.info.TypeOf(e.Args[0]).(*types.Tuple); ok && several {
			n := f.call(inner)
			var out []*flowNode
			for i := range tuple.Len() {
				out = append(out, n.kid(kidResult, i))
			}
			return out
		}
	}
	out := make([]*flowNode, len(e.Args))
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
