package orderlocks

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"mendel/mutate"
	"mendel/mutate/fact/guards"
	"mendel/mutate/internal/locking"
)

// A pair is two nested sections on the locks of two values of one type.
type pair struct {
	outer, inner *mutate.Section
	first        ast.Expr // the value whose lock is taken first
	second       ast.Expr
	rest         string // from a value to its lock: ".mu"; "" when the mutex is embedded
	owner        *types.Named
}

// pairs lists the function's pairs of sections whose acquisitions can stand
// together, in source order. A lock in a third one of the kind is in none.
func pairs(fn *mutate.Function) []pair {
	var found []pair
	sections := fn.Sections()
	for i, inner := range sections {
		alike := func(s *mutate.Section) bool { return s.Lock.Key == inner.Lock.Key && s.Encloses(inner) }
		if slices.ContainsFunc(sections[i+1:], func(s *mutate.Section) bool { return s.Lock.Key == inner.Lock.Key && inner.Encloses(s) }) {
			continue
		}
		var around []*mutate.Section
		for _, s := range sections[:i] {
			if alike(s) {
				around = append(around, s)
			}
		}
		if len(around) != 1 {
			continue
		}
		if p, ok := pairOf(fn, around[0], inner); ok {
			found = append(found, p)
		}
	}
	return found
}

// pairOf reports whether two sections are a pair.
func pairOf(fn *mutate.Function, outer, inner *mutate.Section) (p pair, ok bool) {
	p = pair{outer: outer, inner: inner}
	if outer.SameLock(inner) {
		return p, false
	}
	var restOfInner string
	p.first, p.rest, ok = owner(fn, outer)
	if !ok {
		return p, false
	}
	p.second, restOfInner, ok = owner(fn, inner)
	if !ok || restOfInner != p.rest {
		return p, false
	}
	t := fn.File.Package.Info.TypeOf(p.first)
	if !types.Identical(t, fn.File.Package.Info.TypeOf(p.second)) {
		return p, false
	}
	if pointer, ok := types.Unalias(t).(*types.Pointer); ok {
		t = pointer.Elem()
	}
	p.owner, ok = types.Unalias(t).(*types.Named)
	return p, ok && (p.together() || locking.Joins(fn, outer, inner))
}

// together reports whether the acquisitions are neighbours already.
func (p pair) together() bool {
	return &p.outer.List[0] == &p.inner.List[0] && p.inner.At == behind(p.outer)
}

// needed reports whether the first lock guards anything once the second is held. If
// not it is better released before, and then the values may also be one and the same.
func (p pair) needed(fn *mutate.Function) bool {
	if &p.outer.List[0] != &p.inner.List[0] {
		return true
	}
	var both []ast.Stmt
	for _, s := range p.inner.List[behind(p.inner):] {
		if p.outer.Holds(s) {
			both = append(both, s)
		}
	}
	return len(guards.Flags(fn, p.outer, both...)) > 0
}

// behind is the index of what follows an acquisition and its deferred release.
func behind(s *mutate.Section) int {
	if s.DefersAtOnce() {
		return s.At + 2
	}
	return s.At + 1
}

// owner is the value that a section's lock belongs to and how it leads to the
// lock; both are names and selectors.
func owner(fn *mutate.Function, s *mutate.Section) (value ast.Expr, rest string, ok bool) {
	call, ok := ast.Unparen(s.Acquire.(*ast.ExprStmt).X).(*ast.CallExpr)
	if !ok {
		return nil, "", false
	}
	return ownerOf(fn, call.Fun.(*ast.SelectorExpr).X)
}

// ownerOf is owner for a lock.
func ownerOf(fn *mutate.Function, lock ast.Expr) (value ast.Expr, rest string, ok bool) {
	if fn.Path(lock).Root == nil {
		return nil, "", false
	}
	if strings.HasSuffix(lockType(fn, lock), "Mutex") { // not embedded
		sel, ok := ast.Unparen(lock).(*ast.SelectorExpr)
		if !ok || fn.Path(sel.X).Root == nil {
			return nil, "", false
		}
		return sel.X, "." + sel.Sel.Name, true
	}
	return lock, "", true
}

// lockType is the name of an expression's type if package sync has it.
func lockType(fn *mutate.Function, e ast.Expr) string {
	t := types.Unalias(fn.File.Package.Info.TypeOf(e))
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	if named, ok := t.(*types.Named); ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "sync" {
		return named.Obj().Name()
	}
	return ""
}
