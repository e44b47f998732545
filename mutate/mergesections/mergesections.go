package mergesections

import (
	_ "embed"
	"errors"
	"go/ast"
	"slices"

	"mendel/analysis/evidence"
	"mendel/mutate"
	"mendel/mutate/fact/effects"
	"mendel/mutate/fact/exits"
	"mendel/mutate/internal/sectionedit"
)

//go:embed doc.go
var doc string

// Operator makes one critical section of two successive ones.
var Operator = &mutate.Operator{
	Name:   "mergesections",
	Doc:    doc,
	Prior:  map[evidence.Kind]float64{evidence.TestFailure: 4, evidence.Panic: 3, evidence.Race: 0.5},
	Faults: []evidence.Fault{evidence.CheckThenAct, evidence.LostUpdate, evidence.AtomicityViolation, evidence.InconsistentRead, evidence.OverwrittenValue, evidence.IntermediateValue},
	Needs:  "pair of sections of one lock in a statement list",
	Edits:  edits,
	Apply:  apply,
}

// A pair is two successive sections of one lock.
type pair struct {
	first, next *mutate.Section
	between     []ast.Stmt
	exits       []ast.Stmt // of the statements between: a release goes before each
}

func edits(fn *mutate.Function) []mutate.Edit {
	var out []mutate.Edit
	sections := fn.Sections()
	for _, s := range sections {
		p, ok := pairOf(fn, sections, s)
		if !ok {
			continue
		}
		e := fn.NewEdit("mergesections", s.Acquire, slices.Concat(s.Body, p.between, p.next.Body)...)
		e.Other, e.Count, e.Lock, e.Read = fn.ID(p.next.Acquire), len(p.between), &s.Lock, s.Read && p.next.Read
		e.Note = s.Lock.Expr + " is held on: others must not come in between"
		e.Flags = effects.Of(fn, s, p.between...).Flags()
		out = append(out, e)
	}
	for _, l := range leads(fn) {
		out = append(out, l.edit(fn))
	}
	return append(out, gaps(fn)...)
}

// pairOf finds the section that follows in the list and can be merged with.
func pairOf(fn *mutate.Function, sections []*mutate.Section, s *mutate.Section) (p pair, ok bool) {
	if s.Again || s.Final == nil {
		fn.Decline(s.Acquire, "the section of %s does not end with one release in the list it begins in", s.Lock.Expr)
		return p, false
	}
	for _, next := range sections {
		if next.Acquire.Pos() < s.Final.Pos() || next.At >= len(s.List) || s.List[next.At] != next.Acquire {
			continue
		}
		p = pair{first: s, next: next, between: s.List[s.Last+2 : next.At]}
		p.exits = exits.Of(fn, p.between...)
		if !next.SameLock(s) {
			fn.Decline(s.Acquire, "the next section is of another lock, %s", next.Lock.Expr)
			return p, false
		}
		why := separate(fn, p)
		if why != "" {
			fn.Decline(next.Acquire, "the section of %s cannot be one with that before it: %s", s.Lock.Expr, why)
		}
		return p, why == ""
	}
	fn.Decline(s.Acquire, "no section follows that of %s in its list", s.Lock.Expr)
	return p, false
}

// separate says why two sections cannot be merged; "": they can.
func separate(fn *mutate.Function, p pair) string {
	switch {
	case p.next.InLiteral != nil:
		return "it is in a literal"
	case len(p.between) > sectionedit.MaxMoves:
		return "too much is between them"
	case effects.OpenLocks(fn, p.between...) != 0:
		return "another section begins or ends between them"
	}
	for _, stmt := range p.between {
		switch e := effects.Of(fn, p.first, stmt); {
		case e.Relocks:
			return "what is between them takes the lock"
		case e.Blocks || e.Waits:
			return "what is between them may wait for others"
		case p.first.Prepares(stmt) || p.first.Hides(stmt) || exits.HasGotoTarget(fn, stmt) || exits.Terminates(fn, stmt):
			return "what is between them declares or sets what the lock is reached by, or does not go on to the second"
		}
	}
	if slices.ContainsFunc(p.exits, func(exit ast.Stmt) bool { return !exits.Plain(fn, exit) }) {
		return "between them is a way out at which no release can stand"
	}
	return ""
}

func apply(m *mutate.Mutation, e mutate.Edit) error {
	switch e.Form {
	case formGap:
		return closeGap(m, e)
	case formAhead:
		return comeAhead(m, e)
	}
	s, err := sectionedit.Of(m, e)
	if err != nil {
		return err
	}
	next, err := sectionedit.Other(m, e)
	if err != nil {
		return err
	}
	p, ok := pairOf(s.Fn, s.Fn.Sections(), s.Section)
	if !ok || e.Other != s.Fn.ID(p.next.Acquire) {
		return mutate.Refuse(e, "the sections cannot be merged")
	}
	end := min(next.Last+2, len(s.List)) // with the release, where it is in the list
	if err := s.InOrder(s.List[s.At:end]...); err != nil {
		return err
	}
	if err := s.Untouched(); err != nil {
		return err
	}
	writes := s // the section whose side the merged one is of
	if s.Read && !next.Read {
		writes = next
	}
	for _, exit := range p.exits {
		if err := writes.Released(exit, false, ""); err != nil {
			return err
		}
	}
	if err := s.Explain(s.List[s.Last+2], e.Note); err != nil {
		return err
	}
	if s.Read != next.Read {
		if err := errors.Join(s.Writes(), next.Writes()); err != nil {
			return err
		}
	}
	if err := s.Drop(s.Final, p.next.Acquire); err != nil {
		return err
	}
	if next.DefersAtOnce() && len(p.exits) == 0 && len(s.Early()) == 0 {
		return next.Move(next.Releases[0], s.Acquire, true, "")
	}
	return nil
}
