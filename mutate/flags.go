package mutate

import (
	"go/ast"
	"go/token"
	"iter"
	"maps"
	"slices"

	"mendel/analysis/syntax"
)

// flags finds what holding locks longer, or more of them, has led to: the flags
// of the edits and of their combination. What the original does already is not held
// against a mutant, nor is a lock nested in another where no ring of such
// acquisitions can close (see [Mutation.inverts]).
func (s *Space) flags(m *Mutation, edits []Edit) []Flag {
	flags := make(map[Flag]bool)
	for _, e := range edits {
		for _, f := range e.Flags {
			flags[f] = f != Nested // that is for the combination to say
		}
	}
	aq := newAcquirers(m)
	nestings := make(map[order]bool)
	edited := newLockOrder()
	for v, d := range m.edited(aq) {
		w := v.walk(d)
		maps.Copy(edited.edges, w.order.edges)
		maps.Copy(edited.irregular, w.order.irregular)
		for ev := range v.added(w) {
			if ev.kind == nests {
				for _, o := range w.nestings[ev] {
					nestings[o] = true
				}
			}
		}
		flags[Blocks] = flags[Blocks] || v.waitsMore(w)
		flags[Serialises] = flags[Serialises] || v.serialises(w, d)
	}
	m.nestedByCallers(aq, nestings)
	if len(nestings) > 0 && m.inverts(nestings, edited, aq) {
		flags[Nested] = true
	}
	maps.DeleteFunc(flags, func(_ Flag, is bool) bool { return !is })
	return slices.Sorted(maps.Keys(flags))
}

// edited are the declarations that edits have made or changed. In all others
// nothing happens under a lock but what their calls come to.
func (m *Mutation) edited(aq *acquirers) iter.Seq2[*view, ast.Decl] {
	return func(yield func(*view, ast.Decl) bool) {
		for _, name := range slices.Sorted(maps.Keys(m.files)) {
			f := m.files[name]
			v := m.view(f, aq)
			for _, d := range v.decls {
				if !yield(v, d) {
					return
				}
			}
		}
	}
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
		if ev.kind == waits && !w.events[ev] && v.of.declOf(ev.node) == v.of.declOf(w.decl) {
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
func (m *Mutation) view(f *editedFile, aq *acquirers) *view {
	edited := f.restore()
	return &view{space: m.space, of: f.tree.nodeIDs, decls: edited.decls, edited: edited, inserted: m.acquires, acquirers: aq}
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
					tv := v.of.file.Package.Info.Types[c.Fun]
					_, isLock := v.lockCall(n)
					found = found || !tv.IsBuiltin() && !tv.IsType() && !isLock
				}
			}
			return !found
		})
	}
	return found
}
