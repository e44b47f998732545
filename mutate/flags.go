package mutate

import (
	"context"
	"fmt"
	"go/ast"
	"go/token"
	"iter"
	"maps"
	"slices"

	"mendel/analysis/locks"
	"mendel/analysis/locks/order"
	lockwaits "mendel/analysis/locks/waits"
	"mendel/analysis/syntax"
	"mendel/mutate/internal/tree"
)

// flags are those of some edits that have given a mutant, and of their combination: what
// holding locks longer, or more of them, has led to, as the model of the printed source says.
// What the original does already is not held against a mutant, nor is a lock nested in another
// where no ring of such acquisitions can close.
func (s *Space) flags(ctx context.Context, m *Mutant, now *locks.Model) ([]Flag, error) {
	flags := edited(m.Edits)
	nests, err := order.NestsMore(now, ctx)
	if err != nil {
		return nil, fmt.Errorf("look for locks that a mutant nests: %w", err)
	}
	flags[Nested] = nests
	flags[Blocks] = flags[Blocks] || lockwaits.WaitsMore(now)
	flags[Serialises] = flags[Serialises] || lockwaits.Serialises(now, m.OriginalLine)
	return sorted(flags), nil
}

// edited are the flags of edits but for Nested, which is for their combination to say.
func edited(edits []Edit) map[Flag]bool {
	flags := make(map[Flag]bool)
	for _, e := range edits {
		for _, f := range e.Flags {
			flags[f] = f != Nested
		}
	}
	return flags
}

func sorted(flags map[Flag]bool) []Flag {
	maps.DeleteFunc(flags, func(_ Flag, is bool) bool { return !is })
	return slices.Sorted(maps.Keys(flags))
}

// foresees is a filter of edits that are listed and not built: the flags that a mutation is
// sure to have, as far as the edited trees show, without their types. Those of the mutant may
// be more: locks that only callees or callers take are not seen, but for two locks with one
// key that a function nests itself no other order is asked for.
func (s *Space) foresees(m *Mutation, edits []Edit) []Flag {
	flags := edited(edits)
	for _, name := range slices.Sorted(maps.Keys(m.files)) {
		v := m.view(m.files[name])
		for _, d := range v.decls {
			w := v.walk(d)
			for ev := range v.added(w) {
				flags[Nested] = flags[Nested] || ev.kind == nests
			}
			flags[Blocks] = flags[Blocks] || v.waitsMore(w)
			flags[Serialises] = flags[Serialises] || v.serialises(w, d)
		}
	}
	return sorted(flags)
}

// added are the events of a walk that the original's file does not have.
func (v *view) added(w *holdWalk) iter.Seq[event] {
	before := v.space.walksOf(v.of).events
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
func (v *view) waitsMore(w *holdWalk) bool {
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
	for ev := range v.space.walksOf(v.of).events {
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

// view is how an edited file is examined.
func (m *Mutation) view(f *tree.Edited) *view {
	edited := f.Restore()
	return &view{space: m.space, of: f.Original, decls: edited.Decls, edited: edited, inserted: m.acquires}
}

// serialises reports whether a goroutine's body, or the one loop of it, now runs
// under a lock that it did not hold in the original. A few assignments are no
// body worth the name: to lock them all is what a colleague would do.
func (v *view) serialises(w *holdWalk, d ast.Decl) bool {
	return syntax.Any(d, func(n ast.Node) bool {
		body := bodyOf(n)
		if body == nil || !v.space.index.started[v.syntax(n)] {
			return false
		}
		return v.locksBody(w.at, v.space.walksOf(v.of).at, body)
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
func (v *view) locksBody(now map[ast.Stmt][]heldLock, then map[int][]heldLock, body *ast.BlockStmt) bool {
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
func (v *view) isWork(s ast.Stmt) bool {
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
func (v *view) newlyHeld(now map[ast.Stmt][]heldLock, then map[int][]heldLock, stmts []ast.Stmt) bool {
	held := heldThroughout(now, stmts)
	var originals []int
	for _, s := range stmts {
		if id := v.id(s); id >= 0 {
			originals = append(originals, id)
		}
	}
	return len(intersect(held, heldThroughout(then, originals))) < len(held)
}

func heldThroughout[S comparable](at map[S][]heldLock, stmts []S) []heldLock {
	var held []heldLock
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
func (v *view) substantial(stmts []ast.Stmt) bool {
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
