package waits

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"mendel/analysis/locks"
	"mendel/analysis/locks/order"
	"mendel/analysis/locks/owned"
	"mendel/analysis/locks/program"
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

// PausesIn lists the pauses of a function's own text, with those of literals that run where
// they stand.
func PausesIn(m *locks.View, fn *program.Func) []Pause {
	list, known := tables.Of(m).pauses[fn]
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
		if p, ok := PauseOf(m, fn, n); ok {
			list = append(list, p)
		}
	})
	tables.Of(m).pauses[fn] = list
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

// PauseOf is the pause that a node makes by itself; the second result says whether it does.
func PauseOf(m *locks.View, fn *program.Func, n ast.Node) (Pause, bool) {
	info := fn.Info()
	named := func(verb string, e ast.Expr) (Pause, bool) {
		return Pause{Key: verb + " " + program.ExprKey(info, e), What: verb + " " + types.ExprString(e), At: n}, true
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
		return pauseOfCall(m, fn, n)
	}
	return Pause{}, false
}

func pauseOfCall(m *locks.View, fn *program.Func, call *ast.CallExpr) (Pause, bool) {
	info := fn.Info()
	fun := ast.Unparen(call.Fun)
	f := syntax.Callee(info, fun)
	switch {
	case f != nil && f.FullName() == "(*sync.WaitGroup).Wait":
		sel := fun.(*ast.SelectorExpr)
		return Pause{Key: "waits for " + program.ExprKey(info, sel.X), What: "waits for " + types.ExprString(sel.X), At: call}, true
	case f != nil && f.FullName() == "time.Sleep":
		return Pause{Key: "sleeps", What: "sleeps", At: call}, true
	case syntax.MayWait(f, 1) || syntax.Prints(f):
		return Pause{Key: "calls " + f.FullName(), What: "calls " + types.ExprString(fun), At: call}, true
	case f != nil && syntax.InterfaceMethod(f):
		if f.Pkg() == nil || !f.Exported() || // no code of others: what it runs is followed
			!m.Index().Own[f.Pkg().Path()] || asks(f.Signature()) {
			return Pause{}, false
		}
		return Pause{Key: "calls " + f.FullName(), What: "calls " + types.ExprString(fun), At: call, Foreign: true, Tells: tells(f.Signature())}, true
	case f != nil:
		return Pause{}, false
	}
	v := syntax.Variable(info, fun)
	if v == nil || !program.IsFunc(v.Type()) || isLiteral(m, fn, v) {
		return Pause{}, false
	}
	if sig := v.Type().Underlying().(*types.Signature); asks(sig) || types.TypeString(v.Type(), nil) == "context.CancelFunc" {
		return Pause{}, false
	}
	key := program.ExprKey(info, fun)
	if !v.IsField() && (v.Pkg() == nil || v.Parent() != v.Pkg().Scope()) && fn.Decl != nil {
		key = strings.Replace(fn.Decl.Name, "(*", "(", 1) + ":" + v.Name()
	}
	given := false
	for in := fn; in != nil; in = in.Up {
		given = given || slices.Contains(in.Params, types.Object(v))
	}
	return Pause{Key: "calls " + key, What: "calls " + types.ExprString(fun), At: call, Foreign: true, Given: given, Tells: tells(v.Type().Underlying().(*types.Signature))}, true
}

// asks reports whether a function is given nothing and returns something: a clock, a name. One that returns an error
// alone has done something.
func asks(sig *types.Signature) bool {
	return sig.Params().Len() == 0 && sig.Results().Len() > 0 && !tells(sig)
}

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
func isLiteral(m *locks.View, fn *program.Func, v *types.Var) bool {
	_, ok := m.LocalsOf(fn).Alias[v].(*ast.FuncLit)
	return ok
}

// pausesOf are the pauses that a function comes to, by their keys: its own and those of
// what it calls by name.
func pausesOf(m *locks.View, fn *program.Func) map[string]Pause {
	found, known := tables.Of(m).comesToPause[fn]
	if known {
		return found
	}
	found = make(map[string]Pause)
	for to := range m.Running(fn) {
		for _, p := range PausesIn(m, to) {
			found[p.Key] = p
		}
	}
	tables.Of(m).comesToPause[fn] = found
	return found
}

// GivesTaking reports whether the program, its tests among it, gives a function that takes a lock
// to what is shipped, and the code of others that a function runs may be it, by its type.
func GivesTaking(m *locks.View, fn *program.Func, runs Pause, lock string) bool {
	call, ok := runs.At.(*ast.CallExpr)
	if !ok {
		return false
	}
	typeOf := func(in *program.Func, e ast.Expr) string {
		t := in.Info().TypeOf(e)
		if t == nil || !program.IsFunc(t) {
			return ""
		}
		return types.TypeString(t.Underlying(), nil) // tests may have types of their own
	}
	of := typeOf(fn, call.Fun)
	for in, sites := range m.Index().Calls {
		for _, s := range sites {
			to := m.CalledBy(s)
			if to == nil || to.File.Test || to.File.Package.Path != fn.File.Package.Path {
				continue
			}
			for _, arg := range s.Call.Args {
				if of != "" && typeOf(in, arg) == of && slices.ContainsFunc(m.FuncsOf(in, arg), func(to *program.Func) bool { return order.ComesToTake(m, to)[lock] }) {
					return true
				}
			}
		}
	}
	return false
}

// A HeldPause is a pause that a goroutine may make with a lock held.
type HeldPause struct {
	Lock string // key
	Pause
	In *program.Func
}

// PausesHeld lists the pauses that the program's functions make with a lock held that they
// have taken themselves, or where what they call pauses, those of tests left out.
func PausesHeld(m *locks.View) []HeldPause {
	return pausesWhere(m, func(fn *program.Func, f *locks.Flow) func(ast.Node) bool {
		return func(at ast.Node) bool {
			_, some := f.At(m.NodeOf(fn, at))
			return some
		}
	})
}

// PausesAround lists the pauses for which the program's functions let a lock go: they release
// it before, in the order of the text, and take it again.
func PausesAround(m *locks.View) []HeldPause {
	return pausesWhere(m, func(fn *program.Func, f *locks.Flow) func(ast.Node) bool {
		var released, taken []token.Pos
		for _, c := range m.Calls(fn) {
			op, ok := program.LockMethod(fn.Info(), c.Call.Fun)
			if !ok || m.Deferred(c) || m.LockOf(fn, op).Path != f.Lock.Path {
				continue
			}
			if strings.HasSuffix(op.Method, "Unlock") {
				released = append(released, c.Call.Pos())
			} else {
				taken = append(taken, c.Call.Pos())
			}
		}
		return func(at ast.Node) bool {
			_, some := f.At(m.NodeOf(fn, at))
			return !some &&
				slices.ContainsFunc(released, func(p token.Pos) bool { return p < at.Pos() }) &&
				slices.ContainsFunc(taken, func(p token.Pos) bool { return p > at.Pos() })
		}
	})
}

// pausesWhere lists the pauses of the program's functions at the places that are chosen for
// a lock of theirs, those of tests left out.
func pausesWhere(m *locks.View, choose func(*program.Func, *locks.Flow) func(ast.Node) bool) []HeldPause {
	var list []HeldPause
	for _, fn := range m.Shipped() {
		for _, f := range m.Flows(fn) {
			if owned.Copy(m, fn, f.Lock.Path) {
				continue // the lock of a copy keeps nobody out
			}
			PausesAt(m, fn, choose(fn, f), func(p Pause) { list = append(list, HeldPause{f.Lock.Key, p, fn}) })
		}
	}
	return list
}

// PausesAt yields what a function does at the places that are chosen.
func PausesAt(m *locks.View, fn *program.Func, chosen func(ast.Node) bool, yield func(Pause)) {
	at := func(n ast.Node) bool { return m.NodeOf(fn, n) != nil && chosen(n) }
	for _, p := range PausesIn(m, fn) {
		if at(p.At) {
			yield(p)
		}
	}
	for _, s := range m.Calls(fn) {
		if m.Deferred(s) || !at(s.Call) {
			continue
		}
		for _, to := range m.RunBy(s) {
			if to == fn {
				continue
			}
			inside := pausesOf(m, to)
			for _, key := range slices.Sorted(maps.Keys(inside)) {
				p := inside[key]
				p.At = s.Call
				yield(p)
			}
		}
	}
}

// AllPauses are the pauses of the program, by key.
func AllPauses(m *locks.View) map[string]bool {
	found := make(map[string]bool)
	for _, fn := range m.Shipped() {
		for _, p := range PausesIn(m, fn) {
			found[p.Key] = true
		}
	}
	return found
}

// Enders are the functions that end a pause with a key: that send, receive or close, or
// count a group down; and the goroutines' literals that come to one of these.
func Enders(m *locks.View, key string) []*program.Func {
	verb, of, _ := strings.Cut(key, " ")
	if of == "" {
		return nil
	}
	_, of, _ = strings.Cut(of, " ") // sends to, receives from, waits for
	var direct []*program.Func
	for _, fn := range m.Shipped() {
		if ends(m, fn, verb, of) {
			direct = append(direct, fn)
		}
	}
	direct = append(direct, givenTo(m, verb, of)...)
	list := slices.Clone(direct)
	for lit := range m.Index().Started {
		fn := m.Of(lit)
		if fn == nil || slices.Contains(list, fn) {
			continue
		}
		running := m.Running(fn)
		if slices.ContainsFunc(direct, func(to *program.Func) bool { return running[to] }) {
			list = append(list, fn)
		}
	}
	return list
}

// givenTo are the functions that end a pause by a channel that they are given, as goroutines mostly are.
func givenTo(m *locks.View, verb, of string) (list []*program.Func) {
	for _, in := range m.Shipped() {
		ast.Inspect(in.Body, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			f := syntax.Callee(in.Info(), call.Fun)
			if f == nil {
				return true
			}
			to := m.Declared(f.Origin())
			for i, arg := range call.Args {
				if to == nil || i >= len(to.Params) || to.Params[i] == nil || program.ExprKey(in.Info(), arg) != of {
					continue
				}
				if ends(m, to, verb, program.VariableKey(to.Params[i])) && !slices.Contains(list, to) {
					list = append(list, to)
				}
			}
			return true
		})
	}
	return list
}

// GivenOut reports whether a channel is returned by a function, or is a field that users of the
// package can name: they receive from it.
func GivenOut(m *locks.View, ch string) bool {
	_, name := program.CutKey(ch)
	return token.IsExported(name) || slices.ContainsFunc(m.Shipped(), func(fn *program.Func) bool {
		given := false
		locks.EachReturn(fn.Body, func(ret *ast.ReturnStmt) {
			given = given || slices.ContainsFunc(ret.Results, func(e ast.Expr) bool { return program.ExprKey(fn.Info(), e) == ch })
		})
		return given
	})
}

// ends reports whether a function's own text ends a pause: the sending, receiving or waiting
// for what has a key.
func ends(m *locks.View, fn *program.Func, verb, of string) bool {
	info := fn.Info()
	found := false
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.SendStmt:
			found = found || verb == "receives" && program.ExprKey(info, n.Chan) == of
		case *ast.UnaryExpr:
			found = found || verb == "sends" && n.Op == token.ARROW && program.ExprKey(info, n.X) == of
		case *ast.RangeStmt:
			found = found || verb == "sends" && program.ExprKey(info, n.X) == of
		case *ast.CallExpr:
			if syntax.Builtin(info, n) == "close" && len(n.Args) == 1 {
				found = found || verb == "receives" && program.ExprKey(info, n.Args[0]) == of
			}
			sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr)
			if ok && verb == "waits" && (sel.Sel.Name == "Done" || sel.Sel.Name == "Go") {
				found = found || program.ExprKey(info, sel.X) == of
			}
		}
		return !found
	})
	return found
}
