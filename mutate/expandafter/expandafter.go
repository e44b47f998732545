package expandafter

import (
	_ "embed"
	"go/ast"
	"slices"

	"mendel/analysis"
	"mendel/analysis/evidence"
	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/effects"
	"mendel/mutate/fact/exits"
	"mendel/mutate/internal/locked"
	"mendel/mutate/internal/locking"
	"mendel/mutate/internal/sectionedit"
)

//go:embed doc.go
var doc string

// Operator expands a critical section over the statements after it.
var Operator = &mutate.Operator{
	Name:  "expandafter",
	Doc:   doc,
	CORE:  "EXSA",
	Prior: map[evidence.Kind]float64{evidence.Race: 3, evidence.TestFailure: 3, evidence.Panic: 2},
	Forms: map[string]map[evidence.Kind]float64{
		formCalls:   {evidence.TestFailure: 4, evidence.Panic: 4, evidence.Race: 3, evidence.Blocked: 2, evidence.Deadlock: 2},
		formCounted: {evidence.TestFailure: 4, evidence.Panic: 5, evidence.Race: 4, evidence.Blocked: 1, evidence.Deadlock: 1},
	},
	Faults: []evidence.Fault{evidence.CheckThenAct, evidence.LostUpdate, evidence.AtomicityViolation, evidence.InconsistentRead, evidence.OverwrittenValue, evidence.IntermediateValue, evidence.CloseDuringSend, evidence.WaitNotForAll},
	Needs:  "section of a lock with statements behind it that it could cover",
	Edits:  edits,
	Apply:  apply,
}

// formCalls is the form of edits that cover calls of functions which take the section's
// lock, and no longer take it.
const formCalls = "calls"

// A plan is how to expand a section over some statements.
type plan struct {
	absorbed []ast.Stmt
	deferred bool          // the section becomes one with a deferred release
	exits    []ast.Stmt    // of the absorbed statements: a release goes before each
	dead     bool          // nothing runs on past the absorbed statements
	calls    []locked.Call // among the absorbed statements, of functions that take the lock
}

func edits(fn *mutate.Function) []mutate.Edit {
	var out []mutate.Edit
	for _, s := range fn.Sections() {
		for k := 1; k <= sectionedit.MaxMoves; k++ {
			p, more := planFor(fn, s, k)
			if !more {
				break
			}
			if p == nil {
				continue
			}
			e := fn.NewEdit("expandafter", s.Acquire, p.absorbed...)
			e.Other, e.Count, e.Lock, e.Read = fn.ID(s.Final), k, &s.Lock, s.Read
			e.Note = note(fn, s, p.absorbed)
			if len(p.calls) > 0 {
				e.Form, e.Note = formCalls, locking.CallsNote(s, p.calls)
			}
			if group := counting(fn, s, p.absorbed[k-1]); group != nil && e.Form == "" {
				e.Form = formCounted
				e.Note = "counted under " + s.Lock.Expr + ": who waits for " + group.Name() + " comes before or after"
				e.Group = mutate.GroupOf(group) + " " + s.Lock.Key
			}
			if last := p.absorbed[k-1]; !effects.Matters(fn, last) && tells(fn, s, last) {
				e.Note = "others are told under " + s.Lock.Expr + ", in the order of the changes"
				e.Doubt(toldDoubt)
			}
			e.Flags = effects.Of(fn, s, p.absorbed...).Flags()
			out = append(out, e)
		}
	}
	return append(out, branchEdits(fn)...)
}

// toldDoubt is the belief in a section that reaches to where others are told of what it has changed. Guessed.
const toldDoubt = 0.6

// tells reports whether a statement behind a section which changes something sends on a channel, or closes one: an older
// change can be told after a newer one.
func tells(fn *mutate.Function, s *mutate.Section, stmt ast.Stmt) bool {
	info := fn.File.Package.Info
	sends := syntax.Any(stmt, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SendStmt:
			return true
		case *ast.CallExpr:
			return syntax.Builtin(info, n) == "close"
		}
		return false
	})
	return sends && slices.ContainsFunc(fn.Accesses(s.Body...), func(a analysis.Access) bool { return a.Write })
}

// note says why the section reaches as far as it does: the last statement or,
// if that needs no lock itself, one before it.
func note(fn *mutate.Function, s *mutate.Section, absorbed []ast.Stmt) string {
	if last := absorbed[len(absorbed)-1]; effects.Subject(fn, "must be", last) != "" {
		return locking.HeldNote(fn, s.Lock.Expr, last)
	}
	return locking.HeldNote(fn, s.Lock.Expr, absorbed...)
}

// planFor plans the expansion of a section by k statements. The plan is nil
// where that is not right; more is false where no larger k can be either.
func planFor(fn *mutate.Function, s *mutate.Section, k int) (p *plan, more bool) {
	end := s.Last + 1 // of Final
	refuse := func(at ast.Node, why string) { fn.Decline(at, "the section of %s cannot grow: %s", s.Lock.Expr, why) }
	switch {
	case s.Again || s.Final == nil:
		refuse(s.Acquire, "it does not end with one release in the list it begins in")
		return nil, false
	case end+k >= len(s.List):
		refuse(s.Acquire, "no statement follows it in its list")
		return nil, false
	}
	p = &plan{absorbed: s.List[end+1 : end+1+k]}
	last := p.absorbed[k-1]
	ok := true
	_, branch := last.(*ast.BranchStmt)
	if branch || s.Prepares(last) || s.Hides(last) || exits.HasGotoTarget(fn, last) {
		refuse(last, "the statement leaves its block, or declares or sets what the lock is reached by")
		return nil, false
	}
	if locking.Takes(fn, s, p.absorbed) {
		if p.calls, ok = locking.Relocking(fn, s, p.absorbed); !ok {
			refuse(last, "the statement takes the lock itself, and not by calls of functions that could do without")
			return nil, false
		}
	}
	p.exits = exits.Of(fn, p.absorbed...)
	p.dead = exits.Terminates(fn, last)
	plain := allPlain(fn, p.exits)
	toEnd := end+k == len(s.List)-1 && s.CanDefer()
	open := effects.OpenLocks(fn, p.absorbed...)
	switch {
	case open != 0 && (open < 0 || !toEnd):
		refuse(last, "it would end inside another section")
		return nil, true // it would end inside another section
	case !effects.Matters(fn, last) && (plain || !toEnd) && counting(fn, s, last) == nil && !tells(fn, s, last):
		refuse(last, "the statement uses nothing that is shared")
		return nil, true // the same as one statement less
	case !plain && !toEnd:
		refuse(last, "the statement has a way out at which no release can stand")
		return nil, true
	}
	p.deferred = toEnd && (s.At == 0 || !plain)
	return p, true
}

func allPlain(fn *mutate.Function, leaving []ast.Stmt) bool {
	for _, exit := range leaving {
		if !exits.Plain(fn, exit) {
			return false
		}
	}
	return true
}

func apply(m *mutate.Mutation, e mutate.Edit) error {
	if e.Form == formBranch {
		return applyBranch(m, e)
	}
	s, err := sectionedit.Of(m, e)
	if err != nil {
		return err
	}
	if s.Final == nil {
		return mutate.Refuse(e, "the section has no release to move")
	}
	p, _ := planFor(s.Fn, s.Section, e.Count)
	if p == nil || len(p.calls) > 0 != (e.Form == formCalls) {
		return mutate.Refuse(e, "the section cannot be expanded over these statements")
	}
	if err := s.InOrder(append([]ast.Stmt{s.Acquire, s.Final}, p.absorbed...)...); err != nil {
		return err
	}
	if err := locked.CallUnlocked(m, e, p.calls); err != nil {
		return err
	}
	if p.deferred {
		return s.DeferRelease(e.Note)
	}
	for i, exit := range p.exits {
		note := ""
		if i == 0 && p.dead { // there is no release after the statements to explain
			note = e.Note
		}
		if err := s.Released(exit, false, note); err != nil {
			return err
		}
	}
	if p.dead {
		return s.Drop(s.Final)
	}
	return s.Move(s.Final, p.absorbed[len(p.absorbed)-1], true, e.Note)
}
