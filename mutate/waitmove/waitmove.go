package waitmove

import (
	_ "embed"
	"go/ast"
	"go/token"
	"slices"

	"github.com/dave/dst"

	"mendel/analysis/evidence"
	"mendel/mutate"
	"mendel/mutate/fact/exits"
	"mendel/mutate/fact/scope"
	"mendel/mutate/internal/syncops"
	"mendel/mutate/internal/tree"
)

//go:embed doc.go
var doc string

// Operator moves the statement in which a function waits for its goroutines.
var Operator = &mutate.Operator{
	Name: "waitmove",
	Doc:  doc,
	Prior: map[evidence.Kind]float64{
		evidence.Deadlock: 4, evidence.Blocked: 4, evidence.Timeout: 4, evidence.Panic: 3, evidence.Race: 1,
	},
	Faults: []evidence.Fault{evidence.BlockedHoldingLock},
	Needs:  "wait for goroutines that could stand elsewhere in the function",
	Edits:  edits,
	Apply:  apply,
}

// The ways to move, as Edit.Form.
const (
	formOut    = "out"
	formAfter  = "after"
	formBefore = "before"
	formGo     = "go"
)

// reach is how many operations a wait is moved over at most; chosen, not measured.
const reach = 2

func edits(fn *mutate.Function) []mutate.Edit {
	var out []mutate.Edit
	statements := fn.Statements()
	for _, st := range statements {
		wait, ok := join(fn, st.Stmt)
		if !ok {
			continue
		}
		if loop := startingLoop(fn, statements, st, wait); loop != nil {
			out = append(out, edit(fn, st, formOut, loop))
		}
		if n := closes(fn, st); n > 0 {
			e := edit(fn, st, formGo, st.List[st.Index+n])
			e.Count = n
			out = append(out, e)
		}
		for _, anchor := range below(fn, st) {
			out = append(out, edit(fn, st, formAfter, anchor))
		}
		for _, anchor := range above(fn, st, wait) {
			out = append(out, edit(fn, st, formBefore, anchor))
		}
	}
	return out
}

// edit makes an edit; it is colder where the form does not fit whether somebody
// waits at the statement.
func edit(fn *mutate.Function, st mutate.Statement, form string, anchor ast.Stmt) mutate.Edit {
	e := fn.NewEdit("waitmove", st.Stmt, st.Stmt)
	e.Other, e.Form = fn.ID(anchor), form
	if _, waits := fn.Narrowing.HeatAt(st.Stmt.Pos()); (waits == "") != (form == formBefore) {
		e.Doubt(0.4)
	}
	return e
}

// join reports whether a statement only waits for goroutines.
func join(fn *mutate.Function, s ast.Stmt) (syncops.Operation, bool) {
	if _, plain := s.(*ast.ExprStmt); !plain {
		return syncops.Operation{}, false
	}
	op, ok := syncops.Of(fn, s)
	return op, ok && (op.Kind == syncops.Wait || op.Kind == syncops.Receive)
}

// startingLoop is the loop around a wait for a group that starts the
// goroutines which it waits for, with its label; nil if there is none to leave.
func startingLoop(fn *mutate.Function, statements []mutate.Statement, st mutate.Statement, wait syncops.Operation) ast.Stmt {
	if wait.Kind != syncops.Wait {
		return nil
	}
	for _, s := range statements {
		loop := s.Stmt
		if l, ok := loop.(*ast.LabeledStmt); ok {
			loop = l.Stmt
		}
		body := endingBody(loop)
		if body == nil || st.Owner != body || !scope.Means(fn, wait.On, loop.Pos()) {
			continue
		}
		if starts(fn, st.List[:st.Index]) && !leaves(fn, s.Stmt) {
			return s.Stmt
		}
	}
	return nil
}

// endingBody is the body of a loop that is meant to end; nil for anything else.
func endingBody(s ast.Stmt) *ast.BlockStmt {
	switch s := s.(type) {
	case *ast.ForStmt:
		if s.Cond != nil {
			return s.Body
		}
	case *ast.RangeStmt:
		return s.Body
	}
	return nil
}

// leaves reports whether a statement is left other than by its end.
func leaves(fn *mutate.Function, s ast.Stmt) bool { return len(exits.Of(fn, s)) > 0 }

// starts reports whether statements start a goroutine, nested ones included.
func starts(fn *mutate.Function, list []ast.Stmt) bool {
	found := false
	for _, s := range list {
		ast.Inspect(s, func(n ast.Node) bool {
			if inner, ok := n.(ast.Stmt); ok && !found {
				op, ok := syncops.Of(fn, inner)
				found = ok && op.Kind == syncops.Start
			}
			_, literal := n.(*ast.FuncLit)
			return !found && !literal
		})
	}
	return found
}

// closes counts the closes that directly follow a wait and have something
// behind them; there must be one.
func closes(fn *mutate.Function, st mutate.Statement) int {
	n := 0
	for _, s := range st.List[st.Index+1:] {
		op, ok := syncops.Of(fn, s)
		if _, deferred := s.(*ast.DeferStmt); !ok || deferred || op.Kind != syncops.Close {
			return n
		}
		n++
	}
	return 0 // nothing to go on to
}

// below lists the statements behind a wait that may be what it waits for, the
// nearest first.
func below(fn *mutate.Function, st mutate.Statement) []ast.Stmt {
	var found []ast.Stmt
	for _, s := range st.List[st.Index+1:] {
		if leaves(fn, s) || endsSends(fn, s) || len(found) == reach {
			break
		}
		if operates(fn, s, frees) {
			found = append(found, s)
		}
	}
	return found
}

// above lists the statements in front of a wait that goroutines may not
// expect before they have ended, the nearest first.
func above(fn *mutate.Function, st mutate.Statement, wait syncops.Operation) []ast.Stmt {
	var found []ast.Stmt
	for _, s := range slices.Backward(st.List[:st.Index]) {
		if starts(fn, []ast.Stmt{s}) || !scope.Means(fn, wait.On, s.Pos()) || len(found) == reach {
			break
		}
		if operates(fn, s, ends) {
			found = append(found, s)
		}
	}
	return found
}

// endsSends reports whether a statement closes a channel that other functions
// send on: they must have ended by then.
func endsSends(fn *mutate.Function, s ast.Stmt) bool {
	op, ok := syncops.Of(fn, s)
	if !ok || op.Kind != syncops.Close {
		return false
	}
	ch := fn.Channel(op.On)
	return ch != nil && len(syncops.In(fn, ch.Sends)) < len(ch.Sends)
}

// frees reports whether another goroutine may wait for an operation.
func frees(k syncops.Kind) bool { return k != syncops.Lock && k != syncops.Wait }

// ends reports whether an operation takes something away from other goroutines.
func ends(k syncops.Kind) bool { return k == syncops.Close || k == syncops.Release }

// operates reports whether a statement, or one that it consists of, is an
// operation of a kind; deferred ones and those of function literals are not.
func operates(fn *mutate.Function, s ast.Stmt, kind func(syncops.Kind) bool) bool {
	found := false
	ast.Inspect(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.DeferStmt:
			return false
		case *ast.UnaryExpr:
			found = found || n.Op == token.ARROW && kind(syncops.Receive)
		case ast.Stmt:
			op, ok := syncops.Of(fn, n)
			found = found || ok && kind(op.Kind)
		}
		return !found
	})
	return found
}

func apply(m *mutate.Mutation, e mutate.Edit) error {
	stmt := m.Stmt(e.File, e.Node)
	anchor := m.Stmt(e.File, e.Other)
	if e.Form == formGo {
		return inGoroutine(m, e, stmt)
	}
	return m.Move(e.File, stmt, anchor, e.Form != formBefore)
}

// inGoroutine puts a wait and the closes behind it into a goroutine.
func inGoroutine(m *mutate.Mutation, e mutate.Edit, wait dst.Stmt) error {
	list, i, ok := m.ListOf(e.File, wait)
	if !ok || i+e.Count >= len(*list) {
		return mutate.Refuse(e, "another edit moved the wait")
	}
	moved := slices.Clone((*list)[i : i+e.Count+1])
	for _, s := range moved[1:] {
		if !isClose(s) {
			return mutate.Refuse(e, "another edit put something between the wait and the close")
		}
	}
	stmts, err := tree.Snippet("go func() {\n}()")
	if err != nil {
		return err
	}
	start := stmts[0].(*dst.GoStmt)
	start.Decs.Before, start.Decs.After = wait.Decorations().Before, moved[len(moved)-1].Decorations().After
	for _, s := range moved {
		s.Decorations().Before, s.Decorations().After = dst.NewLine, dst.NewLine
	}
	start.Call.Fun.(*dst.FuncLit).Body.List = moved
	*list = slices.Replace(*list, i, i+e.Count+1, dst.Stmt(start))
	return nil
}

func isClose(s dst.Stmt) bool {
	x, ok := s.(*dst.ExprStmt)
	if !ok {
		return false
	}
	call, ok := x.X.(*dst.CallExpr)
	if !ok {
		return false
	}
	id, ok := call.Fun.(*dst.Ident)
	return ok && id.Name == "close"
}
