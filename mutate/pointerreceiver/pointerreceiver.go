package pointerreceiver

import (
	_ "embed"
	"go/ast"
	"go/types"

	"github.com/dave/dst"

	"mendel/analysis/evidence"
	"mendel/mutate"
	"mendel/mutate/internal/capture"
)

//go:embed doc.go
var doc string

// Operator makes receivers pointers that are copies of a lock.
var Operator = &mutate.Operator{
	Name: "pointerreceiver",
	Doc:  doc,
	Prior: map[evidence.Kind]float64{
		evidence.Race: 4, evidence.Deadlock: 4, evidence.Blocked: 4, evidence.Timeout: 4, evidence.TestFailure: 2,
	},
	Edits:    edits,
	Apply:    apply,
	Together: together,
}

// suspect is the least heat of an edit: copying a lock is wrong wherever the
// evidence points. Chosen, not measured.
const suspect = 0.5

func edits(fn *mutate.Function) []mutate.Edit {
	decl, method := copies(fn)
	if method == nil || !onlySelects(fn, decl) || named(fn.Program, method) || missed(fn.Program, method) {
		return nil
	}
	e := fn.NewEdit("pointerreceiver", decl, fn.Body)
	e.Heat = max(e.Heat, suspect)
	return []mutate.Edit{e}
}

// copies is the method that a function is, if its receiver is a copy of a lock.
func copies(fn *mutate.Function) (*ast.FuncDecl, *types.Func) {
	decl, ok := fn.Node.(*ast.FuncDecl)
	if !ok || decl.Recv == nil || len(decl.Recv.List) != 1 {
		return nil, nil
	}
	method, ok := fn.File.Package.Info.Defs[decl.Name].(*types.Func)
	if !ok || !capture.HoldsLock(method.Signature().Recv().Type()) {
		return nil, nil
	}
	return decl, method
}

// together lists, for each type with several such methods, the edit of all.
func together(w *mutate.Whole) []mutate.Edit {
	var owners []string // in the order of the source
	parts := make(map[string][]mutate.Edit)
	for _, fn := range w.Functions {
		decl, method := copies(fn)
		if method == nil {
			continue
		}
		for _, e := range w.Edits {
			if e.Operator != "pointerreceiver" || e.File != fn.File.Rel || e.Node != fn.ID(decl) {
				continue
			}
			t := method.Signature().Recv().Type().String()
			if parts[t] == nil {
				owners = append(owners, t)
			}
			parts[t] = append(parts[t], e)
		}
	}
	var out []mutate.Edit
	for _, t := range owners {
		if len(parts[t]) > 1 {
			out = append(out, mutate.Composite("pointerreceiver", parts[t]...))
		}
	}
	return out
}

func apply(m *mutate.Mutation, e mutate.Edit) error {
	decl, ok := m.Node(e.File, e.Node).(*dst.FuncDecl)
	if !ok || decl.Recv == nil || len(decl.Recv.List) != 1 {
		return mutate.Refuse(e, "another edit changed the method")
	}
	recv := decl.Recv.List[0]
	if _, pointer := recv.Type.(*dst.StarExpr); pointer {
		return mutate.Refuse(e, "another edit made the receiver a pointer")
	}
	recv.Type = &dst.StarExpr{X: recv.Type}
	return nil
}
