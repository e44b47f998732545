package shrinkend

import (
	"go/ast"
	"slices"

	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/captures"
	"mendel/mutate/fact/effects"
	"mendel/mutate/fact/exits"
	"mendel/mutate/fact/guards"
	"mendel/mutate/internal/sectionedit"
)

// Forms of the edit; "" is the plain one.
const (
	capture = "capture" // what the first statement outside needs is evaluated inside
	branch  = "branch"  // an early release, or that of a branch, moves up in its list
)

// A plan is how to end a section earlier.
type plan struct {
	left     []ast.Stmt // the statements that are no longer covered
	captures []captures.Capture
	flags    []mutate.Flag
	exits    []ast.Stmt // of the statements that stay, where the deferred release has to be written out
	dropped  []ast.Stmt // releases that the earlier one replaces
}

func (p *plan) form() string {
	if len(p.captures) > 0 {
		return capture
	}
	return ""
}

// planFor plans how to leave the last k statements outside. The plan is nil
// where that is not right; more is false where no larger k can be either.
func planFor(fn *mutate.Function, s *mutate.Section, k int) (p *plan, more bool) {
	stay := len(s.Body) - k
	if stay < 0 || s.Again || s.InLiteral != nil || s.Deferred && !s.DefersAtOnce() {
		return nil, false
	}
	p = &plan{left: s.Body[stay:]}
	first := p.left[0]
	if _, deferred := first.(*ast.DeferStmt); deferred && s.Deferred {
		return nil, false // what it defers runs under the lock
	}
	if effects.Of(fn, s, first).Waits || exits.HasGotoTarget(fn, first) {
		return nil, false
	}
	if ret, ok := first.(*ast.ReturnStmt); ok && syntax.NamesOnly(ret.Results) {
		return nil, true // it takes no time
	}
	if effects.OpenLocks(fn, p.left...) < 0 || stay > 0 && s.Hides(s.Body[stay-1]) {
		return nil, true
	}
	p.capture(fn, s)
	if stay == 0 && len(p.captures) == 0 {
		return nil, false // nothing would be inside
	}
	if !s.Deferred {
		p.dropped = sectionedit.Inside(s.Releases, p.left...)
		return p, true
	}
	p.exits = exits.Of(fn, s.Body[:stay]...)
	for _, exit := range p.exits {
		if !exits.Plain(fn, exit) || !s.NamedIn(exit) {
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

// capture finds what the first statement outside needs of what the lock
// guards, and the flags of leaving the others outside.
func (p *plan) capture(fn *mutate.Function, s *mutate.Section) {
	captured, ok := captures.Of(fn, s, p.left[0])
	if !ok {
		p.flags = guards.Flags(fn, s, p.left...)
		return
	}
	p.captures = captured
	p.flags = captures.Flags(fn, s, captured, p.left...)
}

// A branchEnd is a release that does not end the section's list: before an
// early exit, or at the end of a branch of its last statement.
type branchEnd struct {
	release ast.Stmt
	before  []ast.Stmt // the statements in front of it in its list, under the lock
}

// branchEnds lists the releases that can move up in a list of their own.
func branchEnds(fn *mutate.Function, s *mutate.Section) []branchEnd {
	var out []branchEnd
	if s.Deferred || s.Again {
		return nil
	}
	for _, st := range fn.Statements() {
		if st.Stmt == s.Final || !slices.Contains(s.Releases, st.Stmt) {
			continue
		}
		first := st.Index
		for first > 0 && s.Holds(st.List[first-1]) {
			first--
		}
		out = append(out, branchEnd{st.Stmt, st.List[first:st.Index]})
	}
	return out
}

// planBranch plans how to let a branch release before its last k statements,
// the first of which waits.
func planBranch(fn *mutate.Function, s *mutate.Section, end branchEnd, k int) *plan {
	if k < 1 || k > len(end.before) {
		return nil
	}
	p := &plan{left: end.before[len(end.before)-k:]}
	first := p.left[0]
	e := effects.Of(fn, s, p.left...)
	switch {
	case e.Waits, !effects.Of(fn, s, first).MayWait():
		return nil
	case !s.NamedIn(first), exits.HasGotoTarget(fn, p.left...), effects.OpenLocks(fn, p.left...) != 0:
		return nil
	case len(sectionedit.Inside(s.Releases, p.left...)) > 0, len(exits.Of(fn, p.left...)) > 0:
		return nil
	}
	p.capture(fn, s)
	return p
}
