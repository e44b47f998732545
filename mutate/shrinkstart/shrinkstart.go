package shrinkstart

import (
	_ "embed"
	"go/ast"

	"mendel/analysis/evidence"
	"mendel/mutate"
	"mendel/mutate/fact/effects"
	"mendel/mutate/fact/exits"
	"mendel/mutate/fact/guards"
	"mendel/mutate/internal/sectionedit"
)

//go:embed doc.go
var doc string

// Operator lets a critical section begin after its first statements.
var Operator = &mutate.Operator{
	Name:    "shrinkstart",
	Doc:     doc,
	CORE:    "SHSB",
	Prior:   map[evidence.Kind]float64{evidence.Deadlock: 3, evidence.Blocked: 3, evidence.Timeout: 3, evidence.Race: 0.3, evidence.Panic: 0.3},
	Faults:  []evidence.Fault{evidence.BlockedHoldingLock, evidence.LockOrderInversion},
	Needs:   "section of a lock with first statements that need not be in it",
	Shrinks: true,
	Edits:   edits,
	Apply:   apply,
}

func edits(fn *mutate.Function) []mutate.Edit {
	var out []mutate.Edit
	for _, s := range fn.Sections() {
		for k := 1; k < len(s.Body) && k <= sectionedit.MaxMoves && !s.Again; k++ {
			left := s.Body[:k]
			if !passable(fn, s, left[k-1]) {
				break
			}
			if s.Body[k] == s.Releases[0] && k+1 == len(s.Body) {
				break // nothing would be inside
			}
			if effects.OpenLocks(fn, left...) != 0 {
				continue
			}
			e := fn.NewEdit("shrinkstart", s.Acquire, left...)
			e.Count, e.Lock, e.Read = k, &s.Lock, s.Read
			e.Note = note(fn, s, left)
			e.Flags = guards.Flags(fn, s, left...)
			if !effects.Of(fn, s, left...).MayWait() {
				e.Doubt(sectionedit.Unneeded)
			}
			out = append(out, e)
		}
	}
	return out
}

func note(fn *mutate.Function, s *mutate.Section, left []ast.Stmt) string {
	if effects.Of(fn, s, left...).Blocks {
		return "do not wait for others under " + s.Lock.Expr
	}
	if subject := effects.Subject(fn, "is", left...); subject != "" {
		return "take " + s.Lock.Expr + " only after " + subject
	}
	return s.Lock.Expr + " is not needed until here"
}

// passable reports whether the acquisition may move to after a statement of the section.
func passable(fn *mutate.Function, s *mutate.Section, stmt ast.Stmt) bool {
	if s.Deferred {
		if _, deferred := stmt.(*ast.DeferStmt); deferred {
			return false // the deferred calls would run in another order
		}
		if !s.DefersAtOnce() && stmt.Pos() > s.Releases[0].Pos() {
			return false // a release would be deferred before the acquisition
		}
	}
	if s.InLiteral != nil && s.DeferAt() < s.First {
		return false // an exit before the acquisition would release what is not held
	}
	return !effects.Of(fn, s, stmt).Waits && !s.Hides(stmt) && !exits.HasGotoTarget(fn, stmt) && !exits.Terminates(fn, stmt)
}

func apply(m *mutate.Mutation, e mutate.Edit) error {
	s, err := sectionedit.Of(m, e)
	if err != nil {
		return err
	}
	if e.Count < 1 || e.Count >= len(s.Body) {
		return mutate.Refuse(e, "the section has no %d statements to leave out", e.Count)
	}
	if err := s.Intact(); err != nil {
		return err
	}
	left := s.Body[:e.Count]
	if err := s.Drop(sectionedit.Inside(s.Releases, left...)...); err != nil {
		return err
	}
	if err := s.Move(s.Acquire, left[e.Count-1], true, e.Note); err != nil {
		return err
	}
	if s.DefersAtOnce() {
		return s.Move(s.Releases[0], s.Acquire, true, "")
	}
	return nil
}
