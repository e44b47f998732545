package pointerreceiver

import (
	_ "embed"
	"go/ast"
	"go/types"

	"github.com/dave/dst"

	"mendel/analysis"
	"mendel/analysis/evidence"
	"mendel/mutate"
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
	Faults: []evidence.Fault{evidence.CopiedLock},
	Needs:  "method whose receiver is a copy of a struct with a lock in it",
	Edits:  edits,
	Apply:  apply,
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
	e.Heat, e.Group = max(e.Heat, suspect), method.Signature().Recv().Type().String()
	return []mutate.Edit{e}
}

// copies is the method that a function is, if its receiver is a copy of a lock.
func copies(fn *mutate.Function) (*ast.FuncDecl, *types.Func) {
	decl, ok := fn.Node.(*ast.FuncDecl)
	if !ok || decl.Recv == nil || len(decl.Recv.List) != 1 {
		return nil, nil
	}
	method, ok := fn.File.Package.Info.Defs[decl.Name].(*types.Func)
	if !ok || !analysis.HoldsLock(method.Signature().Recv().Type()) {
		return nil, nil
	}
	return decl, method
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
