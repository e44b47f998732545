package mutate

import (
	"go/ast"
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
// holds before a statement and gives those after it. That a loop's body leaves the
// lock otherwise than it found it is a fault.
type pathFlow struct {
	b       *Balance
	t       *tracer // judges what has no control flow
	entry   hold
	instead map[ast.Stmt]string
	around  map[ast.Stmt][]Change
	faults  map[Fault]bool
	exits   []Exit

	paths[holds]
}

func newFlow(b *Balance, entry hold, changes []Change) *pathFlow {
	f := &pathFlow{
		b: b, entry: entry,
		t:       newTracer(b.fn, &Section{fn: b.fn, expr: b.expr, Lock: b.Lock}),
		instead: make(map[ast.Stmt]string), around: make(map[ast.Stmt][]Change), faults: make(map[Fault]bool),
	}
	f.paths = paths[holds]{join: f.join, stmt: f.stmt, block: f.block, leaf: f.leaf, assigns: f.assigns, turn: f.turn}
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
	if loop, ok := stmt.(*ast.ForStmt); ok && loop.Post != nil {
		f.leaf(loop.Post, at)
	}
	if out, ok := f.compound(stmt, "", at); ok {
		return out
	}
	return f.simple(stmt, at)
}

func (f *pathFlow) join(a, b holds) holds { return a.with(b) }

// assigns is told of the key and the value of a loop.
func (f *pathFlow) assigns(s *ast.RangeStmt, at holds) {
	if (f.t.rebinds(s.Key) || f.t.rebinds(s.Value)) && (len(at) != 1 || !at[f.entry]) {
		f.t.bad = true
	}
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
		if !isFallthrough(s) {
			f.exit(s, false, at)
		}
		out, inside := f.branch(s, at)
		f.t.bad = f.t.bad || !inside // it names a block
		return out
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

// turn ends an iteration of a loop.
func (f *pathFlow) turn(to *target[holds], n ast.Node, at holds) {
	for h := range at {
		if !to.found[h] {
			f.fault(IterationHeld, n)
		}
	}
}
