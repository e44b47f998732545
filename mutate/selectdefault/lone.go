package selectdefault

import (
	"go/ast"
	"go/types"

	"mendel/mutate"
	"mendel/mutate/internal/chanwait"
)

// A select of one case and no default waits as the case alone would: a default is
// what it was made a select for. These are chosen, not measured.
const (
	answers = 0.9 // the function says no, by a bool
	goesOn  = 0.8 // with what follows
	gives   = 0.4 // zero results of another kind
)

// lone lists the edits of a select with one case: one that goes on if it would have
// to wait, where the case only asks whether something has happened, and one that
// returns zero results.
func lone(fn *mutate.Function, op chanwait.Op, s *ast.SelectStmt) []mutate.Edit {
	if len(s.Body.List) != 1 {
		return nil
	}
	heat, _ := op.Heat(fn)
	edit := func(form string, fits float64) mutate.Edit {
		e := fn.NewEdit("selectdefault", op.At)
		e.Form, e.Heat = form, heat*fits
		return e
	}
	var out []mutate.Edit
	if chanwait.Leaves(fn, op, chanwait.Return) && fn.Type.Results != nil {
		out = append(out, edit(chanwait.Return, returning(fn)))
	}
	if _, ok := s.Body.List[0].(*ast.CommClause).Comm.(*ast.ExprStmt); ok {
		out = append(out, edit(chanwait.On, goesOn))
	}
	return out
}

// returning grades zero results of a function.
func returning(fn *mutate.Function) float64 {
	last := fn.Type.Results.List[len(fn.Type.Results.List)-1]
	if b, ok := fn.File.Package.Info.TypeOf(last.Type).Underlying().(*types.Basic); ok && b.Kind() == types.Bool {
		return answers
	}
	return gives
}
