package swapops

import (
	_ "embed"
	"go/ast"

	"mendel/analysis/evidence"
	"mendel/mutate"
	"mendel/mutate/fact/exits"
	"mendel/mutate/fact/guards"
	"mendel/mutate/internal/syncops"
)

//go:embed doc.go
var doc string

// Operator changes the order of two operations of one list.
var Operator = &mutate.Operator{
	Name: "swapops",
	Doc:  doc,
	Prior: map[evidence.Kind]float64{
		evidence.Deadlock: 3, evidence.Blocked: 3, evidence.Timeout: 3,
		evidence.Race: 0.4, evidence.Panic: 0.6, evidence.TestFailure: 0.6,
	},
	Faults: []evidence.Fault{evidence.SenderAlone, evidence.ReceiverAlone, evidence.BlockedHoldingLock},
	Needs:  "pair of neighbouring operations that other goroutines take part in",
	Edits:  edits,
	Apply:  apply,
}

// The ways to move, as Edit.Form.
const (
	formAfter   = "after"
	formSection = "section"
	formDefer   = "defer"
	formStart   = "start"
)

const (
	reach = 4   // statements that one is moved over at most; chosen, not measured
	cold  = 0.3 // what an edit keeps of its heat when nobody waits at its statement; chosen, not measured
)

func edits(fn *mutate.Function) []mutate.Edit {
	var out []mutate.Edit
	for _, st := range fn.Statements() {
		op, ok := syncops.Of(fn, st.Stmt)
		if deferred, is := st.Stmt.(*ast.DeferStmt); is {
			if fn.Loops(st.Stmt) {
				continue
			}
			if anchor := laterDefer(fn, st, deferred); anchor != nil {
				out = append(out, edit(fn, st, anchor, anchor, formDefer))
			}
			continue
		}
		if !ok || op.Kind != syncops.Send && op.Kind != syncops.Receive {
			continue
		}
		if _, plain := st.Stmt.(*ast.ExprStmt); !plain {
			if anchor := enabler(fn, st, op); anchor != nil {
				out = append(out, edit(fn, st, anchor, st.Stmt, formAfter))
			}
		}
		if lock := sectionBefore(fn, st); lock != nil {
			out = append(out, edit(fn, st, lock, lock, formSection))
		}
	}
	return append(out, begun(fn)...)
}

// edit makes an edit that is hot if a goroutine waits at a statement.
func edit(fn *mutate.Function, st mutate.Statement, anchor, waiting ast.Stmt, form string) mutate.Edit {
	e := fn.NewEdit("swapops", st.Stmt, st.Stmt)
	e.Other, e.Form = fn.ID(anchor), form
	if op, ok := syncops.Of(fn, anchor); ok && op.Kind == syncops.Unlock {
		for _, s := range fn.Sections() {
			if s.Holds(st.Stmt) {
				e.Flags = append(e.Flags, guards.Flags(fn, s, st.Stmt)...)
			}
		}
	}
	heat, waits := fn.Narrowing.HeatAt(waiting.Pos())
	if waits == "" {
		e.Heat *= cold
	} else {
		e.Heat = max(e.Heat, heat)
	}
	return e
}

// enabler is the first later statement of a list that another goroutine may
// need in order to take part in an operation; nil if there is none.
func enabler(fn *mutate.Function, st mutate.Statement, op syncops.Operation) ast.Stmt {
	moved := st.Stmt
	for _, s := range following(st) {
		if len(exits.Of(fn, s)) > 0 || dependent(fn, moved, s) {
			return nil
		}
		next, ok := syncops.Of(fn, s)
		if _, deferred := s.(*ast.DeferStmt); !ok || deferred {
			continue
		}
		if fn.Path(next.On) == fn.Path(op.On) {
			return nil // the order of messages, or a slot that is taken and given back
		}
		if enables(next.Kind) {
			return s
		}
	}
	return nil
}

// following are the statements behind one that it may be moved over.
func following(st mutate.Statement) []ast.Stmt {
	end := min(st.Index+1+reach, len(st.List))
	return st.List[st.Index+1 : end]
}

// enables reports whether another goroutine may wait for an operation.
func enables(k syncops.Kind) bool { return k != syncops.Lock && k != syncops.Wait }

// sectionBefore is the acquisition of the critical section that a statement
// follows, if the statement may stand in front of it; else nil.
func sectionBefore(fn *mutate.Function, st mutate.Statement) ast.Stmt {
	released := false
	for i := st.Index - 1; i >= max(0, st.Index-reach); i-- {
		s := st.List[i]
		if len(exits.Of(fn, s)) > 0 || dependent(fn, st.Stmt, s) {
			return nil
		}
		op, ok := syncops.Of(fn, s)
		if _, deferred := s.(*ast.DeferStmt); !ok || deferred {
			continue
		}
		switch op.Kind {
		case syncops.Unlock:
			if released {
				return nil
			}
			released = true
		case syncops.Lock:
			if !released {
				return nil
			}
			return s
		default:
			return nil
		}
	}
	return nil
}

// laterDefer is the next statement of a list that defers an operation which
// waits, if the given one defers what it may wait for.
func laterDefer(fn *mutate.Function, st mutate.Statement, first *ast.DeferStmt) ast.Stmt {
	op, ok := deferred(fn, first)
	if !ok || !enables(op.Kind) {
		return nil
	}
	for _, s := range st.List[st.Index+1:] {
		if len(exits.Of(fn, s)) > 0 || assigns(fn, s, used(fn, first)) {
			return nil
		}
		d, ok := s.(*ast.DeferStmt)
		if !ok {
			continue
		}
		if later, ok := deferred(fn, d); ok && later.Kind.Blocks() && later.Kind != syncops.Lock {
			return s
		}
	}
	return nil
}

// deferred is the operation that a statement defers, also as the only one of a
// function literal.
func deferred(fn *mutate.Function, d *ast.DeferStmt) (syncops.Operation, bool) {
	if lit, ok := d.Call.Fun.(*ast.FuncLit); ok && len(lit.Body.List) == 1 {
		return syncops.Of(fn, lit.Body.List[0])
	}
	return syncops.Of(fn, d)
}

func apply(m *mutate.Mutation, e mutate.Edit) error {
	stmt := m.Stmt(e.File, e.Node)
	return m.Move(e.File, stmt, m.Stmt(e.File, e.Other), e.Form != formSection)
}
