package waitloop

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/dave/dst"

	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/exits"
	"mendel/mutate/fact/scope"
	"mendel/mutate/internal/tree"
)

// giveUp is the form of the edits that let a wait end for what the function looks at
// behind it, too.
const giveUp = "giveup"

// givenUp lists such edits of a loop: one for each thing looked at.
func givenUp(fn *mutate.Function, at mutate.Statement) (edits []mutate.Edit) {
	s, ok := at.Stmt.(*ast.ForStmt)
	if !ok || s.Cond == nil || s.Init != nil || s.Post != nil || !waits(fn, s.Body.List) {
		return nil
	}
	var known []types.Object
	for _, end := range endsBehind(fn, at.List[at.Index+1:]) {
		v := fn.File.Package.Info.Uses[end.name]
		if slices.Contains(known, v) || !scope.Means(fn, end.of, s.Pos()) || consults(fn, s.Cond, v) {
			continue
		}
		known = append(known, v)
		e := fn.NewEdit("waitloop", s, s)
		e.Form, e.Expr = giveUp, end.waiting
		e.Note = end.ended + " ends the wait, too"
		edits = append(edits, e)
	}
	return edits
}

// An end is a field that says that what is waited for will not come.
type end struct {
	of      ast.Expr
	name    *ast.Ident
	ended   string // "s.err"
	waiting string // the condition to wait on: "s.err == nil"
}

// endsBehind finds the ends that statements behind a wait look at: errors that they
// return or check, and flags for which they leave.
func endsBehind(fn *mutate.Function, behind []ast.Stmt) (ends []end) {
	add := func(e ast.Expr, holds bool) {
		sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
		if !ok {
			return
		}
		v, ok := fn.File.Package.Info.Uses[sel.Sel].(*types.Var)
		text := types.ExprString(sel)
		switch {
		case !ok || !v.IsField() || fn.Path(sel).Root == nil || fn.Reassigns(text, behind...):
		case syntax.IsError(v.Type()):
			ends = append(ends, end{sel, sel.Sel, text, text + " == nil"})
		case isBool(v.Type()) && holds:
			ends = append(ends, end{sel, sel.Sel, text, "!" + text})
		case isBool(v.Type()):
			ends = append(ends, end{sel, sel.Sel, "!" + text, text})
		}
	}
	for _, s := range behind {
		switch s := s.(type) {
		case *ast.ReturnStmt:
			for _, r := range s.Results {
				if t := fn.File.Package.Info.TypeOf(r); t != nil && syntax.IsError(t) {
					add(r, true)
				}
			}
		case *ast.IfStmt:
			if s.Init == nil && exits.Terminates(fn, s.Body) {
				checked(s.Cond, add)
			}
		}
	}
	return ends
}

// checked visits what a condition is the same as, or is one of: a value and whether it
// holds. An error holds if it is not nil.
func checked(cond ast.Expr, visit func(e ast.Expr, holds bool)) {
	switch e := ast.Unparen(cond).(type) {
	case *ast.UnaryExpr:
		if e.Op == token.NOT {
			visit(e.X, false)
		}
	case *ast.BinaryExpr:
		if id, ok := e.Y.(*ast.Ident); ok && e.Op == token.NEQ && id.Name == "nil" {
			visit(e.X, true)
		}
		if e.Op == token.LOR {
			checked(e.X, visit)
			checked(e.Y, visit)
		}
	default:
		visit(e, true)
	}
}

func isBool(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsBoolean != 0
}

// consults reports whether a condition, or a function that it calls, looks at a field.
func consults(fn *mutate.Function, cond ast.Expr, field types.Object) bool {
	if syntax.Names(fn.File.Package.Info, cond, field) {
		return true
	}
	return slices.ContainsFunc(fn.Calls(&ast.ExprStmt{X: cond}), func(c mutate.Call) bool {
		return syntax.Names(c.To.File.Package.Info, c.To.Body, field)
	})
}

func applyGiveUp(m *mutate.Mutation, e mutate.Edit) error {
	s, ok := m.Node(e.File, e.Node).(*dst.ForStmt)
	if !ok || s.Cond == nil {
		return mutate.Refuse(e, "another edit removed the loop")
	}
	cond := s.Cond
	if b, ok := cond.(*dst.BinaryExpr); ok && b.Op == token.LOR {
		cond = &dst.ParenExpr{X: cond}
	}
	s.Cond = &dst.BinaryExpr{X: cond, Op: token.LAND, Y: tree.Expr(e.Expr)}
	s.Decs.Start.Append("// " + e.Note)
	return nil
}
