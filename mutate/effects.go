package mutate

import (
	"go/ast"
	"go/types"
	"slices"

	"mendel/analysis/syntax"
	"mendel/mutate/internal/blocking"
)

// Effects are what statements do that matters to holding a section's lock
// around them, or to not holding it any more.
type Effects struct {
	// Relocks: they take the section's own lock, here or in a callee that is
	// given what the lock belongs to. Go mutexes are not re-entrant.
	Relocks bool
	Nests   bool // they take other locks, here or in a callee
	Blocks  bool // channel operation, wait or sleep
	Waits   bool // sync.Cond.Wait, which needs its lock held
	// Calls: they call what may block, or what is known only when the program
	// runs and may do anything.
	Calls bool
}

// MayWait reports whether the statements may wait for other goroutines, at a
// channel or for a lock, so that not holding the section's may help those.
func (e Effects) MayWait() bool { return e.Blocks || e.Nests || e.Relocks || e.Calls }

// Flags are the flags of an edit that holds the lock around such statements.
// Whether nested locks speak against it shows in the whole program only, so
// that [Space.Mutant] says it.
func (e Effects) Flags() []Flag {
	var flags []Flag
	if e.Blocks {
		flags = append(flags, Blocks)
	}
	return flags
}

// Effects finds the effects of some statements on a section's lock. Deferred
// and concurrent calls have theirs elsewhere; function literals that are
// called or passed to a call count as run at once.
func (fn *Function) Effects(s *Section, stmts ...ast.Stmt) Effects {
	var e Effects
	polled := map[ast.Node]bool{} // operations of a select with a default
	for _, stmt := range stmts {
		syntax.Now(stmt, func(n ast.Node) {
			switch n := n.(type) {
			case *ast.CallExpr:
				fn.callEffects(s, n, &e)
			case *ast.SelectStmt:
				e.Blocks = e.Blocks || !syntax.HasDefault(n)
				syntax.Polls(n, polled)
			default:
				e.Blocks = e.Blocks || !polled[n] && fn.blocks(n)
			}
		})
	}
	return e
}

// callEffects adds the effects of one call.
func (fn *Function) callEffects(s *Section, call *ast.CallExpr, e *Effects) {
	if c, ok := fn.lockCallOf(call); ok {
		switch c.method {
		case "Lock", "RLock", "TryLock", "TryRLock":
			same := c.lock.Key == s.Lock.Key && (syntax.Same(fn.File.Package.Info, c.expr, s.expr) || fn.oneInstance(s.expr))
			e.Relocks = e.Relocks || same
			e.Nests = e.Nests || !same
		}
		return
	}
	if f := syntax.Callee(fn.File.Package.Info, call.Fun); f != nil {
		name := f.FullName()
		e.Blocks = e.Blocks || name == "time.Sleep" || name == "(*sync.WaitGroup).Wait"
		e.Waits = e.Waits || name == "(*sync.Cond).Wait"
	}
	acquires := fn.Program.Acquires(fn.File, call)
	if slices.Contains(acquires, s.Lock.Key) && fn.given(call, s.expr) {
		e.Relocks = true
	}
	e.Nests = e.Nests || len(acquires) > 0
	e.Calls = e.Calls || fn.MayWait(call)
}

// oneInstance reports whether an expression means the same lock wherever it is
// written: a package-level variable or a field of one, no element.
func (fn *Function) oneInstance(lock ast.Expr) bool {
	id := syntax.Root(lock)
	if id == nil {
		return false
	}
	indexed := false
	ast.Inspect(lock, func(n ast.Node) bool {
		_, index := n.(*ast.IndexExpr)
		indexed = indexed || index
		return true
	})
	if indexed {
		return false
	}
	switch obj := fn.File.Package.Info.ObjectOf(id).(type) {
	case *types.PkgName:
		return true
	case *types.Var:
		return obj.Pkg() != nil && obj.Parent() == obj.Pkg().Scope()
	}
	return false
}

// given reports whether a callee may reach the very lock: it is a package's, or
// the call's receiver or an argument starts with the variable the lock's expression starts with.
func (fn *Function) given(call *ast.CallExpr, lock ast.Expr) bool {
	base := syntax.Root(lock)
	if base == nil || fn.oneInstance(lock) {
		return true
	}
	exprs := append([]ast.Expr{call.Fun}, call.Args...)
	for _, e := range exprs {
		found := false
		ast.Inspect(e, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			found = found || ok && fn.File.Package.Info.ObjectOf(id) == fn.File.Package.Info.ObjectOf(base)
			return !found
		})
		if found {
			return true
		}
	}
	return false
}

// blocks reports whether a node itself may wait for another goroutine.
func (fn *Function) blocks(n ast.Node) bool {
	return blocking.ChannelOperation(fn.File.Package.Info, n) != ""
}
