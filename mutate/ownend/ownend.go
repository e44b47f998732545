package ownend

import (
	_ "embed"
	"go/ast"
	"go/types"
	"slices"

	"github.com/dave/dst"

	"mendel/analysis/evidence"
	"mendel/mutate"
	"mendel/mutate/fact/scope"
	"mendel/mutate/internal/chanwait"
	"mendel/mutate/internal/waitgroups"
)

//go:embed doc.go
var doc string

// Operator ends what a function starts when the function returns.
var Operator = &mutate.Operator{
	Name: "ownend",
	Doc:  doc,
	Prior: map[evidence.Kind]float64{
		evidence.Blocked: 3, evidence.Deadlock: 2, evidence.Timeout: 2,
		evidence.Race: 0.1, evidence.Panic: 0.2, evidence.TestFailure: 0.2,
	},
	Faults: []evidence.Fault{evidence.ReceiverAlone},
	Needs:  "start of something that is given a context or channel of its end",
	Edits:  edits,
	Apply:  apply,
}

// The ways to end, as Edit.Form.
const (
	formContext = "context"
	formChannel = "channel"
	formRelay   = "relay"
)

func edits(fn *mutate.Function) []mutate.Edit {
	return append(contexts(fn), channels(fn)...)
}

// given lists the parameters of a function that it never assigns to.
func given(fn *mutate.Function, is func(types.Type) bool) (params []*types.Var) {
	for _, field := range fn.Type.Params.List {
		for _, name := range field.Names {
			v, ok := fn.File.Package.Info.Defs[name].(*types.Var)
			if ok && is(v.Type()) && !waitgroups.Assigns(fn, fn.Body, v) {
				params = append(params, v)
			}
		}
	}
	return params
}

// returnsValues reports whether a function's results are mere values: nothing that
// goes on belongs to them.
func returnsValues(fn *mutate.Function) bool {
	if fn.Type.Results == nil {
		return true
	}
	for _, r := range fn.Type.Results.List {
		t := fn.File.Package.Info.TypeOf(r.Type)
		if t == nil || !plain(t, 0) {
			return false
		}
	}
	return true
}

// plain reports whether a type is an error or a value that leads nowhere.
func plain(t types.Type, depth int) bool {
	if types.Identical(t, types.Universe.Lookup("error").Type()) {
		return true
	}
	switch t := t.Underlying().(type) {
	case *types.Basic:
		return true
	case *types.Slice:
		return depth < 3 && plain(t.Elem(), depth+1)
	case *types.Map:
		return depth < 3 && plain(t.Elem(), depth+1)
	case *types.Struct:
		for f := range t.Fields() {
			if depth == 3 || !plain(f.Type(), depth+1) {
				return false
			}
		}
		return true
	}
	return false
}

// behind lists the operations at channels at which a function may wait behind a node.
func behind(fn *mutate.Function, n ast.Node) []chanwait.Op {
	return slices.DeleteFunc(chanwait.Ops(fn), func(op chanwait.Op) bool { return op.At.Pos() < n.End() })
}

// outermost is the statement of a function's body that another one is in.
func outermost(fn *mutate.Function, n ast.Node) ast.Stmt {
	for _, s := range fn.Body.List {
		if s.Pos() <= n.Pos() && n.End() <= s.End() {
			return s
		}
	}
	return nil
}

func apply(m *mutate.Mutation, e mutate.Edit) error {
	if e.Form == formContext {
		return derive(m, e)
	}
	arg, ok := m.Node(e.File, e.Node).(*dst.Ident)
	fn := m.Function(e.File, e.Node)
	if !ok || fn == nil {
		return mutate.Refuse(e, "another edit changed the call")
	}
	anchor := m.Stmt(e.File, e.Other)
	if _, _, ok := m.ListOf(e.File, anchor); !ok {
		return mutate.Refuse(e, "another edit moved the call")
	}
	stop := scope.FreeName(fn, "stop")
	if err := m.Replace(e.File, arg, dst.NewIdent(stop)); err != nil {
		return err
	}
	src := "// " + e.Note + "\n" + stop + " := make(chan struct{})\n"
	if e.Form == formChannel {
		return m.InsertSnippet(e.File, anchor, false, src+"defer close("+stop+")")
	}
	returned := scope.FreeName(fn, "returned")
	src += returned + " := make(chan struct{})\ndefer close(" + returned + ")\ngo func() {\n\tdefer close(" + stop +
		")\n\tselect {\n\tcase <-" + e.Expr + ":\n\tcase <-" + returned + ":\n\t}\n}()"
	return m.InsertSnippet(e.File, anchor, false, src)
}
