package mutate

import (
	"go/ast"
	"go/token"
	"maps"
	"slices"
)

// A hold is how a goroutine may hold a lock at a point of a function: how often
// it has taken each side, and which releases it has deferred.
type hold struct {
	write, read           int8
	laterWrite, laterRead int8
}

// maxReads bounds nested read locks, so that the holds of a function are few.
const maxReads = 3

// after is the hold after a call of a method; ok is false where the call is a
// fault, after which the goroutine waits for ever or the program has crashed.
func (h hold) after(method string, deferred bool) (next hold, fault FaultKind, ok bool) {
	switch {
	case deferred && method == "Unlock":
		h.laterWrite++
		return h, 0, h.laterWrite <= maxReads
	case deferred && method == "RUnlock":
		h.laterRead++
		return h, 0, h.laterRead <= maxReads
	case method == "Lock":
		h.write++
		return h, TakenTwice, h.write == 1 && h.read == 0
	case method == "RLock":
		h.read++
		return h, TakenTwice, h.write == 0 && h.read <= maxReads
	case method == "Unlock":
		h.write--
		return h, NotHeld, h.write == 0
	}
	h.read--
	return h, NotHeld, h.read >= 0
}

// atEnd is the hold when the deferred calls have run.
func (h hold) atEnd() hold {
	return hold{write: h.write - h.laterWrite, read: h.read - h.laterRead}
}

// release is the method that ends a hold whose release is not deferred; "" of other holds.
func (h hold) release() string {
	switch h {
	case hold{write: 1}:
		return "Unlock"
	case hold{read: 1}:
		return "RUnlock"
	}
	return ""
}

// holds are the holds on the paths to a point. There are none at a point that
// is never reached.
type holds map[hold]bool

func (at holds) with(others ...holds) holds {
	all := maps.Clone(at)
	if all == nil {
		all = make(holds)
	}
	for _, o := range others {
		maps.Copy(all, o)
	}
	return all
}

// release is the method that ends what is held on all paths; "" if there is none.
func (at holds) release() string {
	method := ""
	for h := range at {
		if m := h.release(); m == "" || method != "" && m != method {
			return ""
		} else {
			method = m
		}
	}
	return method
}

// A pathFlow follows the paths through a function. Each of its methods takes the
// holds before a statement and gives those after it. A loop's body is followed
// once: that it leaves the lock otherwise than it found it is a fault.
type pathFlow struct {
	b       *Balance
	t       *tracer // judges what has no control flow
	entry   hold
	instead map[ast.Stmt]string
	around  map[ast.Stmt][]Change
	faults  map[Fault]bool
	exits   []Exit
	targets []*flowTarget
}

// A flowTarget is a statement that a break or continue may name.
type flowTarget struct {
	label  string
	stmt   ast.Stmt
	loop   bool
	found  holds // at the head of a loop
	breaks holds
}

func newFlow(b *Balance, entry hold, changes []Change) *pathFlow {
	f := &pathFlow{
		b: b, entry: entry,
		t:       newTracer(b.fn, &Section{fn: b.fn, expr: b.expr, Lock: b.Lock}),
		instead: make(map[ast.Stmt]string), around: make(map[ast.Stmt][]Change), faults: make(map[Fault]bool),
	}
	for _, c := range changes {
		if c.Where == Instead {
			f.instead[c.Stmt] = c.Method
		} else {
			f.around[c.Stmt] = append(f.around[c.Stmt], c)
		}
	}
	return f
}

func (f *pathFlow) run() {
	body := f.b.fn.Body
	at := f.block(body.List, holds{f.entry: true})
	f.leave(body, at)
}

func (f *pathFlow) fault(kind FaultKind, n ast.Node) { f.faults[Fault{kind, n}] = true }

// leave ends the function.
func (f *pathFlow) leave(n ast.Node, at holds) {
	for h := range at {
		switch end := h.atEnd(); {
		case end == f.entry:
		case end.write < f.entry.write || end.read < f.entry.read:
			f.fault(NotHeld, n)
		default:
			f.fault(LeftHeld, n)
		}
	}
}

// exit notes a place for a release.
func (f *pathFlow) exit(s ast.Stmt, after bool, at holds) {
	if release := at.release(); release != "" {
		f.exits = append(f.exits, Exit{s, after, release})
	}
}

// block follows the statements of a block, at the end of which a release may stand.
func (f *pathFlow) block(list []ast.Stmt, at holds) holds {
	for i, s := range list {
		at = f.stmt(s, at)
		if i == len(list)-1 && len(at) > 0 && !isFallthrough(s) {
			f.exit(s, true, at)
		}
		at = f.changed(s, at, After, DeferredAfter)
	}
	return at
}

// changed makes the calls that changes put at a statement.
func (f *pathFlow) changed(s ast.Stmt, at holds, where ...Where) holds {
	for _, c := range f.around[s] {
		if slices.Contains(where, c.Where) {
			at = f.call(s, c.Method, c.Where == DeferredAfter, at)
		}
	}
	return at
}

// call is one call of a lock's method.
func (f *pathFlow) call(n ast.Node, method string, deferred bool, at holds) holds {
	out := make(holds)
	for h := range at {
		if next, kind, ok := h.after(method, deferred); ok {
			out[next] = true
		} else {
			f.fault(kind, n)
		}
	}
	return out
}

// leaf reads what has no control flow.
func (f *pathFlow) leaf(n ast.Node, at holds) {
	if n == nil {
		return
	}
	depth := released
	if len(at) != 1 || !at[f.entry] {
		depth = heldOnce
	}
	f.t.leaf(n, depth)
}

func (f *pathFlow) exprs(at holds, exprs ...ast.Expr) {
	for _, e := range exprs {
		if e != nil {
			f.leaf(e, at)
		}
	}
}

func (f *pathFlow) stmt(stmt ast.Stmt, at holds) holds {
	if stmt == nil || len(at) == 0 {
		return at
	}
	at = f.changed(stmt, at, Before)
	if method, ok := f.instead[stmt]; ok {
		if _, deferred := stmt.(*ast.DeferStmt); method != "" {
			return f.call(stmt, method, deferred, at)
		}
		return at
	}
	if i := slices.IndexFunc(f.b.Calls, func(c LockCall) bool { return c.Stmt == stmt }); i >= 0 {
		c := f.b.Calls[i]
		if c.Method == "TryLock" || c.Method == "TryRLock" || c.Deferred && c.Acquires() {
			f.t.bad = true
		}
		return f.call(stmt, c.Method, c.Deferred, at)
	}
	return f.compound(stmt, "", at)
}

// compound follows a statement that is none of the lock's calls; label names it.
func (f *pathFlow) compound(stmt ast.Stmt, label string, at holds) holds {
	to := &flowTarget{label: label, stmt: stmt}
	switch s := stmt.(type) {
	case *ast.BlockStmt:
		return f.block(s.List, at)
	case *ast.LabeledStmt:
		return f.compound(s.Stmt, s.Label.Name, at)
	case *ast.IfStmt:
		return f.ifStmt(s, at)
	case *ast.ForStmt:
		at = f.stmt(s.Init, at)
		f.exprs(at, s.Cond)
		f.leaf(nodeOf(s.Post), at)
		return f.loop(to, s.Body, s.Cond != nil, at)
	case *ast.RangeStmt:
		f.exprs(at, s.X)
		if (f.t.rebinds(s.Key) || f.t.rebinds(s.Value)) && (len(at) != 1 || !at[f.entry]) {
			f.t.bad = true
		}
		return f.loop(to, s.Body, true, at)
	case *ast.SwitchStmt:
		at = f.stmt(s.Init, at)
		f.exprs(at, s.Tag)
		return f.clauses(to, s.Body.List, false, at)
	case *ast.TypeSwitchStmt:
		at = f.stmt(s.Init, at)
		f.leaf(s.Assign, at)
		return f.clauses(to, s.Body.List, false, at)
	case *ast.SelectStmt:
		return f.clauses(to, s.Body.List, true, at)
	}
	return f.simple(stmt, at)
}

// nodeOf is a statement as a node, nil if it is absent.
func nodeOf(s ast.Stmt) ast.Node {
	if s == nil {
		return nil
	}
	return s
}

// simple follows a statement without statements of its own.
func (f *pathFlow) simple(stmt ast.Stmt, at holds) holds {
	f.leaf(stmt, at)
	switch s := stmt.(type) {
	case *ast.ReturnStmt:
		f.exit(s, false, at)
		f.leave(s, at)
		return nil
	case *ast.BranchStmt:
		return f.branch(s, at)
	case *ast.ExprStmt:
		if !f.b.fn.noReturn(s.X) {
			return at
		}
		if !f.b.fn.endsProcess(s.X) && f.b.fn.index.unpaired.recovers(f.b.fn.Program) {
			f.exit(s, false, at)
			f.leave(s, at)
		}
		return nil
	}
	return at
}

// branch is a break, continue or fallthrough.
func (f *pathFlow) branch(s *ast.BranchStmt, at holds) holds {
	if s.Tok == token.FALLTHROUGH {
		return at // clauses passes it on
	}
	f.exit(s, false, at)
	for i := len(f.targets) - 1; i >= 0; i-- {
		to := f.targets[i]
		switch {
		case s.Label != nil && s.Label.Name != to.label, s.Tok == token.CONTINUE && !to.loop:
			continue
		case s.Tok == token.BREAK:
			to.breaks = to.breaks.with(at)
		default:
			f.turn(to, s, at)
		}
		return nil
	}
	f.t.bad = true // it names a block
	return nil
}

// turn ends an iteration of a loop.
func (f *pathFlow) turn(to *flowTarget, n ast.Node, at holds) {
	for h := range at {
		if !to.found[h] {
			f.fault(IterationHeld, n)
		}
	}
}

func (f *pathFlow) ifStmt(s *ast.IfStmt, at holds) holds {
	at = f.stmt(s.Init, at)
	f.exprs(at, s.Cond)
	then := f.block(s.Body.List, at)
	if s.Else == nil {
		return then.with(at)
	}
	return then.with(f.stmt(s.Else, at))
}

func (f *pathFlow) loop(to *flowTarget, body *ast.BlockStmt, ends bool, at holds) holds {
	to.loop, to.found = true, at
	f.targets = append(f.targets, to)
	f.turn(to, to.stmt, f.block(body.List, at))
	f.targets = f.targets[:len(f.targets)-1]
	if ends {
		return to.breaks.with(at)
	}
	return to.breaks
}

// clauses follows the cases of a switch or select; exhaustive says that one of
// them is always taken.
func (f *pathFlow) clauses(to *flowTarget, list []ast.Stmt, exhaustive bool, at holds) holds {
	f.targets = append(f.targets, to)
	var out, through holds
	for _, clause := range list {
		var body []ast.Stmt
		in := at.with(through)
		switch c := clause.(type) {
		case *ast.CaseClause:
			exhaustive = exhaustive || c.List == nil
			f.exprs(at, c.List...)
			body = c.Body
		case *ast.CommClause:
			in = f.stmt(c.Comm, in)
			body = c.Body
		}
		end := f.block(body, in)
		through = nil
		if n := len(body); n > 0 && isFallthrough(body[n-1]) {
			through = end
			continue
		}
		out = out.with(end)
	}
	f.targets = f.targets[:len(f.targets)-1]
	if !exhaustive {
		out = out.with(at)
	}
	return out.with(to.breaks)
}
