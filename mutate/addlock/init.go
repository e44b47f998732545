package addlock

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/dave/dst"

	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/held"
	"mendel/mutate/internal/locking"
)

// initFirst is the form of the edits that lock an if or switch without the call
// in its init statement, which moves in front.
const initFirst = "init"

// initEdits lists these edits of a statement: what the init statement calls uses
// no shared variable by itself, and may take any lock or wait.
func initEdits(fn *mutate.Function, st mutate.Statement) []mutate.Edit {
	init, cond, rest := parts(st.Stmt)
	if init == nil || !calls(fn, init) || len(fn.Accesses(init)) > 0 || !movable(fn, st, init) {
		return nil
	}
	s, ok := locking.Plan(fn, st, 1)
	if !ok || locking.Guarded(fn, s.Stmts) {
		return nil
	}
	rest = append(rest, s.Stmts[1:]...) // a return behind it, perhaps
	covered := append([]ast.Stmt{&ast.ExprStmt{X: cond}}, rest...)
	var out []mutate.Edit
	for _, c := range locking.Candidates(fn, st.Stmt, rest) {
		if held.Holds(fn, st.Stmt, c.Lock.Key) {
			continue
		}
		e := fn.NewEdit(locking.AddLock, st.Stmt, covered...)
		e.Count, e.Form = len(s.Stmts), initFirst
		c.Doubt(&e)
		e.Lock, e.Read, e.Note = &c.Lock, c.Read, locking.Note(fn, fn.Changing(covered...))
		out = append(out, e)
	}
	return out
}

// parts are those of an if or switch with an init statement that defines
// variables: this, the condition and what is done then.
func parts(stmt ast.Stmt) (init *ast.AssignStmt, cond ast.Expr, rest []ast.Stmt) {
	switch s := stmt.(type) {
	case *ast.IfStmt:
		init, _ = s.Init.(*ast.AssignStmt)
		cond, rest = s.Cond, []ast.Stmt{s.Body}
		if s.Else != nil {
			rest = append(rest, s.Else)
		}
	case *ast.SwitchStmt:
		init, _ = s.Init.(*ast.AssignStmt)
		cond, rest = s.Tag, []ast.Stmt{s.Body}
	}
	if init == nil || init.Tok != token.DEFINE || cond == nil {
		return nil, nil, nil
	}
	return init, cond, rest
}

// calls reports whether an init statement calls a function.
func calls(fn *mutate.Function, init *ast.AssignStmt) bool {
	found := false
	ast.Inspect(init, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		found = found || ok && !fn.File.Package.Info.Types[call.Fun].IsType() && syntax.Builtin(fn.File.Package.Info, call) == ""
		_, literal := n.(*ast.FuncLit)
		return !found && !literal
	})
	return found
}

// movable reports whether what an init statement defines may be defined in front
// of its statement: nothing else of the list has the name.
func movable(fn *mutate.Function, st mutate.Statement, init *ast.AssignStmt) bool {
	scope := fn.File.Package.Types.Scope().Innermost(inside(st.Owner))
	for _, l := range init.Lhs {
		id, ok := l.(*ast.Ident)
		if !ok || scope == nil {
			return false
		}
		if id.Name == "_" {
			continue
		}
		if scope.Lookup(id.Name) != nil || slices.ContainsFunc(st.List[st.Index+1:], func(s ast.Stmt) bool { return names(s, id.Name) }) {
			return false
		}
		if _, outer := scope.LookupParent(id.Name, st.Stmt.Pos()); outer != nil {
			if _, variable := outer.(*types.Var); !variable {
				return false // what follows may mean a package, type or function by it
			}
		}
	}
	return true
}

// inside is a position of a statement list that is in none of its statements: these
// have scopes of their own.
func inside(owner ast.Node) token.Pos {
	switch o := owner.(type) {
	case *ast.CaseClause:
		return o.Colon + 1
	case *ast.CommClause:
		return o.Colon + 1
	}
	return owner.Pos() + 1
}

// names reports whether a statement has a name in it.
func names(s ast.Stmt, name string) bool {
	return syntax.Any(s, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		return ok && id.Name == name
	})
}

// moveInit puts the init statement of an edit's statement in front of it.
func moveInit(m *mutate.Mutation, e mutate.Edit) error {
	var out dst.Stmt
	to := m.Stmt(e.File, e.Node)
	switch s := to.(type) {
	case *dst.IfStmt:
		out, s.Init = s.Init, nil
	case *dst.SwitchStmt:
		out, s.Init = s.Init, nil
	}
	if out == nil {
		return mutate.Refuse(e, "another edit removed the init statement")
	}
	return m.Insert(e.File, to, false, out)
}
