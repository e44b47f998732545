package shrinkend

import (
	_ "embed"
	"slices"

	"mendel/analysis/evidence"
	"mendel/mutate"
	"mendel/mutate/fact/effects"
	"mendel/mutate/internal/sectionedit"
)

//go:embed doc.go
var doc string

// Operator lets a critical section end before its last statements.
var Operator = &mutate.Operator{
	Name:    "shrinkend",
	Doc:     doc,
	CORE:    "SHSA",
	Prior:   map[evidence.Kind]float64{evidence.Deadlock: 3, evidence.Blocked: 3, evidence.Timeout: 3, evidence.Race: 0.3, evidence.Panic: 0.3},
	Faults:  []evidence.Fault{evidence.BlockedHoldingLock, evidence.LockOrderInversion},
	Needs:   "section of a lock with last statements that need not be in it",
	Shrinks: true,
	Edits:   edits,
	Apply:   apply,
}

func edits(fn *mutate.Function) []mutate.Edit {
	var out []mutate.Edit
	for _, s := range fn.Sections() {
		for k := 1; k <= sectionedit.MaxMoves; k++ {
			p, more := planFor(fn, s, k)
			if !more {
				break
			}
			if p != nil {
				out = append(out, edit(fn, s, p))
			}
		}
		for _, end := range branchEnds(fn, s) {
			for k := 1; k <= sectionedit.MaxMoves; k++ {
				if p := planBranch(fn, s, end, k); p != nil {
					e := edit(fn, s, p)
					e.Other, e.Form = fn.ID(end.release), branch
					out = append(out, e)
				}
			}
		}
	}
	return out
}

func edit(fn *mutate.Function, s *mutate.Section, p *plan) mutate.Edit {
	e := fn.NewEdit("shrinkend", s.Acquire, p.left...)
	e.Form, e.Count, e.Lock, e.Read = p.form(), len(p.left), &s.Lock, s.Read
	e.Note = note(fn, s, p)
	e.Flags = p.flags
	if !effects.Of(fn, s, p.left...).MayWait() {
		e.Doubt(sectionedit.Unneeded)
	}
	return e
}

func note(fn *mutate.Function, s *mutate.Section, p *plan) string {
	if effects.Of(fn, s, p.left[0]).MayWait() {
		return effects.WaitNote(fn, s, p.left[0])
	}
	if effects.Of(fn, s, p.left...).Blocks {
		return "do not wait for others under " + s.Lock.Expr
	}
	if subject := effects.Subject(fn, "is", p.left...); subject != "" {
		return "release " + s.Lock.Expr + " before " + subject
	}
	return "the rest does not need " + s.Lock.Expr
}

func apply(m *mutate.Mutation, e mutate.Edit) error {
	s, err := sectionedit.Of(m, e)
	if err != nil {
		return err
	}
	if e.Form == branch {
		return applyBranch(s, e)
	}
	p, _ := planFor(s.Fn, s.Section, e.Count)
	if p == nil || p.form() != e.Form {
		return mutate.Refuse(e, "the section cannot end %d statements earlier", e.Count)
	}
	if err := s.Intact(); err != nil {
		return err
	}
	if err := s.Capture(p.captures, p.left[0]); err != nil {
		return err
	}
	for _, exit := range p.exits {
		if err := s.Released(exit, false, ""); err != nil {
			return err
		}
	}
	if err := s.Drop(p.dropped...); err != nil {
		return err
	}
	if s.Final != nil {
		return s.Move(s.Final, p.left[0], false, e.Note)
	}
	return s.Released(p.left[0], false, e.Note)
}

// applyBranch moves one release up in its own list.
func applyBranch(s *sectionedit.Section, e mutate.Edit) error {
	for _, end := range branchEnds(s.Fn, s.Section) {
		if s.Fn.ID(end.release) != e.Other {
			continue
		}
		p := planBranch(s.Fn, s.Section, end, e.Count)
		if p == nil {
			break
		}
		if err := s.InOrder(append(slices.Clone(p.left), end.release)...); err != nil {
			return err
		}
		if err := s.Untouched(); err != nil {
			return err
		}
		if err := s.Capture(p.captures, p.left[0]); err != nil {
			return err
		}
		return s.Move(end.release, p.left[0], false, e.Note)
	}
	return mutate.Refuse(e, "the branch cannot release %d statements earlier", e.Count)
}
