package mutate

import (
	"go/ast"
	"maps"
	"sync"

	"mendel/analysis"
	"mendel/mutate/internal/paths"
	"mendel/mutate/internal/tree"
)

// facts remembers what is known of the original program, for [Space.foresees] and gaps.
// It is safe for concurrent use.
type facts struct {
	mu      sync.Mutex
	calls   map[*tree.Original]lockCalls // calls of locks' methods
	walks   map[*tree.Original]*fileWalk
	locking map[*analysis.File]bool // see facts.locks
}

// locks reports whether an original file calls methods of locks: in others no lock
// is held that is not held by callers. It needs no tree.
func (fs *facts) locks(p *analysis.Program, f *analysis.File) bool {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	if found, known := fs.locking[f]; known {
		return found
	}
	found := false
	ast.Inspect(f.AST, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && !found {
			_, _, found = p.LockOf(f, call)
		}
		return !found
	})
	if fs.locking == nil {
		fs.locking = make(map[*analysis.File]bool)
	}
	fs.locking[f] = found
	return found
}

// locks is facts.locks of a module-relative file.
func (s *Space) locks(name string) bool {
	f := s.program.File(name)
	return f != nil && s.facts.locks(s.program, f)
}

// lockCalls are the calls of locks' methods in an original file.
type lockCalls struct {
	byID map[int]insertedCall
}

// lockCalls finds the calls of locks' methods in an original file.
func (fs *facts) lockCalls(p *analysis.Program, t *tree.Original) lockCalls {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	if found, known := fs.calls[t]; known {
		return found
	}
	found := lockCalls{byID: make(map[int]insertedCall)}
	for id, n := range t.Nodes() {
		if call, ok := n.(*ast.CallExpr); ok {
			if l, method, ok := p.LockOf(t.File, call); ok {
				found.byID[id] = insertedCall{lock: l, method: method}
			}
		}
	}
	if fs.calls == nil {
		fs.calls = make(map[*tree.Original]lockCalls)
	}
	fs.calls[t] = found
	return found
}

// A fileWalk is what following an original file's declarations has found.
type fileWalk struct {
	events map[event]bool
	at     map[int][]heldLock // by NodeID of the statement
}

// walksOf walks a file's original.
func (s *Space) walksOf(ids *tree.Original) *fileWalk {
	s.facts.mu.Lock()
	found := s.facts.walks[ids]
	s.facts.mu.Unlock()
	if found != nil {
		return found
	}
	found = &fileWalk{events: make(map[event]bool), at: make(map[int][]heldLock)}
	v := s.originalView(ids)
	for _, d := range v.decls {
		w := v.walk(d)
		maps.Copy(found.events, w.events)
		for stmt, held := range w.at {
			found.at[v.id(stmt)] = held
		}
	}
	s.facts.mu.Lock()
	defer s.facts.mu.Unlock()
	if s.facts.walks == nil {
		s.facts.walks = make(map[*tree.Original]*fileWalk)
	}
	s.facts.walks[ids] = found
	return found
}

func (s *Space) originalView(ids *tree.Original) *view {
	return &view{space: s, of: ids, decls: ids.File.AST.Decls}
}

// newWalk begins a walk in the declaration with a NodeID.
func (v *view) newWalk(decl int, names aliases) *holdWalk {
	w := &holdWalk{
		view: v, decl: decl, names: names,
		events: make(map[event]bool), at: make(map[ast.Stmt][]heldLock), polled: make(map[ast.Stmt]bool),
	}
	w.Paths = paths.Paths[holding]{Join: w.join, Stmt: w.stmt, Block: w.list, Leaf: w.leaf, Assigns: w.ranges, Turn: w.turn}
	return w
}

// walk follows a top-level declaration.
func (v *view) walk(d ast.Decl) *holdWalk {
	original, _ := v.syntax(d).(ast.Decl)
	w := v.newWalk(v.id(d), v.space.aliases(original))
	w.follow(d)
	return w
}

func (w *holdWalk) follow(d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		w.function(d.Body, nil)
	case *ast.GenDecl:
		w.inside(d, nil)
	}
}

// WaitHeat is the heat of the hottest place at which a failure says that a
// goroutine waits for a lock with a key; 0 if none does.
func (fn *Function) WaitHeat(key string) float64 {
	hottest := 0.0
	for _, name := range fn.space.fileNames {
		if !fn.space.locks(name) {
			continue
		}
		ids := fn.space.trees.Original(fn.Program.File(name))
		for id, c := range fn.space.facts.lockCalls(fn.Program, ids).byID {
			if c.lock.Key != key || !c.acquires() {
				continue
			}
			line := fn.line(ids.Node(id).Pos())
			if fn.Narrowing.Waits(name, line) != "" {
				hottest = max(hottest, fn.Narrowing.Heat(name, line))
			}
		}
	}
	return hottest
}

// WaitsUnder reports whether statements may wait for other goroutines, for time to pass, or
// for input and output while a lock is held around them; deferred says that its release is.
func (fn *Function) WaitsUnder(l analysis.Lock, deferred bool, stmts []ast.Stmt) bool {
	for ev := range fn.space.originalView(fn.original()).under(heldLock{Lock: l, deferred: deferred}, nil, stmts) {
		if ev.kind == waits {
			return true
		}
	}
	return false
}

// under finds what happens in statements that a lock is held around.
func (v *view) under(l heldLock, names aliases, stmts []ast.Stmt) map[event]bool {
	w := v.newWalk(-1, names)
	w.list(stmts, holding{[]heldLock{l}, true})
	return w.events
}
