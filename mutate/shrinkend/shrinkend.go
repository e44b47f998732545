package shrinkend

import (
	_ "embed"
	"go/ast"

	"mendel/analysis/evidence"
	"mendel/mutate"
)

//go:embed doc.go
var doc string

// Operator lets a critical section end before its last statements.
var Operator = &mutate.Operator{
	Name:    "shrinkend",
	Doc:     doc,
	CORE:    "SHSA",
	Prior:   map[evidence.Kind]float64{evidence.Deadlock: 2, evidence.Blocked: 2, evidence.Race: 0.3},
	Shrinks: true,
	Edits:   edits,
	Apply:   apply,
}

// A plan is how to end a section earlier.
type plan struct {
	left    []ast.Stmt // the statements that are no longer covered
	exits   []ast.Stmt // of the statements that stay, where the deferred release has to be written out
	dropped []ast.Stmt // releases that the earlier one replaces
}

func edits(fn *mutate.Function) []mutate.Edit {
	var out []mutate.Edit
	for _, s := range fn.Sections() {
		for k := 1; k <= mutate.MaxMoves; k++ {
			p, more := planFor(fn, s, k)
			if !more {
				break
			}
			if p == nil {
				continue
			}
			e := fn.NewEdit("shrinkend", s.Acquire, p.left...)
			e.Count, e.Lock, e.Read = k, &s.Lock, s.Read
			e.Note = note(fn, s, p)
			e.Flags = fn.GuardFlags(s, p.left...)
			out = append(out, e)
		}
	}
	return out
}

func note(fn *mutate.Function, s *mutate.Section, p *plan) string {
	if fn.Effects(s, p.left...).Blocks {
		return "do not wait for others under " + s.Lock.Expr
	}
	if subject := fn.Subject("is", p.left...); subject != "" {
		return "release " + s.Lock.Expr + " before " + subject
	}
	return "the rest does not need " + s.Lock.Expr
}

// planFor plans how to leave the last k statements outside. The plan is nil
// where that is not right; more is false where no larger k can be either.
func planFor(fn *mutate.Function, s *mutate.Section, k int) (p *plan, more bool) {
	stay := len(s.Body) - k
	if stay < 1 || s.Again || s.InLiteral != nil || s.Deferred && !s.DefersAtOnce() {
		return nil, false
	}
	p = &plan{left: s.Body[stay:]}
	first := p.left[0]
	if _, deferred := first.(*ast.DeferStmt); deferred && s.Deferred {
		return nil, false // what it defers runs under the lock
	}
	if fn.Effects(s, first).Waits || fn.HasGotoTarget(first) {
		return nil, false
	}
	if ret, ok := first.(*ast.ReturnStmt); ok && mutate.Plain(ret.Results) {
		return nil, true // it takes no time
	}
	if fn.OpenLocks(p.left...) < 0 || s.Hides(s.Body[stay-1]) {
		return nil, true
	}
	if s.Deferred {
		p.exits = fn.Exits(s.Body[:stay]...)
		for _, exit := range p.exits {
			if !fn.PlainExit(exit) || !s.NamedIn(exit) {
				return nil, true
			}
		}
		for _, stmt := range s.Body[:stay] {
			if _, deferred := stmt.(*ast.DeferStmt); deferred && !fn.IsLockCall(stmt) || s.Hides(stmt) {
				return nil, true
			}
		}
		p.dropped = s.Releases
		return p, true
	}
	p.dropped = mutate.Inside(s.Releases, p.left...)
	return p, true
}

func apply(m *mutate.Mutation, e mutate.Edit) error {
	s, err := m.Placed(e)
	if err != nil {
		return err
	}
	p, _ := planFor(s.Fn, s.Section, e.Count)
	if p == nil {
		return mutate.Refuse(e, "the section cannot end %d statements earlier", e.Count)
	}
	bounds := append([]ast.Stmt{s.Acquire}, s.Body...)
	if s.Final != nil {
		bounds = append(bounds, s.Final)
	}
	if err := s.InOrder(bounds...); err != nil {
		return err
	}
	if err := s.Untouched(); err != nil {
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
