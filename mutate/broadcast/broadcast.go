package broadcast

import (
	_ "embed"
	"go/ast"
	"go/types"

	"github.com/dave/dst"

	"mendel/analysis/evidence"
	"mendel/mutate"
)

//go:embed doc.go
var doc string

// Operator replaces Signal of a condition variable by Broadcast.
var Operator = &mutate.Operator{
	Name:     "broadcast",
	Doc:      doc,
	Prior:    map[evidence.Kind]float64{evidence.Deadlock: 4, evidence.Blocked: 4, evidence.Timeout: 4},
	Edits:    edits,
	Apply:    apply,
	Together: together,
}

// A signal is one call of Signal.
type signal struct {
	call *ast.CallExpr
	cond *types.Var       // what it is called on; nil: the result of a call or the like
	at   mutate.Statement // the innermost one around it
}

func edits(fn *mutate.Function) []mutate.Edit {
	var out []mutate.Edit
	for _, s := range signals(fn) {
		out = append(out, s.edit(fn))
	}
	return out
}

func (s signal) edit(fn *mutate.Function) mutate.Edit {
	e := fn.NewEdit("broadcast", s.call, s.at.Stmt)
	e.Other = fn.ID(s.at.Stmt)
	e.Note = "Signal may wake one that cannot go on: wake all"
	return e
}

// together lists, for each condition variable with more than one Signal, the
// edit of all of them.
func together(w *mutate.Whole) []mutate.Edit {
	var conds []*types.Var // in the order of the source
	parts := make(map[*types.Var][]mutate.Edit)
	for _, fn := range w.Functions {
		for _, s := range signals(fn) {
			if s.cond == nil {
				continue
			}
			if parts[s.cond] == nil {
				conds = append(conds, s.cond)
			}
			parts[s.cond] = append(parts[s.cond], s.edit(fn))
		}
	}
	var out []mutate.Edit
	for _, c := range conds {
		if len(parts[c]) > 1 {
			out = append(out, mutate.Composite("broadcast", parts[c]...))
		}
	}
	return out
}

// signals lists the function's calls of Signal, in source order.
func signals(fn *mutate.Function) []signal {
	statements := fn.Statements()
	var out []signal
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			if cond, ok := signalled(fn, n); ok {
				out = append(out, signal{call: n, cond: cond, at: mutate.Innermost(statements, n)})
			}
		}
		return true
	})
	return out
}

// signalled tells whether a call is one of Signal, and on which variable.
func signalled(fn *mutate.Function, call *ast.CallExpr) (cond *types.Var, ok bool) {
	info := fn.File.Package.Info
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || info.Types[sel.X].IsType() { // (*sync.Cond).Signal(c)
		return nil, false
	}
	f, ok := info.Uses[sel.Sel].(*types.Func)
	if !ok || f.FullName() != "(*sync.Cond).Signal" {
		return nil, false
	}
	return variable(info, sel), true
}

// variable is the condition variable that a method is selected from: the
// field or variable named last, an embedded field included.
func variable(info *types.Info, sel *ast.SelectorExpr) *types.Var {
	if s := info.Selections[sel]; s != nil && len(s.Index()) > 1 {
		return embedded(s)
	}
	var id *ast.Ident
	switch x := ast.Unparen(sel.X).(type) {
	case *ast.Ident:
		id = x
	case *ast.SelectorExpr:
		id = x.Sel
	default:
		return nil
	}
	v, ok := info.Uses[id].(*types.Var)
	if !ok {
		return nil
	}
	return v.Origin()
}

// embedded is the last of the embedded fields that a method is promoted through.
func embedded(s *types.Selection) *types.Var {
	var field *types.Var
	t := s.Recv()
	for _, i := range s.Index()[:len(s.Index())-1] {
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
		st, ok := t.Underlying().(*types.Struct)
		if !ok {
			return nil
		}
		field = st.Field(i)
		t = field.Type()
	}
	return field.Origin()
}

func apply(m *mutate.Mutation, e mutate.Edit) error {
	call, ok := m.Node(e.File, e.Node).(*dst.CallExpr)
	if !ok {
		return mutate.Refuse(e, "another edit removed the call")
	}
	sel, ok := call.Fun.(*dst.SelectorExpr)
	if !ok || sel.Sel.Name != "Signal" {
		return mutate.Refuse(e, "there is no call of Signal")
	}
	sel.Sel.Name = "Broadcast"
	if at, ok := m.Node(e.File, e.Other).(dst.Stmt); ok {
		at.Decorations().Start.Append("// " + e.Note)
	}
	return nil
}
