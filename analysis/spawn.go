package analysis

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A callMode says how code outside of the module runs a function it is given.
type callMode int

const (
	calls   callMode = iota // in the goroutine of the call, as sort.Slice does
	spawns                  // in another goroutine, once for each call
	servers                 // in several other goroutines at once
)

// callModeOf finds it for a function or method by its full name.
func callModeOf(fn *types.Func) callMode {
	if fn == nil || fn.Pkg() == nil {
		return calls
	}
	switch path, name := fn.Pkg().Path(), fn.Name(); {
	case path == "testing" && name == "RunParallel":
		return servers
	case path == "net/http" || path == "net/http/httptest" || path == "net/rpc":
		switch name {
		case "Handle", "HandleFunc", "Serve", "ServeTLS", "ListenAndServe", "ListenAndServeTLS",
			"NewServer", "NewTLSServer", "NewUnstartedServer", "Register", "RegisterName":
			return servers
		}
	case name == "AfterFunc" || name == "SetFinalizer" || name == "AddCleanup":
		return spawns
	case name == "Go" || name == "TryGo":
		// sync.WaitGroup, errgroup.Group and what people build in their likeness.
		return spawns
	}
	return calls
}

// foreign adds edges to the module's functions that a call hands to code
// outside of the module.
func (b *graphBuilder) foreign(from *function, site ssa.CallInstruction) {
	call := site.Common()
	var fn *types.Func
	switch {
	case call.IsInvoke():
		if b.p.owns(call.Method) {
			return
		}
		fn = call.Method
	case call.StaticCallee() != nil:
		callee := call.StaticCallee()
		if b.source(callee) != nil || callee.Object() == nil || b.p.owns(callee.Object()) {
			return
		}
		fn, _ = callee.Object().(*types.Func)
	}
	if fn == nil {
		return
	}
	how := callModeOf(fn)
	_, started := site.(*ssa.Go)
	for i, arg := range call.Args {
		if i == 0 && fn.Signature().Recv() != nil && !call.IsInvoke() {
			continue // the receiver
		}
		b.handed(arg, func(to *function) {
			e := edge{from: from, to: to, pos: sitePos(site), start: startPos(site), spawn: how != calls || started, many: how == servers}
			if fn.Pkg().Path() == "testing" && fn.Name() == "Run" {
				e.spawn = e.spawn || to.parallel()
				e.subtest = !e.spawn
			}
			b.add(e)
		})
	}
}

// handler adds edges to what becomes the Handler of an http.Server.
func (b *graphBuilder) handler(from *function, store *ssa.Store) {
	addr, ok := store.Addr.(*ssa.FieldAddr)
	if !ok {
		return
	}
	n := namedOf(addr.X.Type())
	if n == nil || n.Obj().Pkg() == nil || n.Obj().Pkg().Path() != "net/http" || n.Obj().Name() != "Server" {
		return
	}
	b.handed(store.Val, func(to *function) {
		b.add(edge{from: from, to: to, pos: store.Pos(), start: store.Pos(), spawn: true, many: true})
	})
}

// handed visits the module's functions that code outside of the module may
// call when it is given a value: functions, and methods of what an interface holds.
func (b *graphBuilder) handed(v ssa.Value, visit func(*function)) {
	seen := map[ssa.Value]bool{}
	var follow func(ssa.Value)
	follow = func(v ssa.Value) {
		if seen[v] {
			return
		}
		seen[v] = true
		switch v := v.(type) {
		case *ssa.Function:
			b.reached(v, visit)
		case *ssa.MakeClosure:
			b.reached(v.Fn.(*ssa.Function), visit)
		case *ssa.ChangeType:
			follow(v.X)
		case *ssa.ChangeInterface:
			follow(v.X)
		case *ssa.Phi:
			for _, e := range v.Edges {
				follow(e)
			}
		case *ssa.MakeInterface:
			if _, isFunc := v.X.Type().Underlying().(*types.Signature); isFunc {
				follow(v.X)
				return
			}
			b.methods(v.X.Type(), v.Type(), visit)
		case *ssa.Const:
		default:
			b.bySignature(v.Type(), visit)
		}
	}
	follow(v)
}

// wellKnown are methods that code outside of the module looks for in values of any type.
var wellKnown = []string{
	"String", "GoString", "Format", "Error", "Unwrap", "Is", "As", "LogValue",
	"MarshalJSON", "UnmarshalJSON", "MarshalText", "UnmarshalText", "MarshalBinary", "UnmarshalBinary",
	"Close", "Read", "Write", "Scan", "Value",
}

// methods visits the methods that can be called on a value of type t once it
// is known as an interface.
func (b *graphBuilder) methods(t, as types.Type, visit func(*function)) {
	if n := namedOf(t); n == nil || !b.p.owns(n.Obj()) {
		return
	}
	iface, ok := as.Underlying().(*types.Interface)
	if !ok {
		return
	}
	set := b.prog.MethodSets.MethodSet(t)
	for sel := range set.Methods() {
		name := sel.Obj().Name()
		wanted := slices.Contains(wellKnown, name)
		for m := range iface.Methods() {
			wanted = wanted || m.Name() == name
		}
		if m, _ := sel.Obj().(*types.Func); !wanted || m == nil || m.Signature().TypeParams().Len() > 0 {
			continue
		}
		if fn := b.prog.MethodValue(sel); fn != nil {
			b.reached(fn, visit)
		}
	}
}

// bySignature visits what a function value that cannot be followed may be:
// the functions of its type that are used as values anywhere.
func (b *graphBuilder) bySignature(t types.Type, visit func(*function)) {
	sig, ok := t.Underlying().(*types.Signature)
	if !ok {
		return
	}
	for _, fn := range b.taken {
		if types.Identical(fn.Signature, sig) {
			b.reached(fn, visit)
		}
	}
}

// parallel reports whether a test function calls t.Parallel itself.
func (fn *function) parallel() bool {
	if fn.body == nil || !fn.file.Test {
		return false
	}
	found := false
	ast.Inspect(fn.body, func(n ast.Node) bool {
		if _, isLit := n.(*ast.FuncLit); isLit {
			return false
		}
		if call, ok := n.(*ast.CallExpr); ok {
			callee, _ := calledObject(fn.file.Package.Info, call).(*types.Func)
			found = found || callee != nil && callee.FullName() == "(*testing.T).Parallel"
		}
		return !found
	})
	return found
}
