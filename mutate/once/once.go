package once

import (
	_ "embed"
	"go/ast"
	"go/types"
	"slices"

	"github.com/dave/dst"

	"mendel/analysis"
	"mendel/analysis/evidence"
	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/internal/tree"
)

//go:embed doc.go
var doc string

// Operator initialises a variable by a sync.Once.
var Operator = &mutate.Operator{
	Name: "once",
	Doc:  doc,
	Prior: map[evidence.Kind]float64{
		evidence.Race: 4, evidence.Panic: 3, evidence.TestFailure: 4,
		evidence.Deadlock: 0.2, evidence.Blocked: 0.2, evidence.Timeout: 0.3,
	},
	Faults:   []evidence.Fault{evidence.Publication, evidence.CheckThenAct},
	Needs:    "variable that is made where it is found empty",
	Apply:    apply,
	Together: together,
}

// together lists the edits: for each variable that of its only initialisation,
// or a composite one of all; and for each call that an unused Once could make.
func together(w *mutate.Whole) []mutate.Edit {
	var vars []*types.Var // in the order of the source
	found := make(map[*types.Var][]initialisation)
	for _, fn := range w.Functions {
		for _, i := range initialisations(fn) {
			if found[i.v] == nil {
				vars = append(vars, i.v)
			}
			found[i.v] = append(found[i.v], i)
		}
	}
	var out []mutate.Edit
	for _, v := range vars {
		if !only(v, found[v]) {
			continue
		}
		parts := make([]mutate.Edit, 0, len(found[v]))
		for _, i := range found[v] {
			if e, ok := i.edit(); ok {
				parts = append(parts, e)
			}
		}
		switch {
		case len(parts) < len(found[v]):
		case len(parts) == 1:
			out = append(out, parts[0])
		default:
			out = append(out, mutate.Composite("once", parts...))
		}
	}
	return append(out, unused(w)...)
}

// edit puts a Once in the place of an initialisation's if.
func (i initialisation) edit() (e mutate.Edit, ok bool) {
	access := analysis.Access{Var: i.v, Expr: i.expr, Write: true}
	l, ok := i.fn.Program.NewValue(i.fn.File, i.stmt, access, "sync.Once", "once", "Once")
	if !ok {
		return e, false
	}
	e = i.fn.NewEdit("once", i.stmt, i.stmt)
	e.Lock = &l
	e.Vars = nil // those that it sets, for the comment behind the Once
	for _, a := range i.fn.Accesses(i.stmt) {
		if name := i.fn.VarName(a.Var); a.Write && !slices.Contains(e.Vars, name) {
			e.Vars = append(e.Vars, name)
		}
	}
	slices.Sort(e.Vars)
	return e, true
}

func apply(m *mutate.Mutation, e mutate.Edit) error {
	node := m.Node(e.File, e.Node)
	if call, ok := node.(*dst.ExprStmt); ok && e.Lock != nil {
		return perform(m, e, call)
	}
	s, ok := node.(*dst.IfStmt)
	if !ok || s.Else != nil || e.Lock == nil {
		return mutate.Refuse(e, "another edit removed the if")
	}
	do := &dst.SelectorExpr{X: tree.Expr(e.Lock.Expr), Sel: dst.NewIdent("Do")}
	set := &dst.FuncLit{
		Type: &dst.FuncType{Func: true, Params: &dst.FieldList{Opening: true, Closing: true}},
		Body: s.Body,
	}
	s.Body = &dst.BlockStmt{} // a node has one place in a tree
	return m.Replace(e.File, s, &dst.ExprStmt{X: &dst.CallExpr{Fun: do, Args: []dst.Expr{set}}})
}

// variable is the package variable or field that an expression denotes; nil
// for anything else.
func variable(info *types.Info, e ast.Expr) *types.Var {
	v := syntax.Variable(info, e)
	if v == nil || !v.IsField() && v.Parent() != v.Pkg().Scope() {
		return nil
	}
	return v.Origin()
}
