package mutate

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/dave/dst"

	"mendel/analysis"
)

// Conflict returns why a lock cannot be held around some consecutive statements
// of the function, or "": it is held there already, by a caller too; or they
// lock or release it themselves or in a function that is given what the lock
// belongs to, this one, called again, among them.
//
// Local variables that only stand for another expression are seen through. Of a
// whole body, the lock is taken to be put behind the calls it first defers, and
// its own release to be deferred.
func (fn *Function) Conflict(l analysis.Lock, stmts ...ast.Stmt) string {
	v := fn.space.originalView(fn.tree)
	var names aliases
	if decl := fn.decl(); decl != nil {
		names = fn.tree.aliases[fn.ID(decl)]
	}
	written := l.Expr
	l.Expr = names.resolve(l.Expr)
	nodes := make([]dst.Stmt, 0, len(stmts))
	for _, s := range stmts {
		nodes = append(nodes, fn.tree.nodes[fn.ID(s)].(dst.Stmt))
	}
	if len(nodes) > 0 && isHeld(fn.space.heldBefore(fn.tree, nodes[0]), l) {
		return written + " is held there already"
	}
	for _, n := range nodes {
		if v.handles(n, l, names) {
			return "the statements lock or release " + written + " themselves"
		}
	}
	callers := fn.callers()
	if fn.HeldByCaller(l.Key) {
		return "a caller holds " + written + " already"
	}
	v.acquirers = &acquirers{
		m: newMutation(fn.space), keys: []string{l.Key},
		byKey: map[string]map[*types.Func]bool{l.Key: callers},
	}
	for ev := range v.under(fn.around(l, stmts), names, nodes[fn.leading(stmts):]) {
		if ev.kind == relocks && ev.lock == l.Expr {
			return "the statements call a function that locks " + written
		}
	}
	return ""
}

// all reports whether statements are the whole body.
func (fn *Function) all(stmts []ast.Stmt) bool {
	return len(stmts) > 0 && len(stmts) == len(fn.Body.List) && stmts[0] == fn.Body.List[0]
}

// around is a lock as it is held around some statements: of a whole body its
// release is deferred, so that what the body defers runs under it.
func (fn *Function) around(l analysis.Lock, stmts []ast.Stmt) heldLock {
	return heldLock{Lock: l, deferred: fn.all(stmts)}
}

// leading counts the deferred calls that a whole body begins with, which run
// when a lock taken behind them is free again. Function literals are no such calls.
func (fn *Function) leading(stmts []ast.Stmt) int {
	if !fn.all(stmts) {
		return 0
	}
	return max(0, slices.IndexFunc(stmts, func(s ast.Stmt) bool {
		d, ok := s.(*ast.DeferStmt)
		if !ok || len(fn.Accesses(d)) > 0 {
			return true
		}
		_, literal := ast.Unparen(d.Call.Fun).(*ast.FuncLit)
		return literal
	}))
}

// under finds what happens in statements that a lock is held around.
func (v *view) under(l heldLock, names aliases, nodes []dst.Stmt) map[event]bool {
	w := v.newWalk(-1, names)
	w.list(nodes, []heldLock{l})
	return w.events
}

// Waits reports whether some consecutive statements may wait for other
// goroutines, for time to pass, or for input and output while a lock is held
// around them. The wait of a condition variable, which gives the lock up, is none.
func (fn *Function) Waits(l analysis.Lock, stmts ...ast.Stmt) bool {
	nodes := make([]dst.Stmt, 0, len(stmts))
	for _, s := range stmts {
		nodes = append(nodes, fn.tree.nodes[fn.ID(s)].(dst.Stmt))
	}
	for ev := range fn.space.originalView(fn.tree).under(fn.around(l, stmts), nil, nodes[fn.leading(stmts):]) {
		if ev.kind == waits {
			return true
		}
	}
	return false
}

// HeldByCaller reports whether a function that calls this one, directly or not,
// holds a lock with a key at such a call, with what the lock belongs to.
func (fn *Function) HeldByCaller(key string) bool {
	fn.memo.mu.Lock()
	held, known := fn.memo.under[key]
	fn.memo.mu.Unlock()
	if known {
		return held
	}
	held = fn.space.heldByCaller(key, fn.callers())
	fn.memo.mu.Lock()
	defer fn.memo.mu.Unlock()
	if fn.memo.under == nil {
		fn.memo.under = make(map[string]bool)
	}
	fn.memo.under[key] = held
	return held
}

// HeldAt lists the locks that are held in the original when a statement of the
// function is reached, those of callers left out.
func (fn *Function) HeldAt(s ast.Stmt) []analysis.Lock {
	var locks []analysis.Lock
	for _, h := range fn.space.heldBefore(fn.tree, fn.tree.nodes[fn.ID(s)].(dst.Stmt)) {
		locks = append(locks, h.Lock)
	}
	return locks
}

// callers is the function and all that call it by name, directly or not. A
// literal counts as part of the function around it unless it is a goroutine's.
func (fn *Function) callers() map[*types.Func]bool { return fn.memo.callers.get(fn.findCallers) }

func (fn *Function) findCallers() map[*types.Func]bool {
	for _, around := range fn.space.functionsOf(fn.File.Rel) {
		n := around.Node
		if n.Pos() <= fn.Body.Pos() && fn.Body.End() <= n.End() && n != ast.Node(fn.decl()) && fn.space.index.started[n] {
			return map[*types.Func]bool{}
		}
	}
	decl := fn.decl()
	if decl == nil {
		return map[*types.Func]bool{}
	}
	obj, _ := fn.File.Package.Info.Defs[decl.Name].(*types.Func)
	return fn.space.index.callersOf(obj)
}

// decl is the declared function around a function, itself included; nil for
// the literals of package variables.
func (fn *Function) decl() *ast.FuncDecl {
	if fn.memo == nil {
		return fn.findDecl()
	}
	return fn.memo.decl.get(fn.findDecl)
}

func (fn *Function) findDecl() *ast.FuncDecl {
	for _, d := range fn.File.AST.Decls {
		if fd, ok := d.(*ast.FuncDecl); ok && fd.Pos() <= fn.Node.Pos() && fn.Node.End() <= fd.End() {
			return fd
		}
	}
	return nil
}

// heldByCaller reports whether the original calls one of some functions, with
// what a lock belongs to, while it holds that lock.
func (s *Space) heldByCaller(key string, functions map[*types.Func]bool) bool {
	for f := range s.callsUnder()[key] {
		if functions[f] {
			return true
		}
	}
	return false
}

// callsUnder are the functions that the original calls while it holds a lock which
// they get at, by its key.
func (s *Space) callsUnder() map[string]map[*types.Func]bool {
	return s.facts.under.get(func() map[string]map[*types.Func]bool {
		under := make(map[string]map[*types.Func]bool)
		for _, name := range s.fileNames {
			t, err := s.trees.of(name)
			if err != nil {
				continue
			}
			for _, c := range s.walksOf(t).calls {
				if under[c.key] == nil {
					under[c.key] = make(map[*types.Func]bool)
				}
				under[c.key][c.callee] = true
			}
		}
		return under
	})
}

func isHeld(held []heldLock, l analysis.Lock) bool {
	for _, h := range held {
		if h.Key == l.Key && h.Expr == l.Expr {
			return true
		}
	}
	return false
}

// handles reports whether a statement has a call of one of the lock's methods in
// its text, function literals included.
func (v *view) handles(s dst.Stmt, l analysis.Lock, names aliases) bool {
	found := false
	dst.Inspect(s, func(n dst.Node) bool {
		if call, ok := n.(*dst.CallExpr); ok {
			c, ok := v.lockCall(call)
			found = found || ok && c.lock.Key == l.Key && names.resolve(c.lock.Expr) == l.Expr
		}
		return !found
	})
	return found
}

// heldBefore is what is held in the original before a statement.
func (s *Space) heldBefore(t *tree, stmt dst.Stmt) []heldLock { return s.walksOf(t).at[stmt] }
