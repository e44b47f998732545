package atomicrmw

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/dave/dst"

	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/starts"
	"mendel/mutate/fact/typetext"
	"mendel/mutate/internal/tree"
)

// A keeping is a Store into a sync.Map of what a Load has not found there: another goroutine may
// have stored something meanwhile, which is lost then.
type keeping struct {
	asks  *ast.IfStmt
	store ast.Stmt
	then  *ast.ReturnStmt // the return behind the store that becomes another one; nil: none does
	now   string          // what takes the place of the store, and of then

	load, put *ast.CallExpr
	found     *types.Var // what Load has found; nil: nobody asks
	repeats   bool       // the body of the if follows now
	once      bool       // and the if goes
	values    string     // the names that the results of Load have in code
	block     []ast.Stmt // the list of the store
	at        int        // its place there
}

// mapCall is a call of a method of a sync.Map that has a name; nil: it is another one.
func mapCall(fn *mutate.Function, e ast.Expr, method string, args int) *ast.CallExpr {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok || len(call.Args) != args {
		return nil
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != method || fn.Path(sel.X).Root == nil {
		return nil
	}
	f := syntax.Callee(fn.File.Package.Info, call.Fun)
	if f == nil || f.Pkg() == nil || f.Pkg().Path() != "sync" || typeName(f) != "Map" {
		return nil
	}
	return call
}

// mapOf is the map that a call of a method is for, as it is written.
func mapOf(call *ast.CallExpr) string {
	return types.ExprString(ast.Unparen(call.Fun).(*ast.SelectorExpr).X)
}

// keepingAt is the keeping whose question a statement is: an if that asks what Load has found.
func keepingAt(fn *mutate.Function, st mutate.Statement) (k keeping, ok bool) {
	s, ok := st.Stmt.(*ast.IfStmt)
	if !ok {
		return k, false
	}
	k.asks = s
	known, ok := k.question(fn, st)
	if !ok {
		return k, false
	}
	k.block, k.at = st.List, st.Index+1
	if !known {
		k.block, k.at = s.Body.List, 0
	} else if !leaves(s.Body) || s.Else != nil {
		return k, false
	}
	made := k.at
	if !k.findStore(fn) || fn.Fresh(ast.Unparen(k.put.Fun).(*ast.SelectorExpr).X) {
		return k, false
	}
	if reason := k.hindrance(fn, k.block[made:k.at]); reason != "" {
		fn.Decline(k.store, "%s", reason)
		return k, false
	}
	if !k.rewrite(fn, known) {
		fn.Decline(k.store, "what was found instead could not be used for what is stored")
		return k, false
	}
	return k, true
}

// question reads the load and the condition; known says that the body runs if there is a value.
func (k *keeping) question(fn *mutate.Function, st mutate.Statement) (known, ok bool) {
	info := fn.File.Package.Info
	init := k.asks.Init
	if init == nil && st.Index > 0 {
		init = st.List[st.Index-1]
	}
	d, ok := init.(*ast.AssignStmt)
	if !ok || d.Tok != token.DEFINE || len(d.Lhs) != 2 || len(d.Rhs) != 1 {
		return false, false
	}
	if k.load = mapCall(fn, d.Rhs[0], "Load", 1); k.load == nil || !syntax.Effectless(info, k.load.Args[0]) {
		return false, false
	}
	v, isName := d.Lhs[0].(*ast.Ident)
	has, _ := d.Lhs[1].(*ast.Ident)
	if !isName || has == nil || info.Defs[has] == nil {
		return false, false
	}
	if v.Name != "_" {
		k.found, _ = info.ObjectOf(v).(*types.Var)
	}
	k.values = v.Name + ", " + has.Name
	cond := ast.Unparen(k.asks.Cond)
	known = true
	if not, ok := cond.(*ast.UnaryExpr); ok && not.Op == token.NOT {
		cond, known = not.X, false
	}
	return known, syntax.Is(info, cond, info.Defs[has])
}

// findStore finds the store into the map behind the question, of the same key.
func (k *keeping) findStore(fn *mutate.Function) bool {
	for i := k.at; i < len(k.block); i++ {
		e, ok := k.block[i].(*ast.ExprStmt)
		if !ok {
			continue
		}
		put := mapCall(fn, e.X, "Store", 2)
		if put == nil || mapOf(put) != mapOf(k.load) {
			continue
		}
		if types.ExprString(put.Args[0]) != types.ExprString(k.load.Args[0]) {
			return false
		}
		k.put, k.store, k.at = put, e, i
		return true
	}
	return false
}

// hindrance is why what was made cannot be thrown away, or another be meant by the key; "": it can.
func (k *keeping) hindrance(fn *mutate.Function, making []ast.Stmt) string {
	info := fn.File.Package.Info
	if fn.Reassigns(types.ExprString(k.load.Args[0]), making...) || fn.Reassigns(mapOf(k.load), making...) {
		return "the key or the map is another one when it is stored"
	}
	for _, method := range []string{"Close", "Stop", "Shutdown"} {
		if m, _, _ := types.LookupFieldOrMethod(info.TypeOf(k.put.Args[1]), true, fn.File.Package.Types, method); m != nil {
			if _, is := m.(*types.Func); is {
				return "what is made has a method " + method + ": one too many would have to be ended"
			}
		}
	}
	for _, s := range append(making[:len(making):len(making)], k.store) {
		if what := k.lasting(fn, s); what != "" {
			return "what is made before it is stored " + what
		}
	}
	return ""
}

// lasting is what a statement does that must be undone if its outcome is not wanted; "": nothing.
func (k *keeping) lasting(fn *mutate.Function, s ast.Stmt) (what string) {
	info := fn.File.Package.Info
	say := func(text string) {
		if what == "" {
			what = text
		}
	}
	syntax.WalkOwn(s, func(n ast.Node, _ []ast.Node) {
		switch n := n.(type) {
		case *ast.GoStmt:
			say("starts a goroutine")
		case *ast.DeferStmt:
			say("defers a call")
		case *ast.SendStmt:
			say("is sent")
		case *ast.CallExpr:
			k.lastingCall(fn, n, say)
		case ast.Stmt:
			for _, to := range syntax.Assigned(n) {
				id, name := ast.Unparen(to).(*ast.Ident)
				if name && id.Name != "_" && syntax.PackageLevel(info.ObjectOf(id)) || !name && !k.own(fn, to) {
					say("changes something else")
				}
			}
		}
	})
	return what
}

// lastingCall says what a call does that must be undone.
func (k *keeping) lastingCall(fn *mutate.Function, call *ast.CallExpr, say func(string)) {
	f := syntax.Callee(fn.File.Package.Info, call.Fun)
	if f == nil || call == k.put {
		return
	}
	if to := fn.Declared(f); to != nil && len(starts.Of(to)) > 0 {
		say("starts a goroutine")
	}
	if f.Pkg() == nil || f.Signature().Recv() == nil {
		for _, verb := range []string{"Open", "Dial", "Listen", "Register", "Start"} {
			if strings.HasPrefix(f.Name(), verb) || strings.HasPrefix(f.Name(), syntax.Uncapital(verb)) {
				say("is opened or registered by " + f.Name())
			}
		}
		return
	}
	path := f.Pkg().Path()
	if (path == "sync/atomic" || path == "sync") && f.Name() != "Load" {
		if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && !k.own(fn, sel.X) {
			say("changes something else")
		}
	}
}

// own reports whether something belongs to what is made to be stored.
func (k *keeping) own(fn *mutate.Function, e ast.Expr) bool {
	info := fn.File.Package.Info
	v := syntax.Variable(info, k.put.Args[1])
	return fn.Fresh(e) || v != nil && v.Pos() > k.asks.Pos() && v.Pos() < k.store.Pos() && fn.Base(e).Root == v
}

// rewrite writes what takes the place of the store.
func (k *keeping) rewrite(fn *mutate.Function, known bool) bool {
	info := fn.File.Package.Info
	args := "LoadOrStore(" + types.ExprString(k.put.Args[0]) + ", " + types.ExprString(k.put.Args[1]) + ")"
	call := mapOf(k.put) + "." + args
	v := syntax.Variable(info, k.put.Args[1])
	if v != nil && v == k.found && types.IsInterface(v.Type()) {
		k.now = v.Name() + ", _ = " + call
		return true
	}
	usesFound := k.found != nil && syntax.Names(info, k.asks.Body, k.found)
	switch {
	case known && !usesFound:
		return k.again(fn, call)
	case v != nil && k.returned(fn, v, call):
		return true
	case v == nil || !k.usedBehind(fn, v):
		if !known {
			k.now = call
			return true
		}
		return k.again(fn, call)
	case known && len(k.asks.Body.List) <= 3 && k.again(fn, call):
		return true
	}
	return k.taken(fn, v, call)
}

// again does what is done with a value that was found where one is found instead of storing.
func (k *keeping) again(fn *mutate.Function, call string) bool {
	info := fn.File.Package.Info
	if syntax.Any(k.asks.Body, func(n ast.Node) bool { _, ok := n.(*ast.LabeledStmt); return ok }) {
		return false
	}
	k.repeats = true
	v, has, _ := strings.Cut(k.values, ", ")
	if id, ok := ast.Unparen(k.asks.Cond).(*ast.Ident); ok && !syntax.Names(info, k.asks.Body, info.Uses[id]) && k.free(fn, "loaded", k.asks) != "" {
		has = "loaded"
	}
	if k.found != nil && !syntax.Names(info, k.asks.Body, k.found) {
		v = "_"
	}
	k.once = k.asks.Init != nil && k.block[k.at-1] == ast.Stmt(k.asks) && syntax.Effectless(info, k.put.Args[1])
	k.now = "if " + v + ", " + has + " := " + call + "; " + has + " {\n}"
	return true
}

// returned rewrites a store before a return of what is stored, and that return.
func (k *keeping) returned(fn *mutate.Function, v *types.Var, call string) bool {
	info := fn.File.Package.Info
	if k.at+1 >= len(k.block) {
		return false
	}
	ret, ok := k.block[k.at+1].(*ast.ReturnStmt)
	got := k.free(fn, "got", k.store)
	if !ok || got == "" {
		return false
	}
	text, ok := k.asserted(fn, v, got)
	if !ok {
		return false
	}
	returned := false
	results := make([]string, len(ret.Results))
	for i, r := range ret.Results {
		results[i] = types.ExprString(r)
		if syntax.Is(info, r, v) {
			results[i], returned = text, true
		} else if syntax.Names(info, r, v) {
			return false
		}
	}
	if !returned {
		return false
	}
	k.then = ret
	k.now = got + ", _ := " + call + "\nreturn " + strings.Join(results, ", ")
	return true
}

// taken takes what was stored first for what was made.
func (k *keeping) taken(fn *mutate.Function, v *types.Var, call string) bool {
	got, loaded := k.free(fn, "got", k.store), k.free(fn, "loaded", k.store)
	if got == "" || loaded == "" || syntax.PackageLevel(v) || shared(fn, v) {
		return false
	}
	for _, s := range k.block[k.at+1:] {
		if k.lasting(fn, s) != "" {
			return false
		}
	}
	text, ok := k.asserted(fn, v, got)
	k.now = "if " + got + ", " + loaded + " := " + call + "; " + loaded + " {\n" + v.Name() + " = " + text + "\n}"
	return ok
}

// asserted is what was got as a value of the variable's type.
func (k *keeping) asserted(fn *mutate.Function, v *types.Var, got string) (text string, ok bool) {
	if i, is := v.Type().Underlying().(*types.Interface); is && i.Empty() {
		return got, true
	}
	typ, ok := typetext.Of(fn, v.Type(), k.store.Pos())
	return got + ".(" + typ + ")", ok
}

// shared reports whether a local variable is captured, or its address taken.
func shared(fn *mutate.Function, v *types.Var) bool {
	info := fn.File.Package.Info
	return syntax.Any(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return syntax.Has(info, v, n.Body)
		case *ast.UnaryExpr:
			return n.Op == token.AND && syntax.Is(info, n.X, v)
		}
		return false
	})
}

// usedBehind reports whether the function names a variable behind the store, or the store is in a loop.
func (k *keeping) usedBehind(fn *mutate.Function, v *types.Var) bool {
	info := fn.File.Package.Info
	outside := v.Pos() < fn.Body.Pos() || v.Pos() > fn.Body.End()
	return fn.Loops(k.store) && outside || syntax.Any(fn.Body, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		return ok && id.Pos() > k.store.End() && info.Uses[id] == v
	})
}

// free is a name if nothing at a place has it; else "".
func (k *keeping) free(fn *mutate.Function, name string, at ast.Node) string {
	inner := fn.File.Package.Types.Scope().Innermost(at.Pos())
	if inner == nil {
		return ""
	}
	if _, found := inner.LookupParent(name, token.NoPos); found != nil {
		return ""
	}
	return name
}

// applyKeeping puts LoadOrStore in the place of a Store.
func applyKeeping(m *mutate.Mutation, e mutate.Edit) error {
	fn := m.Function(e.File, e.Node)
	asks, _ := m.Syntax(e.File, e.Other).(*ast.IfStmt)
	k, ok := keepingAt(fn, mutate.Innermost(fn.Statements(), asks))
	if !ok {
		return mutate.Refuse(e, "there is nothing to be made one step")
	}
	stmts, err := tree.Snippet("// " + e.Note + "\n" + k.now)
	if err != nil {
		return err
	}
	store := m.StmtOf(e.File, k.store)
	if k.repeats {
		s, ok := m.StmtOf(e.File, asks).(*dst.IfStmt)
		if !ok {
			return mutate.Refuse(e, "another edit removed the question")
		}
		stmts[0].(*dst.IfStmt).Body = dst.Clone(s.Body).(*dst.BlockStmt)
		if k.once {
			if err := m.Remove(e.File, s); err != nil {
				return err
			}
		}
	}
	if err := m.Insert(e.File, store, false, stmts...); err != nil {
		return err
	}
	if k.then != nil {
		if err := m.Remove(e.File, m.StmtOf(e.File, k.then)); err != nil {
			return err
		}
	}
	return m.Remove(e.File, store)
}
