package swaplocks

import (
	_ "embed"
	"go/ast"

	"mendel/analysis"
	"mendel/analysis/evidence"
	"mendel/mutate"
	"mendel/mutate/internal/locking"
	"mendel/mutate/internal/sectionedit"
)

//go:embed doc.go
var doc string

// Operator swaps the order in which two locks are taken.
var Operator = &mutate.Operator{
	Name:   "swaplocks",
	Doc:    doc,
	CORE:   "CSO",
	Prior:  map[evidence.Kind]float64{evidence.Deadlock: 4, evidence.Blocked: 4, evidence.Race: 0.3},
	Faults: []evidence.Fault{evidence.LockOrderInversion},
	Needs:  "pair of nested acquisitions of two locks that nothing between them depends on",
	Edits:  edits,
	Apply:  apply,
}

func edits(fn *mutate.Function) []mutate.Edit {
	var out []mutate.Edit
	sections := fn.Sections()
	for i, inner := range sections {
		for _, outer := range sections[:i] {
			if !locking.Joins(fn, outer, inner) {
				continue
			}
			e := fn.NewEdit("swaplocks", outer.Acquire, inner.Acquire)
			e.Other, e.Lock, e.Read = fn.ID(inner.Acquire), &inner.Lock, inner.Read
			e.Note = "take " + inner.Lock.Expr + " before " + outer.Lock.Expr + ", lest two goroutines wait for each other"
			e.Group = order(inner.Lock, outer.Lock)
			out = append(out, e)
		}
	}
	for _, a := range hoistedLocks(fn, sections) {
		out = append(out, a.edit(fn))
	}
	return out
}

// order names the order that an edit makes. All functions that take the two locks the other
// way round are to change together: each that is left can deadlock still. Two values of
// one type have no order: "".
func order(first, then analysis.Lock) string {
	if first.Key == then.Key {
		return ""
	}
	return first.Key + " before " + then.Key
}

func apply(m *mutate.Mutation, e mutate.Edit) error {
	if e.Form == callee {
		return applyHoisted(m, e)
	}
	outer, err := sectionedit.Of(m, e)
	if err != nil {
		return err
	}
	inner, err := sectionedit.Other(m, e)
	if err != nil {
		return err
	}
	if !locking.Joins(outer.Fn, outer.Section, inner.Section) {
		return mutate.Refuse(e, "the acquisitions cannot be swapped")
	}
	if err := outer.InOrder(outer.List[outer.At:inner.First]...); err != nil {
		return err
	}
	if err := inner.Move(inner.Acquire, outer.Acquire, false, e.Note); err != nil {
		return err
	}
	if inner.DefersAtOnce() {
		return inner.Move(inner.Releases[0], inner.Acquire, true, "")
	}
	return swapReleases(inner, outer.Section)
}

// swapReleases lets the lock that is now the inner one be released first
// wherever the two are released one after the other. Elsewhere the order is
// left, since it does not matter to anything but the eye.
func swapReleases(inner *sectionedit.Section, outer *mutate.Section) error {
	for _, st := range inner.Fn.Statements() {
		if st.Index+1 == len(st.List) || !has(inner.Releases, st.Stmt) || !has(outer.Releases, st.List[st.Index+1]) {
			continue
		}
		next := st.List[st.Index+1]
		if err := inner.InOrder(st.Stmt, next); err != nil {
			return err
		}
		if err := inner.Move(st.Stmt, next, true, ""); err != nil {
			return err
		}
	}
	return nil
}

func has(list []ast.Stmt, s ast.Stmt) bool {
	for _, other := range list {
		if other == s {
			return true
		}
	}
	return false
}
