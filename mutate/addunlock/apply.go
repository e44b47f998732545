package addunlock

import (
	"go/ast"
	"slices"

	"github.com/dave/dst"

	"mendel/mutate"
)

func apply(m *mutate.Mutation, e mutate.Edit) error {
	if e.Form == formSlot || e.Form == formSlotPath || e.Form == formSlotStart {
		return release(m, e)
	}
	at, ok := m.Node(e.File, e.Node).(dst.Stmt)
	fn := m.Function(e.File, e.Node)
	if ok && e.Form == formHelper {
		return m.InsertSnippet(e.File, at, false, e.Expr)
	}
	if !ok || fn == nil || e.Lock == nil {
		return mutate.Refuse(e, "another edit removed the statement")
	}
	p := application{Mutation: m, e: e, fn: fn}
	switch e.Form {
	case formPath, formEnd:
		return p.release(at)
	case formMeant, formSide, formInstance:
		if len(m.InsertedCalls(fn, *e.Lock)) > 0 {
			return mutate.Refuse(e, "another edit changed how %s is held", e.Lock.Expr)
		}
		return m.Recall(e.File, at, *e.Lock, e.Expr)
	case formLoop:
		return p.moveOut(at)
	case formPair:
		return p.releasePair(at)
	case formDefer:
		return p.deferRelease(at)
	case formHanded:
		return p.deferHanded(at)
	case formTurn:
		return p.releaseIterations()
	}
	return mutate.Refuse(e, "there is no form %q", e.Form)
}

// An application is one edit being made.
type application struct {
	*mutate.Mutation
	e  mutate.Edit
	fn *mutate.Function
}

// release puts a release before or behind a statement.
func (p application) release(at dst.Stmt) error {
	here := func(x Exit) bool { return p.fn.ID(x.Stmt) == p.e.Node && x.After == (p.e.Form == formEnd) }
	for _, b := range Balances(p.fn) {
		if b.Lock.Expr != p.e.Lock.Expr || !slices.ContainsFunc(b.Exits(), here) {
			continue
		}
		exits, _ := missing(b)
		if !slices.ContainsFunc(exits, here) {
			exits = nil // it is enough by itself
		}
		if err := p.untouched(b, exits); err != nil {
			return err
		}
		return p.Insert(p.e.File, at, p.e.Form == formEnd, p.Call(*p.e.Lock, p.e.Expr, ""))
	}
	return mutate.Refuse(p.e, "the lock is not held here")
}

// moveOut takes the acquisition in front of the loop.
func (p application) moveOut(acquire dst.Stmt) error {
	loop := p.Stmt(p.e.File, p.e.Other)
	b, _, err := p.call()
	if err != nil {
		return err
	}
	if err := p.untouched(b, nil); err != nil {
		return err
	}
	return p.MoveCall(p.e.File, acquire, loop, false, p.e.Note)
}

// deferRelease defers the release right after the acquisition in place of all others.
func (p application) deferRelease(acquire dst.Stmt) error {
	b, _, err := p.call()
	if err != nil {
		return err
	}
	if err := p.untouched(b, nil); err != nil {
		return err
	}
	if err := p.Insert(p.e.File, acquire, true, p.Defer(*p.e.Lock, p.e.Expr)); err != nil {
		return err
	}
	return p.dropReleases(b)
}

// deferHanded defers the release of a lock that a helper has taken, in front of a statement, in place of all others.
func (p application) deferHanded(first dst.Stmt) error {
	for _, b := range Balances(p.fn) {
		if len(b.given) == 0 || p.fn.ID(b.given[0].Stmt) != p.e.Node || b.Lock.Expr != p.e.Lock.Expr {
			continue
		}
		if err := p.untouched(b, nil); err != nil {
			return err
		}
		if err := p.Insert(p.e.File, first, false, p.Defer(*p.e.Lock, p.e.Expr)); err != nil {
			return err
		}
		return p.dropReleases(b)
	}
	return mutate.Refuse(p.e, "the function gets no lock here")
}

// dropReleases removes all releases of a lock.
func (p application) dropReleases(b *Balance) error {
	for _, c := range b.Calls {
		if !c.Acquires() {
			if err := p.drop(c.Stmt); err != nil {
				return err
			}
		}
	}
	return nil
}

// releaseIterations replaces a release by one at each exit of the iterations of a loop.
func (p application) releaseIterations() error {
	b, c, err := p.call()
	if err != nil {
		return err
	}
	exits, ok := turnExits(b, c)
	if !ok {
		return mutate.Refuse(p.e, "the release does not stand for the turns of a loop")
	}
	if err := p.untouched(b, nil); err != nil {
		return err
	}
	for _, x := range exits {
		if err := p.Insert(p.e.File, p.Stmt(p.e.File, p.fn.ID(x.Stmt)), x.After, p.Call(*p.e.Lock, x.Release, "")); err != nil {
			return err
		}
	}
	return p.drop(c.Stmt)
}

func (p application) drop(s ast.Stmt) error {
	n := p.Stmt(p.e.File, p.fn.ID(s))
	if n == nil {
		return mutate.Refuse(p.e, "another edit removed a release")
	}
	return p.DropCall(p.e.File, n)
}

// call finds the lock call that the edit stands at.
func (p application) call() (*Balance, LockCall, error) {
	for _, b := range Balances(p.fn) {
		for _, c := range b.Calls {
			if p.fn.ID(c.Stmt) == p.e.Node && b.Lock.Expr == p.e.Lock.Expr {
				return b, c, nil
			}
		}
	}
	return nil, LockCall{}, mutate.Refuse(p.e, "there is no such call of the lock")
}

// untouched refuses the edit if earlier ones changed how the function holds the
// lock: with two ways to mend it, it would be released twice. What they put at
// some exits does not count.
func (p application) untouched(b *Balance, exits []Exit) error {
	refusal := mutate.Refuse(p.e, "another edit changed how %s is held", b.Lock.Expr)
	for _, st := range p.fn.Statements() {
		ours := slices.ContainsFunc(b.Calls, func(c LockCall) bool { return c.Stmt == st.Stmt })
		if ours && !p.inPlace(st) {
			return refusal
		}
	}
	calls := p.InsertedCalls(p.fn, b.Lock)
	for _, x := range exits {
		calls = slices.DeleteFunc(calls, func(call *dst.CallExpr) bool { return p.standsAt(call, x) })
	}
	if len(calls) > 0 {
		return refusal
	}
	return nil
}

// inPlace reports whether a statement stands in the list where it stood.
func (p application) inPlace(st mutate.Statement) bool {
	s, ok := p.Of(p.e.File, st.Stmt).(dst.Stmt)
	if !ok {
		return false
	}
	list, _, ok := p.ListOf(p.e.File, s)
	if !ok {
		return false
	}
	switch owner := p.Of(p.e.File, st.Owner).(type) {
	case *dst.BlockStmt:
		return list == &owner.List
	case *dst.CaseClause:
		return list == &owner.Body
	case *dst.CommClause:
		return list == &owner.Body
	}
	return false
}

// standsAt reports whether an inserted call is the release at an exit.
func (p application) standsAt(call *dst.CallExpr, x Exit) bool {
	s, ok := p.Of(p.e.File, x.Stmt).(dst.Stmt)
	if !ok {
		return false
	}
	list, i, ok := p.ListOf(p.e.File, s)
	if !ok {
		return false
	}
	if x.After {
		i++
	} else {
		i--
	}
	if i < 0 || i >= len(*list) {
		return false
	}
	e, ok := (*list)[i].(*dst.ExprStmt)
	return ok && e.X == call
}
