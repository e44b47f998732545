package callafter

import (
	"go/ast"

	"github.com/dave/dst"

	"mendel/mutate"
	"mendel/mutate/fact/held"
	"mendel/mutate/internal/callback"
	"mendel/mutate/internal/tree"
)

// A call is a statement that calls what may use the value whose lock is held.
type call struct {
	fn    *mutate.Function
	stmt  *ast.ExprStmt
	early []ast.Expr // what has to be evaluated when the call is put off
	copy  *copied    // what has to be copied then; nil: nothing
}

// calls lists the calls among a function's statements that can be put off.
func calls(fn *mutate.Function) []call {
	var list []call
	for _, st := range fn.Statements() {
		stmt, ok := st.Stmt.(*ast.ExprStmt)
		if !ok {
			continue
		}
		x, ok := ast.Unparen(stmt.X).(*ast.CallExpr)
		if !ok {
			continue
		}
		of := copiedFor(fn, x)
		if of == nil && !callback.Foreign(fn, x) && !held.Relocks(fn, x) {
			continue
		}
		if early, ok := callback.Early(fn, x, of != nil); ok {
			list = append(list, call{fn, stmt, early, of})
		}
	}
	return list
}

// statements are those of calls.
func statements(list []call) []ast.Stmt {
	var out []ast.Stmt
	for _, c := range list {
		out = append(out, c.stmt)
	}
	return out
}

// putOff makes a call wait in a list, which is written as text.
func (c call) putOff(m *mutate.Mutation, e mutate.Edit, list string) error {
	file := c.fn.File.Rel
	old, ok := m.StmtOf(file, c.stmt).(*dst.ExprStmt)
	if !ok {
		return mutate.Refuse(e, "another edit changed the call")
	}
	values, err := callback.Evaluate(m, e, c.fn, ast.Unparen(c.stmt.X).(*ast.CallExpr), c.early)
	if err != nil {
		return err
	}
	if err := m.Insert(file, old, false, values...); err != nil {
		return err
	}
	if c.copy != nil {
		if err := c.copy.make(m, e, c, old); err != nil {
			return err
		}
	}
	stmts, err := tree.Snippet(list + " = append(" + list + ", func() { call() })")
	if err != nil {
		return err
	}
	waits := stmts[0].(*dst.AssignStmt)
	lit := waits.Rhs[0].(*dst.CallExpr).Args[1].(*dst.FuncLit)
	lit.Body.List[0].(*dst.ExprStmt).X = old.X
	return m.Replace(file, old, waits)
}
