package wggo

import (
	_ "embed"
	"go/ast"
	"slices"

	"github.com/dave/dst"

	"mendel/analysis/evidence"
	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/internal/tree"
	"mendel/mutate/internal/waitgroups"
)

//go:embed doc.go
var doc string

// Operator replaces a go statement with its Add and Done by WaitGroup.Go.
var Operator = &mutate.Operator{
	Name: "wggo",
	Doc:  doc,
	Prior: map[evidence.Kind]float64{
		evidence.Race: 3, evidence.Panic: 4, evidence.TestFailure: 4,
		evidence.Deadlock: 3, evidence.Blocked: 3, evidence.Timeout: 3,
	},
	Faults: []evidence.Fault{evidence.WaitNotForAll, evidence.WaitWithoutDone},
	Needs:  "goroutine that is counted by Add before it and Done in it",
	Edits:  edits,
	Apply:  apply,
}

func edits(fn *mutate.Function) []mutate.Edit {
	if !waitgroups.HasGo(fn) {
		return nil
	}
	var out []mutate.Edit
	for _, g := range waitgroups.Goroutines(fn) {
		r, ok := replacementOf(fn, g)
		if !ok {
			continue
		}
		e := fn.NewEdit("wggo", g.Go, g.Go)
		e.Expr, e.Group = r.group.String(), waitgroups.Group(&e)
		waitgroups.Warm(fn, &e, r.group)
		out = append(out, e)
	}
	return out
}

// A replacement is what makes way for WaitGroup.Go.
type replacement struct {
	group mutate.Path
	add   []ast.Stmt // none or one, before the go statement or in the goroutine
	done  []ast.Stmt // in the goroutine
}

// replacementOf finds the calls of Add and Done that a goroutine could do
// without; ok is false if it has to have them, or they are right.
func replacementOf(fn *mutate.Function, g waitgroups.Goroutine) (r replacement, ok bool) {
	if g.Lit == nil || len(g.Go.Call.Args) > 0 || g.Lit.Type.Params.NumFields() > 0 || g.Lit.Type.Results.NumFields() > 0 {
		return r, false
	}
	calls := waitgroups.Calls(fn)
	groups := waitgroups.Groups(slices.Concat(g.Calls, calls))
	for _, group := range groups {
		if r, ok := replace(fn, g, calls, group); ok {
			return r, true
		}
	}
	return r, false
}

func replace(fn *mutate.Function, g waitgroups.Goroutine, calls []waitgroups.Call, group mutate.Path) (r replacement, ok bool) {
	r.group = group
	done := waitgroups.Select(g.Calls, "Done", group)
	if !waitgroups.Final(g.To, done) || len(waitgroups.Select(g.Calls, "Wait", group)) > 0 {
		return r, false
	}
	for _, c := range done {
		r.done = append(r.done, c.At.Stmt)
	}
	wrong := waitgroups.Missed(g.To, done)
	if len(done) == 0 {
		// It may be called where it cannot be seen.
		wrong = group.Rest == "" && !syntax.Names(fn.File.Package.Info, g.Go, group.Root)
		if !wrong {
			return r, false
		}
	}
	inner := waitgroups.Select(g.Calls, "Add", group)
	outer := before(g, waitgroups.Select(calls, "Add", group))
	switch {
	case len(inner) == 1 && len(outer) == 0 && slices.Index(g.To.Body.List, inner[0].At.Stmt) == 0 && one(inner[0]):
		r.add, wrong = []ast.Stmt{inner[0].At.Stmt}, true
	case len(inner) == 0 && len(outer) == 1 && one(outer[0]):
		r.add = []ast.Stmt{outer[0].At.Stmt}
	case len(inner) == 0 && len(done) > 0 && waitgroups.Local(fn, group) && !added(fn, group):
		wrong = true
	default:
		return r, false
	}
	return r, wrong
}

// before is the Add right before a go statement.
func before(g waitgroups.Goroutine, add []waitgroups.Call) []waitgroups.Call {
	return slices.DeleteFunc(add, func(c waitgroups.Call) bool {
		return g.Index == 0 || g.List[g.Index-1] != c.At.Stmt
	})
}

// one reports whether a call is a statement that adds 1.
func one(c waitgroups.Call) bool {
	n, ok := c.Expr.Args[0].(*ast.BasicLit)
	return ok && n.Value == "1" && c.Alone() && !c.Deferred()
}

// added reports whether anything calls Add on a local group, or is given it.
func added(fn *mutate.Function, group mutate.Path) bool {
	found := false
	info := fn.File.Package.Info
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if id, ok := n.X.(*ast.Ident); ok && info.Uses[id] == group.Root {
				found = found || n.Sel.Name == "Add"
				return false
			}
		case *ast.Ident: // its address is taken
			found = found || info.Uses[n] == group.Root
		}
		return !found
	})
	return found
}

func apply(m *mutate.Mutation, e mutate.Edit) error {
	start, ok := m.Node(e.File, e.Node).(*dst.GoStmt)
	if !ok {
		return mutate.Refuse(e, "another edit removed the go statement")
	}
	r, ok := found(m, e)
	if !ok {
		return mutate.Refuse(e, "the goroutine is none that the group could start")
	}
	for _, s := range slices.Concat(r.add, r.done) {
		if err := m.Remove(e.File, m.StmtOf(e.File, s)); err != nil {
			return err
		}
	}
	lit := start.Call.Fun
	start.Call.Fun = dst.NewIdent("_") // a node has one place in a tree
	call := &dst.CallExpr{
		Fun:  &dst.SelectorExpr{X: tree.Expr(e.Expr), Sel: dst.NewIdent("Go")},
		Args: []dst.Expr{lit},
	}
	return m.Replace(e.File, start, &dst.ExprStmt{X: call})
}

// found is the replacement that an edit is for.
func found(m *mutate.Mutation, e mutate.Edit) (r replacement, ok bool) {
	fn := m.Function(e.File, e.Node)
	if fn == nil {
		return r, false
	}
	for _, g := range waitgroups.Goroutines(fn) {
		if fn.ID(g.Go) == e.Node {
			return replacementOf(fn, g)
		}
	}
	return r, false
}
