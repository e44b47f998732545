package addlock

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/dave/dst"

	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/internal/callback"
	"mendel/mutate/internal/locking"
)

// beforeCall is the form of an edit whose section ends before a call of code that others have given, which the
// last of its statements makes: what the call is given is evaluated in the section.
const beforeCall = "before-call"

// A handing is a statement that calls code of others once, and does no more than that but ask whether to.
type handing struct {
	call  *ast.CallExpr
	early []ast.Expr // what of it uses what is shared
}

// callEdits lists the edits whose section begins with a statement and ends before a call of others' code.
func callEdits(fn *mutate.Function, st mutate.Statement) (out []mutate.Edit) {
	sections := fn.Sections()
	for i, s := range st.List[st.Index:min(len(st.List), st.Index+mostCovered)] {
		if slices.ContainsFunc(sections, func(c *mutate.Section) bool { return s.Pos() <= c.Acquire.Pos() && c.Acquire.End() <= s.End() }) {
			break
		}
		stmts := st.List[st.Index : st.Index+i+1]
		if h := handingOf(fn, stmts); h != nil && plannable(fn, st, i) && !locking.Guarded(fn, stmts) {
			locks := locking.Candidates(fn, stmts[0], stmts)
			for _, e := range locking.AroundEach(fn, locks, locking.Note(fn, fn.Changing(stmts...)), stmts...) {
				e.Form = beforeCall
				out = append(out, e)
			}
		}
		if callsOthers(fn, s) {
			break
		}
	}
	return out
}

// plannable says whether the statements before the last one can be a section.
func plannable(fn *mutate.Function, st mutate.Statement, count int) bool {
	if count == 0 {
		return true
	}
	s, ok := locking.Plan(fn, st, count)
	return ok && len(s.Stmts) == count
}

// callsOthers says whether a statement calls code of others anywhere.
func callsOthers(fn *mutate.Function, s ast.Stmt) bool {
	return syntax.Any(s, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		return ok && callback.Foreign(fn, call)
	})
}

// handingOf is the call of others' code that the last of some statements makes, if it is given something shared
// that can be evaluated before the statement; nil: there is none.
func handingOf(fn *mutate.Function, stmts []ast.Stmt) *handing {
	last := stmts[len(stmts)-1]
	of, conditional := last, false
	if cond, ok := last.(*ast.IfStmt); ok {
		if cond.Init != nil || cond.Else != nil || len(cond.Body.List) != 1 || len(fn.Changing(&ast.ExprStmt{X: cond.Cond})) > 0 {
			return nil
		}
		of, conditional = cond.Body.List[0], true
	}
	call := onlyCall(of)
	if call == nil || !callback.Foreign(fn, call) {
		return nil
	}
	early, ok := callback.Early(fn, call, false)
	if !ok {
		return nil
	}
	early = slices.DeleteFunc(early, func(e ast.Expr) bool { return !usesShared(fn, e) })
	if len(early) == 0 {
		return nil
	}
	if conditional && slices.ContainsFunc(early, func(e ast.Expr) bool { return !harmless(fn, e, stmts[:len(stmts)-1]) }) {
		return nil
	}
	for _, arg := range call.Args { // what else is evaluated may not change what is shared, or call others
		if callsOthers(fn, &ast.ExprStmt{X: arg}) {
			return nil
		}
	}
	return &handing{call, early}
}

// usesShared says whether an expression uses what is shared, itself or in what it calls without a lock.
func usesShared(fn *mutate.Function, e ast.Expr) bool {
	return len(fn.Changing(&ast.ExprStmt{X: e})) > 0 || syntax.Any(e, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return false
		}
		f := syntax.Callee(fn.File.Package.Info, call.Fun)
		if f == nil {
			return false
		}
		to := fn.Declared(f.Origin())
		return to != nil && len(to.Sections()) == 0 && len(to.Changing(to.Body.List...)) > 0
	})
}

// onlyCall is the call that a statement is, or whose results it returns or assigns to local variables; else nil.
func onlyCall(s ast.Stmt) (call *ast.CallExpr) {
	switch s := s.(type) {
	case *ast.ExprStmt:
		call, _ = ast.Unparen(s.X).(*ast.CallExpr)
	case *ast.ReturnStmt:
		if len(s.Results) == 1 {
			call, _ = ast.Unparen(s.Results[0]).(*ast.CallExpr)
		}
	case *ast.AssignStmt:
		if len(s.Rhs) == 1 && !slices.ContainsFunc(s.Lhs, func(e ast.Expr) bool { _, name := e.(*ast.Ident); return !name }) {
			call, _ = ast.Unparen(s.Rhs[0]).(*ast.CallExpr)
		}
	}
	return call
}

// harmless says whether an expression can be evaluated although the program does not come to it: it reads fields
// of what statements before it use as well, or calls a method that does no more than put such into one value.
func harmless(fn *mutate.Function, e ast.Expr, before []ast.Stmt) bool {
	if call, ok := ast.Unparen(e).(*ast.CallExpr); ok {
		sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		f := syntax.Callee(fn.File.Package.Info, call.Fun)
		if !ok || f == nil || f.Signature().Recv() == nil || len(call.Args) > 0 || !harmless(fn, sel.X, before) {
			return false
		}
		to := fn.Declared(f.Origin())
		return to != nil && returnsFields(to)
	}
	p := fn.Path(e)
	if p.Root == nil || !syntax.Plain(e) {
		return false
	}
	v, isVar := p.Root.(*types.Var)
	used := slices.ContainsFunc(before, func(s ast.Stmt) bool {
		return syntax.Any(s, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			return ok && fn.File.Package.Info.Uses[id] == p.Root
		})
	})
	return used || isVar && v.Kind() == types.RecvVar
}

// returnsFields says whether a function is one return of a field, or of a value made of fields.
func returnsFields(fn *mutate.Function) bool {
	if len(fn.Body.List) != 1 {
		return false
	}
	ret, ok := fn.Body.List[0].(*ast.ReturnStmt)
	return ok && !syntax.Any(ret, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.CallExpr, *ast.IndexExpr, *ast.SliceExpr, *ast.StarExpr, *ast.UnaryExpr, *ast.TypeAssertExpr, *ast.FuncLit:
			return true
		}
		return false
	})
}

// applyBeforeCall makes the section, with the values that the call is given.
func applyBeforeCall(m *mutate.Mutation, fn *mutate.Function, e mutate.Edit) error {
	all := fn.Statements()
	at := slices.IndexFunc(all, func(st mutate.Statement) bool { return fn.ID(st.Stmt) == e.Node })
	if at < 0 || e.Count < 1 || all[at].Index+e.Count > len(all[at].List) {
		return mutate.Refuse(e, "there is no such statement")
	}
	st := all[at]
	stmts := st.List[st.Index : st.Index+e.Count]
	h := handingOf(fn, stmts)
	if h == nil {
		return mutate.Refuse(e, "there is no call of others")
	}
	values, err := callback.Evaluate(m, e, fn, h.call, h.early)
	if err != nil {
		return err
	}
	if e.Count > 1 {
		s, ok := locking.Plan(fn, st, e.Count-1)
		if !ok {
			return mutate.Refuse(e, "the statements cannot be put into a critical section")
		}
		if err := s.Lock(m, fn, e); err != nil {
			return err
		}
		return m.Insert(e.File, m.StmtOf(e.File, stmts[e.Count-2]), true, values...)
	}
	acquire, release := locking.Methods(e.Read)
	section := []dst.Stmt{m.Call(*e.Lock, acquire, e.Note)}
	section = append(append(section, values...), m.Call(*e.Lock, release, ""))
	return m.Insert(e.File, m.StmtOf(e.File, stmts[0]), false, section...)
}
