package expandbefore

import (
	_ "embed"
	"go/ast"

	"mendel/analysis/evidence"
	"mendel/mutate"
)

//go:embed doc.go
var doc string

// Operator expands a critical section over the statements before it.
var Operator = &mutate.Operator{
	Name:  "expandbefore",
	Doc:   doc,
	CORE:  "EXSB",
	Prior: map[evidence.Kind]float64{evidence.Race: 3, evidence.TestFailure: 3, evidence.Panic: 2},
	Edits: edits,
	Apply: apply,
}

func edits(fn *mutate.Function) []mutate.Edit {
	var out []mutate.Edit
	for _, s := range fn.Sections() {
		for k := 1; k <= min(s.At, mutate.MaxMoves) && !s.Again; k++ {
			crossed := s.List[s.At-k : s.At]
			if !passable(fn, s, crossed[0]) {
				break
			}
			if fn.OpenLocks(crossed...) != 0 || !fn.Matters(crossed[0]) {
				continue
			}
			e := fn.NewEdit("expandbefore", s.Acquire, crossed...)
			e.Count, e.Lock, e.Read = k, &s.Lock, s.Read
			e.Note = fn.Subject("must be", crossed[0]) + " under " + s.Lock.Expr
			e.Flags = fn.Effects(s, crossed...).Flags()
			out = append(out, e)
		}
	}
	return out
}

// passable tells whether the acquisition may move to before a statement.
func passable(fn *mutate.Function, s *mutate.Section, stmt ast.Stmt) bool {
	switch stmt.(type) {
	case *ast.LabeledStmt:
		return false
	case *ast.DeferStmt:
		if s.Deferred { // the calls would run in another order
			return false
		}
	}
	return len(fn.Exits(stmt)) == 0 && !fn.HasGotoTarget(stmt) &&
		!s.Prepares(stmt) && !fn.Effects(s, stmt).Relocks
}

func apply(m *mutate.Mutation, e mutate.Edit) error {
	s, err := m.Placed(e)
	if err != nil {
		return err
	}
	if e.Count < 1 || e.Count > s.At {
		return mutate.Refuse(e, "there are not %d statements before the section", e.Count)
	}
	first := s.List[s.At-e.Count]
	if err := s.InOrder(s.List[s.At-e.Count : s.First]...); err != nil {
		return err
	}
	if err := s.Move(s.Acquire, first, false, e.Note); err != nil {
		return err
	}
	switch {
	case s.DefersAtOnce():
		return s.Move(s.Releases[0], s.Acquire, true, "")
	case e.Count == s.At && toEnd(s.Section) && s.CanDefer():
		return s.DeferRelease("")
	}
	return nil
}

// toEnd tells whether the section's release is the last statement of its list.
func toEnd(s *mutate.Section) bool {
	return s.Final != nil && s.Final == s.List[len(s.List)-1]
}
