package locks

import (
	"go/ast"
	"go/constant"
	"go/types"
	"slices"
	"strings"

	"mendel/analysis/locks/naming"
	"mendel/analysis/locks/program"
	"mendel/analysis/syntax"
)

// A callable is a function that a call may run.
type callable struct {
	fn     *program.Func
	names  []naming.Path // of the lock in fn, as far as they do not come from arguments
	bind   map[types.Object][]callable
	consts map[types.Object]bool

	method string // of the lock itself; fn is nil
}

// call follows a call whose operands have been evaluated; it returns the states
// where it returns true, or not, or nothing of the kind, and where it returns false.
func (fr *frame) call(call *ast.CallExpr, s state) (yes, no state) {
	info := fr.fn.Info()
	if method, tried := fr.made[call]; tried {
		s = fr.operated(call, method, s)
		return s, s
	}
	if tv := info.Types[call.Fun]; tv.IsType() || tv.IsBuiltin() || len(s) == 0 {
		return s, s
	}
	if op, ok := program.LockMethod(info, call.Fun); ok {
		switch fr.is(op) {
		case same:
			return fr.operate(call, op.Method, s)
		case maybe:
			fr.guess(call, op.Method, s)
			return s, s
		}
	}
	if fr.watch != nil {
		if id, ok := ast.Unparen(call.Fun).(*ast.Ident); ok && info.ObjectOf(id) == fr.watch {
			for _, h := range s {
				fr.seen[h.entry()] = true
			}
		}
	}
	if fr.passes(call) {
		return s, s
	}
	list := fr.callables(call.Fun, naming.MaxAliases)
	if len(list) == 0 {
		s = fr.calledBack(call, s)
		return s, s
	}
	if len(list) == 1 {
		return fr.enter(call, call, list[0], s)
	}
	for _, c := range list { // what they have in common is not known
		fr.enter(call, call, c, s)
	}
	return s, s
}

// passes reports whether a call names a function that has nothing to do with the
// lock, so that nobody need find out what it is given.
func (fr *frame) passes(call *ast.CallExpr) bool {
	if tv := fr.fn.Info().Types[call.Fun]; tv.IsType() || tv.IsBuiltin() {
		return true
	}
	f := syntax.Callee(fr.fn.Info(), call.Fun)
	if f == nil || syntax.InterfaceMethod(f) {
		return false
	}
	if _, ok := program.LockMethod(fr.fn.Info(), call.Fun); ok {
		return false
	}
	if to := fr.m.Declared(f); to != nil {
		return !fr.concerns(to)
	}
	return !syntax.CallsAtOnce(f)
}

// An identity says whether a lock is the subject.
type identity int

const (
	other identity = iota
	maybe
	same
)

// is reports whether the lock whose method is selected is the subject.
func (fr *frame) is(op program.Operation) identity {
	p := fr.m.PathOf(fr.fn, op.Sel.X).With(op.Embedded)
	if slices.Contains(fr.on.names, p) {
		return same
	}
	if p.Known() {
		return other
	}
	key := program.KeyOf(fr.fn.Info(), op.Sel)
	if key != fr.on.key && key != program.AnyKey && fr.on.key != program.AnyKey {
		return other
	}
	if key != fr.on.key || !fr.mentions(op.Sel.X) {
		return other
	}
	return maybe
}

// mentions reports whether an expression names something that a name of the
// subject starts with.
func (fr *frame) mentions(e ast.Expr) bool {
	return syntax.Any(e, func(n ast.Node) bool {
		if x, ok := n.(*ast.Ident); ok {
			p := fr.m.PathOf(fr.fn, x)
			return p.Root != nil && slices.ContainsFunc(fr.on.names, func(name naming.Path) bool {
				_, ok := name.Below(p)
				return ok
			})
		}
		return false
	})
}

// operate calls a method of the subject.
func (fr *frame) operate(at ast.Node, method string, s state) (yes, no state) {
	if try, ok := strings.CutPrefix(method, "Try"); ok {
		for _, h := range s {
			if next, kind, ok := h.after(try); ok && kind == NoFault {
				yes = yes.plus(next)
			}
		}
		return yes, s
	}
	var after state
	for _, h := range s {
		next, kind, ok := h.after(method)
		if kind != NoFault {
			fr.faults[fault{kind, at}] = true
		}
		if kind == TakenTwice && fr.through {
			next, ok = h.deeper(method), true
		}
		if ok {
			fr.deep = fr.deep || next.read >= maxReads
			after = after.with(h.may(next))
		}
	}
	return after, after
}

// guess calls a method of a lock that may be the subject.
func (fr *frame) guess(at ast.Node, method string, s state) {
	for _, h := range s {
		if _, kind, _ := h.after(method); kind == TakenTwice {
			fr.faults[fault{kind, at}] = true
		}
	}
}

// enter makes a call of a callable.
func (fr *frame) enter(at ast.Node, call *ast.CallExpr, c callable, s state) (yes, no state) {
	if c.fn == nil {
		return fr.operate(at, c.method, s)
	}
	in := fr.into(call, c)
	if in == nil {
		return s, s
	}
	for _, h := range s {
		e := h.entry()
		sum := fr.m.summary(in, e)
		fr.deep = fr.deep || sum.deep
		if sum.relocks {
			fr.faults[fault{TakenTwice, at}] = true
		}
		switched := fr.m.switched(c.fn, sum, e)
		for o := range sum.outs {
			if switched && o.entry == e {
				continue
			}
			next := h.may(h.leave(e, o.entry))
			if o.flag != returnsFalse {
				yes = yes.with(next)
			}
			if o.flag != returnsTrue {
				no = no.with(next)
			}
		}
	}
	return yes, no
}

// switched reports whether a function does nothing but to take locks, or to release them, on
// some condition: where locking is switched off it is so everywhere, and says nothing.
func (m *View) switched(fn *program.Func, sum *summary, at entry) bool {
	if len(sum.outs) < 2 || len(fn.Params) > 0 || fn.Type.Results != nil && len(fn.Type.Results.List) > 0 {
		return false
	}
	takes := make(map[bool]bool)
	for _, s := range m.Calls(fn) {
		op, ok := program.LockMethod(fn.Info(), s.Call.Fun)
		if !ok {
			return false
		}
		takes[op.Method == "Lock" || op.Method == "RLock"] = true
	}
	if len(takes) > 1 || syntax.Any(fn.Body, isWork) {
		return false
	}
	for o := range sum.outs {
		if o.entry != at {
			return true
		}
	}
	return false
}

// isWork reports whether a node is a statement that does more than to decide and to call.
func isWork(n ast.Node) bool {
	switch n.(type) {
	case *ast.IfStmt, *ast.BlockStmt, *ast.ExprStmt, *ast.ReturnStmt:
		return false
	}
	_, ok := n.(ast.Stmt)
	return ok
}

// into is the frame of what a call runs; nil where that has nothing to do with the subject.
func (fr *frame) into(call *ast.CallExpr, c callable) *frame {
	if !fr.concerns(c.fn) {
		return nil
	}
	in, bound := fr.inner(call, c)
	if !bound && !fr.m.Touches(c.fn, fr.on.key) || !in.sees() {
		return nil
	}
	return in
}

// concerns reports whether a function may have to do with the subject, by itself
// or by a function that it is given.
func (fr *frame) concerns(fn *program.Func) bool {
	return fn.TakesFunction() || fr.m.Touches(fn, fr.on.key)
}

// inner is the frame of what a call runs; bound says that it is given a function
// which has to do with the subject.
func (fr *frame) inner(call *ast.CallExpr, c callable) (in *frame, bound bool) {
	in = &frame{m: fr.m, fn: c.fn, through: fr.through, on: subject{key: fr.on.key, names: slices.Clone(c.names)}, bind: c.bind, consts: c.consts}
	args := fr.m.Given(fr.fn, call, c.fn)
	for _, a := range args {
		if a.Obj == c.fn.Recv && c.fn.Recv != nil {
			continue
		}
		in.on.names = append(in.on.names, translated(fr.on.names, a)...)
	}
	in.on.names = reindexed(in.on.names, args)
	for _, a := range args {
		bound = fr.pass(in, a) || bound
	}
	return in, bound
}

// pass binds a parameter to the function or flag that it is given; it reports
// whether that has to do with the subject.
func (fr *frame) pass(in *frame, a naming.Argument) bool {
	if tv := fr.fn.Info().Types[a.Expr]; tv.Value != nil && tv.Value.Kind() == constant.Bool {
		in.consts = with(in.consts, a.Obj, constant.BoolVal(tv.Value))
		return false
	}
	if !program.IsFunc(a.Obj.Type()) {
		return false
	}
	var list []callable
	for _, c := range fr.callables(a.Expr, naming.MaxAliases-fr.behind) {
		if c.fn == nil || fr.m.Touches(c.fn, fr.on.key) || len(c.bind) > 0 {
			list = append(list, c)
		}
	}
	if len(list) > 0 {
		in.bind = with(in.bind, a.Obj, list)
	}
	return len(list) > 0
}

// with is a map with one more entry, the map itself left as it is.
func with[V any](m map[types.Object]V, key types.Object, v V) map[types.Object]V {
	out := make(map[types.Object]V, len(m)+1)
	for k, v := range m {
		out[k] = v
	}
	out[key] = v
	return out
}

// translated are the names that a callee has for a lock by one argument.
func translated(names []naming.Path, a naming.Argument) []naming.Path {
	var out []naming.Path
	for _, name := range names {
		if rest, ok := name.Below(a.Path); ok && a.Path.Known() {
			out = append(out, naming.Path{Root: a.As.Root, Text: rest})
		}
	}
	return out
}

// reindexed adds the names in which an index is the callee's parameter.
func reindexed(names []naming.Path, args []naming.Argument) []naming.Path {
	for _, a := range args {
		for _, name := range names {
			if from := "[" + a.Path.ID() + "]"; a.Path.Known() && strings.Contains(name.Text, from) {
				names = append(names, naming.Path{Root: name.Root, Text: strings.ReplaceAll(name.Text, from, "["+a.As.ID()+"]")})
			}
		}
	}
	return names
}

// global are the names that mean the same in every function.
func global(names []naming.Path) []naming.Path {
	return slices.DeleteFunc(slices.Clone(names), func(p naming.Path) bool { return p.Root != nil })
}

// calledBack follows the functions that code outside of the module is given and
// is known to call before it returns.
func (fr *frame) calledBack(call *ast.CallExpr, s state) state {
	if !syntax.CallsAtOnce(syntax.Callee(fr.fn.Info(), call.Fun)) {
		return s
	}
	for _, arg := range call.Args {
		if t := fr.fn.Info().TypeOf(arg); t == nil || !program.IsFunc(t) {
			continue
		}
		for _, c := range fr.callables(arg, naming.MaxAliases) {
			yes, no := fr.enter(call, &ast.CallExpr{Fun: arg}, c, s)
			s = s.with(yes, no)
		}
	}
	return s
}

// matters reports whether a call, once it is made, has to do with the subject.
func (fr *frame) matters(call *ast.CallExpr) bool {
	if op, ok := program.LockMethod(fr.fn.Info(), call.Fun); ok {
		return fr.is(op) != other
	}
	for _, c := range fr.callables(call.Fun, naming.MaxAliases) {
		if c.fn == nil || fr.into(call, c) != nil {
			return true
		}
	}
	return false
}

// lend is the state in the body of a loop over an iterator.
func (fr *frame) lend(loop *ast.RangeStmt, s state) state {
	holds := make(map[entry]bool)
	for _, c := range fr.callables(loop.X, naming.MaxAliases) {
		if c.fn == nil || len(c.fn.Params) != 1 || c.fn.Params[0] == nil {
			continue
		}
		in := fr.into(&ast.CallExpr{Fun: loop.X}, c)
		if in == nil || fr.m.lending[c.fn] {
			continue
		}
		fr.m.lending[c.fn] = true
		in.watch, in.seen = c.fn.Params[0], holds
		in.run(entry{})
		delete(fr.m.lending, c.fn)
	}
	var out state
	for _, h := range s {
		if len(holds) == 0 {
			out = out.plus(h)
		}
		for e := range holds {
			h := h
			switch {
			case e.Write > 0:
				h.lent = writing
			case e.Read > 0:
				h.lent = reading
			}
			out = out.plus(h)
		}
	}
	return out
}

// iterate makes the call of a loop's iterator.
func (fr *frame) iterate(loop *ast.RangeStmt, s state) state {
	for _, c := range fr.callables(loop.X, naming.MaxAliases) {
		if c.fn != nil {
			yes, no := fr.enter(loop.X, &ast.CallExpr{Fun: loop.X}, c, s)
			s = yes.with(no)
		}
	}
	return s
}
