package locks

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/cfg"

	"mendel/analysis/locks/naming"
	"mendel/analysis/locks/program"
)

// A subject is the lock that an analysis is about, in the terms of one function.
type subject struct {
	key   string
	names []naming.Path
}

// A frame is the analysis of one function for one lock.
type frame struct {
	m      *View
	fn     *program.Func
	on     subject
	bind   map[types.Object][]callable // what parameters, of the functions around too, are known to be
	consts map[types.Object]bool       // flags among them

	defers []*ast.DeferStmt
	runs   map[ast.Expr][]callable // what expressions are found to be; see callables
	behind int                     // names and calls that were followed to come to the function
	faults map[fault]bool
	outs   map[out]bool
	before map[ast.Node]state // before each node of the graph; nil: not asked for
	// through goes on behind a call by which the goroutine waits for itself, as if the lock
	// could be taken once more.
	through bool
	watch   types.Object   // a parameter whose calls are watched
	seen    map[entry]bool // how the lock is held at these

	made    map[*ast.CallExpr]string // calls that are tried out: the lock's method, "" for none
	renamed bool                     // the lock got another name while it might be held
	deep    bool                     // as summary's

	text string // see identity
}

// A fault is a place where a lock is taken or released wrongly on some path.
type fault struct {
	kind Kind
	at   ast.Node
}

// An out is how a function is left: how the lock is held, and what its last
// result is where that is a flag.
type out struct {
	entry
	flag flag
}

type flag int8

const (
	either flag = iota
	returnsTrue
	returnsFalse
)

// run follows the function from its entry, where the lock is held in one of
// some ways.
func (fr *frame) run(at ...entry) {
	fr.faults, fr.outs = make(map[fault]bool), make(map[out]bool)
	g := fr.m.Graph(fr.fn)
	in := make([]state, len(g.Blocks))
	for _, e := range at {
		in[0] = in[0].plus(hold{write: e.Write, read: e.Read})
	}
	work := []*cfg.Block{g.Blocks[0]}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		for i, s := range fr.block(b, in[b.Index]) {
			to := b.Succs[i]
			if len(s) == 0 {
				continue
			}
			known := in[to.Index]
			in[to.Index] = known.with(fr.entering(b, to, s))
			if !slices.Equal(known, in[to.Index]) {
				work = append(work, to)
			}
		}
	}
}

// block follows a block; it returns the states for its successors.
func (fr *frame) block(b *cfg.Block, s state) []state {
	decides := len(b.Succs) == 2 && len(b.Nodes) > 0 && isCondition(b)
	for i, n := range b.Nodes {
		fr.note(n, s)
		if decides && i == len(b.Nodes)-1 {
			yes, no := fr.cond(n.(ast.Expr), s)
			return []state{yes, no}
		}
		if s = fr.node(n, s); len(s) == 0 {
			break
		}
	}
	if len(b.Succs) == 0 && len(s) > 0 && len(b.Nodes) > 0 {
		fr.stop(b.Nodes[len(b.Nodes)-1], s)
	}
	states := make([]state, len(b.Succs))
	for i := range states {
		states[i] = s
	}
	return states
}

// isCondition reports whether a block's last node decides where it goes on.
func isCondition(b *cfg.Block) bool {
	switch b.Succs[0].Kind {
	case cfg.KindIfThen, cfg.KindForBody:
	case cfg.KindSwitchCaseBody:
	default:
		return false
	}
	_, ok := b.Nodes[len(b.Nodes)-1].(ast.Expr)
	return ok
}

// note remembers the state before a node.
func (fr *frame) note(n ast.Node, s state) {
	if fr.before != nil {
		fr.before[n] = fr.before[n].with(s)
	}
}

// entering is the state with which a block is entered from another: at the body
// of a loop over an iterator what that holds while it yields comes to it, and at
// the loop's end it goes.
func (fr *frame) entering(from, to *cfg.Block, s state) state {
	loop, ok := to.Stmt.(*ast.RangeStmt)
	if !ok {
		return s
	}
	if to.Kind == cfg.KindRangeBody {
		for _, e := range []ast.Expr{loop.Key, loop.Value} {
			if e != nil {
				s = fr.assign(e, s)
			}
		}
	}
	if t := fr.fn.Info().TypeOf(loop.X); t == nil || !program.IsFunc(t) {
		return s
	}
	switch to.Kind {
	case cfg.KindRangeBody:
		return fr.lend(loop, s)
	case cfg.KindRangeLoop, cfg.KindRangeDone:
		s = s.each(func(h hold) hold { h.lent = 0; return h })
		if to.Kind == cfg.KindRangeDone && from.Kind == cfg.KindRangeLoop {
			s = fr.iterate(loop, s)
		}
	}
	return s
}

// node follows a statement or expression of a block.
func (fr *frame) node(n ast.Node, s state) state {
	switch n := n.(type) {
	case *ast.DeferStmt:
		return fr.deferCall(n, s)
	case *ast.GoStmt:
		return fr.operands(n.Call, s)
	case *ast.ReturnStmt:
		fr.leave(n, s)
		return nil
	case *ast.AssignStmt:
		if decided, ok := fr.decide(n, s); ok {
			return decided
		}
		s = fr.eval(n, s)
		for _, e := range n.Lhs {
			s = fr.assign(e, s)
		}
		return s
	case *ast.IncDecStmt:
		return fr.assign(n.X, fr.eval(n.X, s))
	case *ast.ValueSpec:
		s = fr.eval(n, s)
		for _, e := range n.Names {
			s = fr.assign(e, s)
		}
		return s
	}
	return fr.eval(n, s)
}

// assign is the state after an assignment: a lock that is named by what was
// assigned to is another one from now on.
func (fr *frame) assign(to ast.Expr, s state) state {
	if fr.renames(to) {
		fr.renamed = fr.renamed || slices.ContainsFunc(s, func(h hold) bool { return !h.free() })
		return s.each(func(h hold) hold { return hold{flags: h.flags} })
	}
	if id, ok := ast.Unparen(to).(*ast.Ident); ok {
		if obj := fr.fn.Info().ObjectOf(id); obj != nil && fr.m.flags(obj) {
			return s.each(func(h hold) hold { return h.forget(int(obj.Pos())) })
		}
	}
	return s
}

// eval follows the calls in an expression or simple statement, operands first.
func (fr *frame) eval(n ast.Node, s state) state {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.BinaryExpr:
			if n.Op == token.LAND || n.Op == token.LOR {
				s = fr.eval(n.X, s)
				s = s.with(fr.eval(n.Y, s))
				return false
			}
		case *ast.CallExpr:
			s = fr.operands(n, s)
			yes, no := fr.call(n, s)
			s = yes.with(no)
			return false
		}
		return true
	})
	return s
}

// operands follows what is evaluated before a call is made.
func (fr *frame) operands(call *ast.CallExpr, s state) state {
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
		s = fr.eval(sel.X, s)
	} else {
		s = fr.eval(call.Fun, s)
	}
	for _, arg := range call.Args {
		s = fr.eval(arg, s)
	}
	return s
}

// cond follows a condition; it returns the states where it holds and where not.
func (fr *frame) cond(e ast.Expr, s state) (yes, no state) {
	if tv := fr.fn.Info().Types[e]; tv.Value != nil && tv.Value.Kind() == constant.Bool {
		if constant.BoolVal(tv.Value) {
			return s, nil
		}
		return nil, s
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.UnaryExpr:
		if e.Op == token.NOT {
			no, yes = fr.cond(e.X, s)
			return yes, no
		}
	case *ast.BinaryExpr:
		switch e.Op {
		case token.LAND:
			yes, no = fr.cond(e.X, s)
			both, second := fr.cond(e.Y, yes)
			return both, no.with(second)
		case token.LOR:
			yes, no = fr.cond(e.X, s)
			second, neither := fr.cond(e.Y, no)
			return yes.with(second), neither
		}
	case *ast.CallExpr:
		return fr.call(e, fr.operands(e, s))
	case *ast.Ident:
		return fr.flag(e, s)
	}
	s = fr.eval(e, s)
	return s, s
}

// flag follows a condition that is a variable.
func (fr *frame) flag(id *ast.Ident, s state) (yes, no state) {
	obj := fr.fn.Info().ObjectOf(id)
	if value, ok := fr.consts[obj]; ok {
		if value {
			return s, nil
		}
		return nil, s
	}
	if obj == nil || !fr.m.flags(obj) || fr.m.LocalsOf(fr.fn).Assigned[obj] {
		return s, s
	}
	flag := int(obj.Pos())
	return s.assume(flag, true), s.assume(flag, false)
}

// flags reports whether an object is a local flag.
func (m *View) flags(obj types.Object) bool {
	v, ok := obj.(*types.Var)
	if !ok || v.IsField() || v.Pkg() == nil || v.Parent() == v.Pkg().Scope() {
		return false
	}
	b, ok := v.Type().Underlying().(*types.Basic)
	return ok && b.Kind() == types.Bool
}

// decide follows an assignment of what a call returns to a flag that is never
// assigned again: what the call says of the lock shows where the flag is asked.
func (fr *frame) decide(a *ast.AssignStmt, s state) (state, bool) {
	if len(a.Lhs) != 1 || len(a.Rhs) != 1 || a.Tok != token.DEFINE {
		return nil, false
	}
	id, ok := a.Lhs[0].(*ast.Ident)
	call, isCall := ast.Unparen(a.Rhs[0]).(*ast.CallExpr)
	if !ok || !isCall {
		return nil, false
	}
	obj := fr.fn.Info().Defs[id]
	if obj == nil || !fr.m.flags(obj) || fr.m.LocalsOf(fr.fn).Assigned[obj] {
		return nil, false
	}
	flag := int(obj.Pos())
	yes, no := fr.call(call, fr.operands(call, s))
	if slices.Equal(yes, no) {
		return fr.assign(id, yes), true
	}
	return fr.assign(id, yes).assume(flag, true).with(fr.assign(id, no).assume(flag, false)), true
}

// deferCall notes a deferred call.
func (fr *frame) deferCall(d *ast.DeferStmt, s state) state {
	s = fr.operands(d.Call, s)
	if !fr.matters(d.Call) && !(fr.before != nil && fr.ofProgram(d.Call)) {
		return s
	}
	i := 0
	for ; i < len(fr.defers) && fr.defers[i] != d; i++ {
	}
	if i == len(fr.defers) {
		fr.defers = append(fr.defers, d)
	}
	return s.each(func(h hold) hold { return h.pushed(i) })
}

// ofProgram reports whether a call is of a function of the program, which is entered as the lock
// is held then.
func (fr *frame) ofProgram(call *ast.CallExpr) bool {
	return slices.ContainsFunc(fr.callables(call.Fun, naming.MaxAliases), func(c callable) bool { return c.fn != nil })
}

// leave ends the function by a return.
func (fr *frame) leave(ret *ast.ReturnStmt, s state) {
	n := len(ret.Results)
	for i, e := range ret.Results {
		if i < n-1 {
			s = fr.eval(e, s)
		}
	}
	known := n > 0 && returnsFlag(fr.fn)
	var then, otherwise state
	switch {
	case known:
		then, otherwise = fr.cond(ret.Results[n-1], s)
	case n > 0:
		s = fr.eval(ret.Results[n-1], s)
	}
	add := func(s state, f flag) {
		for _, h := range fr.unwound(s) {
			fr.outs[out{h.entry(), f}] = true
		}
	}
	if known {
		add(then, returnsTrue)
		add(otherwise, returnsFalse)
	} else {
		add(s, either)
	}
}

// returnsFlag reports whether a function's only or last result is a flag.
func returnsFlag(fn *program.Func) bool {
	results := fn.Type.Results
	if results == nil || len(results.List) == 0 {
		return false
	}
	t := fn.Info().TypeOf(results.List[len(results.List)-1].Type)
	b, ok := t.(*types.Basic)
	return ok && b.Kind() == types.Bool
}

// stop ends the path at a call that does not return.
func (fr *frame) stop(at ast.Node, s state) {
	e, ok := at.(*ast.ExprStmt)
	if !ok {
		return
	}
	if call, ok := e.X.(*ast.CallExpr); ok && program.EndOf(fr.fn.Info(), call) == program.Ends {
		fr.unwound(s) // for the faults of deferred calls
	}
}

// unwound is the state after the deferred calls.
func (fr *frame) unwound(s state) state {
	var all state
	for _, h := range s {
		calls := h.deferred()
		h.defers, h.lent = "", 0
		after := state{h}
		for _, i := range calls {
			fr.note(fr.defers[i].Call, after)
			yes, no := fr.call(fr.defers[i].Call, after)
			after = yes.with(no)
		}
		all = all.with(after)
	}
	return all
}
