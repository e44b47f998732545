package moveout

import (
	"go/ast"
	"go/token"
	"slices"

	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/captures"
	"mendel/mutate/fact/effects"
	"mendel/mutate/fact/exits"
)

// Forms of the edit.
const (
	behind   = "behind" // to behind the release
	deferred = "defer"  // to a deferred call, which runs after the deferred release
)

// A plan is how to move a statement out of a section.
type plan struct {
	form     string
	captures []captures.Capture
	flags    []mutate.Flag
	last     ast.Stmt   // behind a deferred release: the last statement that stays inside
	exits    []ast.Stmt // ... and where else the release has to be written out
}

// planFor plans how to move statement i of a section's body out; nil where that
// is not right, or shrinkend does it.
func planFor(fn *mutate.Function, s *mutate.Section, i int) *plan {
	stmt, rest := s.Body[i], s.Body[i+1:]
	if len(rest) == 0 || s.Again || s.InLiteral != nil || !notifies(fn, s, stmt) || !s.NamedIn(stmt) {
		return nil
	}
	if underOther(fn, s, stmt) || effects.OpenLocks(fn, rest...) != 0 || effects.OpenLocks(fn, s.Body[:i]...) != 0 {
		return nil
	}
	captured, ok := captures.Of(fn, s, stmt)
	if !ok || awaits(stmt) && usesEnded(fn, stmt, rest) {
		return nil
	}
	p := &plan{form: behind, captures: captured, flags: captures.Flags(fn, s, captured, stmt)}
	if len(p.flags) > 0 { // the callee uses what is guarded: it belongs where it is
		return nil
	}
	switch {
	case !s.Deferred:
		if s.Final == nil || !passes(fn, s, stmt, captured, rest) || len(exits.Of(fn, rest...)) > 0 {
			return nil
		}
		return p
	case !s.DefersAtOnce() || defers(fn, s.Body):
		return nil
	case p.writeOut(fn, s, i):
		return p
	case !awaits(stmt) && deferrable(fn, s, i, captured):
		p.form = deferred
		return p
	}
	return nil
}

// notifies reports whether a statement sends, or calls what may wait or take locks,
// and yields nothing that what follows could use: what follows need not wait
// for it. A receive or a Wait is there to be waited for.
func notifies(fn *mutate.Function, s *mutate.Section, stmt ast.Stmt) bool {
	if fn.IsLockCall(stmt) || exits.HasGotoTarget(fn, stmt) {
		return false
	}
	does := effects.Of(fn, s, stmt)
	switch stmt := stmt.(type) {
	case *ast.SendStmt:
		return !does.Waits
	case *ast.ExprStmt:
		call, ok := ast.Unparen(stmt.X).(*ast.CallExpr)
		return ok && !does.Waits && !does.Blocks && does.MayWait() && effects.Called(fn, stmt) != "" && !literal(call) || awaits(stmt)
	}
	return false
}

// awaits reports whether a statement is a receive of nothing: something has ended.
func awaits(stmt ast.Stmt) bool {
	s, ok := stmt.(*ast.ExprStmt)
	if !ok {
		return false
	}
	u, ok := ast.Unparen(s.X).(*ast.UnaryExpr)
	return ok && u.Op == token.ARROW
}

// usesEnded reports whether statements use the value whose end is awaited: what it has left.
func usesEnded(fn *mutate.Function, wait ast.Stmt, rest []ast.Stmt) bool {
	of := fn.Path(ast.Unparen(wait.(*ast.ExprStmt).X).(*ast.UnaryExpr).X).Root
	return of == nil || slices.ContainsFunc(rest, func(s ast.Stmt) bool { return syntax.Names(fn.File.Package.Info, s, of) })
}

// literal reports whether a call has a function literal in it, whose variables
// nobody has examined.
func literal(call *ast.CallExpr) bool {
	return syntax.Any(call, func(n ast.Node) bool {
		_, ok := n.(*ast.FuncLit)
		return ok
	})
}

// underOther reports whether a lock that was taken inside the section is held, too.
func underOther(fn *mutate.Function, s *mutate.Section, stmt ast.Stmt) bool {
	return slices.ContainsFunc(fn.Sections(), func(t *mutate.Section) bool {
		return t.Acquire != s.Acquire && t.Holds(stmt) && (s.Encloses(t) || s.SameLock(t))
	})
}

// passes reports whether a statement may as well come after others: they change
// nothing it uses, and do not talk to other goroutines themselves.
func passes(fn *mutate.Function, s *mutate.Section, stmt ast.Stmt, captured []captures.Capture, rest []ast.Stmt) bool {
	e := effects.Of(fn, s, rest...)
	return e == effects.Effects{} && !exits.HasGotoTarget(fn, rest...) && captures.Movable(fn, stmt, captured, rest...)
}

func defers(fn *mutate.Function, body []ast.Stmt) bool {
	return slices.ContainsFunc(body, func(stmt ast.Stmt) bool {
		_, ok := stmt.(*ast.DeferStmt)
		return ok
	})
}

// writeOut plans to put the deferred release, and the statement behind it, at
// the end of the function or before the return there.
func (p *plan) writeOut(fn *mutate.Function, s *mutate.Section, i int) bool {
	stmt, rest := s.Body[i], s.Body[i+1:]
	if _, ok := rest[len(rest)-1].(*ast.ReturnStmt); ok {
		if !exits.Plain(fn, rest[len(rest)-1]) {
			return false
		}
		rest = rest[:len(rest)-1]
	}
	if len(rest) == 0 || len(exits.Of(fn, rest...)) > 0 || !passes(fn, s, stmt, p.captures, rest) {
		return false
	}
	p.last = rest[len(rest)-1]
	if exits.Terminates(fn, p.last) {
		return false
	}
	p.exits = exits.Of(fn, s.Body[:i]...)
	for _, exit := range p.exits {
		if !exits.Plain(fn, exit) || !s.NamedIn(exit) {
			return false
		}
	}
	return !slices.ContainsFunc(s.Body, s.Hides)
}

// deferrable reports whether the statement may be a call that is deferred before
// the lock is taken, so that it runs when that is free again: every way through
// the function comes to it, with what is known before.
func deferrable(fn *mutate.Function, s *mutate.Section, i int, captures []captures.Capture) bool {
	stmt, before, rest := s.Body[i], s.Body[:i], s.Body[i+1:]
	if len(captures) > 0 || &s.List[0] != &fn.Body.List[0] || len(exits.Of(fn, before...)) > 0 {
		return false
	}
	if !passes(fn, s, stmt, nil, before) || !passes(fn, s, stmt, nil, rest) {
		return false
	}
	known := true
	ast.Inspect(stmt, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			obj := fn.File.Package.Info.Uses[id]
			known = known && (obj == nil || obj.Pos() < s.Acquire.Pos() || obj.Pos() > fn.Node.End())
		}
		return known
	})
	return known
}
