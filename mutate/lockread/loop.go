package lockread

import (
	"go/ast"
	"go/token"

	"github.com/dave/dst"

	"mendel/mutate"
	"mendel/mutate/fact/held"
	"mendel/mutate/fact/scope"
	"mendel/mutate/internal/locking"
)

// condition is the form of the edits that read what a loop goes on by under a lock in each turn.
const condition = "condition"

// conditionEdits are those of a loop whose condition reads shared variables, with each lock.
func conditionEdits(fn *mutate.Function, stmt ast.Stmt) []mutate.Edit {
	_, read := conditionOf(fn, stmt)
	if read == nil {
		return nil
	}
	covered := &ast.ExprStmt{X: read}
	if locking.Guarded(fn, []ast.Stmt{covered}) {
		return nil
	}
	accesses := fn.Accesses(covered)
	var out []mutate.Edit
	grouped := make(map[string]bool)
	for _, c := range nearest(accesses[0].Expr, locking.ReadCandidates(fn, stmt, read)) {
		if held.Holds(fn, stmt, c.Lock.Key) {
			continue
		}
		e := fn.NewEdit("lockread", stmt, covered)
		e.Form, e.Other, e.Expr = condition, fn.ID(read), scope.FreeName(fn, "more")
		e.Lock, e.Read, e.Note = &c.Lock, c.Read, locking.Note(fn, accesses)
		if len(e.Vars) > 0 && !grouped[c.Lock.Key] {
			grouped[c.Lock.Key] = true
			e.Group = e.Vars[len(e.Vars)-1] + " " + c.Lock.Key
		}
		out = append(out, e)
	}
	return out
}

// conditionOf is the part of a loop's condition from the first read of a shared variable on, and the part
// before; read is nil if there is none, or a lock around the whole loop does as well: it neither calls nor waits nor
// starts anything. What is shared is read only, and the program is not called.
func conditionOf(fn *mutate.Function, stmt ast.Stmt) (before, read ast.Expr) {
	loop, ok := stmt.(*ast.ForStmt)
	if !ok || loop.Cond == nil || len(loop.Body.List) == 0 || !does(fn, loop) && !starts(loop) {
		return nil, nil
	}
	var parts []ast.Expr
	for e := loop.Cond; ; {
		b, ok := ast.Unparen(e).(*ast.BinaryExpr)
		if !ok || b.Op != token.LAND {
			parts = append([]ast.Expr{e}, parts...)
			break
		}
		parts = append([]ast.Expr{b.Y}, parts...)
		e = b.X
	}
	if reads := sharedIn(fn, parts[len(parts)-1]); reads && (len(parts) == 1 || !sharedIn(fn, parts[:len(parts)-1]...)) && callFree(fn, parts[len(parts)-1]) {
		if len(parts) == 1 {
			return nil, loop.Cond
		}
		return ast.Unparen(loop.Cond).(*ast.BinaryExpr).X, parts[len(parts)-1]
	}
	if sharedIn(fn, loop.Cond) && callFree(fn, loop.Cond) {
		return nil, loop.Cond
	}
	return nil, nil
}

// sharedIn reports whether expressions read shared variables, and only read them.
func sharedIn(fn *mutate.Function, exprs ...ast.Expr) bool {
	found := false
	for _, e := range exprs {
		for _, a := range fn.Accesses(&ast.ExprStmt{X: e}) {
			if a.Write {
				return false
			}
			found = found || !settled(fn, a.Var)
		}
	}
	return found
}

// callFree reports whether an expression waits for nothing and calls no function of the program.
func callFree(fn *mutate.Function, e ast.Expr) bool {
	free := true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			free = false
		case *ast.CallExpr:
			free = free && (!calls(fn, n) || !callsOwn(fn, n))
		case *ast.UnaryExpr:
			free = free && n.Op != token.ARROW
		}
		return free
	})
	return free
}

// starts reports whether a loop starts goroutines.
func starts(loop *ast.ForStmt) bool {
	found := false
	ast.Inspect(loop.Body, func(n ast.Node) bool {
		_, is := n.(*ast.GoStmt)
		found = found || is
		return !found
	})
	return found
}

// applyCondition has a loop ask under the lock, first in each turn, whether it goes on.
func applyCondition(m *mutate.Mutation, fn *mutate.Function, e mutate.Edit) error {
	loop, ok := m.Node(e.File, e.Node).(*dst.ForStmt)
	if !ok || loop.Cond == nil || len(loop.Body.List) == 0 {
		return mutate.Refuse(e, "another edit removed the loop, or what it goes on by")
	}
	stmt, _ := m.Syntax(e.File, e.Node).(ast.Stmt)
	before, read := conditionOf(fn, stmt)
	if read == nil || fn.ID(read) != e.Other {
		return mutate.Refuse(e, "the loop does not go on by what is shared")
	}
	value, ok := m.Node(e.File, e.Other).(dst.Expr)
	if !ok {
		return mutate.Refuse(e, "another edit removed what is read")
	}
	var rest dst.Expr
	if before != nil {
		if rest, ok = m.Of(e.File, before).(dst.Expr); !ok {
			return mutate.Refuse(e, "another edit removed a part of the condition")
		}
	}
	loop.Cond = rest
	acquire, release := locking.Methods(e.Read)
	define := &dst.AssignStmt{Lhs: []dst.Expr{dst.NewIdent(e.Expr)}, Tok: token.DEFINE, Rhs: []dst.Expr{value}}
	leave := &dst.IfStmt{
		Cond: &dst.UnaryExpr{Op: token.NOT, X: dst.NewIdent(e.Expr)},
		Body: &dst.BlockStmt{List: []dst.Stmt{&dst.BranchStmt{Tok: token.BREAK}}},
	}
	return m.Insert(e.File, loop.Body.List[0], false, m.Call(*e.Lock, acquire, e.Note), define, m.Call(*e.Lock, release, ""), leave)
}
