package instrument

import (
	"go/ast"
	"go/types"
	"strings"
)

// A method is one that is replaced by a hook which calls it.
type method struct {
	hook  string
	sites int // it takes so many numbers
}

// methods are those of package sync.
var methods = map[string]method{
	"(*sync.Mutex).Lock":       {"MutexLock", 1},
	"(*sync.Mutex).Unlock":     {"MutexUnlock", 1},
	"(*sync.Mutex).TryLock":    {"MutexTryLock", 1},
	"(*sync.RWMutex).Lock":     {"RWMutexLock", 1},
	"(*sync.RWMutex).Unlock":   {"RWMutexUnlock", 1},
	"(*sync.RWMutex).RLock":    {"RWMutexRLock", 1},
	"(*sync.RWMutex).RUnlock":  {"RWMutexRUnlock", 1},
	"(*sync.RWMutex).TryLock":  {"RWMutexTryLock", 1},
	"(*sync.RWMutex).TryRLock": {"RWMutexTryRLock", 1},
	"(sync.Locker).Lock":       {"LockerLock", 1},
	"(sync.Locker).Unlock":     {"LockerUnlock", 1},
	"(*sync.WaitGroup).Add":    {"WaitGroupAdd", 1},
	"(*sync.WaitGroup).Done":   {"WaitGroupDone", 1},
	"(*sync.WaitGroup).Wait":   {"WaitGroupWait", 1},
	"(*sync.WaitGroup).Go":     {"WaitGroupGo", 3},
	"(*sync.Cond).Wait":        {"CondWait", 3},
	"(*sync.Cond).Signal":      {"CondSignal", 1},
	"(*sync.Cond).Broadcast":   {"CondBroadcast", 1},
	"(*sync.Once).Do":          {"OnceDo", 1},
	"(*testing.T).Run":         {"RunTest", 1},
}

// calls rewrites a call.
func (r *rewriter) calls(c *ast.CallExpr) {
	if tv := r.info.Types[c.Fun]; tv.IsBuiltin() {
		r.builtin(c)
		return
	}
	fun, _ := ast.Unparen(c.Fun).(*ast.SelectorExpr)
	if fun == nil {
		r.walk(c.Fun)
		all(r, c.Args)
		return
	}
	fn, _ := r.info.Uses[fun.Sel].(*types.Func)
	if fn == nil {
		r.walk(c.Fun)
		all(r, c.Args)
		return
	}
	fn = fn.Origin()
	name := fn.FullName()
	sel := r.info.Selections[fun]
	if m, ok := methods[name]; ok && sel != nil && sel.Kind() == types.MethodVal {
		r.method(c, fun, sel, m)
		return
	}
	switch {
	case fn.Pkg() != nil && fn.Pkg().Path() == "sync/atomic" && sel == nil && !r.later[c] && len(c.Args) > 0:
		r.Around(c.Args[0].Pos(), c.Args[0].End(), r.call(atomicHook(fn.Name()), r.site(c, "atomic."+fn.Name(), c.Args[0])), ")")
		r.walk(c.Args[0])
		all(r, c.Args[1:])
		return
	case sel != nil && !r.later[c] && (strings.HasPrefix(name, "(*sync/atomic.") || strings.HasPrefix(name, "(*sync.Map).")):
		site := r.site(c, strings.TrimPrefix(fn.Name(), "*"), fun.X)
		r.receiver(fun, sel, r.call(atomicHook(fn.Name()), site), ")")
	default:
		r.selected(fun, sel)
	}
	for _, a := range c.Args {
		r.argument(fn.Name(), a)
	}
}

// atomicHook tells reads from what may write.
func atomicHook(function string) string {
	if strings.HasPrefix(function, "Load") || function == "Range" {
		return "AR"
	}
	return "AW"
}

// selected rewrites what a function or method is selected from.
func (r *rewriter) selected(fun *ast.SelectorExpr, sel *types.Selection) {
	if sel == nil {
		return // of another package
	}
	if sig, ok := sel.Obj().Type().(*types.Signature); ok && sig.Recv() != nil && isPointer(sig.Recv().Type()) || len(sel.Index()) > 1 {
		r.base(fun.X) // by its address
		return
	}
	r.walk(fun.X)
}

// method replaces x.M(args) by hook(site, &x, args).
func (r *rewriter) method(c *ast.CallExpr, fun *ast.SelectorExpr, sel *types.Selection, m method) {
	recv := sel.Obj().(*types.Func).Signature().Recv().Type()
	what := strings.TrimPrefix(types.TypeString(recv, func(*types.Package) string { return "" }), "*") + "." + fun.Sel.Name
	site := r.site(c, what, fun.X)
	for range m.sites - 1 {
		r.site(c, what, fun.X)
	}
	separator := ""
	if len(c.Args) > 0 {
		separator = ", "
	}
	path := r.receiver(fun, sel, r.call(m.hook, site), "")
	r.Put(fun.X.End(), c.Lparen+1, path+separator)
	all(r, c.Args)
}

// receiver puts text before the receiver of a method and, unless it is empty,
// closing after it: the receiver becomes a pointer, with the embedded fields that
// lead to the method's own. It returns those, if closing is empty.
func (r *rewriter) receiver(fun *ast.SelectorExpr, sel *types.Selection, text, closing string) string {
	path, t := "", sel.Recv()
	for _, i := range sel.Index()[:len(sel.Index())-1] {
		s, ok := under(t).(*types.Struct)
		if !ok {
			break
		}
		path += "." + s.Field(i).Name()
		t = s.Field(i).Type()
	}
	_, isInterface := t.Underlying().(*types.Interface)
	address := "&"
	if isPointer(t) || isInterface {
		address = ""
	}
	r.Open(fun.X.Pos(), fun.End(), text+address)
	if path == "" && address == "" {
		r.walk(fun.X)
	} else {
		r.base(fun.X)
	}
	if closing != "" {
		r.Close(fun.X.Pos(), fun.X.End(), path+closing)
		if path != "" {
			return ""
		}
	}
	return path
}

// builtin rewrites the call of a builtin function.
func (r *rewriter) builtin(c *ast.CallExpr) {
	id, ok := ast.Unparen(c.Fun).(*ast.Ident)
	if !ok || len(c.Args) == 0 {
		all(r, c.Args)
		return
	}
	switch id.Name {
	case "close":
		r.Put(c.Fun.Pos(), c.Lparen+1, r.call("CloseOf", r.site(c, "close", c.Args[0])))
		r.walk(c.Args[0])
	case "delete", "clear":
		if isMap(r.info.TypeOf(c.Args[0])) {
			r.around(c.Args[0], "MapW", "write")
		} else {
			r.walk(c.Args[0])
		}
		all(r, c.Args[1:])
	case "new", "make":
		all(r, c.Args[1:])
	default:
		all(r, c.Args)
	}
}

// argument rewrites an argument of a call. A function literal given to one of the
// functions that start goroutines is told when it is given.
func (r *rewriter) argument(callee string, a ast.Expr) {
	lit, ok := a.(*ast.FuncLit)
	if !ok || callee != "Go" && callee != "Run" && callee != "AfterFunc" && callee != "TryGo" {
		r.walk(a)
		return
	}
	sig, ok := r.info.TypeOf(lit).(*types.Signature)
	function := ""
	switch {
	case !ok:
	case sig.Params().Len() == 0 && sig.Results().Len() == 0:
		function = "Goes"
	case sig.Params().Len() == 0 && sig.Results().Len() == 1:
		function = "GoesFor"
	}
	if function == "" {
		r.walk(a)
		return
	}
	r.Around(a.Pos(), a.End(), r.call(function, r.site(a, "go", lit.Type)), ")")
	r.walk(a)
}
