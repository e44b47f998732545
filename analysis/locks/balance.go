package locks

import (
	"cmp"
	"go/ast"
	"go/token"
	"slices"

	"golang.org/x/tools/go/cfg"

	"mendel/analysis/locks/naming"
	"mendel/analysis/locks/program"
	"mendel/analysis/syntax"
)

// A Balance is how a function takes and releases one lock: on every path through it from its
// start, and with some of its calls made otherwise. A function that releases before it takes is
// entered with the lock held, and has to leave it so.
type Balance struct {
	of       *Model
	m        *View
	fn       *program.Func
	lock     naming.Lock
	graph    *Graph
	recovers bool
	entry    entry // how the lock is held when the function is entered and left
}

// A Fault is a place where a lock's calls do not match on some path.
type Fault struct {
	Kind Kind
	Node ast.Node // the call or statement; the function's body for its end
}

// An Exit is a way out of statements on which the lock is certainly held and
// its release not deferred: a place for a release.
type Exit struct {
	Stmt    ast.Stmt
	After   bool   // Stmt ends a block, and the release belongs behind it
	Release string // "Unlock" or "RUnlock"
}

// A Change is a lock call to try out.
type Change struct {
	Stmt   ast.Stmt
	Where  Where
	Method string // "": no call any more, of one that is to be replaced
}

// Where says how the call of a Change relates to its statement.
type Where int

// Places of changes.
const (
	Instead        Where = iota // the method is called instead of what a lock call called
	Before                      // called before the statement
	After                       // called after it
	DeferredAfter               // deferred after it
	DeferredBefore              // deferred before it
)

// LockOf is the lock whose method a call in a function calls, or that of what has such methods of
// its own; ok is false where it calls none, or of a lock that has no name.
func (of *Model) LockOf(fn *program.Func, call *ast.CallExpr) (l naming.Lock, ok bool) {
	m := of.Lock()
	defer of.Unlock()
	if op, ok := program.LockMethod(fn.Info(), call.Fun); ok {
		l = m.LockOf(fn, op)
		return l, l.Path.Known()
	}
	sel := naming.Helper(call)
	if sel == nil {
		return naming.Lock{}, false
	}
	owner := m.PathOf(fn, sel.X)
	for _, l := range m.Locks(fn) {
		if _, ok := l.Path.Below(owner); ok {
			return l, true
		}
	}
	return naming.Lock{}, false
}

// Balance follows a function for one of its locks. recovers says that the program recovers from
// panics: without that, what is locked when one comes does not matter any more. It is nil where
// nothing is known: there is a goto; or the lock is tried, its methods are used as values, it is
// taken by a deferred call, released in a literal that is not deferred, or renamed while it may
// be held.
func (of *Model) Balance(fn *program.Func, l naming.Lock, recovers bool) *Balance {
	m := of.Lock()
	defer of.Unlock()
	return m.balance(of, fn, l, recovers)
}

// ContinuesHeld reports whether a loop of a function goes on by a continue while it holds a lock that other iterations
// release.
func (m *View) ContinuesHeld(fn *program.Func, l naming.Lock) bool {
	b := m.balance(nil, fn, l, false)
	if b == nil {
		return false
	}
	t := b.try(nil)
	if t == nil {
		return false
	}
	continues := false
	for f := range t.faults {
		if f.Kind != IterationHeld {
			continue
		}
		if s, ok := f.Node.(*ast.BranchStmt); !ok || s.Tok != token.CONTINUE {
			return false // no iteration releases it
		}
		continues = true
	}
	return continues
}

// balance is [Model.Balance] of the view.
func (m *View) balance(of *Model, fn *program.Func, l naming.Lock, recovers bool) *Balance {
	if !m.plain(fn, l) {
		return nil
	}
	b := &Balance{of: of, m: m, fn: fn, lock: l, graph: newGraph(fn, &bounds{make(map[ast.Node]ast.Stmt), make(map[ast.Stmt]bool)}), recovers: recovers}
	chosen, least := entry{}, -1
	for _, e := range []entry{{}, {Write: 1}, {Read: 1}} {
		b.entry = e
		t := b.try(nil)
		switch {
		case t == nil && e == entry{}:
			return nil
		case t == nil:
		case least < 0 || len(t.faults) == 0 && least > 0:
			chosen, least = e, len(t.faults)
		}
	}
	b.entry = chosen
	return b
}

// Try says what is wrong with how the lock is held once some changes are made, and where a
// release may stand, both in source order.
func (b *Balance) Try(changes ...Change) (faults []Fault, exits []Exit) {
	b.of.Lock()
	defer b.of.Unlock()
	t := b.try(changes)
	if t == nil {
		return nil, nil
	}
	for f := range t.faults {
		faults = append(faults, f)
	}
	slices.SortFunc(faults, func(x, y Fault) int {
		return cmp.Or(cmp.Compare(x.Node.Pos(), y.Node.Pos()), cmp.Compare(x.Kind, y.Kind), cmp.Compare(x.Node.End(), y.Node.End()))
	})
	slices.SortStableFunc(t.exits, func(x, y Exit) int { return cmp.Compare(x.at(), y.at()) })
	return faults, t.exits
}

// at is where the release would stand.
func (x Exit) at() int {
	if x.After {
		return int(x.Stmt.End())
	}
	return int(x.Stmt.Pos())
}

// plain reports whether all that a function does with a lock is to call its methods, in
// statements of their own.
func (m *View) plain(fn *program.Func, l naming.Lock) bool {
	fr, known := m.frame(fn, l), make(map[ast.Expr]bool)
	is := func(e ast.Expr) (program.Operation, bool) {
		op, ok := program.LockMethod(fn.Info(), e)
		return op, ok && fr.is(op) != other
	}
	ok := true
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		var call *ast.CallExpr
		switch s := n.(type) {
		case *ast.BranchStmt:
			ok = ok && s.Tok != token.GOTO
		case *ast.ExprStmt:
			call, _ = ast.Unparen(s.X).(*ast.CallExpr)
		case *ast.DeferStmt:
			if _, literal := ast.Unparen(s.Call.Fun).(*ast.FuncLit); literal {
				return false
			}
			call = s.Call
			if op, own := is(call.Fun); own && (op.Method == "Lock" || op.Method == "RLock") {
				ok = false
			}
		case *ast.FuncLit:
			ok = ok && balanced(s, is)
			return false
		case *ast.SelectorExpr:
			if op, own := is(s); own && (!known[s] || op.Method == "TryLock" || op.Method == "TryRLock") {
				ok = false
			}
		}
		if call != nil {
			known[ast.Unparen(call.Fun)] = true
		}
		return ok
	})
	return ok
}

// balanced reports whether a literal leaves a lock as it finds it: it takes it at least as often
// as it releases it, as far as the text shows.
func balanced(lit *ast.FuncLit, is func(ast.Expr) (program.Operation, bool)) bool {
	balance := 0
	return !syntax.Any(lit.Body, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return false
		}
		op, own := is(sel)
		if !own {
			return false
		}
		switch op.Method {
		case "Lock", "RLock":
			balance++
		case "Unlock", "RUnlock":
			balance--
		default:
			return true
		}
		return false
	}) && balance >= 0
}

// A trial is one way to follow a balance.
type trial struct {
	*Balance
	fr      *frame
	changes []Change
	in      []state // at the beginning of each block
	faults  map[Fault]bool
	exits   []Exit
}

// try follows the paths with some changes made; nil: the lock is renamed while it may be held.
// A loop's body is followed once: that it leaves the lock otherwise than it found it is a fault.
func (b *Balance) try(changes []Change) *trial {
	t := &trial{Balance: b, fr: b.m.frame(b.fn, b.lock), changes: changes, in: make([]state, len(b.graph.Blocks)), faults: make(map[Fault]bool)}
	t.fr.faults, t.fr.made = make(map[fault]bool), make(map[*ast.CallExpr]string)
	for _, c := range changes {
		if call := StatementCall(c.Stmt); c.Where == Instead && call != nil {
			t.fr.made[call] = c.Method
		}
	}
	t.in[0] = state{hold{write: b.entry.Write, read: b.entry.Read}}
	order, rank := b.graph.order()
	for _, at := range order {
		if len(t.in[at.Index]) > 0 {
			t.follow(at, rank)
		}
	}
	if t.fr.renamed {
		return nil
	}
	for f := range t.fr.faults {
		// That what a call runs takes the lock is said by Relocks.
		if call, ok := f.at.(*ast.CallExpr); f.kind != ReadTwice && !(ok && f.kind == TakenTwice && !b.own(call)) {
			t.faults[Fault{f.kind, f.at}] = true
		}
	}
	return t
}

// own reports whether a call is of a method of the lock.
func (b *Balance) own(call *ast.CallExpr) bool { return naming.Helper(call) != nil }

// follow follows a block and passes on what comes out of it.
func (t *trial) follow(b *cfg.Block, rank []int) {
	states := t.block(b, t.in[b.Index])
	for i, to := range b.Succs {
		s := t.fr.entering(b, to, states[i])
		if len(s) > 0 && (rank[to.Index] <= rank[b.Index] || to.Kind == cfg.KindForPost) {
			s = t.turn(b, to, s)
		}
		t.in[to.Index] = t.in[to.Index].with(s)
	}
}

// turn ends an iteration of a loop; it returns what goes on as the loop began.
func (t *trial) turn(from, to *cfg.Block, s state) (on state) {
	head := to
	if to.Kind == cfg.KindForPost {
		head = to.Succs[0]
	}
	for _, h := range s {
		if slices.ContainsFunc(t.in[head.Index], func(o hold) bool { return o.entry() == h.entry() && o.defers == h.defers }) {
			on = on.plus(h)
			continue
		}
		var at ast.Node = to.Stmt
		if n := len(from.Nodes); n > 0 && t.graph.branches[from.Nodes[n-1]] != nil {
			at = t.graph.branches[from.Nodes[n-1]]
		}
		t.faults[Fault{IterationHeld, at}] = true
	}
	if to.Kind != cfg.KindForPost {
		return nil
	}
	return on
}

// block follows a block's nodes.
func (t *trial) block(b *cfg.Block, s state) []state {
	decides := len(b.Succs) == 2 && len(b.Nodes) > 0 && isCondition(b)
	for i, n := range b.Nodes {
		if last := t.graph.ends[n]; last != nil {
			if !fallsThrough(last) {
				t.exit(last, true, s)
			}
			s = t.behind(last, s)
			continue
		}
		s = t.changed(n, Before, s)
		if decides && i == len(b.Nodes)-1 {
			yes, no := t.fr.cond(n.(ast.Expr), s)
			return []state{yes, no}
		}
		if s = t.node(n, s); len(s) == 0 {
			break
		}
		if stmt, ok := n.(ast.Stmt); ok && !t.graph.last[stmt] {
			s = t.behind(stmt, s)
		}
	}
	if e, ok := lastOf(b).(*ast.ExprStmt); ok && len(b.Succs) == 0 && len(s) > 0 {
		if call, ok := e.X.(*ast.CallExpr); ok && t.recovers && program.EndOf(t.fn.Info(), call) == program.Ends {
			t.exit(e, false, s)
			t.leave(e, s)
		}
	}
	states := make([]state, len(b.Succs))
	for i := range states {
		states[i] = s
	}
	return states
}

func fallsThrough(s ast.Stmt) bool {
	b, ok := s.(*ast.BranchStmt)
	return ok && b.Tok == token.FALLTHROUGH
}

func lastOf(b *cfg.Block) ast.Node {
	if len(b.Nodes) == 0 {
		return nil
	}
	return b.Nodes[len(b.Nodes)-1]
}

// node follows a node of the graph.
func (t *trial) node(n ast.Node, s state) state {
	if br := t.graph.branches[n]; br != nil && !fallsThrough(br) {
		t.exit(br, false, s)
	}
	if d, ok := n.(*ast.DeferStmt); ok {
		if method, tried := t.fr.made[d.Call]; tried && method == "" {
			return s
		}
	}
	ret, ok := n.(*ast.ReturnStmt)
	if !ok {
		return t.fr.node(n, s)
	}
	if !Implicit(t.fn, n) {
		t.exit(ret, false, s)
	}
	for _, e := range ret.Results {
		s = t.fr.eval(e, s)
	}
	t.leave(ret, s)
	return nil
}

// leave ends the function.
func (t *trial) leave(n ast.Node, s state) {
	if Implicit(t.fn, n) {
		n = t.fn.Body
	}
	for _, h := range s {
		found := len(t.fr.faults)
		after := t.fr.unwound(state{h})
		if len(after) == 0 && len(t.fr.faults) == found {
			t.faults[Fault{NotHeld, n}] = true // in a deferred literal
		}
		for _, h := range after {
			switch end := h.entry(); {
			case end == t.entry:
			case end.Write < t.entry.Write || end.Read < t.entry.Read:
				t.faults[Fault{NotHeld, n}] = true
			case end.Write == t.entry.Write && t.fr.deep: // maybe as it was
			default:
				t.faults[Fault{LeftHeld, n}] = true
			}
		}
	}
}

// exit notes a place for a release, if the lock is held there on all paths, in the same way, and
// no deferred call releases it.
func (t *trial) exit(stmt ast.Stmt, after bool, s state) {
	method := ""
	faults := t.fr.faults
	t.fr.faults = make(map[fault]bool) // those of the deferred calls are found where they run
	defer func() { t.fr.faults = faults }()
	for _, h := range s {
		is := map[entry]string{{Write: 1}: "Unlock", {Read: 1}: "RUnlock"}[h.entry()]
		after := t.fr.unwound(state{h})
		if is == "" || method != "" && method != is || len(after) == 0 || slices.ContainsFunc(after, func(o hold) bool { return o.entry() != h.entry() }) {
			return
		}
		method = is
	}
	if method != "" {
		t.exits = append(t.exits, Exit{stmt, after, method})
	}
}

// changed makes the calls that changes put in front of a node's statement.
func (t *trial) changed(n ast.Node, where Where, s state) state {
	for _, c := range t.changes {
		switch {
		case t.graph.Node(c.Stmt) != n:
		case c.Where == where:
			s = t.fr.operated(c.Stmt, c.Method, s)
		case c.Where == DeferredBefore && where == Before:
			s = t.deferred(c.Method, s)
		}
	}
	return s
}

// deferred is the state once a call of a method of the lock has been deferred.
func (t *trial) deferred(method string, s state) state {
	d := &ast.DeferStmt{Call: &ast.CallExpr{Fun: &ast.BadExpr{}}}
	t.fr.made[d.Call] = method
	i := len(t.fr.defers)
	t.fr.defers = append(t.fr.defers, d)
	return s.each(func(h hold) hold { return h.pushed(i) })
}

// behind makes the calls that changes put behind a statement.
func (t *trial) behind(stmt ast.Stmt, s state) state {
	for _, c := range t.changes {
		switch {
		case c.Stmt != stmt:
		case c.Where == After:
			s = t.fr.operated(c.Stmt, c.Method, s)
		case c.Where == DeferredAfter:
			s = t.deferred(c.Method, s)
		}
	}
	return s
}

// operated is the state after a call of a method of the subject.
func (fr *frame) operated(at ast.Node, method string, s state) state {
	if method == "" {
		return s
	}
	yes, _ := fr.operate(at, method, s)
	return yes
}

// order is the blocks that can be reached, each behind those that lead to it, but for loops; and
// the rank of each by its index.
func (g *Graph) order() (blocks []*cfg.Block, rank []int) {
	seen := make([]bool, len(g.Blocks))
	var visit func(b *cfg.Block)
	visit = func(b *cfg.Block) {
		seen[b.Index] = true
		for _, to := range slices.Backward(b.Succs) {
			if !seen[to.Index] {
				visit(to)
			}
		}
		blocks = append(blocks, b)
	}
	visit(g.Blocks[0])
	slices.Reverse(blocks)
	rank = make([]int, len(g.Blocks))
	for i, b := range blocks {
		rank[b.Index] = i
	}
	return blocks, rank
}

// StatementCall is the call that a statement makes, deferred or at once; nil if it is none.
func StatementCall(n ast.Node) *ast.CallExpr {
	switch s := n.(type) {
	case *ast.ExprStmt:
		call, _ := s.X.(*ast.CallExpr)
		return call
	case *ast.DeferStmt:
		return s.Call
	}
	return nil
}
