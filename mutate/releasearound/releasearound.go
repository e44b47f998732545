package releasearound

import (
	_ "embed"
	"go/ast"
	"slices"

	"mendel/analysis/evidence"
	"mendel/mutate"
	"mendel/mutate/fact/captures"
	"mendel/mutate/fact/effects"
	"mendel/mutate/fact/scope"
	"mendel/mutate/internal/sectionedit"
)

//go:embed doc.go
var doc string

// Operator releases a lock around one statement of its section that waits for others.
var Operator = &mutate.Operator{
	Name:    "releasearound",
	Doc:     doc,
	Prior:   map[evidence.Kind]float64{evidence.Deadlock: 4, evidence.Blocked: 4, evidence.Timeout: 3, evidence.Race: 0.2, evidence.Panic: 0.2},
	Faults:  []evidence.Fault{evidence.BlockedHoldingLock, evidence.SelfDeadlock},
	Needs:   "statement under a lock that waits for others",
	Shrinks: true,
	Edits:   edits,
	Apply:   apply,
}

// unsure is what the heat of an edit is worth that leaves the lock for a call
// which may wait but need not, or takes it again for nothing but a deferred
// release. A guess.
const unsure = 0.8

func edits(fn *mutate.Function) []mutate.Edit {
	var out []mutate.Edit
	for _, s := range fn.Sections() {
		for _, st := range fn.Statements() {
			p := planFor(fn, s, st.Stmt)
			if p == nil {
				continue
			}
			e := fn.NewEdit("releasearound", st.Stmt, p.waits)
			e.Other, e.Form, e.Lock, e.Read = fn.ID(s.Acquire), p.form, &s.Lock, s.Read
			e.Note = effects.WaitNote(fn, s, p.waits)
			e.Flags = p.flags
			sure := effects.Of(fn, s, p.waits) != effects.Effects{Calls: true} || len(p.captures) > 0
			if !sure || p.form == plain && atEnd(s, st.Stmt) {
				e.Doubt(unsure)
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
	p := planFor(s.Fn, s.Section, stmt)
	if p == nil || p.form != e.Form {
		return mutate.Refuse(e, "the lock cannot be released around the statement")
	}
	at := stmt // the statement to do without the lock
	if err := s.Capture(p.captures, stmt); err != nil {
		return err
	}
	switch p.form {
	case cases:
		return applyCases(s, e, stmt.(*ast.SelectStmt))
	case hoist:
		return applyHoist(s, e, stmt, p, captures.ResultNames(s.Fn, p.op))
	case condition:
		return applyHoist(s, e, stmt, p, []string{scope.FreeName(s.Fn, "ok")})
	case initial:
		if err := s.MoveOut(p.waits, stmt); err != nil {
			return err
		}
		at = p.waits
	}
	if err := s.Released(at, false, e.Note); err != nil {
		return err
	}
	return s.Acquired(at, true, "")
}

// applyCases releases before a select and acquires in each of its cases, but
// where a case would release first thing.
func applyCases(s *sectionedit.Section, e mutate.Edit, sel *ast.SelectStmt) error {
	if err := s.Released(sel, false, e.Note); err != nil {
		return err
	}
	for _, c := range sel.Body.List {
		c := c.(*ast.CommClause)
		var err error
		if len(c.Body) > 0 && slices.Contains(s.Releases, c.Body[0]) {
			err = s.Drop(c.Body[0])
		} else {
			err = s.AcquiredIn(c)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// applyHoist evaluates the operation before the statement, without the lock, into variables.
func applyHoist(s *sectionedit.Section, e mutate.Edit, stmt ast.Stmt, p *plan, names []string) error {
	if err := s.Released(stmt, false, e.Note); err != nil {
		return err
	}
	if err := s.Hoist(p.op, names, stmt); err != nil {
		return err
	}
	return s.Acquired(stmt, false, "")
}
