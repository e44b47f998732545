package addunlock

import (
	"go/ast"
	"go/types"
	"slices"
	"strconv"

	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/exits"
	"mendel/mutate/internal/syncops"
)

// maxSlotExits bounds the exits that lack the release of one slot: where more do, the
// channel is no semaphore. Chosen, not measured.
const maxSlotExits = 5

// A slot is one of a channel that is used as a semaphore, or of a semaphore: a statement takes it and
// another of the same list gives it back.
type slot struct {
	take, give mutate.Statement
	text       string     // gives it back
	exits      []ast.Stmt // between the two, without it
}

// slotEdits lists the edits that give a slot back on the paths between its being taken
// and given back that leave the function.
func slotEdits(fn *mutate.Function) []mutate.Edit {
	var out []mutate.Edit
	statements := fn.Statements()
	for _, take := range statements {
		s, ok := slotAt(fn, take)
		if !ok {
			continue
		}
		if take.Owner == fn.Body && s.last() {
			e := s.edit(fn, formSlot, take.Stmt)
			e.Expr = s.deferred()
			out = append(out, e)
			continue
		}
		for _, exit := range s.exits {
			if exits.Plain(fn, exit) {
				out = append(out, s.edit(fn, formSlotPath, exit))
			}
		}
	}
	if s, ok := startedSlot(fn); ok {
		e := s.edit(fn, formSlotStart, s.give.Stmt)
		e.Expr = s.deferred()
		out = append(out, e)
	}
	return out
}

// startedSlot finds the slot that a goroutine gives back in its last statement and not
// where it ends before; whoever starts it takes the slot.
func startedSlot(fn *mutate.Function) (*slot, bool) {
	lit, ok := fn.Node.(*ast.FuncLit)
	last := len(fn.Body.List) - 1
	if !ok || last < 1 || !fn.Started() {
		return nil, false
	}
	give := mutate.Statement{Stmt: fn.Body.List[last], List: fn.Body.List, Index: last, Owner: fn.Body}
	given, ok := token(fn, give.Stmt)
	if !ok || given.Kind != syncops.Receive {
		return nil, false
	}
	on, before := fn.Path(given.On), fn.Body.List[:last]
	exits := exits.Of(fn, before...)
	if len(exits) == 0 || names(fn, on, before) || lit.Pos() <= on.Root.Pos() && on.Root.Pos() < lit.End() {
		return nil, false
	}
	return &slot{give: give, text: "<-" + types.ExprString(given.On), exits: exits}, true
}

// slotAt finds the slot that a statement takes, if it is given back behind it and some
// path between the two leaves the function with it.
func slotAt(fn *mutate.Function, take mutate.Statement) (*slot, bool) {
	taken, ok := taking(fn, take.Stmt)
	if !ok {
		return nil, false
	}
	on := fn.Path(taken.On)
	if names(fn, on, take.List[:take.Index]) {
		return nil, false // it may give back what was taken before
	}
	for i := take.Index + 1; i < len(take.List); i++ {
		given, ok := giving(fn, take.List[i])
		if !ok || fn.Path(given.On) != on {
			continue
		}
		between := take.List[take.Index+1 : i]
		s := &slot{take: take, give: mutate.Statement{Stmt: given.Stmt, List: take.List, Index: i}}
		switch stmt := given.Stmt.(type) {
		case *ast.SendStmt:
			s.text = types.ExprString(stmt.Chan) + " <- " + types.ExprString(stmt.Value)
		case *ast.ExprStmt:
			s.text = types.ExprString(stmt.X)
		}
		s.exits = exits.Of(fn, between...)
		if given.Kind == taken.Kind || len(s.exits) == 0 || len(s.exits) > maxSlotExits || names(fn, on, between) {
			return nil, false
		}
		return s, true
	}
	return nil, false
}

// deferred is a statement that gives the slot back when the function ends.
func (s *slot) deferred() string {
	if e, ok := s.give.Stmt.(*ast.ExprStmt); ok {
		if _, call := e.X.(*ast.CallExpr); call {
			return "defer " + s.text
		}
	}
	return "defer func() { " + s.text + " }()"
}

// taking is how a statement takes a slot, if it is taken whenever the function goes on behind the statement: by a
// token, by the one case of a select that does not leave, or by an Acquire of a semaphore, whose error leaves.
func taking(fn *mutate.Function, s ast.Stmt) (op syncops.Operation, ok bool) {
	switch s := s.(type) {
	case *ast.SelectStmt:
		for _, c := range s.Body.List {
			clause := c.(*ast.CommClause)
			if n := len(clause.Body); n > 0 && exits.Terminates(fn, clause.Body[n-1]) {
				continue
			}
			if ok || clause.Comm == nil || len(exits.Of(fn, clause.Body...)) > 0 {
				return op, false
			}
			if op, ok = token(fn, clause.Comm); !ok {
				return op, false
			}
		}
		return op, ok
	case *ast.IfStmt:
		if n := len(s.Body.List); n == 0 || s.Else != nil || !exits.Terminates(fn, s.Body.List[n-1]) {
			return op, false
		}
		var call *ast.CallExpr
		if assign, isAssign := s.Init.(*ast.AssignStmt); isAssign && len(assign.Rhs) == 1 {
			call, _ = ast.Unparen(assign.Rhs[0]).(*ast.CallExpr)
		} else if not, isNot := ast.Unparen(s.Cond).(*ast.UnaryExpr); isNot && s.Init == nil {
			call, _ = ast.Unparen(not.X).(*ast.CallExpr)
		}
		return semaphore(fn, s, call, "Acquire", "TryAcquire")
	}
	return token(fn, s)
}

// giving is how a statement gives a slot back: by a token, or by Release of a semaphore.
func giving(fn *mutate.Function, s ast.Stmt) (op syncops.Operation, ok bool) {
	if e, isExpr := s.(*ast.ExprStmt); isExpr {
		call, _ := ast.Unparen(e.X).(*ast.CallExpr)
		if op, ok = semaphore(fn, s, call, "Release"); ok {
			op.Kind = syncops.Release
			return op, true
		}
	}
	return token(fn, s)
}

// semaphore is a call of a semaphore's method as an operation: of a value with methods Acquire and Release that are not the
// program's own, of which the code is known.
func semaphore(fn *mutate.Function, s ast.Stmt, call *ast.CallExpr, methods ...string) (op syncops.Operation, ok bool) {
	if call == nil {
		return op, false
	}
	info := fn.File.Package.Info
	sel, isMethod := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	f := syntax.Callee(info, call.Fun)
	if !isMethod || f == nil || fn.Declared(f) != nil || !slices.Contains(methods, f.Name()) || fn.Path(sel.X).Root == nil {
		return op, false
	}
	for _, name := range []string{"Acquire", "Release"} {
		m, _, _ := types.LookupFieldOrMethod(info.TypeOf(sel.X), true, fn.File.Package.Types, name)
		if _, has := m.(*types.Func); !has {
			return op, false
		}
	}
	return syncops.Operation{Kind: syncops.Lock, On: sel.X, Stmt: s}, true
}

// token is the send or receive that a statement is, if it passes on that something
// happened, and no value that anybody looks at.
func token(fn *mutate.Function, s ast.Stmt) (op syncops.Operation, ok bool) {
	send, sends := s.(*ast.SendStmt)
	if _, plain := s.(*ast.ExprStmt); !sends && !plain {
		return op, false
	}
	op, ok = syncops.Of(fn, s)
	if !ok || op.Kind != syncops.Send && op.Kind != syncops.Receive || fn.Path(op.On).Root == nil {
		return op, false
	}
	ch, isChan := types.Unalias(fn.File.Package.Info.TypeOf(op.On)).Underlying().(*types.Chan)
	if !isChan {
		return op, false
	}
	switch elem := ch.Elem().Underlying().(type) {
	case *types.Struct:
		return op, elem.NumFields() == 0
	case *types.Basic:
		return op, elem.Info()&types.IsBoolean != 0 && (!sends || syntax.Constant(fn.File.Package.Info, send.Value))
	}
	return op, false
}

// names reports whether some statements name a channel.
func names(fn *mutate.Function, on mutate.Path, stmts []ast.Stmt) bool {
	found := false
	for _, s := range stmts {
		ast.Inspect(s, func(n ast.Node) bool {
			e, ok := n.(ast.Expr)
			found = found || ok && fn.Path(e) == on
			return !found
		})
	}
	return found
}

// last reports whether the slot is given back where the function's body ends, or right
// before its last return.
func (s *slot) last() bool {
	rest := s.give.List[s.give.Index+1:]
	if len(rest) == 0 {
		return true
	}
	_, returns := rest[0].(*ast.ReturnStmt)
	return returns && len(rest) == 1
}

// edit starts an edit that gives the slot back. It is as near to the evidence as the
// goroutines that wait for one.
func (s *slot) edit(fn *mutate.Function, form string, at ast.Stmt) mutate.Edit {
	e := fn.NewEdit("addunlock", at, at)
	e.Form, e.Expr, e.Other = form, s.text, fn.ID(s.give.Stmt)
	e.Group = "slot " + fn.File.Rel + " " + strconv.Itoa(fn.ID(s.give.Stmt))
	if s.take.Stmt != nil {
		heat, _ := fn.Narrowing.HeatAt(s.take.Stmt.Pos())
		e.Heat = max(e.Heat, heat)
	}
	e.Note = "a path leaves without " + s.text
	return e
}

// release gives a slot back as an edit says.
func release(m *mutate.Mutation, e mutate.Edit) error {
	at := m.Stmt(e.File, e.Node)
	give := m.Stmt(e.File, e.Other)
	if at == nil || give == nil {
		return mutate.Refuse(e, "another edit removed the statement")
	}
	switch e.Form {
	case formSlotPath:
		return m.InsertSnippet(e.File, at, false, e.Expr)
	case formSlot:
		if err := m.InsertSnippet(e.File, at, true, e.Expr); err != nil {
			return err
		}
	case formSlotStart:
		fn := m.Function(e.File, e.Node)
		if err := m.Prepend(e.File, fn.ID(fn.Node), e.Expr); err != nil {
			return err
		}
	}
	return m.Remove(e.File, give)
}
