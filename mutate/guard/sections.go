package guard

import (
	"go/ast"
	"slices"

	"mendel/analysis"
	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/expandafter"
	"mendel/mutate/expandbefore"
	"mendel/mutate/fact/held"
	"mendel/mutate/internal/locking"
	"mendel/mutate/shrinkend"
	"mendel/mutate/shrinkstart"
)

// moves are the operators that move the bounds of a section.
var moves = []*mutate.Operator{expandafter.Operator, expandbefore.Operator, shrinkend.Operator, shrinkstart.Operator}

// A span is some consecutive statements of a list.
type span struct {
	list        []ast.Stmt
	first, last int
	lock        analysis.Lock
	read        bool
}

func (s span) stmts() []ast.Stmt { return s.list[s.first : s.last+1] }

func (s span) candidate() locking.Candidate {
	return locking.Candidate{Lock: s.lock, Read: s.read}
}

// edits lists the edits that put a function's uses under the lock.
func (p *plan) edits(fn *mutate.Function) []mutate.Edit {
	var out []mutate.Edit
	for _, s := range p.spans(fn, fn.Body.List) {
		out = append(out, p.section(fn, s)...)
	}
	return out
}

// spans lays sections over the uses in a statement list. A statement that
// cannot be in a section is looked into.
func (p *plan) spans(fn *mutate.Function, list []ast.Stmt) []span {
	var out []span
	var open *span
	end := func() {
		if open != nil {
			out = append(out, p.narrowed(fn, *open)...)
			open = nil
		}
	}
	for i, s := range list {
		needs := len(p.within(fn, s)) > 0
		switch {
		case !needs && (p.form != wide || !p.neutral(fn, s)):
			end()
		case !needs: // between uses, perhaps
		case open != nil && p.grow(fn, open, i):
		default:
			end()
			one := span{list: list, first: i, last: i}
			if p.enters(fn, s) || !p.fill(fn, &one) {
				for _, inner := range mutate.Lists(s) {
					out = append(out, p.spans(fn, inner)...)
				}
				continue
			}
			open = &one
		}
	}
	end()
	return out
}

// narrowed looks into a span of but one statement, as far as the tight forms
// go: sections in its branches do, unless it uses the variables to decide which
// of them to take.
func (p *plan) narrowed(fn *mutate.Function, s span) []span {
	stmt := s.list[s.first]
	switch stmt.(type) {
	case *ast.IfStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.BlockStmt:
	default:
		return []span{s}
	}
	if p.form == wide || s.first != s.last {
		return []span{s}
	}
	var inner []span
	for _, list := range mutate.Lists(stmt) {
		inner = append(inner, p.spans(fn, list)...)
	}
	for _, u := range p.within(fn, stmt) {
		if !slices.ContainsFunc(inner, func(i span) bool { return contains(i.stmts(), u.at) }) {
			return []span{s}
		}
	}
	return inner
}

func contains(stmts []ast.Stmt, n ast.Node) bool {
	return stmts[0].Pos() <= n.Pos() && n.End() <= stmts[len(stmts)-1].End()
}

// grow extends a span to the statement at an index, if one lock can be held around all.
func (p *plan) grow(fn *mutate.Function, s *span, to int) bool {
	if p.enters(fn, s.list[to]) {
		return false
	}
	more := span{list: s.list, first: s.first, last: to}
	if !p.fill(fn, &more) || more.lock.Expr != s.lock.Expr {
		return false
	}
	*s = more
	return true
}

// within lists the uses in some consecutive statements.
func (p *plan) within(fn *mutate.Function, stmts ...ast.Stmt) []use {
	var found []use
	for _, u := range p.usesOf(fn) {
		if contains(stmts, u.at) {
			found = append(found, u)
		}
	}
	return found
}

// neutral reports whether a statement without use may stay between two others of a section.
func (p *plan) neutral(fn *mutate.Function, s ast.Stmt) bool {
	switch s.(type) {
	case *ast.GoStmt, *ast.DeferStmt, *ast.LabeledStmt, *ast.ReturnStmt, *ast.BranchStmt:
		return false
	}
	return !fn.IsLockCall(s) && !p.calls(fn, s)
}

// calls reports whether a statement calls a function that shall take the lock.
func (p *plan) calls(fn *mutate.Function, stmts ...ast.Stmt) bool {
	return slices.ContainsFunc(fn.Calls(stmts...), func(c mutate.Call) bool { return p.acquirers[c.To] && !p.open[c.To] })
}

// enters reports whether sections go inside of a statement rather than around
// it: around a loop that does not use the variables to decide how long it goes
// on there is none in the tight form, nor in a goroutine, which would do
// everything under the lock.
func (p *plan) enters(fn *mutate.Function, s ast.Stmt) bool {
	var body *ast.BlockStmt
	switch s := s.(type) {
	case *ast.ForStmt:
		body = s.Body
	case *ast.RangeStmt:
		body = s.Body
	case *ast.IfStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.BlockStmt:
		return false
	case *ast.GoStmt, *ast.DeferStmt, *ast.LabeledStmt, *ast.EmptyStmt, *ast.SelectStmt:
		return true
	default:
		return false
	}
	header := slices.ContainsFunc(p.within(fn, s), func(u use) bool { return u.at.Pos() < body.Pos() || u.at.End() > body.End() })
	return !header && (p.form != wide || fn.Started())
}

// fill finds the lock for a span; it returns false if there is none that can be held around it.
func (p *plan) fill(fn *mutate.Function, s *span) bool {
	stmts := s.stmts()
	if p.calls(fn, stmts...) {
		return false
	}
	uses := p.within(fn, stmts...)
	base := uses[0].base
	writes := false
	for _, u := range uses {
		writes = writes || u.Write
		if p.survey.ownLock(p.key, u.Var) && u.base != base {
			return false // of another value
		}
	}
	for _, l := range p.locks(fn, stmts, uses) {
		if p.survey.ownLock(p.key, uses[0].Var) && syntax.LockOwner(l) != base.String() {
			continue
		}
		if fn.Reassigns(l.Expr, stmts...) || held.Conflict(fn, l, stmts...) != "" {
			continue
		}
		if held.Waits(fn, l, stmts...) {
			if !p.mayWait(fn, *s) {
				continue
			}
			p.waits = true
		}
		s.lock, s.read = l, l.RW && !writes
		return true
	}
	return false
}

// mayWait reports whether a section may go around a span although something waits
// in it: it is one statement that decides by the variables what to do. In two
// sections what was decided by may have changed.
func (p *plan) mayWait(fn *mutate.Function, s span) bool {
	if p.form != waiting || s.first != s.last {
		return false
	}
	stmt := s.list[s.first]
	switch stmt.(type) {
	case *ast.IfStmt, *ast.SwitchStmt:
	default:
		return false
	}
	inner := mutate.Lists(stmt)
	return slices.ContainsFunc(p.within(fn, stmt), func(u use) bool {
		return !slices.ContainsFunc(inner, func(list []ast.Stmt) bool { return len(list) > 0 && contains(list, u.at) })
	})
}

// locks lists the target's lock as it can be written at some statements.
func (p *plan) locks(fn *mutate.Function, stmts []ast.Stmt, uses []use) []analysis.Lock {
	var out []analysis.Lock
	add := func(locks []analysis.Lock) {
		for _, l := range locks {
			if l.Key == p.key {
				out = append(out, l)
			}
		}
	}
	add(p.survey.locksAt(fn, stmts[0]))
	if len(out) > 0 {
		return out
	}
	var own []analysis.Access
	for _, u := range uses {
		if u.at == ast.Node(u.Expr) {
			own = append(own, u.Access)
		}
	}
	add(fn.Program.NewLocks(fn.File, stmts[0], own))
	if seed := p.seed; len(out) == 0 && seed.Var != nil && !seed.Var.IsField() {
		add(fn.Program.NewLocks(fn.File, stmts[0], []analysis.Access{seed}))
	}
	return out
}

// section makes the edit for a span: around the whole function if that is
// what the span is, by moving a bound of a section that stands right beside it,
// or around the statements.
func (p *plan) section(fn *mutate.Function, s span) []mutate.Edit {
	stmts := s.stmts()
	p.blocks = p.blocks || slices.ContainsFunc(p.survey.blockersIn(fn, stmts[0].Pos(), stmts[len(stmts)-1].End()), func(b mutate.Blocker) bool { return !b.Prints })
	if p.form == wide {
		if e, ok := p.moved(fn, s); ok {
			return []mutate.Edit{e}
		}
	}
	if e, ok := p.body(fn, s); ok {
		return []mutate.Edit{e}
	}
	var before []mutate.Edit
	if p.form == apart {
		if e, ok := p.released(fn, s); ok {
			before = append(before, e)
		}
	}
	// A return right behind is covered with what an early return needs deferred.
	for last := s.last; last <= s.last+1 && last < len(s.list); last++ {
		covered := s.list[s.first : last+1]
		e := locking.Around(fn, s.candidate(), p.note(fn, covered), covered...)
		if p.survey.fits(fn, e) {
			if len(before) > 0 {
				if fn.Applies(mutate.Composite("guard", before[0], e)) {
					p.parted = true
					return []mutate.Edit{before[0], e}
				}
			}
			return []mutate.Edit{e}
		}
	}
	return nil
}

// note says who else uses what some statements use.
func (p *plan) note(fn *mutate.Function, covered []ast.Stmt) string {
	var accesses []analysis.Access
	for _, u := range p.within(fn, covered...) {
		accesses = append(accesses, u.Access)
	}
	return locking.Note(fn, accesses)
}

// body makes the edit that locks the whole function if a span is all that it does.
func (p *plan) body(fn *mutate.Function, s span) (e mutate.Edit, ok bool) {
	_, literal := fn.Node.(*ast.FuncLit)
	if !locking.Lockable(fn) || !locking.All(fn, s.list, s.first, s.last) || literal && p.form != wide {
		return e, false
	}
	e = locking.Whole(fn, s.candidate(), p.note(fn, fn.Body.List))
	return e, p.survey.fits(fn, e)
}

// moved finds the edit that moves a bound of a section of the same lock, in
// the same list, over a span.
func (p *plan) moved(fn *mutate.Function, s span) (e mutate.Edit, ok bool) {
	for _, sec := range fn.Sections() {
		if sec.Lock.Key != p.key || sec.Lock.Expr != s.lock.Expr || sec.Read && !s.read || sec.Deferred || len(sec.List) == 0 || sec.List[0] != s.list[0] {
			continue
		}
		want := id{file: fn.File.Rel, node: fn.ID(sec.Acquire), lock: sec.Lock.Expr, key: sec.Lock.Key, read: sec.Read}
		switch end := sec.Last + 1; {
		case s.first > end:
			want.operator, want.count = expandafter.Operator.Name, s.last-end
		case s.last < sec.At:
			want.operator, want.count = expandbefore.Operator.Name, sec.At-s.first
		default:
			continue
		}
		if e, ok := p.survey.edits[want]; ok {
			return e, true
		}
	}
	return e, false
}

// released finds the edit that ends, or begins, the section of another value's
// lock so that a span is no longer in it.
func (p *plan) released(fn *mutate.Function, s span) (e mutate.Edit, ok bool) {
	stmts := s.stmts()
	for _, sec := range fn.Sections() {
		k := len(stmts)
		if sec.Lock.Key != p.key || sec.Lock.Expr == s.lock.Expr || !sec.Holds(stmts[0]) || len(sec.Body) < k {
			continue
		}
		want := id{file: fn.File.Rel, node: fn.ID(sec.Acquire), count: k, lock: sec.Lock.Expr, key: sec.Lock.Key, read: sec.Read}
		switch {
		case sec.Body[len(sec.Body)-1] == stmts[k-1]:
			want.operator = shrinkend.Operator.Name
		case sec.Body[0] == stmts[0]:
			want.operator = shrinkstart.Operator.Name
		default:
			continue
		}
		if e, ok := p.survey.edits[want]; ok {
			return e, true
		}
	}
	return e, false
}
