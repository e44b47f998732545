package mutate

import (
	"go/ast"
	"maps"
	"sync"

	"github.com/dave/dst"

	"mendel/analysis"
)

// facts remembers what is known of the original program, for [Space.judge].
// It is safe for concurrent use.
type facts struct {
	mu      sync.Mutex
	calls   map[*tree]map[int]insertedCall // calls of locks' methods by NodeID
	callees map[*tree]map[int][]string     // keys that a call may acquire
	walks   map[*tree]*fileWalk
	taking  map[*tree]map[string]map[int]bool // see facts.takers
	locking map[*analysis.File]bool           // see facts.locks
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

// lockCalls finds the calls of locks' methods in an original file.
func (fs *facts) lockCalls(p *analysis.Program, t *tree) map[int]insertedCall {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	if found := fs.calls[t]; found != nil {
		return found
	}
	found := make(map[int]insertedCall)
	for id, n := range t.syntax {
		if call, ok := n.(*ast.CallExpr); ok {
			if l, method, ok := p.LockOf(t.file, call); ok {
				found[id] = insertedCall{lock: l, method: method}
			}
		}
	}
	if fs.calls == nil {
		fs.calls = make(map[*tree]map[int]insertedCall)
	}
	fs.calls[t] = found
	return found
}

// acquires are the keys of the locks that a call of the original may acquire in its callee.
func (fs *facts) acquires(p *analysis.Program, t *tree, id int, call *ast.CallExpr) []string {
	fs.mu.Lock()
	keys, ok := fs.callees[t][id]
	fs.mu.Unlock()
	if ok {
		return keys
	}
	keys = p.Acquires(t.file, call)
	fs.mu.Lock()
	defer fs.mu.Unlock()
	if fs.callees == nil {
		fs.callees = make(map[*tree]map[int][]string)
	}
	if fs.callees[t] == nil {
		fs.callees[t] = make(map[int][]string)
	}
	fs.callees[t][id] = keys
	return keys
}

// A fileWalk is what following an original file's declarations has found.
type fileWalk struct {
	events map[event]bool
	at     map[dst.Stmt][]heldLock
	order  lockOrder
	decls  map[dst.Decl]declWalk
}

// A declWalk is what following one declaration of the original has found.
type declWalk struct {
	order lockOrder
	calls map[callHeld]bool
}

// walksOf walks a file's original.
func (s *Space) walksOf(t *tree) *fileWalk {
	s.facts.mu.Lock()
	found := s.facts.walks[t]
	s.facts.mu.Unlock()
	if found != nil {
		return found
	}
	v := s.originalView(t)
	found = &fileWalk{events: make(map[event]bool), at: make(map[dst.Stmt][]heldLock), order: newLockOrder(), decls: make(map[dst.Decl]declWalk)}
	for _, d := range v.root.Decls {
		w := v.walk(d)
		found.decls[d] = declWalk{w.order, w.callsHeld}
		maps.Copy(found.events, w.events)
		maps.Copy(found.at, w.at)
		found.order.merge(w.order)
	}
	s.facts.mu.Lock()
	defer s.facts.mu.Unlock()
	if s.facts.walks == nil {
		s.facts.walks = make(map[*tree]*fileWalk)
	}
	s.facts.walks[t] = found
	return found
}

func (s *Space) originalView(t *tree) *view {
	return &view{space: s, tree: t, root: t.root, ids: numbering{original: t.numbers}}
}

// newWalk begins a walk in the declaration with a NodeID.
func (v *view) newWalk(decl int, names aliases) *holdWalk {
	return &holdWalk{
		view: v, decl: decl, names: names,
		events: make(map[event]bool), at: make(map[dst.Stmt][]heldLock),
		nestings: make(map[event][]order), order: newLockOrder(),
	}
}

// walk follows a top-level declaration.
func (v *view) walk(d dst.Decl) *holdWalk {
	w := v.newWalk(v.id(d), v.tree.aliases[v.id(d)])
	switch d := d.(type) {
	case *dst.FuncDecl:
		w.function(d.Body, nil)
	case *dst.GenDecl:
		w.inside(d, nil)
	}
	return w
}
