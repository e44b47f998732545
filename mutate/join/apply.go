package join

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/dave/dst"

	"mendel/mutate"
	"mendel/mutate/internal/tree"
	"mendel/mutate/internal/waitgroups"
)

// movable reports whether the calls of goroutines that are no function literals
// mean the same when the goroutine makes them: no variable they name is given
// another value.
func (u use) movable() bool {
	for _, g := range u.starts {
		if g.Lit != nil {
			continue
		}
		moving := false
		ast.Inspect(g.Go.Call, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				moving = moving || n != g.Go.Call
			case *ast.FuncLit, *ast.IndexExpr, *ast.StarExpr:
				moving = true
			case *ast.Ident:
				v, variable := u.fn.File.Package.Info.Uses[n].(*types.Var)
				moving = moving || variable && !v.IsField() && waitgroups.Assigns(u.fn, u.fn.Body, v)
			}
			return !moving
		})
		if moving {
			return false
		}
	}
	return true
}

func apply(m *mutate.Mutation, e mutate.Edit) error {
	switch e.Form {
	case owner, ownerBehind:
		return wait(m, e)
	case ends, endsBehind:
		return receive(m, e)
	case ended:
		return end(m, e)
	}
	fn := m.Function(e.File, e.Node)
	if fn == nil {
		return mutate.Refuse(e, "no function has this number")
	}
	for _, u := range unjoined(fn, waitgroups.Goroutines(fn)) {
		if fn.ID(u.first) == e.Node && fn.ID(u.at) == e.Other {
			return u.apply(m, e)
		}
	}
	return mutate.Refuse(e, "nothing here is used that a goroutine writes")
}

func remove(m *mutate.Mutation, e mutate.Edit, n dst.Node) error {
	s, ok := n.(dst.Stmt)
	if !ok {
		return mutate.Refuse(e, "another edit removed the call")
	}
	return m.Remove(e.File, s)
}

// apply waits for the goroutines before the use.
func (u use) apply(m *mutate.Mutation, e mutate.Edit) error {
	at := m.Stmt(e.File, e.Other)
	wait := e.Expr + ".Wait()"
	if e.Form == channel {
		wait = "<-" + e.Expr
	}
	if !u.end {
		wait = "// " + e.Note + "\n" + wait
	}
	if err := m.InsertSnippet(e.File, at, u.behind, wait); err != nil {
		return err
	}
	switch e.Form {
	case moved:
		for _, c := range waitgroups.Calls(u.fn) {
			if c.Method == "Wait" && c.Text == e.Expr {
				return remove(m, e, m.Of(e.File, c.At.Stmt))
			}
		}
		return mutate.Refuse(e, "there is no Wait to move")
	case group:
		return u.declare(m, e)
	case channel:
		return u.declareChannel(m, e)
	}
	return nil
}

// declare makes a wait group and starts the goroutines in it.
func (u use) declare(m *mutate.Mutation, e mutate.Edit) error {
	first := m.Stmt(e.File, e.Node)
	qualifier, err := m.Import(e.File, "sync")
	if err != nil {
		return err
	}
	if qualifier != "" {
		qualifier += "."
	}
	if err := m.InsertSnippet(e.File, first, false, "var "+e.Expr+" "+qualifier+"WaitGroup"); err != nil {
		return err
	}
	for _, g := range u.starts {
		start, ok := m.Of(e.File, g.Go).(*dst.GoStmt)
		if !ok {
			return mutate.Refuse(e, "another edit removed a go statement")
		}
		if err := u.enrol(m, e, g, start); err != nil {
			return err
		}
	}
	return nil
}

// enrol makes a goroutine one of the group.
func (u use) enrol(m *mutate.Mutation, e mutate.Edit, g waitgroups.Goroutine, start *dst.GoStmt) error {
	call := start.Call
	plain := g.Lit != nil && len(call.Args) == 0 && g.Lit.Type.Results.NumFields() == 0
	if waitgroups.HasGo(u.fn) && (plain || g.Lit == nil) {
		lit := call.Fun
		if g.Lit == nil {
			start.Call = &dst.CallExpr{Fun: dst.NewIdent("_")} // a node has one place in a tree
			lit = body(&dst.ExprStmt{X: call})
		} else {
			call.Fun = dst.NewIdent("_")
		}
		run := &dst.CallExpr{
			Fun:  &dst.SelectorExpr{X: dst.NewIdent(e.Expr), Sel: dst.NewIdent("Go")},
			Args: []dst.Expr{lit},
		}
		return m.Replace(e.File, start, &dst.ExprStmt{X: run})
	}
	if err := m.InsertSnippet(e.File, start, false, e.Expr+".Add(1)"); err != nil {
		return err
	}
	if g.Lit != nil {
		return m.Prepend(e.File, u.fn.ID(g.Lit), "defer "+e.Expr+".Done()")
	}
	done, err := tree.Snippet("defer " + e.Expr + ".Done()")
	if err != nil {
		return err
	}
	made := &dst.ExprStmt{X: call}
	made.Decs.Before = dst.NewLine
	start.Call = &dst.CallExpr{Fun: body(slices.Concat(done, []dst.Stmt{made})...)}
	return nil
}

// body is a function literal of some statements.
func body(stmts ...dst.Stmt) *dst.FuncLit {
	for _, s := range stmts {
		s.Decorations().Before, s.Decorations().After = dst.NewLine, dst.NewLine
	}
	return &dst.FuncLit{
		Type: &dst.FuncType{Func: true, Params: &dst.FieldList{Opening: true, Closing: true}},
		Body: &dst.BlockStmt{List: stmts},
	}
}
