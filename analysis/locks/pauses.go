package locks

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"mendel/analysis/syntax"
)

// A Pause is what a function does that may take as long as others like: it waits for other
// goroutines, for input or output, or runs code that somebody else has given it.
type Pause struct {
	Key  string // the same in a program and its mutants
	What string // "calls Fleet.onAlarm", "receives from done"
	At   ast.Node
	// Foreign: it runs code that somebody else has given. Given: whoever calls the function
	// gives it that, as an argument.
	Foreign, Given bool
	// Tells: the code that somebody else has given returns nothing, or an error: it is told of
	// something, or does it, and may use what tells it. What returns a value only works it out, as a rule.
	Tells bool
}

// pausesIn lists the pauses of a function's own text, with those of literals that run where
// they stand.
func (m *View) pausesIn(fn *Func) []Pause {
	list, known := m.pauses[fn]
	if known {
		return list
	}
	polled := make(map[ast.Node]bool)
	syntax.Now(fn.Body, func(n ast.Node) {
		if s, ok := n.(*ast.SelectStmt); ok {
			syntax.Polls(s, polled)
			keepSends(s, polled)
		}
		if polled[n] {
			return
		}
		if p, ok := m.pauseOf(fn, n); ok {
			list = append(list, p)
		}
	})
	m.pauses[fn] = list
	return list
}

// keepSends takes the sends of a select that waits out again: whatever other way there is, it
// may wait for the receiver for long.
func keepSends(s *ast.SelectStmt, polled map[ast.Node]bool) {
	if syntax.HasDefault(s) {
		return
	}
	for _, c := range s.Body.List {
		if send, ok := c.(*ast.CommClause).Comm.(*ast.SendStmt); ok {
			delete(polled, send)
		}
	}
}

func (m *View) pauseOf(fn *Func, n ast.Node) (Pause, bool) {
	info := fn.info()
	named := func(verb string, e ast.Expr) (Pause, bool) {
		return Pause{Key: verb + " " + exprKey(info, e), What: verb + " " + types.ExprString(e), At: n}, true
	}
	switch n := n.(type) {
	case *ast.SendStmt:
		return named("sends to", n.Chan)
	case *ast.UnaryExpr:
		if n.Op == token.ARROW {
			return named("receives from", n.X)
		}
	case *ast.RangeStmt:
		if t := info.TypeOf(n.X); t != nil {
			if _, ok := t.Underlying().(*types.Chan); ok {
				return named("receives from", n.X)
			}
		}
	case *ast.CallExpr:
		return m.pauseOfCall(fn, n)
	}
	return Pause{}, false
}

func (m *View) pauseOfCall(fn *Func, call *ast.CallExpr) (Pause, bool) {
	info := fn.info()
	fun := ast.Unparen(call.Fun)
	f := syntax.Callee(info, fun)
	switch {
	case f != nil && f.FullName() == "(*sync.WaitGroup).Wait":
		sel := fun.(*ast.SelectorExpr)
		return Pause{Key: "waits for " + exprKey(info, sel.X), What: "waits for " + types.ExprString(sel.X), At: call}, true
	case f != nil && f.FullName() == "time.Sleep":
		return Pause{Key: "sleeps", What: "sleeps", At: call}, true
	case syntax.MayWait(f, 1) || syntax.Prints(f):
		return Pause{Key: "calls " + f.FullName(), What: "calls " + types.ExprString(fun), At: call}, true
	case f != nil && syntax.InterfaceMethod(f):
		if f.Pkg() == nil || !f.Exported() || // no code of others: what it runs is followed
			!m.ready().own[f.Pkg().Path()] || asks(f.Signature()) {
			return Pause{}, false
		}
		return Pause{Key: "calls " + f.FullName(), What: "calls " + types.ExprString(fun), At: call, Foreign: true, Tells: tells(f.Signature())}, true
	case f != nil:
		return Pause{}, false
	}
	v := syntax.Variable(info, fun)
	if v == nil || !isFunc(v.Type()) || m.isLiteral(fn, v) {
		return Pause{}, false
	}
	if sig := v.Type().Underlying().(*types.Signature); asks(sig) || types.TypeString(v.Type(), nil) == "context.CancelFunc" {
		return Pause{}, false
	}
	key := exprKey(info, fun)
	if !v.IsField() && (v.Pkg() == nil || v.Parent() != v.Pkg().Scope()) && fn.Decl != nil {
		key = strings.Replace(fn.Decl.Name, "(*", "(", 1) + ":" + v.Name()
	}
	given := false
	for in := fn; in != nil; in = in.Up {
		given = given || slices.Contains(in.params, types.Object(v))
	}
	return Pause{Key: "calls " + key, What: "calls " + types.ExprString(fun), At: call, Foreign: true, Given: given, Tells: tells(v.Type().Underlying().(*types.Signature))}, true
}

// asks reports whether a function is given nothing and returns something: a clock, a name.
func asks(sig *types.Signature) bool { return sig.Params().Len() == 0 && sig.Results().Len() > 0 }

// tells reports whether a function returns nothing but perhaps an error.
func tells(sig *types.Signature) bool {
	switch r := sig.Results(); r.Len() {
	case 0:
		return true
	case 1:
		return types.Identical(r.At(0).Type(), types.Universe.Lookup("error").Type())
	}
	return false
}

// isLiteral reports whether a local variable is a function literal of its function.
func (m *View) isLiteral(fn *Func, v *types.Var) bool {
	_, ok := m.localsOf(fn).alias[v].(*ast.FuncLit)
	return ok
}

// pausesOf are the pauses that a function comes to, by their keys: its own and those of
// what it calls by name.
func (m *View) pausesOf(fn *Func) map[string]Pause {
	found, known := m.comesToPause[fn]
	if known {
		return found
	}
	found = make(map[string]Pause)
	for to := range m.running(fn) {
		for _, p := range m.pausesIn(to) {
			found[p.Key] = p
		}
	}
	m.comesToPause[fn] = found
	return found
}

// givesTaking reports whether the program, its tests among it, gives a function that takes a lock
// to what is shipped, and the code of others that a function runs may be it, by its type.
func (m *View) givesTaking(fn *Func, runs Pause, lock string) bool {
	call, ok := runs.At.(*ast.CallExpr)
	if !ok {
		return false
	}
	typeOf := func(in *Func, e ast.Expr) string {
		t := in.info().TypeOf(e)
		if t == nil || !isFunc(t) {
			return ""
		}
		return types.TypeString(t.Underlying(), nil) // tests may have types of their own
	}
	of := typeOf(fn, call.Fun)
	for in, sites := range m.ready().calls {
		for _, s := range sites {
			to := m.calledBy(s)
			if to == nil || to.File.Test || to.File.Package.Path != fn.File.Package.Path {
				continue
			}
			for _, arg := range s.call.Args {
				if of != "" && typeOf(in, arg) == of && slices.ContainsFunc(m.named(in, arg), func(to *Func) bool { return m.comesToTake(to)[lock] }) {
					return true
				}
			}
		}
	}
	return false
}

// running are the functions that a function comes to run by calls that name them, itself
// among them, started ones left out.
func (m *Names) running(fn *Func) map[*Func]bool {
	found := map[*Func]bool{fn: true}
	for work := []*Func{fn}; len(work) > 0; {
		last := work[len(work)-1]
		work = work[:len(work)-1]
		for _, to := range m.callees(last) {
			if !found[to] {
				found[to] = true
				work = append(work, to)
			}
		}
	}
	return found
}

// callees are the functions that a function itself calls by name, and its literals.
func (m *Names) callees(fn *Func) []*Func {
	var list []*Func
	for _, s := range m.callsOf(fn) {
		for _, to := range m.runBy(s) {
			if !slices.Contains(list, to) {
				list = append(list, to)
			}
		}
	}
	for _, lit := range fn.lits {
		if !m.startedAt(lit) {
			list = append(list, lit)
		}
	}
	return list
}

// calledBy is the declared function that a call names; nil if it names none.
func (m *Names) calledBy(s site) *Func {
	f := syntax.Callee(s.in.info(), s.call.Fun)
	if f == nil || syntax.InterfaceMethod(f) {
		return nil
	}
	return m.declared(f.Origin())
}

// runBy are the functions of the module that a call runs: the one that it names or, of a
// method of an interface that only its package can implement, all that implement it.
func (m *Names) runBy(s site) []*Func {
	if f := syntax.Callee(s.in.info(), s.call.Fun); f == nil || syntax.InterfaceMethod(f) && f.Exported() {
		return nil
	}
	return m.targets(s.in, s)
}

// A heldPause is a pause that a goroutine may make with a lock held.
type heldPause struct {
	lock string // key
	Pause
	in *Func
}

// pausesHeld lists the pauses that the program's functions make with a lock held that they
// have taken themselves, or where what they call pauses, those of tests left out.
func (m *View) pausesHeld() []heldPause {
	return m.pausesWhere(func(fn *Func, f *flow) func(ast.Node) bool {
		return func(at ast.Node) bool {
			_, some := f.at(m.nodeOf(fn, at))
			return some
		}
	})
}

// pausesAround lists the pauses for which the program's functions let a lock go: they release
// it before, in the order of the text, and take it again.
func (m *View) pausesAround() []heldPause {
	return m.pausesWhere(func(fn *Func, f *flow) func(ast.Node) bool {
		var released, taken []token.Pos
		for _, c := range m.callsOf(fn) {
			op, ok := lockMethod(fn.info(), c.call.Fun)
			if !ok || m.deferred(c) || m.lockOf(fn, op).Path != f.lock.Path {
				continue
			}
			if strings.HasSuffix(op.method, "Unlock") {
				released = append(released, c.call.Pos())
			} else {
				taken = append(taken, c.call.Pos())
			}
		}
		return func(at ast.Node) bool {
			_, some := f.at(m.nodeOf(fn, at))
			return !some &&
				slices.ContainsFunc(released, func(p token.Pos) bool { return p < at.Pos() }) &&
				slices.ContainsFunc(taken, func(p token.Pos) bool { return p > at.Pos() })
		}
	})
}

// pausesWhere lists the pauses of the program's functions at the places that are chosen for
// a lock of theirs, those of tests left out.
func (m *View) pausesWhere(choose func(*Func, *flow) func(ast.Node) bool) []heldPause {
	var list []heldPause
	for _, fn := range m.shipped() {
		for _, f := range m.flowsOf(fn) {
			if m.ofCopy(fn, f.lock.Path) {
				continue // the lock of a copy keeps nobody out
			}
			m.pausesAt(fn, choose(fn, f), func(p Pause) { list = append(list, heldPause{f.lock.Key, p, fn}) })
		}
	}
	return list
}

// pausesAt yields what a function does at the places that are chosen.
func (m *View) pausesAt(fn *Func, chosen func(ast.Node) bool, yield func(Pause)) {
	at := func(n ast.Node) bool { return m.nodeOf(fn, n) != nil && chosen(n) }
	for _, p := range m.pausesIn(fn) {
		if at(p.At) {
			yield(p)
		}
	}
	for _, s := range m.callsOf(fn) {
		if m.deferred(s) || !at(s.call) {
			continue
		}
		for _, to := range m.runBy(s) {
			if to == fn {
				continue
			}
			inside := m.pausesOf(to)
			for _, key := range slices.Sorted(maps.Keys(inside)) {
				p := inside[key]
				p.At = s.call
				yield(p)
			}
		}
	}
}

// allPauses are the pauses of the program, by key.
func (m *View) allPauses() map[string]bool {
	found := make(map[string]bool)
	for _, fn := range m.shipped() {
		for _, p := range m.pausesIn(fn) {
			found[p.Key] = true
		}
	}
	return found
}

// keys are those of the locks that the program's functions take or release.
func (m *Program) keys() map[string]bool {
	found := make(map[string]bool)
	for _, keys := range m.ready().keys {
		for _, key := range keys {
			found[key] = true
		}
	}
	return found
}

// enders are the functions that end a pause with a key: that send, receive or close, or
// count a group down; and the goroutines' literals that come to one of these.
func (m *View) enders(key string) []*Func {
	verb, of, _ := strings.Cut(key, " ")
	if of == "" {
		return nil
	}
	_, of, _ = strings.Cut(of, " ") // sends to, receives from, waits for
	var direct []*Func
	for _, fn := range m.shipped() {
		if m.ends(fn, verb, of) {
			direct = append(direct, fn)
		}
	}
	list := slices.Clone(direct)
	for lit := range m.ready().started {
		fn := m.Of(lit)
		if fn == nil || slices.Contains(list, fn) {
			continue
		}
		running := m.running(fn)
		if slices.ContainsFunc(direct, func(to *Func) bool { return running[to] }) {
			list = append(list, fn)
		}
	}
	return list
}

// givenOut reports whether a channel is returned by a function, or is a field that users of the
// package can name: they receive from it.
func (m *View) givenOut(ch string) bool {
	_, name := cutKey(ch)
	return token.IsExported(name) || slices.ContainsFunc(m.shipped(), func(fn *Func) bool {
		given := false
		eachReturn(fn.Body, func(ret *ast.ReturnStmt) {
			given = given || slices.ContainsFunc(ret.Results, func(e ast.Expr) bool { return exprKey(fn.info(), e) == ch })
		})
		return given
	})
}

// ends reports whether a function's own text ends a pause: the sending, receiving or waiting
// for what has a key.
func (m *View) ends(fn *Func, verb, of string) bool {
	info := fn.info()
	found := false
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.SendStmt:
			found = found || verb == "receives" && exprKey(info, n.Chan) == of
		case *ast.UnaryExpr:
			found = found || verb == "sends" && n.Op == token.ARROW && exprKey(info, n.X) == of
		case *ast.RangeStmt:
			found = found || verb == "sends" && exprKey(info, n.X) == of
		case *ast.CallExpr:
			if syntax.Builtin(info, n) == "close" && len(n.Args) == 1 {
				found = found || verb == "receives" && exprKey(info, n.Args[0]) == of
			}
			sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr)
			if ok && verb == "waits" && (sel.Sel.Name == "Done" || sel.Sel.Name == "Go") {
				found = found || exprKey(info, sel.X) == of
			}
		}
		return !found
	})
	return found
}
