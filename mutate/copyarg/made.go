package copyarg

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/dave/dst"

	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/scope"
	"mendel/mutate/internal/capture"
)

// made is the form in which a field that the starter has just set becomes a variable, which the goroutine
// uses: Node is the assignment, Other the literal, Expr the variable's name.
const made = "made"

// A madeField is a field that a function sets before it starts a goroutine that only reads it.
type madeField struct {
	set   *ast.AssignStmt
	field *ast.SelectorExpr // that is set
	lit   *ast.FuncLit
	reads []*ast.SelectorExpr // in the literal
}

// madeFields lists those of a start.
func madeFields(fn *mutate.Function, s *capture.Start) []madeField {
	info := fn.File.Package.Info
	var all []madeField
	for i, stmt := range s.List[:s.Index] {
		set, ok := stmt.(*ast.AssignStmt)
		if !ok || set.Tok != token.ASSIGN || len(set.Lhs) != 1 || len(set.Rhs) != 1 {
			continue
		}
		field, ok := ast.Unparen(set.Lhs[0]).(*ast.SelectorExpr)
		v := syntax.Variable(info, set.Lhs[0])
		if !ok || v == nil || !v.IsField() || !fn.Narrowing.Shared(v.Origin()) || assigns(s.List[i+1:s.Index], types.ExprString(field)) {
			continue
		}
		if reads := readsOf(info, s.Lit, field); len(reads) > 0 && handle(v.Type()) {
			all = append(all, madeField{set, field, s.Lit, reads})
		}
	}
	return all
}

// assigns reports whether some statements, or what is in them, assign to an expression.
func assigns(list []ast.Stmt, text string) bool {
	return slices.ContainsFunc(list, func(s ast.Stmt) bool {
		return syntax.Any(s, func(n ast.Node) bool {
			s, ok := n.(ast.Stmt)
			return ok && slices.ContainsFunc(syntax.Assigned(s), func(to ast.Expr) bool { return types.ExprString(to) == text })
		})
	})
}

// handle reports whether a copy of a value leads to the same: what the goroutine does to it, others see.
func handle(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Chan, *types.Pointer, *types.Signature, *types.Interface:
		return true
	}
	return false
}

// readsOf are the places of a literal that read a field; none if it is set there, or its value is not that of
// the function around.
func readsOf(info *types.Info, lit *ast.FuncLit, field *ast.SelectorExpr) (reads []*ast.SelectorExpr) {
	text, base := types.ExprString(field), rootOf(info, field)
	if base == nil || base.Pos() >= lit.Pos() && base.Pos() < lit.End() {
		return nil
	}
	only := true
	ast.Inspect(lit.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case ast.Stmt:
			for _, to := range syntax.Assigned(n) {
				only = only && types.ExprString(to) != text && syntax.Variable(info, to) != base
			}
		case *ast.UnaryExpr:
			only = only && (n.Op != token.AND || types.ExprString(n.X) != text)
		case *ast.SelectorExpr:
			if types.ExprString(n) == text && rootOf(info, n) == base {
				reads = append(reads, n)
				return false
			}
		}
		return true
	})
	if !only {
		return nil
	}
	return reads
}

// rootOf is the variable at the beginning of a chain of fields; nil: there is none.
func rootOf(info *types.Info, e ast.Expr) *types.Var {
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.SelectorExpr:
			e = x.X
		case *ast.Ident:
			v, _ := info.Uses[x].(*types.Var)
			return v
		default:
			return nil
		}
	}
}

// making lists the edits of a start that use a variable for what was made for the goroutine.
func making(fn *mutate.Function, s *capture.Start) (out []mutate.Edit) {
	for _, f := range madeFields(fn, s) {
		e := fn.NewEdit("copyarg", f.set)
		for _, r := range f.reads {
			heat, _ := fn.Narrowing.HeatAt(r.Pos())
			e.Heat = max(e.Heat, heat)
		}
		e.Form, e.Node, e.Other = made, fn.ID(f.set), fn.ID(f.lit)
		e.Expr = scope.FreeName(fn, syntax.Uncapital(f.field.Sel.Name))
		e.Note = types.ExprString(f.field) + " may be another one when the goroutine uses it"
		out = append(out, e)
	}
	return out
}

// applyMade makes the edit.
func applyMade(m *mutate.Mutation, e mutate.Edit) error {
	fn := m.Function(e.File, e.Node)
	if fn == nil {
		return mutate.Refuse(e, "there is no such function")
	}
	for _, s := range capture.Starts(fn) {
		for _, f := range madeFields(fn, &s) {
			if fn.ID(f.set) == e.Node && fn.ID(f.lit) == e.Other {
				return f.apply(m, e)
			}
		}
	}
	return mutate.Refuse(e, "nothing is made here for a goroutine")
}

func (f *madeField) apply(m *mutate.Mutation, e mutate.Edit) error {
	set, ok := m.StmtOf(e.File, f.set).(*dst.AssignStmt)
	if !ok {
		return mutate.Refuse(e, "another edit removed the assignment")
	}
	for _, r := range f.reads {
		now, ok := m.Of(e.File, r).(dst.Expr)
		if !ok {
			return mutate.Refuse(e, "another edit changed what the goroutine reads")
		}
		if err := m.Replace(e.File, now, dst.NewIdent(e.Expr)); err != nil {
			return err
		}
	}
	define := &dst.AssignStmt{Lhs: []dst.Expr{dst.NewIdent(e.Expr)}, Tok: token.DEFINE, Rhs: []dst.Expr{set.Rhs[0]}}
	define.Decs.Start.Append("// " + e.Note)
	define.Decs.Before = dst.NewLine
	set.Rhs[0] = dst.NewIdent(e.Expr)
	return m.Insert(e.File, set, false, define)
}
