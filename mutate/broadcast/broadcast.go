package broadcast

import (
	_ "embed"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/dave/dst"

	"mendel/analysis/evidence"
	"mendel/mutate"
	"mendel/mutate/internal/conditions"
)

//go:embed doc.go
var doc string

// Operator replaces Signal of a condition variable by Broadcast.
var Operator = &mutate.Operator{
	Name:   "broadcast",
	Doc:    doc,
	Prior:  map[evidence.Kind]float64{evidence.Deadlock: 4, evidence.Blocked: 4, evidence.Timeout: 4},
	Faults: []evidence.Fault{evidence.MissedSignal},
	Needs:  "Signal of a condition variable",
	Edits:  edits,
	Apply:  apply,

	Together: together,
}

func edits(fn *mutate.Function) []mutate.Edit {
	var out []mutate.Edit
	for _, c := range signals(fn) {
		out = append(out, edit(fn, c))
	}
	return append(out, always(fn)...)
}

func edit(fn *mutate.Function, c conditions.Call) mutate.Edit {
	e := fn.NewEdit("broadcast", c.Expr, c.At.Stmt)
	e.Other = fn.ID(c.At.Stmt)
	e.Note = "Signal may wake one that cannot go on: wake all"
	if c.Cond != nil {
		e.Group = mutate.GroupOf(c.Cond)
	}
	return e
}

// together lists an edit for each type, or package, of which goroutines wait for several condition variables: one
// for all Signals on these. Who is woken for one thing wakes others for the next.
func together(w *mutate.Whole) (out []mutate.Edit) {
	type owned struct {
		edits []mutate.Edit
		conds map[types.Object]bool
	}
	var order []string
	owners := map[string]*owned{}
	for _, fn := range w.All() {
		for _, c := range signals(fn) {
			owner := ownerOf(fn, c)
			if owner == "" {
				continue
			}
			o := owners[owner]
			if o == nil {
				o = &owned{conds: map[types.Object]bool{}}
				owners[owner], order = o, append(order, owner)
			}
			o.edits = append(o.edits, edit(fn, c))
			o.conds[c.Cond] = true
		}
	}
	for _, owner := range order {
		if o := owners[owner]; len(o.conds) > 1 {
			out = append(out, mutate.Composite("broadcast", o.edits...))
		}
	}
	return out
}

// ownerOf is the type whose field a condition variable is, or the package that declares it; "" for another.
func ownerOf(fn *mutate.Function, c conditions.Call) string {
	switch on := ast.Unparen(c.On).(type) {
	case *ast.SelectorExpr:
		if c.Cond != nil && c.Cond.IsField() {
			return strings.TrimPrefix(types.TypeString(fn.File.Package.Info.TypeOf(on.X), nil), "*")
		}
	case *ast.Ident:
		if c.Cond != nil && c.Cond.Parent() == c.Cond.Pkg().Scope() {
			return c.Cond.Pkg().Path()
		}
	}
	return ""
}

// signals lists the function's calls of Signal, in source order.
func signals(fn *mutate.Function) []conditions.Call {
	return slices.DeleteFunc(conditions.Calls(fn), func(c conditions.Call) bool { return c.Method != "Signal" })
}

func apply(m *mutate.Mutation, e mutate.Edit) error {
	if e.Form == unconditional {
		return wakeAlways(m, e)
	}
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
