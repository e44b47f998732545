package holding

import (
	"go/ast"
	"maps"
	"sync"

	"github.com/dave/dst"

	"mendel/analysis"
	"mendel/analysis/locks"
	"mendel/mutate/internal/lockcall"
	"mendel/mutate/internal/tree"
)

// A Program is an original program, of which is remembered what is held where.
// It is safe for concurrent use.
type Program struct {
	program   *analysis.Program
	model     *locks.Model
	aliasesOf sync.Map // of functions' declarations

	mu    sync.Mutex
	calls map[*tree.Original]map[int]lockcall.Call // see Calls
	walks map[*tree.Original]*File
	locks map[*analysis.File]bool // see Locks
}

// New knows nothing of a program yet; the model has its names for locks.
func New(p *analysis.Program, model *locks.Model) *Program {
	return &Program{
		program: p, model: model,
		calls: make(map[*tree.Original]map[int]lockcall.Call),
		walks: make(map[*tree.Original]*File),
		locks: make(map[*analysis.File]bool),
	}
}

// Locks reports whether a file calls methods of locks: in others no lock
// is held that is not held by callers. It needs no tree.
func (p *Program) Locks(f *analysis.File) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if found, known := p.locks[f]; known {
		return found
	}
	found := false
	ast.Inspect(f.AST, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && !found {
			_, _, found = p.program.LockCall(f, call)
		}
		return !found
	})
	p.locks[f] = found
	return found
}

// Calls are the calls of locks' methods in a file, by NodeID; not to be changed.
func (p *Program) Calls(o *tree.Original) map[int]lockcall.Call {
	p.mu.Lock()
	defer p.mu.Unlock()
	if found, known := p.calls[o]; known {
		return found
	}
	found := make(map[int]lockcall.Call)
	for id, n := range o.Nodes() {
		if call, ok := n.(*ast.CallExpr); ok {
			if l, method, ok := p.program.LockCall(o.File, call); ok {
				found[id] = lockcall.Call{Lock: l, Method: method, Expr: call}
			}
		}
	}
	p.calls[o] = found
	return found
}

// A File is what following an original file's declarations has found.
type File struct {
	Before map[int][]Lock // what is held before a statement, by NodeID
	events map[event]bool
}

// File follows the declarations of a file.
func (p *Program) File(o *tree.Original) *File {
	p.mu.Lock()
	found := p.walks[o]
	p.mu.Unlock()
	if found != nil {
		return found
	}
	found = &File{events: make(map[event]bool), Before: make(map[int][]Lock)}
	v := p.original(o)
	for _, d := range v.decls {
		w := v.walk(d)
		maps.Copy(found.events, w.events)
		for stmt, held := range w.at {
			found.Before[v.id(stmt)] = held
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.walks[o] = found
	return found
}

func (p *Program) original(o *tree.Original) *View {
	return &View{program: p, of: o, decls: o.File.AST.Decls}
}

// Edited is how an edited file is examined; inserted are the calls of locks' methods that edits
// have made. There are no more edits then.
func (p *Program) Edited(f *tree.Edited, inserted map[*dst.CallExpr]lockcall.Call) *View {
	now := f.Restore()
	return &View{program: p, of: f.Original, decls: now.Decls, edited: now, inserted: inserted}
}

// WaitsUnder reports whether statements of a file may wait for other goroutines, for time to
// pass, or for input and output while a lock is held around them; deferred says that its
// release is.
func (p *Program) WaitsUnder(o *tree.Original, l analysis.Lock, deferred bool, stmts []ast.Stmt) bool {
	w := p.original(o).newWalk(-1, nil)
	w.list(stmts, holding{[]Lock{{Lock: l, deferred: deferred}}, true})
	for ev := range w.events {
		if ev.kind == waits {
			return true
		}
	}
	return false
}

// Before tells of each statement of the declarations that edits have touched what is held
// before it, and the NodeID of the declaration that it stands in; -1 for an inserted one.
func (v *View) Before(each func(s dst.Stmt, decl int, held []Lock)) {
	for _, d := range v.decls {
		w := v.walk(d)
		for s, held := range w.at {
			if now, ok := v.edited.Node(s).(dst.Stmt); ok {
				each(now, w.decl, held)
			}
		}
	}
}
