package addunlock

import (
	"go/ast"
	"slices"

	"mendel/mutate"
	"mendel/mutate/fact/effects"
)

// loopEdits lists the edits that take a lock in front of a loop that begins
// each iteration with taking it and does not release it.
func loopEdits(fn *mutate.Function, b *Balance) []mutate.Edit {
	var out []mutate.Edit
	for _, st := range fn.Statements() {
		body := bodyOf(st.Stmt)
		if body == nil || len(body.List) == 0 || b.DeclaredIn(st.Stmt) {
			continue
		}
		for _, c := range b.Calls {
			if c.Stmt != body.List[0] || c.Deferred || !c.Acquires() {
				continue
			}
			gone := Change{Stmt: c.Stmt, Where: Instead}
			before := Change{Stmt: st.Stmt, Where: Before, Method: c.Method}
			if len(b.Faults(gone, before)) > 0 {
				continue
			}
			e := newEdit(fn, b, formLoop, c.Stmt, c.Method)
			e.Other = fn.ID(st.Stmt)
			e.Note = "held over all turns"
			out = append(out, e)
		}
	}
	return out
}

// bodyOf is the body of a loop, which may be labelled; nil of other statements.
func bodyOf(s ast.Stmt) *ast.BlockStmt {
	switch s := s.(type) {
	case *ast.LabeledStmt:
		return bodyOf(s.Stmt)
	case *ast.ForStmt:
		return s.Body
	case *ast.RangeStmt:
		return s.Body
	}
	return nil
}

// iterationEdits lists the edits that release a lock at each end of an iteration of a loop
// in place of a release that is deferred or stands behind the loop.
func iterationEdits(fn *mutate.Function, b *Balance) []mutate.Edit {
	if !slices.ContainsFunc(b.Faults(), func(f Fault) bool { return f.Kind == IterationHeld }) {
		return nil
	}
	var out []mutate.Edit
	for _, c := range b.Calls {
		exits, ok := turnExits(b, c)
		if !ok {
			continue
		}
		e := newEdit(fn, b, formTurn, c.Stmt, c.Method)
		e.Note = "each turn takes " + b.Lock.Expr + ", and so has to release it"
		for _, x := range exits {
			if !x.After && effects.Matters(fn, x.Stmt) {
				e.Flags = []mutate.Flag{mutate.DropsGuard}
			}
		}
		out = append(out, e)
	}
	return out
}

// turnExits are the exits that need a release when one of the calls is no more.
func turnExits(b *Balance, c LockCall) ([]Exit, bool) {
	if c.Acquires() || c.At != c.Stmt {
		return nil, false
	}
	return missing(b, Change{Stmt: c.Stmt, Where: Instead})
}
