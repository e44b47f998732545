package broadcast

import (
	"go/ast"

	"github.com/dave/dst"

	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/internal/conditions"
)

// unconditional is the form that wakes whatever the condition around the wake-up is: Node is
// the if statement, Other the call.
const unconditional = "always"

// always lists the edits of wake-ups that are all that a condition decides. Those on the
// condition variables of one type, or of one function or package, belong together.
func always(fn *mutate.Function) (out []mutate.Edit) {
	alone := make(map[ast.Stmt]*ast.IfStmt) // by what they do
	for _, st := range fn.Statements() {
		s, ok := st.Stmt.(*ast.IfStmt)
		if ok && s.Init == nil && s.Else == nil && len(s.Body.List) == 1 && syntax.Effectless(fn.File.Package.Info, s.Cond) {
			alone[s.Body.List[0]] = s
		}
	}
	for _, c := range conditions.Calls(fn) {
		s := alone[c.At.Stmt]
		if s == nil || c.Cond == nil || c.Method != "Signal" && c.Method != "Broadcast" {
			continue
		}
		e := fn.NewEdit("broadcast", s, s)
		e.Form, e.Other = unconditional, fn.ID(c.Expr)
		e.Note = "who waits may wait for less: wake all each time"
		owner, _ := syntax.CutLast(fn.VarName(c.Cond))
		e.Group = unconditional + " " + owner
		out = append(out, e)
	}
	return out
}

func wakeAlways(m *mutate.Mutation, e mutate.Edit) error {
	s, ok := m.Stmt(e.File, e.Node).(*dst.IfStmt)
	call, isCall := m.Node(e.File, e.Other).(*dst.CallExpr)
	if !ok || !isCall || len(s.Body.List) != 1 {
		return mutate.Refuse(e, "another edit changed the condition")
	}
	sel, ok := call.Fun.(*dst.SelectorExpr)
	if !ok {
		return mutate.Refuse(e, "there is no call that wakes")
	}
	sel.Sel.Name = "Broadcast"
	now := &dst.ExprStmt{X: call}
	now.Decs.Start.Append("// " + e.Note)
	s.Body.List = nil
	return m.Replace(e.File, s, now)
}
