package copyarg

import (
	_ "embed"
	"strings"

	"github.com/dave/dst"

	"mendel/analysis"
	"mendel/analysis/evidence"
	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/typetext"
	"mendel/mutate/internal/capture"
	"mendel/mutate/internal/tree"
)

//go:embed doc.go
var doc string

// Operator gives a goroutine a copy of a variable that it captures.
var Operator = &mutate.Operator{
	Name: "copyarg",
	Doc:  doc,
	Prior: map[evidence.Kind]float64{
		evidence.Race: 5, evidence.TestFailure: 3, evidence.Panic: 2,
		evidence.Deadlock: 0.3, evidence.Blocked: 0.3, evidence.Timeout: 0.5,
	},
	Faults: []evidence.Fault{evidence.CapturedVariable, evidence.DataRace, evidence.MissingLock},
	Needs:  "variable that a goroutine captures and only reads",
	Edits:  edits,
	Apply:  apply,
}

// Forms of the edit.
const (
	argument = "argument" // Expr is the parameters: "i int, job Job"
	declared = "variable" // Expr is the declaration: "job := job"
	turn     = "turn"     // the same at the head of a loop
)

func edits(fn *mutate.Function) []mutate.Edit {
	var out []mutate.Edit
	for _, s := range capture.Starts(fn) {
		var params []capture.Variable
		for _, v := range s.Captured(fn) {
			if !wanted(fn, &v) {
				continue
			}
			e, ok := edit(fn, &s, v)
			if !ok {
				continue
			}
			out = append(out, e)
			if e.Form == argument {
				params = append(params, v)
			}
		}
		if len(params) > 1 {
			e, _ := edit(fn, &s, params...)
			out = append(out, e)
		}
		out = append(out, making(fn, &s)...)
	}
	return append(append(out, turns(fn)...), handing(fn)...)
}

// wanted reports whether a copy of a variable may help and takes nothing away.
func wanted(fn *mutate.Function, v *capture.Variable) bool {
	return fn.Narrowing.Shared(v.Var) && v.Changes() && v.Needs() &&
		!v.Feeds() && !v.Polls() && !v.Addressed() && !analysis.HoldsLock(v.Var.Type())
}

// edit copies variables for the literal of a start: by arguments, or one by a
// declaration.
func edit(fn *mutate.Function, s *capture.Start, vars ...capture.Variable) (mutate.Edit, bool) {
	e := s.Edit(fn, "copyarg", vars...)
	var params, names []string
	for i := range vars {
		v := vars[i].Var
		names = append(names, v.Name())
		if text, ok := typetext.Of(fn, v.Type(), s.Lit.Pos()); ok && s.TakesParameters() {
			params = append(params, v.Name()+" "+text)
		}
	}
	switch {
	case len(params) == len(vars):
		e.Form, e.Expr = argument, strings.Join(params, ", ")
	case len(vars) == 1 && s.MayDeclare(fn, &vars[0]):
		e.Form, e.Expr = declared, names[0]+" := "+names[0]
	default:
		return mutate.Edit{}, false
	}
	e.Note = note(e.Form, names)
	if len(vars) == 1 {
		e.Group = e.Form + " " + mutate.GroupOf(vars[0].Var)
	}
	return e, true
}

func note(form string, names []string) string {
	what := syntax.Enumerate(names)
	switch {
	case len(names) > 1:
		return what + " change while the goroutine runs: pass them"
	case form == argument:
		return what + " changes while the goroutine runs: pass it"
	}
	return what + " changes while the goroutine runs: copy it"
}

func apply(m *mutate.Mutation, e mutate.Edit) error {
	switch e.Form {
	case turn:
		return applyTurn(m, e)
	case made:
		return applyMade(m, e)
	case handed:
		return applyHanded(m, e)
	}
	stmt := m.Stmt(e.File, e.Node)
	if e.Form == declared {
		return m.InsertSnippet(e.File, stmt, false, "// "+e.Note+"\n"+e.Expr)
	}
	lit, ok := tree.Expr("func(" + e.Expr + ") {}").(*dst.FuncLit)
	if !ok {
		return mutate.Refuse(e, "%s are no parameters", e.Expr)
	}
	var args []dst.Expr
	for _, p := range lit.Type.Params.List {
		args = append(args, dst.NewIdent(p.Names[0].Name))
	}
	return capture.Pass(m, e, &dst.CallExpr{Fun: lit, Args: args})
}
