package expandafter

import (
	"go/ast"

	"mendel/mutate"
)

// A merger is a section and the next one of the same lock in its list.
type merger struct {
	next    *mutate.Section
	between []ast.Stmt
	exits   []ast.Stmt // of the statements between: a release goes before each
}

// mergeEdit is the edit that expands a section up to the next one of the same
// lock, with which it becomes one. Its second place is the next acquisition.
func mergeEdit(fn *mutate.Function, s *mutate.Section) (e mutate.Edit, ok bool) {
	m := mergerOf(fn, s)
	if m == nil {
		return e, false
	}
	covered := append(append([]ast.Stmt{}, m.between...), m.next.Body...)
	e = fn.NewEdit("expandafter", s.Acquire, covered...)
	e.Other, e.Count, e.Lock, e.Read = fn.ID(m.next.Acquire), len(m.between), &s.Lock, s.Read
	e.Note = s.Lock.Expr + " is held on: others must not come in between"
	e.Flags = fn.Effects(s, m.between...).Flags()
	return e, true
}

// mergerOf finds the section that follows in the list after at most
// mutate.MaxMoves statements; nil if there is none to merge with.
func mergerOf(fn *mutate.Function, s *mutate.Section) *merger {
	if s.Again || s.Final == nil {
		return nil
	}
	for _, next := range fn.Sections() {
		if next.Acquire.Pos() < s.Final.Pos() || next.At >= len(s.List) || s.List[next.At] != next.Acquire {
			continue
		}
		if !next.SameLock(s) || next.Read != s.Read || next.Final == nil {
			return nil
		}
		m := &merger{next: next, between: s.List[s.Last+2 : next.At]}
		m.exits = fn.Exits(m.between...)
		if len(m.between) > mutate.MaxMoves || fn.OpenLocks(m.between...) != 0 || !allPlain(fn, m.exits) {
			return nil
		}
		for _, stmt := range m.between {
			if s.Prepares(stmt) || s.Hides(stmt) || fn.HasGotoTarget(stmt) || fn.Effects(s, stmt).Relocks || fn.Terminates(stmt) {
				return nil
			}
		}
		return m
	}
	return nil
}

func applyMerge(s *mutate.Placed, e mutate.Edit) error {
	m := mergerOf(s.Fn, s.Section)
	if m == nil || e.Other != s.Fn.ID(m.next.Acquire) {
		return mutate.Refuse(e, "the sections cannot be merged")
	}
	if err := s.InOrder(s.List[s.At : m.next.Last+2]...); err != nil {
		return err
	}
	if err := s.Untouched(); err != nil {
		return err
	}
	for _, exit := range m.exits {
		if err := s.Released(exit, false, ""); err != nil {
			return err
		}
	}
	if err := s.Explain(s.List[s.Last+2], e.Note); err != nil {
		return err
	}
	return s.Drop(s.Final, m.next.Acquire)
}
