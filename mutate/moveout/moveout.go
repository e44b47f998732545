package moveout

import (
	_ "embed"
	"go/ast"

	"mendel/analysis/evidence"
	"mendel/mutate"
	"mendel/mutate/fact/effects"
	"mendel/mutate/internal/sectionedit"
)

//go:embed doc.go
var doc string

// Operator moves a send or a call out of a critical section.
var Operator = &mutate.Operator{
	Name:   "moveout",
	Doc:    doc,
	Prior:  map[evidence.Kind]float64{evidence.Deadlock: 3, evidence.Blocked: 3, evidence.Timeout: 3, evidence.Race: 0.2, evidence.Panic: 0.2},
	Faults: []evidence.Fault{evidence.BlockedHoldingLock},
	Needs:  "send or call under a lock that the rest of the section does not depend on",
	Edits:  edits,
	Apply:  apply,
}

// early is the belief in doing what follows a wait before it: what is waited for may still use what that changes. Guessed.
const early = 0.8

func edits(fn *mutate.Function) []mutate.Edit {
	var out []mutate.Edit
	for _, s := range fn.Sections() {
		for i, stmt := range s.Body {
			p := planFor(fn, s, i)
			if p == nil {
				continue
			}
			e := fn.NewEdit("moveout", stmt, stmt)
			e.Other, e.Form, e.Lock, e.Read = fn.ID(s.Acquire), p.form, &s.Lock, s.Read
			e.Note = effects.WaitNote(fn, s, stmt)
			if awaits(stmt) {
				e.Doubt(early)
			}
			out = append(out, e)
		}
	}
	return out
}

func apply(m *mutate.Mutation, e mutate.Edit) error {
	s, err := sectionedit.Other(m, e)
	if err != nil {
		return err
	}
	stmt, err := s.Around(e.Node)
	if err != nil {
		return err
	}
	var p *plan
	for i := range s.Body {
		if s.Body[i] == stmt {
			p = planFor(s.Fn, s.Section, i)
		}
	}
	if p == nil || p.form != e.Form {
		return mutate.Refuse(e, "the statement cannot leave the section")
	}
	if err := s.Intact(); err != nil {
		return err
	}
	if p.form == deferred {
		return s.DeferBefore(stmt, s.Acquire, e.Note)
	}
	if err := s.Capture(p.captures, stmt); err != nil {
		return err
	}
	if !s.Deferred {
		return s.MoveBehind(stmt, s.Final, e.Note)
	}
	return writeOut(s, stmt, p, e.Note)
}

// writeOut puts the statement last and the release, which was deferred, in front of it.
func writeOut(s *sectionedit.Section, stmt ast.Stmt, p *plan, note string) error {
	for _, exit := range p.exits {
		if err := s.Released(exit, false, ""); err != nil {
			return err
		}
	}
	if err := s.MoveBehind(stmt, p.last, note); err != nil {
		return err
	}
	if err := s.Drop(s.Releases...); err != nil {
		return err
	}
	return s.Released(p.last, true, "")
}
