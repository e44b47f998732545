package releasecontext

import (
	_ "embed"
	"go/ast"
	"go/token"
	"strings"

	"github.com/dave/dst"

	"mendel/analysis/evidence"
	"mendel/mutate"
	"mendel/mutate/fact/exits"
)

//go:embed doc.go
var doc string

// Operator defers the release of what a function makes.
var Operator = &mutate.Operator{
	Name: "releasecontext",
	Doc:  doc,
	Prior: map[evidence.Kind]float64{
		evidence.Blocked: 4, evidence.Deadlock: 3, evidence.Timeout: 3,
		evidence.Race: 0.2, evidence.Panic: 0.3, evidence.TestFailure: 0.5,
	},
	Faults: []evidence.Fault{evidence.ReceiverAlone},
	Needs:  "context, ticker or connection that is made here and not released on every path",
	Edits:  edits,
	Apply:  apply,
}

// The ways to release, as Edit.Form.
const (
	formDefer = "defer"
	formName  = "name"
	formKeep  = "keep"
	formMove  = "move"
)

func edits(fn *mutate.Function) []mutate.Edit {
	var out []mutate.Edit
	for _, st := range fn.Statements() {
		if fn.Loops(st.Stmt) {
			continue
		}
		r, ok := made(fn, st)
		if !ok {
			continue
		}
		behind := checked(fn, st)
		if r.form == "" && !unreleased(fn, &r, behind) {
			continue
		}
		at := st.Stmt
		if r.plain != nil {
			at = r.plain
		}
		e := fn.NewEdit("releasecontext", at, st.Stmt)
		e.Expr, e.Form, e.Other = r.call, r.form, fn.ID(behind)
		e.Heat = heat(fn, e.Heat, &r)
		if r.given {
			e.Doubt(0.6)
		}
		out = append(out, e)
	}
	return out
}

// checked is the statement behind which a value that a statement makes is
// valid: itself, or the check of the error that came with it.
func checked(fn *mutate.Function, st mutate.Statement) ast.Stmt {
	assign, ok := st.Stmt.(*ast.AssignStmt)
	if !ok || len(assign.Lhs) < 2 || st.Index+1 >= len(st.List) {
		return st.Stmt
	}
	err := fn.Path(assign.Lhs[len(assign.Lhs)-1])
	check, ok := st.List[st.Index+1].(*ast.IfStmt)
	if !ok || err.Root == nil || check.Init != nil || check.Else != nil {
		return st.Stmt
	}
	cond, ok := check.Cond.(*ast.BinaryExpr)
	if ok && cond.Op == token.NEQ && fn.Path(cond.X) == err && len(exits.Of(fn, check.Body)) > 0 {
		return check
	}
	return st.Stmt
}

// heat is that of the hottest line at which a goroutine waits for what is
// released; if none does, the edit's own, less.
func heat(fn *mutate.Function, own float64, r *resource) float64 {
	found := false
	r.eachWait(fn, func(n ast.Node) {
		if heat, waits := fn.Narrowing.HeatAt(n.Pos()); waits != "" {
			own, found = max(own, heat), true
		}
	})
	if !found {
		own *= 0.4
	}
	return own
}

func apply(m *mutate.Mutation, e mutate.Edit) error {
	stmt := m.Stmt(e.File, e.Node)
	behind := m.Stmt(e.File, e.Other)
	switch e.Form {
	case formName:
		if err := name(e, stmt); err != nil {
			return err
		}
	case formKeep:
		kept, err := keep(m, e, stmt)
		if err != nil {
			return err
		}
		behind = kept
	case formMove:
		if err := m.Remove(e.File, stmt); err != nil {
			return err
		}
	}
	return m.InsertSnippet(e.File, behind, true, "defer "+e.Expr)
}

// name gives the function that cancels a context its name.
func name(e mutate.Edit, stmt dst.Stmt) error {
	assign, ok := stmt.(*dst.AssignStmt)
	if !ok || len(assign.Lhs) != 2 {
		return mutate.Refuse(e, "another edit changed the assignment")
	}
	cancel, _, _ := strings.Cut(e.Expr, "(")
	assign.Lhs[1] = dst.NewIdent(cancel)
	return nil
}

// keep makes a statement that only calls a function one that keeps its result.
func keep(m *mutate.Mutation, e mutate.Edit, stmt dst.Stmt) (dst.Stmt, error) {
	call, ok := stmt.(*dst.ExprStmt)
	if !ok {
		return nil, mutate.Refuse(e, "another edit changed the call")
	}
	list, i, ok := m.ListOf(e.File, stmt)
	if !ok {
		return nil, mutate.Refuse(e, "another edit moved the call")
	}
	value, _, _ := strings.Cut(e.Expr, ".")
	kept := &dst.AssignStmt{Lhs: []dst.Expr{dst.NewIdent(value)}, Tok: token.DEFINE, Rhs: []dst.Expr{call.X}}
	kept.Decs.NodeDecs = call.Decs.NodeDecs
	(*list)[i] = kept
	return kept, nil
}
