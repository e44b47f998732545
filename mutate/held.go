package mutate

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"github.com/dave/dst"

	"mendel/analysis"
)

// A view is a file's tree, the original or an edited one, with what is known
// of the calls in it.
type view struct {
	space     *Space
	tree      *tree
	root      *dst.File
	ids       *numbering
	inserted  map[*dst.CallExpr]insertedCall // nil in the original
	acquirers *acquirers                     // nil in the original
}

// syntax is the original's node that a node of the view is or was; nil for an inserted one.
func (v *view) syntax(n dst.Node) ast.Node {
	if id, ok := v.ids.of(n); ok {
		return v.tree.syntax[id]
	}
	return nil
}

// id is a node's NodeID, -1 for an inserted one.
func (v *view) id(n dst.Node) int {
	if id, ok := v.ids.of(n); ok {
		return id
	}
	return -1
}

// lockCall resolves a call of a lock's method.
func (v *view) lockCall(call *dst.CallExpr) (insertedCall, bool) {
	if c, ok := v.inserted[call]; ok {
		return c, true
	}
	id, ok := v.ids.of(call)
	if !ok {
		return insertedCall{}, false
	}
	c, ok := v.space.facts.lockCalls(v.space.program, v.tree.nodeIDs).byID[id]
	return c, ok
}

// A heldLock is a lock that is held at a point of a function.
type heldLock struct {
	analysis.Lock
	deferred bool // its release is deferred
}

// An event is something that matters about a lock being held. Events of two
// views are equal when they are about the same locks at the same place.
type event struct {
	kind       eventKind
	lock, with string // expressions of the locks held and acquired; keys where acquired in a callee
	node       int    // NodeID of the call, operation or, for nesting, top-level declaration; -1: inserted
}

type eventKind int

const (
	nests eventKind = iota // acquires a lock while another is held
	waits                  // may wait for another goroutine while a lock is held
)

// A holdWalk follows a declaration and collects the events. It goes through
// the text once, and twice through a loop that ends holding more than it
// began with; branches that leave are not followed further. What it misses, a
// run will find; what it reports must be so.
type holdWalk struct {
	*view
	decl   int // NodeID of the declaration
	names  aliases
	events map[event]bool
	at     map[dst.Stmt][]heldLock // before each statement
	notes  bool                    // calls are to be noted
	calls  []callHeld

	nestings map[event][]order // what the events of nesting are about
	order    lockOrder
	scope    scope
}

// lockOp resolves a call of a lock's method, the lock named without aliases.
func (w *holdWalk) lockOp(call *dst.CallExpr) (insertedCall, bool) {
	c, ok := w.lockCall(call)
	c.lock.Expr = w.names.resolve(c.lock.Expr)
	return c, ok
}

// function walks a function body that is entered with some locks held.
func (w *holdWalk) function(body *dst.BlockStmt, held []heldLock) {
	if body == nil {
		return
	}
	outer := w.scope
	w.scope = scope{held, held, held}
	if after, ends := w.list(body.List, held); !ends {
		w.escapes(after, held)
	}
	w.scope = outer
}

func (w *holdWalk) list(stmts []dst.Stmt, held []heldLock) (after []heldLock, ends bool) {
	for _, s := range stmts {
		if held, ends = w.stmt(s, held); ends {
			return nil, true
		}
	}
	return held, false
}

// stmt walks one statement; ends says that what follows it is not reached through it.
func (w *holdWalk) stmt(s dst.Stmt, held []heldLock) (after []heldLock, ends bool) {
	w.at[s] = held
	switch s := s.(type) {
	case *dst.ExprStmt:
		return w.exprStmt(s, held)
	case *dst.DeferStmt:
		return w.deferStmt(s, held), false
	case *dst.GoStmt:
		w.exprs(held, s.Call.Args...)
		if lit, ok := s.Call.Fun.(*dst.FuncLit); ok {
			w.function(lit.Body, nil)
		}
		return held, false
	case *dst.BlockStmt:
		return w.list(s.List, held)
	case *dst.LabeledStmt:
		return w.stmt(s.Stmt, held)
	case *dst.IfStmt:
		return w.ifStmt(s, held)
	case *dst.ForStmt:
		held = w.simple(s.Init, held)
		w.exprs(held, s.Cond)
		return w.loop(s.Body, s.Post, held), false
	case *dst.RangeStmt:
		w.exprs(held, s.X)
		if w.rangesOverChannel(s) {
			w.wait(s, held)
		}
		return w.loop(s.Body, nil, held), false
	case *dst.SwitchStmt:
		held = w.simple(s.Init, held)
		w.exprs(held, s.Tag)
		return w.clauses(s.Body, held)
	case *dst.TypeSwitchStmt:
		held = w.simple(s.Init, held)
		w.simple(s.Assign, held)
		return w.clauses(s.Body, held)
	case *dst.SelectStmt:
		if !slices.ContainsFunc(s.Body.List, isDefault) {
			w.wait(s, held)
		}
		return w.clauses(s.Body, held)
	case *dst.ReturnStmt:
		w.exprs(held, s.Results...)
		w.escapes(held, w.scope.function)
		return nil, true
	case *dst.BranchStmt:
		return w.branch(s, held)
	case *dst.SendStmt:
		w.wait(s, held)
	}
	w.inside(s, held)
	return held, false
}

// branch walks a break, continue, goto or fallthrough.
func (w *holdWalk) branch(s *dst.BranchStmt, held []heldLock) ([]heldLock, bool) {
	switch {
	case s.Tok == token.FALLTHROUGH:
		return nil, false
	case s.Label != nil:
		w.escapes(held, w.scope.function)
	case s.Tok == token.CONTINUE:
		w.escapes(held, w.scope.loop)
	default:
		w.escapes(held, w.scope.breakable)
	}
	return nil, true
}

// simple walks an init, post or assign statement, which may be absent.
func (w *holdWalk) simple(s dst.Stmt, held []heldLock) []heldLock {
	if s != nil {
		held, _ = w.stmt(s, held)
	}
	return held
}

func (w *holdWalk) exprStmt(s *dst.ExprStmt, held []heldLock) ([]heldLock, bool) {
	call, ok := s.X.(*dst.CallExpr)
	if !ok {
		w.inside(s, held)
		return held, false
	}
	if c, ok := w.lockOp(call); ok {
		switch c.method {
		case "Lock", "RLock":
			w.acquire(call, c.lock, held)
			return append(slices.Clone(held), heldLock{Lock: c.lock}), false
		case "Unlock", "RUnlock":
			return release(held, c.lock), false
		}
		return held, false
	}
	w.inside(s, held)
	id, ok := call.Fun.(*dst.Ident)
	return held, ok && id.Name == "panic"
}

// release takes the innermost acquisition of a lock out.
func release(held []heldLock, l analysis.Lock) []heldLock {
	for i := len(held) - 1; i >= 0; i-- {
		if held[i].Key == l.Key && held[i].Expr == l.Expr {
			return slices.Delete(slices.Clone(held), i, i+1)
		}
	}
	return held
}

// deferStmt walks a deferred call, which runs while those locks are still held
// whose release was deferred before it.
func (w *holdWalk) deferStmt(s *dst.DeferStmt, held []heldLock) []heldLock {
	w.exprs(held, s.Call.Args...)
	if c, ok := w.lockOp(s.Call); ok {
		return deferRelease(held, c)
	}
	later := slices.DeleteFunc(slices.Clone(held), func(h heldLock) bool { return !h.deferred })
	lit, ok := s.Call.Fun.(*dst.FuncLit)
	if !ok {
		w.call(s.Call, later)
		return held
	}
	for _, inner := range lit.Body.List {
		if e, ok := inner.(*dst.ExprStmt); ok {
			if call, ok := e.X.(*dst.CallExpr); ok {
				if c, ok := w.lockOp(call); ok {
					held = deferRelease(held, c)
				}
			}
		}
	}
	w.function(lit.Body, later)
	return held
}

// deferRelease notes that a lock's release has been deferred.
func deferRelease(held []heldLock, c insertedCall) []heldLock {
	held = slices.Clone(held)
	for i := len(held) - 1; i >= 0 && strings.HasSuffix(c.method, "Unlock"); i-- {
		if held[i].Key == c.lock.Key && held[i].Expr == c.lock.Expr && !held[i].deferred {
			held[i].deferred = true
			break
		}
	}
	return held
}

func (w *holdWalk) ifStmt(s *dst.IfStmt, held []heldLock) ([]heldLock, bool) {
	held = w.simple(s.Init, held)
	w.exprs(held, s.Cond)
	m := merger{}
	m.add(w.list(s.Body.List, held))
	if s.Else != nil {
		m.add(w.stmt(s.Else, held))
	} else {
		m.add(held, false)
	}
	return w.merged(m)
}

// merged is what all branches that go on hold.
func (w *holdWalk) merged(m merger) ([]heldLock, bool) {
	w.escapes(m.some, m.held)
	return m.held, !m.going
}

func (w *holdWalk) loop(body *dst.BlockStmt, post dst.Stmt, held []heldLock) []heldLock {
	outer := w.scope
	defer func() { w.scope = outer }()
	for range 2 {
		w.scope.loop, w.scope.breakable = held, held
		after, ends := w.list(body.List, held)
		if ends {
			return held
		}
		after = w.simple(post, after)
		w.escapes(after, held)
		w.escapes(held, after)
		if len(after) <= len(held) {
			return intersect(held, after)
		}
		held = after // the next iteration begins with what this one has kept
	}
	return held
}

func (w *holdWalk) clauses(body *dst.BlockStmt, held []heldLock) ([]heldLock, bool) {
	m := merger{}
	outer := w.scope
	w.scope.breakable = held
	defer func() { w.scope = outer }()
	exhaustive := false
	for _, c := range body.List {
		exhaustive = exhaustive || isDefault(c)
		switch c := c.(type) {
		case *dst.CaseClause:
			w.exprs(held, c.List...)
			m.add(w.list(c.Body, held))
		case *dst.CommClause:
			exhaustive = true
			m.add(w.list(c.Body, held))
		}
	}
	// A break in a clause is taken for one that leaves; the switch goes on then.
	if !exhaustive || breaks(body) {
		m.add(held, false)
	}
	return w.merged(m)
}

func isDefault(s dst.Stmt) bool {
	switch c := s.(type) {
	case *dst.CaseClause:
		return c.List == nil
	case *dst.CommClause:
		return c.Comm == nil
	}
	return false
}

func breaks(body *dst.BlockStmt) bool {
	found := false
	dst.Inspect(body, func(n dst.Node) bool {
		b, ok := n.(*dst.BranchStmt)
		found = found || ok && b.Tok == token.BREAK
		return !found
	})
	return found
}

// A merger joins branches: held is what all that go on hold.
type merger struct {
	held  []heldLock
	some  []heldLock // what any of them holds
	going bool
}

func (m *merger) add(held []heldLock, ends bool) {
	switch {
	case ends:
		return
	case !m.going:
		m.held, m.going = held, true
	default:
		m.held = intersect(m.held, held)
	}
	m.some = append(slices.Clip(m.some), held...)
}

func intersect(a, b []heldLock) []heldLock {
	return slices.DeleteFunc(slices.Clone(a), func(h heldLock) bool {
		return !slices.ContainsFunc(b, func(o heldLock) bool { return o.Key == h.Key && o.Expr == h.Expr })
	})
}
