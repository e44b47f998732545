package effects

import (
	"go/ast"
	"slices"

	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/internal/blocking"
	"mendel/mutate/internal/lockcall"
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
func (e Effects) Flags() []mutate.Flag {
	var flags []mutate.Flag
	if e.Blocks {
		flags = append(flags, mutate.Blocks)
	}
	return flags
}

// Of finds the effects of some statements on a section's lock. Deferred
// and concurrent calls have theirs elsewhere; function literals that are
// called or passed to a call count as run at once.
func Of(fn *mutate.Function, s *mutate.Section, stmts ...ast.Stmt) Effects {
	var e Effects
	polled := map[ast.Node]bool{} // operations of a select with a default
	for _, stmt := range stmts {
		syntax.Now(stmt, func(n ast.Node) {
			switch n := n.(type) {
			case *ast.CallExpr:
				callEffects(fn, s, n, &e)
			case *ast.SelectStmt:
				e.Blocks = e.Blocks || !syntax.HasDefault(n)
				syntax.Polls(n, polled)
			default:
				e.Blocks = e.Blocks || !polled[n] && blocks(fn, n)
			}
		})
	}
	return e
}

// callEffects adds the effects of one call.
func callEffects(fn *mutate.Function, s *mutate.Section, call *ast.CallExpr, e *Effects) {
	if c, ok := lockcall.OfExpr(fn.Program, fn.File, call); ok {
		switch c.Method {
		case "Lock", "RLock", "TryLock", "TryRLock":
			same := c.Lock.Key == s.Lock.Key && (syntax.Same(fn.File.Package.Info, c.On, s.Expr) || syntax.OneInstance(fn.File.Package.Info, s.Expr))
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
	if slices.Contains(acquires, s.Lock.Key) && given(fn, call, s.Expr) {
		e.Relocks = true
	}
	e.Nests = e.Nests || len(acquires) > 0
	e.Calls = e.Calls || fn.MayWait(call)
}

// given reports whether a callee may reach the very lock: it is a package's, or
// the call's receiver or an argument starts with the variable the lock's expression starts with.
func given(fn *mutate.Function, call *ast.CallExpr, lock ast.Expr) bool {
	base := syntax.Root(lock)
	if base == nil || syntax.OneInstance(fn.File.Package.Info, lock) {
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
func blocks(fn *mutate.Function, n ast.Node) bool {
	return blocking.ChannelOperation(fn.File.Package.Info, n) != ""
}
