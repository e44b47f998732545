package chanwait

import (
	"cmp"
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"github.com/dave/dst"

	"mendel/mutate"
	"mendel/mutate/fact/scope"
	"mendel/mutate/fact/typetext"
	"mendel/mutate/internal/tree"
)

// Can reports whether [Wrap] can make an operation one case of a select.
func Can(fn *mutate.Function, op Op) bool {
	_, ok := declare(fn, op)
	return ok
}

// Wrap makes the operation that an edit's Node is a case of a select, beside
// one that receives from an end and then goes a way. An end with nothing but its
// expression is that of [Ends], if it is there.
func Wrap(m *mutate.Mutation, e mutate.Edit, s End, way string) error {
	fn, op, err := operationOf(m, e)
	if err != nil {
		return err
	}
	s = known(fn, op, s)
	body, ok := leave(fn, op, way, s)
	if !ok {
		return mutate.Refuse(e, "the function cannot be left here")
	}
	clause := &dst.CommClause{Comm: &dst.ExprStmt{X: &dst.UnaryExpr{Op: token.ARROW, X: tree.Expr(s.Expr)}}}
	if body != "" {
		if clause.Body, err = tree.Snippet(body); err != nil {
			return err
		}
	}
	if err := around(m, e, fn, op, clause); err != nil {
		return err
	}
	if loop := op.Loop(fn); strings.HasPrefix(body, "break") {
		return labelLoop(m, e, fn, loop)
	}
	return nil
}

// WrapDefault makes the operation that an edit's Node is a case of a select
// with a default, which has the edit's note as its comment and goes the way of its
// form.
func WrapDefault(m *mutate.Mutation, e mutate.Edit) error {
	fn, op, err := operationOf(m, e)
	if err != nil {
		return err
	}
	body, ok := leave(fn, op, cmp.Or(e.Form, On), End{})
	if !ok {
		return mutate.Refuse(e, "the function cannot be left here")
	}
	clause := &dst.CommClause{}
	if body != "" {
		if clause.Body, err = tree.Snippet(body); err != nil {
			return err
		}
	}
	if e.Note != "" {
		clause.Decs.Colon.Append("// " + e.Note)
	}
	return around(m, e, fn, op, clause)
}

// operationOf finds an edit's operation.
func operationOf(m *mutate.Mutation, e mutate.Edit) (fn *mutate.Function, op Op, err error) {
	fn = m.Function(e.File, e.Node)
	at, _ := m.Syntax(e.File, e.Node).(ast.Stmt)
	if fn == nil || at == nil || m.Node(e.File, e.Node) == nil {
		return nil, op, mutate.Refuse(e, "another edit removed the operation")
	}
	for _, op := range slices.Concat(Ops(fn), Sleeps(fn)) {
		if op.At == at {
			return fn, op, nil
		}
	}
	return nil, op, mutate.Refuse(e, "there is no channel operation")
}

// around puts a clause beside an operation.
func around(m *mutate.Mutation, e mutate.Edit, fn *mutate.Function, op Op, clause *dst.CommClause) error {
	now := m.Stmt(e.File, e.Node)
	clause.Decs.Before = dst.NewLine
	if sel, ok := now.(*dst.SelectStmt); ok {
		sel.Body.List = append(sel.Body.List, clause)
		return nil
	}
	if r, ok := now.(*dst.RangeStmt); ok {
		return unrange(m, e, fn, op, r, clause)
	}
	if _, _, ok := m.ListOf(e.File, now); !ok {
		return mutate.Refuse(e, "another edit made it a case of a select")
	}
	vars, ok := declare(fn, op)
	if !ok {
		return mutate.Refuse(e, "the type of what is received cannot be written here")
	}
	if op.Chan == nil {
		if err := pause(m, e, now); err != nil {
			return err
		}
	}
	own := &dst.CommClause{Comm: now}
	own.Decs.Before = dst.NewLine
	own.Decs.Colon, now.Decorations().End = now.Decorations().End, nil
	sel := &dst.SelectStmt{Body: &dst.BlockStmt{List: []dst.Stmt{own, clause}}}
	if err := m.Replace(e.File, now, sel); err != nil {
		return err
	}
	switch s := now.(type) {
	case *dst.AssignStmt:
		s.Tok = token.ASSIGN
	case *dst.ReturnStmt:
		name := scope.FreeName(fn, "v")
		own.Comm = &dst.AssignStmt{Lhs: []dst.Expr{dst.NewIdent(name)}, Tok: token.DEFINE, Rhs: s.Results}
		own.Body = []dst.Stmt{&dst.ReturnStmt{Results: []dst.Expr{dst.NewIdent(name)}}}
	}
	if vars == "" {
		return nil
	}
	return m.InsertSnippet(e.File, sel, false, vars)
}

// pause makes a receive from time.After of a call of time.Sleep.
func pause(m *mutate.Mutation, e mutate.Edit, now dst.Stmt) error {
	s, ok := now.(*dst.ExprStmt)
	if !ok {
		return mutate.Refuse(e, "another edit changed the pause")
	}
	call, ok := s.X.(*dst.CallExpr)
	if !ok {
		return mutate.Refuse(e, "another edit changed the pause")
	}
	switch f := call.Fun.(type) {
	case *dst.SelectorExpr:
		f.Sel = dst.NewIdent("After")
	case *dst.Ident: // imported by a dot, or resolved
		f.Name = "After"
	}
	s.X = &dst.UnaryExpr{Op: token.ARROW, X: call}
	return nil
}

// declare is the declaration of what an operation defines, as text; "" if it
// defines nothing, ok is false if it cannot be written.
func declare(fn *mutate.Function, op Op) (text string, ok bool) {
	var defined []ast.Expr
	switch s := op.At.(type) {
	case *ast.AssignStmt:
		if s.Tok == token.DEFINE {
			defined = s.Lhs
		}
	case *ast.RangeStmt:
		if s.Tok == token.DEFINE {
			defined = []ast.Expr{s.Key}
		}
	}
	for _, e := range defined {
		id, isIdent := e.(*ast.Ident)
		if !isIdent || id.Name == "_" {
			continue
		}
		obj := fn.File.Package.Info.Defs[id]
		if obj == nil {
			continue // declared before
		}
		t, can := typetext.Of(fn, obj.Type(), op.At.Pos())
		if !can {
			return "", false
		}
		if text != "" {
			text += "\n"
		}
		text += "var " + id.Name + " " + t
	}
	return text, true
}

// unrange makes a loop over a channel one around a select. It ends when the
// channel is closed, or the clause's case comes first.
func unrange(m *mutate.Mutation, e mutate.Edit, fn *mutate.Function, op Op, r *dst.RangeStmt, clause *dst.CommClause) error {
	vars, ok := declare(fn, op)
	if !ok {
		return mutate.Refuse(e, "the type of what is received cannot be written here")
	}
	var stmts []dst.Stmt
	own := &dst.CommClause{Comm: &dst.ExprStmt{X: &dst.UnaryExpr{Op: token.ARROW, X: r.X}}}
	if loop := op.At.(*ast.RangeStmt); Ticks(fn, loop.X) && loop.Key == nil && len(clause.Body) > 0 {
		stmts = []dst.Stmt{&dst.SelectStmt{Body: &dst.BlockStmt{List: []dst.Stmt{own, clause}}}}
	} else {
		open := scope.FreeName(fn, "ok")
		head := "var " + open + " bool\nselect {\n}\nif !" + open + " {\nbreak\n}"
		if vars != "" {
			head = vars + "\n" + head
		}
		var err error
		if stmts, err = tree.Snippet(head); err != nil {
			return err
		}
		key := r.Key
		if key == nil {
			key = dst.NewIdent("_")
		}
		own.Comm = &dst.AssignStmt{
			Lhs: []dst.Expr{key, dst.NewIdent(open)}, Tok: token.ASSIGN,
			Rhs: []dst.Expr{&dst.UnaryExpr{Op: token.ARROW, X: r.X}},
		}
		stmts[len(stmts)-2].(*dst.SelectStmt).Body.List = []dst.Stmt{own, clause}
	}
	own.Decs.Before = dst.NewLine
	if len(r.Body.List) > 0 {
		r.Body.List[0].Decorations().Before = dst.NewLine
	}
	for _, s := range stmts {
		s.Decorations().Before, s.Decorations().After = dst.NewLine, dst.NewLine
	}
	r.Body.List = append(stmts, r.Body.List...)
	loop := &dst.ForStmt{Body: r.Body}
	return m.Replace(e.File, r, loop)
}

// labelLoop gives a loop the label that it is left by, unless it has one.
func labelLoop(m *mutate.Mutation, e mutate.Edit, fn *mutate.Function, loop ast.Stmt) error {
	name, labelled := label(fn, loop)
	if labelled {
		return nil
	}
	now := m.StmtOf(e.File, loop)
	if now == nil {
		return mutate.Refuse(e, "another edit removed the loop")
	}
	if _, _, ok := m.ListOf(e.File, now); !ok {
		return nil // another edit of the set has labelled it
	}
	l := &dst.LabeledStmt{Label: dst.NewIdent(name), Stmt: now}
	if err := m.Replace(e.File, now, l); err != nil {
		return err
	}
	now.Decorations().Before = dst.NewLine
	return nil
}
