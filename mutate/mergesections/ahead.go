package mergesections

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/effects"
	"mendel/mutate/fact/exits"
	"mendel/mutate/internal/sectionedit"
)

// formAhead does what the second section does at the end of the first one, before what stands between them.
const formAhead = "ahead"

// aheadDoubt is the belief in it: what stands between may be there for the sake of the second section. Guessed.
const aheadDoubt = 0.9

// A lead is a pair of sections of which the second can come before what stands between them.
type lead struct {
	first, next *mutate.Section
	late        []ast.Stmt // of what stands between: comes behind the merged section; the rest stays
}

// leads finds those of a function.
func leads(fn *mutate.Function) (out []lead) {
	sections := fn.Sections()
	for _, s := range sections {
		if s.Again || s.Final == nil || s.Read {
			continue
		}
		for _, next := range sections {
			if next.Acquire.Pos() < s.Final.Pos() || next.At >= len(s.List) || s.List[next.At] != next.Acquire {
				continue
			}
			l := lead{first: s, next: next}
			between := s.List[s.Last+2 : next.At]
			if next.SameLock(s) && !next.Read && next.Final != nil && len(next.Early()) == 0 && len(between) <= sectionedit.MaxMoves && l.parts(fn, between) {
				out = append(out, l)
			}
			break
		}
	}
	return out
}

// parts parts what stands between the sections; it is false if the second cannot come before.
func (l *lead) parts(fn *mutate.Function, between []ast.Stmt) bool {
	info := fn.File.Package.Info
	made := map[types.Object]bool{} // by statements that come behind
	for _, s := range between {
		if declares := declared(info, s); len(declares) > 0 && prepares(info, s) && !uses(info, s, made) && used(info, l.next.Body, declares) {
			continue
		}
		l.late = append(l.late, s)
		for _, obj := range assigned(info, s) {
			made[obj] = true
		}
	}
	if len(l.late) == 0 || effects.OpenLocks(fn, l.late...) != 0 || l.answers(fn) {
		return false
	}
	for _, s := range l.next.Body {
		if uses(info, s, made) || len(exits.Of(fn, s)) > 0 {
			return false
		}
	}
	sets := map[types.Object]bool{}
	for _, s := range l.next.Body {
		for _, obj := range assigned(info, s) {
			sets[obj] = true
		}
	}
	for _, s := range l.late {
		if uses(info, s, sets) || exits.HasGotoTarget(fn, s) || l.first.Prepares(s) || l.first.Hides(s) || exits.Terminates(fn, s) {
			return false
		}
	}
	return true
}

// answers reports whether a way out between the sections depends on what has been called there: the second
// section may be for the case that this went well.
func (l *lead) answers(fn *mutate.Function) bool {
	info := fn.File.Package.Info
	called := false
	for _, s := range l.late {
		called = called || syntax.Any(s, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			return ok && syntax.Builtin(info, call) == "" && !info.Types[call.Fun].IsType()
		})
		if called && len(exits.Of(fn, s)) > 0 {
			return true
		}
	}
	return false
}

// prepares reports whether a statement only makes what has not been there before.
func prepares(info *types.Info, s ast.Stmt) bool {
	assign, ok := s.(*ast.AssignStmt)
	if !ok || assign.Tok != token.DEFINE {
		return false
	}
	return !slices.ContainsFunc(assign.Rhs, func(e ast.Expr) bool {
		call, isCall := ast.Unparen(e).(*ast.CallExpr)
		if isCall {
			b := syntax.Builtin(info, call)
			return b != "make" && b != "new"
		}
		return !syntax.Effectless(info, e)
	})
}

// declared are the variables that a statement declares for those behind it.
func declared(info *types.Info, s ast.Stmt) (all []types.Object) {
	if assign, ok := s.(*ast.AssignStmt); ok && assign.Tok == token.DEFINE {
		for _, l := range assign.Lhs {
			if id, ok := l.(*ast.Ident); ok && info.Defs[id] != nil {
				all = append(all, info.Defs[id])
			}
		}
	}
	return all
}

// assigned are the variables and fields that code declares or assigns to.
func assigned(info *types.Info, code ast.Node) (all []types.Object) {
	ast.Inspect(code, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			if v, ok := info.Defs[n].(*types.Var); ok {
				all = append(all, v)
			}
		case ast.Stmt:
			for _, e := range syntax.Assigned(n) {
				if index, ok := ast.Unparen(e).(*ast.IndexExpr); ok {
					e = index.X
				}
				if v := syntax.Variable(info, e); v != nil {
					all = append(all, v)
				}
			}
		}
		return true
	})
	return all
}

// uses reports whether code names one of some variables or fields.
func uses(info *types.Info, code ast.Node, of map[types.Object]bool) bool {
	return syntax.Any(code, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		return ok && info.Uses[id] != nil && of[info.Uses[id]]
	})
}

// used reports whether statements name one of some variables.
func used(info *types.Info, stmts []ast.Stmt, of []types.Object) bool {
	return slices.ContainsFunc(stmts, func(s ast.Stmt) bool {
		return slices.ContainsFunc(of, func(obj types.Object) bool { return syntax.Names(info, s, obj) })
	})
}

// edit is the edit that does so.
func (l *lead) edit(fn *mutate.Function) mutate.Edit {
	e := fn.NewEdit("mergesections", l.first.Acquire, slices.Concat(l.first.Body, l.next.Body)...)
	e.Form, e.Other, e.Count, e.Lock = formAhead, fn.ID(l.next.Acquire), len(l.late), &l.first.Lock
	e.Note = "done in one section with what comes before, so that nothing can come in between"
	e.Doubt(aheadDoubt)
	return e
}

// comeAhead applies an edit of leads.
func comeAhead(m *mutate.Mutation, e mutate.Edit) error {
	s, err := sectionedit.Of(m, e)
	if err != nil {
		return err
	}
	for _, l := range leads(s.Fn) {
		if l.first.Acquire != s.Acquire || s.Fn.ID(l.next.Acquire) != e.Other {
			continue
		}
		if err := s.InOrder(s.List[s.At : l.next.Last+2]...); err != nil {
			return err
		}
		if err := s.Untouched(); err != nil {
			return err
		}
		if err := s.Explain(l.next.Body[0], e.Note); err != nil {
			return err
		}
		if err := s.Drop(s.Final, l.next.Acquire); err != nil {
			return err
		}
		final := m.StmtOf(e.File, l.next.Final)
		for _, late := range slices.Backward(l.late) {
			if err := m.Move(e.File, m.StmtOf(e.File, late), final, true); err != nil {
				return err
			}
		}
		return nil
	}
	return mutate.Refuse(e, "the second section cannot come before what stands between")
}
