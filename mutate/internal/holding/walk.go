package holding

import (
	"go/ast"
	"slices"
	"strings"

	"github.com/dave/dst"

	"mendel/analysis"
	"mendel/analysis/syntax"
	"mendel/mutate/internal/lockcall"
	"mendel/mutate/internal/paths"
	"mendel/mutate/internal/tree"
)

// A View is a file's syntax, the original or the declarations that edits have
// touched, with what is known of the calls in it.
type View struct {
	program  *Program
	of       *tree.Original // the original's
	decls    []ast.Decl     // all of the original; those touched
	edited   *tree.Restored // nil in the original
	inserted map[*dst.CallExpr]lockcall.Call
}

// id is the NodeID of the original's node that a node of the view is or was; -1 for an
// inserted one.
func (v *View) id(n ast.Node) int {
	id, ok := 0, false
	if v.edited == nil {
		id, ok = v.of.ID(n)
	} else {
		id, ok = v.edited.ID(n)
	}
	if !ok {
		return -1
	}
	return id
}

// syntax is the original's node that a node of the view is or was; nil for an inserted one.
func (v *View) syntax(n ast.Node) ast.Node {
	if v.edited == nil {
		return n
	}
	if id := v.id(n); id >= 0 {
		return v.of.Node(id)
	}
	return nil
}

// lockCall resolves a call of a lock's method.
func (v *View) lockCall(call *ast.CallExpr) (lockcall.Call, bool) {
	if v.edited != nil {
		if node, ok := v.edited.Node(call).(*dst.CallExpr); ok {
			if c, ok := v.inserted[node]; ok {
				return c, true
			}
		}
	}
	c, ok := v.program.Calls(v.of)[v.id(call)]
	return c, ok
}

// A Lock is a lock that is held at a point of a function.
type Lock struct {
	analysis.Lock
	deferred bool // its release is deferred
}

// An event is something that matters about a lock being held. Events of two
// views are equal when they are about the same locks at the same place.
type event struct {
	kind eventKind
	lock string // its expression; for nesting the key of both
	node int    // NodeID of the operation or, for nesting, top-level declaration; -1: inserted
}

type eventKind int

const (
	nests eventKind = iota // acquires a lock while another value's with its key is held
	waits                  // may wait for another goroutine while a lock is held
)

// held are the locks that are held on all paths to a point; there is none to one that
// is not reached.
type holding struct {
	locks   []Lock
	reached bool
}

// A walk follows the paths through a declaration and collects the events. What
// it misses, the model of the printed source will find; what it reports must be so.
type walk struct {
	*View
	decl   int // NodeID of the declaration
	names  aliases
	events map[event]bool
	at     map[ast.Stmt][]Lock // before each statement
	polled map[ast.Stmt]bool   // the operations of selects' cases

	paths.Paths[holding]
}

// newWalk begins a walk in the declaration with a NodeID.
func (v *View) newWalk(decl int, names aliases) *walk {
	w := &walk{
		View: v, decl: decl, names: names,
		events: make(map[event]bool), at: make(map[ast.Stmt][]Lock), polled: make(map[ast.Stmt]bool),
	}
	w.Paths = paths.Paths[holding]{Join: w.join, Stmt: w.stmt, Block: w.list, Leaf: w.leaf, Assigns: w.ranges, Turn: w.turn}
	return w
}

// walk follows a top-level declaration.
func (v *View) walk(d ast.Decl) *walk {
	original, _ := v.syntax(d).(ast.Decl)
	w := v.newWalk(v.id(d), v.program.aliases(original))
	w.follow(d)
	return w
}

func (w *walk) follow(d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		w.function(d.Body, nil)
	case *ast.GenDecl:
		w.inside(d, nil)
	}
}

// lockOp resolves a call of a lock's method, the lock named without aliases.
func (w *walk) lockOp(call *ast.CallExpr) (lockcall.Call, bool) {
	c, ok := w.lockCall(call)
	c.Lock.Expr = w.names.resolve(c.Lock.Expr)
	return c, ok
}

// function walks a function body that is entered with some locks held.
func (w *walk) function(body *ast.BlockStmt, locks []Lock) {
	if body == nil {
		return
	}
	targets := w.Targets
	w.Targets = nil
	w.list(body.List, holding{locks, true})
	w.Targets = targets
}

func (w *walk) list(stmts []ast.Stmt, at holding) holding {
	for _, s := range stmts {
		at = w.stmt(s, at)
	}
	return at
}

// stmt walks one statement.
func (w *walk) stmt(s ast.Stmt, at holding) holding {
	if s == nil || !at.reached || w.polled[s] {
		return at
	}
	w.at[s] = at.locks
	switch s := s.(type) {
	case *ast.LabeledStmt:
		w.at[s.Stmt] = at.locks
		w.selects(s.Stmt, at)
	case *ast.SelectStmt:
		w.selects(s, at)
	case *ast.ExprStmt:
		return w.exprStmt(s, at)
	case *ast.DeferStmt:
		at.locks = w.deferStmt(s, at.locks)
		return at
	case *ast.GoStmt:
		w.exprs(at, s.Call.Args...)
		if lit, ok := s.Call.Fun.(*ast.FuncLit); ok {
			w.function(lit.Body, nil)
		}
		return at
	case *ast.BranchStmt:
		out, _ := w.Branch(s, at)
		return out
	case *ast.SendStmt:
		w.wait(s, at.locks)
	}
	if out, ok := w.Compound(s, "", at); ok {
		return out
	}
	w.inside(s, at.locks)
	if _, returns := s.(*ast.ReturnStmt); returns {
		return holding{}
	}
	return at
}

// selects walks the head of a select; the operations of its cases wait together.
func (w *walk) selects(stmt ast.Stmt, at holding) {
	s, ok := stmt.(*ast.SelectStmt)
	if !ok {
		return
	}
	if !syntax.HasDefault(s) {
		w.wait(s, at.locks)
	}
	for _, c := range s.Body.List {
		w.polled[c.(*ast.CommClause).Comm] = true
	}
}

func (w *walk) exprStmt(s *ast.ExprStmt, at holding) holding {
	call, ok := s.X.(*ast.CallExpr)
	if !ok {
		w.inside(s, at.locks)
		return at
	}
	if c, ok := w.lockOp(call); ok {
		switch c.Method {
		case "Lock", "RLock":
			w.acquire(c.Lock, at.locks)
			at.locks = append(slices.Clone(at.locks), Lock{Lock: c.Lock})
		case "Unlock", "RUnlock":
			at.locks = release(at.locks, c.Lock)
		}
		return at
	}
	w.inside(s, at.locks)
	if id, ok := call.Fun.(*ast.Ident); ok && id.Name == "panic" {
		return holding{}
	}
	return at
}

// release takes the innermost acquisition of a lock out.
func release(held []Lock, l analysis.Lock) []Lock {
	for i := len(held) - 1; i >= 0; i-- {
		if held[i].Key == l.Key && held[i].Expr == l.Expr {
			return slices.Delete(slices.Clone(held), i, i+1)
		}
	}
	return held
}

// deferStmt walks a deferred call, which runs while those locks are still held
// whose release was deferred before it.
func (w *walk) deferStmt(s *ast.DeferStmt, locks []Lock) []Lock {
	w.exprs(holding{locks, true}, s.Call.Args...)
	if c, ok := w.lockOp(s.Call); ok {
		return deferRelease(locks, c)
	}
	later := slices.DeleteFunc(slices.Clone(locks), func(h Lock) bool { return !h.deferred })
	lit, ok := s.Call.Fun.(*ast.FuncLit)
	if !ok {
		w.call(s.Call, later)
		return locks
	}
	for _, inner := range lit.Body.List {
		if e, ok := inner.(*ast.ExprStmt); ok {
			if call, ok := e.X.(*ast.CallExpr); ok {
				if c, ok := w.lockOp(call); ok {
					locks = deferRelease(locks, c)
				}
			}
		}
	}
	w.function(lit.Body, later)
	return locks
}

// deferRelease notes that a lock's release has been deferred.
func deferRelease(held []Lock, c lockcall.Call) []Lock {
	held = slices.Clone(held)
	for i := len(held) - 1; i >= 0 && strings.HasSuffix(c.Method, "Unlock"); i-- {
		if held[i].Key == c.Lock.Key && held[i].Expr == c.Lock.Expr && !held[i].deferred {
			held[i].deferred = true
			break
		}
	}
	return held
}

// join is what both of two paths hold.
func (w *walk) join(a, b holding) holding {
	switch {
	case !a.reached:
		return b
	case !b.reached:
		return a
	}
	return holding{intersect(a.locks, b.locks), true}
}

// turn ends an iteration of a loop. If it has changed what is held, the loop's end is
// where both may be.
func (w *walk) turn(to *paths.Target[holding], _ ast.Node, at holding) {
	if !at.reached {
		return
	}
	at.locks = w.stmt(to.Post, at).locks
	if loop, ok := to.Stmt.(*ast.ForStmt); !ok || loop.Cond != nil {
		to.Breaks = w.join(to.Breaks, holding{intersect(to.Found.locks, at.locks), true})
	}
}

// leaf walks what has no control flow.
func (w *walk) leaf(n ast.Node, at holding) {
	if s, ok := n.(ast.Stmt); ok {
		w.at[s] = at.locks
	}
	w.inside(n, at.locks)
}

// ranges is told of a loop over something.
func (w *walk) ranges(s *ast.RangeStmt, at holding) {
	if w.rangesOverChannel(s) {
		w.wait(s, at.locks)
	}
}

func intersect(a, b []Lock) []Lock {
	return slices.DeleteFunc(slices.Clone(a), func(h Lock) bool {
		return !slices.ContainsFunc(b, func(o Lock) bool { return o.Key == h.Key && o.Expr == h.Expr })
	})
}
