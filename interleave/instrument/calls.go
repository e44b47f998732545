package instrument

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"

	"mendel/internal/rewrite/operations"
)

// more are the methods that take more than one number.
var more = map[operations.Kind]int{operations.GroupGo: 2, operations.CondWait: 2}

// isHooked reports whether there is a hook that calls a function.
func isHooked(op operations.Operation) bool {
	return op.Func != nil && (op.IsLibrary() || op.Kind == operations.Subtest && operations.Type(op.Func) == "T" && op.Call != nil) &&
		op.Of != nil && op.Of.Kind() == types.MethodVal && (op.Named || len(op.Path) == 0)
}

// method replaces x.M(args) by hook(site, &x, args), and x.M by a function that calls it.
func (r *rewriter) method(op operations.Operation) {
	if !isHooked(op) {
		return
	}
	hook, site := r.hook(op)
	sel := selector(op)
	path := r.path(op)
	if op.Call == nil || r.values[op.Call] {
		r.Open(sel.X.Pos(), sel.End(), fmt.Sprintf("%[1]s.%[2]s(%[1]s.%[3]s, %[4]d, %[5]s", r.name, bound(op.Func), hook, site, r.address(op)))
		r.Put(sel.X.End(), sel.End(), path+")")
		return
	}
	if len(op.Call.Args) > 0 {
		path += ", "
	}
	if op.Call.Fun != ast.Expr(sel) {
		r.Put(op.Call.Fun.Pos(), sel.X.Pos(), "") // a parenthesis
	}
	r.Open(sel.X.Pos(), op.Call.End(), r.call(hook, site)+r.address(op))
	r.Put(sel.X.End(), op.Call.Lparen+1, path)
}

// hook is the function that calls a method, and its site.
func (r *rewriter) hook(op operations.Operation) (name string, site int) {
	of := operations.Type(op.Func)
	site = r.site(op.Node, of+"."+op.Func.Name(), op.On)
	for range more[op.Kind] {
		r.site(op.Node, of+"."+op.Func.Name(), op.On)
	}
	if op.Kind == operations.Subtest {
		return "RunTest", site
	}
	return of + op.Func.Name(), site
}

// bound is the hook that makes a function of another hook and its receiver, for a
// method's value.
func bound(fn *types.Func) string {
	switch sig := fn.Signature(); {
	case sig.Params().Len() > 0:
		return "BoundTo"
	case sig.Results().Len() > 0:
		return "BoundFor"
	}
	return "Bound"
}

// selector is what names the method of an operation.
func selector(op operations.Operation) *ast.SelectorExpr {
	e, ok := op.Node.(ast.Expr)
	if op.Call != nil {
		e = op.Call.Fun
	}
	sel, _ := ast.Unparen(e).(*ast.SelectorExpr)
	if !ok || sel == nil {
		panic("instrument: a method that is not selected") // op.Of is a MethodVal
	}
	return sel
}

// path are the embedded fields that lead to the receiver of a method.
func (r *rewriter) path(op operations.Operation) (text string) {
	for _, f := range op.Path {
		text += "." + f.Name()
	}
	return text
}

// address makes a pointer of the receiver of a method.
func (r *rewriter) address(op operations.Operation) string {
	t := op.Of.Recv()
	if n := len(op.Path); n > 0 {
		t = op.Path[n-1].Type()
	}
	if isPointer(t) || types.IsInterface(t) {
		return ""
	}
	return "&"
}

// atomic rewrites the use of a function or method of package sync/atomic, or of a
// sync.Map: what it is done to is told before a call; a deferred or started one, and a
// value, become others that tell it when they are called.
//
//	n.Add(1)                AW(1, &n).Add(1)
//	defer n.Add(1)          defer Number(1, &n).Add(1)
//	atomic.AddInt64(&n, 1)  atomic.AddInt64(AW(1, &n), 1)
//	f := atomic.AddInt64    f := Adding(1, atomic.AddInt64)
func (r *rewriter) atomic(op operations.Operation) {
	if op.Of == nil {
		r.atomicFunction(op)
		return
	}
	if op.Of.Kind() != types.MethodVal || !op.Named && len(op.Path) > 0 {
		return
	}
	sel, hook := selector(op), direct(op)
	if r.isValue(op) {
		hook = wrapper(op.Func)
	}
	site := r.site(op.Node, op.Func.Name(), op.On)
	r.Around(sel.X.Pos(), sel.X.End(), r.call(hook, site)+r.address(op), r.path(op)+")")
}

// isValue reports whether the function of an operation is called later than its receiver is
// evaluated, or not at all.
func (r *rewriter) isValue(op operations.Operation) bool {
	return op.Form != operations.Called || r.values[op.Call]
}

// direct is the hook that tells of an atomic access where it is made.
func direct(op operations.Operation) string {
	if op.Kind == operations.AtomicRead {
		return "AR"
	}
	return "AW"
}

// wrapper is the hook that makes something with the same methods of an atomic variable or
// a sync.Map.
func wrapper(fn *types.Func) string {
	switch of := operations.Type(fn); of {
	case "Map":
		return "Map"
	case "Bool", "Pointer", "Value":
		return "Variable"
	}
	return "Number"
}

// atomicFunction rewrites the use of a function of package sync/atomic.
func (r *rewriter) atomicFunction(op operations.Operation) {
	name := op.Func.Name()
	if !r.isValue(op) {
		a := op.On
		r.Around(a.Pos(), a.End(), r.call(direct(op), r.site(op.Node, "atomic."+name, a)), ")")
		return
	}
	fun, ok := op.Node.(ast.Expr)
	if op.Call != nil {
		fun = op.Call.Fun
	}
	if !ok {
		return
	}
	hook := "Adding" // Add, And, Or, Swap
	for _, known := range []struct{ prefix, hook string }{{"Load", "Loading"}, {"Store", "Storing"}, {"CompareAndSwap", "Comparing"}} {
		if strings.HasPrefix(name, known.prefix) {
			hook = known.hook
		}
	}
	r.Around(fun.Pos(), fun.End(), r.call(hook, r.site(op.Node, "atomic."+name, fun)), ")")
}

// given tells of a function literal when it is given to who runs it in a goroutine.
func (r *rewriter) given(op operations.Operation) {
	sig, ok := r.info.TypeOf(op.On).(*types.Signature)
	if !ok || op.Func.FullName() == "(*sync.WaitGroup).Go" || sig.Params().Len() > 0 {
		return // the hook of WaitGroup.Go tells it
	}
	function := map[int]string{0: "Goes", 1: "GoesFor"}[sig.Results().Len()]
	if function != "" {
		lit := op.Node.(*ast.FuncLit)
		r.Around(lit.Pos(), lit.End(), r.call(function, r.site(lit, "go", lit.Type)), ")")
	}
}
