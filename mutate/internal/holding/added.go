package holding

import (
	"go/ast"
	"go/token"
	"iter"

	"mendel/analysis/syntax"
)

// More is what edits have led to in a file that was not so in the original.
type More struct {
	Nests      bool // a lock is acquired while another value's with its key is held
	Waits      bool // something may wait for another goroutine while a lock is held
	Serialises bool // a goroutine's body, or the one loop of it, runs under a lock
}

// Adds compares an edited file with the original; started says which functions of the original
// run in goroutines of their own.
func (v *View) Adds(started func(fn ast.Node) bool) (more More) {
	for _, d := range v.decls {
		w := v.walk(d)
		for ev := range v.added(w) {
			more.Nests = more.Nests || ev.kind == nests
		}
		more.Waits = more.Waits || v.waitsMore(w)
		more.Serialises = more.Serialises || v.serialises(w, d, started)
	}
	return more
}

// added are the events of a walk that the original's file does not have.
func (v *View) added(w *walk) iter.Seq[event] {
	before := v.program.File(v.of).events
	return func(yield func(event) bool) {
		for ev := range w.events {
			if !before[ev] && !yield(ev) {
				return
			}
		}
	}
}

// waitsMore reports whether a declaration waits under a lock where it did not. What is
// inserted in the place of a wait under that lock, as a select with another way out is,
// waits no more than that did.
func (v *View) waitsMore(w *walk) bool {
	inserted := make(map[string]int) // by lock
	for ev := range v.added(w) {
		switch {
		case ev.kind == waits && ev.node >= 0:
			return true
		case ev.kind == waits:
			inserted[ev.lock]++
		}
	}
	if len(inserted) == 0 {
		return false
	}
	for ev := range v.program.File(v.of).events {
		if ev.kind == waits && !w.events[ev] && v.of.DeclOf(ev.node) == v.of.DeclOf(w.decl) {
			inserted[ev.lock]--
		}
	}
	for _, more := range inserted {
		if more > 0 {
			return true
		}
	}
	return false
}

// serialises reports whether a goroutine's body, or the one loop of it, now runs
// under a lock that it did not hold in the original. A few assignments are no
// body worth the name: to lock them all is what a colleague would do.
func (v *View) serialises(w *walk, d ast.Decl, started func(fn ast.Node) bool) bool {
	return syntax.Any(d, func(n ast.Node) bool {
		body := bodyOf(n)
		if body == nil || v.syntax(n) == nil || !started(v.syntax(n)) {
			return false
		}
		return v.locksBody(w.at, v.program.File(v.of).Before, body)
	})
}

func bodyOf(n ast.Node) *ast.BlockStmt {
	switch n := n.(type) {
	case *ast.FuncDecl:
		return n.Body
	case *ast.FuncLit:
		return n.Body
	}
	return nil
}

// locksBody reports whether all work of a body, or its one loop, is done under a new lock.
func (v *View) locksBody(now map[ast.Stmt][]Lock, then map[int][]Lock, body *ast.BlockStmt) bool {
	var work, loops []ast.Stmt
	for _, s := range body.List {
		if v.isWork(s) {
			work = append(work, s)
		}
		switch s.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			loops = append(loops, s)
		}
	}
	if len(loops) == 1 && v.newlyHeld(now, then, loops) {
		return true
	}
	return v.substantial(work) && v.newlyHeld(now, then, work)
}

// isWork reports whether a statement does something; others only arrange for it.
func (v *View) isWork(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.DeferStmt, *ast.EmptyStmt:
		return false
	case *ast.ReturnStmt:
		return len(s.Results) > 0
	case *ast.ExprStmt:
		call, ok := s.X.(*ast.CallExpr)
		if !ok {
			return true
		}
		if _, ok := v.lockCall(call); ok {
			return false
		}
		sel, ok := call.Fun.(*ast.SelectorExpr)
		return !ok || sel.Sel.Name != "Done" // of a WaitGroup
	}
	return true
}

// newlyHeld reports whether a lock is held before each of some statements that
// was not held before each of them in the original.
func (v *View) newlyHeld(now map[ast.Stmt][]Lock, then map[int][]Lock, stmts []ast.Stmt) bool {
	held := heldThroughout(now, stmts)
	var originals []int
	for _, s := range stmts {
		if id := v.id(s); id >= 0 {
			originals = append(originals, id)
		}
	}
	return len(intersect(held, heldThroughout(then, originals))) < len(held)
}

func heldThroughout[S comparable](at map[S][]Lock, stmts []S) []Lock {
	var held []Lock
	for i, s := range stmts {
		if i == 0 {
			held = at[s]
		} else {
			held = intersect(held, at[s])
		}
	}
	return held
}

// substantial reports whether statements loop, or call anything but builtins and conversions.
func (v *View) substantial(stmts []ast.Stmt) bool {
	found := false
	for _, s := range stmts {
		ast.Inspect(s, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ForStmt, *ast.RangeStmt:
				found = true
			case *ast.BranchStmt:
				found = found || n.Tok == token.GOTO
			case *ast.CallExpr:
				if c, ok := v.syntax(n).(*ast.CallExpr); ok {
					tv := v.of.File.Package.Info.Types[c.Fun]
					_, isLock := v.lockCall(n)
					found = found || !tv.IsBuiltin() && !tv.IsType() && !isLock
				}
			}
			return !found
		})
	}
	return found
}
