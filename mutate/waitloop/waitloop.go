package waitloop

import (
	_ "embed"
	"go/ast"
	"go/token"
	"go/types"

	"github.com/dave/dst"

	"mendel/analysis/evidence"
	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/effects"
)

//go:embed doc.go
var doc string

// Operator makes an if around a wait a loop, and lets such a loop end.
var Operator = &mutate.Operator{
	Name: "waitloop",
	Doc:  doc,
	Prior: map[evidence.Kind]float64{
		evidence.TestFailure: 4, evidence.Panic: 4, evidence.Deadlock: 3, evidence.Blocked: 3, evidence.Timeout: 3,
	},
	Faults: []evidence.Fault{evidence.MissedSignal},
	Needs:  "Wait of a condition variable outside of a loop that asks for the condition",
	Edits:  edits,
	Apply:  apply,
}

func edits(fn *mutate.Function) []mutate.Edit {
	var out []mutate.Edit
	for _, st := range fn.Statements() {
		out = append(out, givenUp(fn, st)...)
		s, ok := st.Stmt.(*ast.IfStmt)
		if !ok || !fits(fn, s) {
			continue
		}
		e := fn.NewEdit("waitloop", s, s)
		e.Note = note(fn, s)
		out = append(out, e)
	}
	return out
}

// fits reports whether an if is right as a loop, too.
func fits(fn *mutate.Function, s *ast.IfStmt) bool {
	return s.Else == nil && waits(fn, s.Body.List) && !leavesLoop(s.Body) && repeatable(s.Init) && changes(fn, s)
}

// waits reports whether statements end in a Wait, or in a Wait and the end of
// what they have counted meanwhile.
func waits(fn *mutate.Function, list []ast.Stmt) bool {
	last := len(list) - 1
	for last >= 0 && !isWait(fn, list[last]) {
		last--
	}
	if last < 0 {
		return false
	}
	for _, s := range list[last+1:] {
		if !undone(s, list[:last]) {
			return false
		}
	}
	return true
}

// isWait reports whether a statement is a call of a condition variable's Wait and nothing else.
func isWait(fn *mutate.Function, s ast.Stmt) bool {
	e, ok := s.(*ast.ExprStmt)
	if !ok {
		return false
	}
	call, ok := ast.Unparen(e.X).(*ast.CallExpr)
	if !ok {
		return false
	}
	sel := syntax.MethodOf(fn.File.Package.Info, call, "*sync.Cond")
	return sel != nil && sel.Sel.Name == "Wait"
}

// undone reports whether a statement takes back an x++ or x-- of others.
func undone(s ast.Stmt, before []ast.Stmt) bool {
	back, ok := s.(*ast.IncDecStmt)
	if !ok {
		return false
	}
	for _, b := range before {
		forth, ok := b.(*ast.IncDecStmt)
		if ok && forth.Tok != back.Tok && types.ExprString(forth.X) == types.ExprString(back.X) {
			return true
		}
	}
	return false
}

// leavesLoop reports whether a body has a break or continue that would be the
// loop's if the body were a loop's.
func leavesLoop(body *ast.BlockStmt) bool {
	found := false
	var visit func(n ast.Node, inner bool) // inner: a break is a switch's or select's
	visit = func(n ast.Node, inner bool) {
		ast.Inspect(n, func(c ast.Node) bool {
			switch c := c.(type) {
			case *ast.FuncLit, *ast.ForStmt, *ast.RangeStmt:
				return false
			case *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
				if c == n {
					return true
				}
				visit(c, true)
				return false
			case *ast.BranchStmt:
				found = found || c.Label == nil && (c.Tok == token.CONTINUE || c.Tok == token.BREAK && !inner)
			}
			return true
		})
	}
	visit(body, false)
	return found
}

// repeatable reports whether an init statement, which may be absent, can be made
// again before each iteration.
func repeatable(init ast.Stmt) bool {
	if init == nil {
		return true
	}
	a, ok := init.(*ast.AssignStmt)
	return ok && (a.Tok == token.DEFINE || a.Tok == token.ASSIGN)
}

// changes reports whether somebody else may change what the condition says.
func changes(fn *mutate.Function, s *ast.IfStmt) bool {
	return effects.Matters(fn, &ast.ExprStmt{X: s.Cond}) || s.Init != nil && effects.Matters(fn, s.Init)
}

func note(fn *mutate.Function, s *ast.IfStmt) string {
	const why = " when Wait returns"
	read := []ast.Stmt{&ast.ExprStmt{X: s.Cond}}
	if s.Init != nil {
		read = append(read, s.Init)
	}
	for _, a := range fn.Accesses(read...) {
		if text := types.ExprString(a.Expr); len(text) <= maxText {
			return text + " may have changed again" + why
		}
	}
	return "this may hold again" + why
}

// maxText is the longest expression, in bytes, that a note quotes.
const maxText = 40

func apply(m *mutate.Mutation, e mutate.Edit) error {
	if e.Form == giveUp {
		return applyGiveUp(m, e)
	}
	s, ok := m.Node(e.File, e.Node).(*dst.IfStmt)
	if !ok || s.Else != nil {
		return mutate.Refuse(e, "another edit removed the if")
	}
	list, at, ok := m.ListOf(e.File, s)
	if !ok {
		return mutate.Refuse(e, "another edit removed the if")
	}
	loop := &dst.ForStmt{Init: s.Init, Cond: s.Cond, Body: s.Body}
	loop.Decs.NodeDecs = s.Decs.NodeDecs
	loop.Decs.Start.Append("// " + e.Note)
	if s.Init != nil {
		again, ok := dst.Clone(s.Init).(*dst.AssignStmt)
		if !ok {
			return mutate.Refuse(e, "the init statement cannot be made again")
		}
		again.Tok = token.ASSIGN
		loop.Post = again
	}
	(*list)[at] = loop
	return nil
}
