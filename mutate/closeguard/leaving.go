package closeguard

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/dave/dst"

	"mendel/analysis"
	"mendel/analysis/locks/owned"
	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/exits"
	"mendel/mutate/fact/outward"
	"mendel/mutate/fact/typetext"
	"mendel/mutate/internal/chanwait"
	"mendel/mutate/internal/donefield"
	"mendel/mutate/internal/tree"
)

// leavingParts are the edits for a channel with sends that may wait and ask nothing before: a new channel, closed
// first, lets those give up who wait, and a lock, which they hold for reading, keeps the close until they have.
// failing says that who sends later is told so by an error of the package. nil: some use cannot be edited, or nothing
// says that others send while the channel is closed.
func leavingParts(c *mutate.Channel, failing bool) (parts []mutate.Edit) {
	if c.Escapes || len(c.Sends) == 0 || len(c.Closes) != 1 {
		return nil
	}
	var field *types.Var
	held, uses := map[string]int{}, 0
	failed := false
	for _, u := range slices.Concat(c.Sends, c.Closes) {
		if u.Test || u.Fn == nil {
			return nil
		}
		sel, owner, ok := channelField(u)
		if !ok {
			return nil
		}
		of := syntax.Field(u.Fn.File.Package.Info, sel)
		if !free(owner, flagOf(of)) || field != nil && of != field {
			return nil
		}
		field = of
		if u.Fn.Fresh(sel) || unknown(u, sel) {
			continue // nobody else has the value yet
		}
		l := leaving{u: u, sel: sel}
		e, ok := l.edit(failing)
		if !ok {
			return nil
		}
		uses++
		for _, lock := range u.Fn.HeldAt(u.Stmt) {
			held[lock.Key]++
		}
		failed = failed || e.Form == formFails
		parts = append(parts, e)
	}
	for _, n := range held {
		if n == uses {
			return nil // one lock keeps them apart
		}
	}
	if failing != failed || len(parts) < 2 {
		return nil
	}
	return parts
}

// unknown reports whether a use is of a value that the function has just made, or got from one that makes it, and
// that nobody else knows yet.
func unknown(u mutate.ChannelUse, sel *ast.SelectorExpr) bool {
	root := u.Fn.Path(sel.X).Root
	fn := u.Fn.Locks().Of(u.Fn.Node)
	if root == nil || fn == nil {
		return false
	}
	m := u.Fn.Locks().Lock()
	defer u.Fn.Locks().Unlock()
	return owned.At(m, fn, root, u.Stmt.Pos(), owned.MaxOwners)
}

// A leaving is a use of a channel, a send or the close.
type leaving struct {
	u   mutate.ChannelUse
	sel *ast.SelectorExpr // the channel
}

// The places of the edit.
const (
	formLast  = "last"  // a close, which comes after the other channel's
	formGone  = "gone"  // a send with which the function ends: it returns as if it had sent
	formFails = "fails" // the same: it returns an error of the package
	formAside = "aside" // any other send: it is left out
)

// edit is the edit of one use; ok is false where it cannot be made.
func (l leaving) edit(failing bool) (e mutate.Edit, ok bool) {
	fn := l.u.Fn
	field := fn.File.Package.Info.Uses[l.sel.Sel].(*types.Var)
	if _, ok := donefield.Of(fn, l.sel.X, "Done"); !ok {
		return e, false
	}
	at, form := ast.Stmt(l.u.Stmt), formLast
	if _, send := l.u.Node.(*ast.SendStmt); send {
		if l.u.Select != nil {
			at = l.u.Select
		}
		if form, ok = l.form(at, failing); !ok {
			return e, false
		}
	} else if _, plain := at.(*ast.ExprStmt); !plain {
		return e, false
	}
	lock, ok := fn.Program.NewValue(fn.File, at, analysis.Access{Var: field, Expr: l.sel}, "sync.RWMutex", field.Name()+"Mu", "Mu")
	if !ok {
		return e, false
	}
	e = fn.NewEdit("closeguard", at, at)
	e.Form, e.Lock, e.Expr, e.Sure, e.Read = form, &lock, types.ExprString(l.sel), true, form != formLast
	if form == formLast {
		e.Note = "those who wait to send give up, and then nobody sends any more"
	}
	return e, true
}

// form is how a send is made one that is given up.
func (l leaving) form(at ast.Stmt, failing bool) (form string, ok bool) {
	fn := l.u.Fn
	i := slices.Index(fn.Body.List, at)
	last := i >= 0 && (i == len(fn.Body.List)-1 || i == len(fn.Body.List)-2 && isReturn(fn.Body.List[i+1]))
	if last && (failing && l.failure() != "" || l.plainly() != "") {
		if failing && l.failure() != "" {
			return formFails, true
		}
		return formGone, true
	}
	for _, exit := range exits.Of(fn, at) {
		switch exit.(type) {
		case *ast.ReturnStmt, *ast.BranchStmt:
		default:
			return "", false
		}
	}
	return formAside, !exits.Terminates(fn, at)
}

func isReturn(s ast.Stmt) bool { _, ok := s.(*ast.ReturnStmt); return ok }

// results are the types of what the function returns.
func (l leaving) results() (list []types.Type) {
	fn := l.u.Fn
	if fn.Type.Results == nil {
		return nil
	}
	for _, f := range fn.Type.Results.List {
		for range max(1, len(f.Names)) {
			list = append(list, fn.File.Package.Info.TypeOf(f.Type))
		}
	}
	return list
}

// plainly is a return with nothing: no error, false, 0; "": what is returned says more.
func (l leaving) plainly() string {
	return l.returning("nil")
}

// failure is a return with the error by which the package says that something has ended; "": there is none, or the
// function is no user's.
func (l leaving) failure() string {
	if !outward.Called(l.u.Fn) {
		return ""
	}
	scope := l.u.Fn.File.Package.Types.Scope()
	for _, name := range scope.Names() {
		v, ok := scope.Lookup(name).(*types.Var)
		if ok && syntax.IsError(v.Type()) && chanwait.SaysEnd(name) {
			return l.returning(name)
		}
	}
	return ""
}

// returning is a return statement with an error, if the function has one for its last result; "": it returns what
// cannot be made up.
func (l leaving) returning(err string) string {
	results := l.results()
	var parts []string
	for i, t := range results {
		if syntax.IsError(t) && i == len(results)-1 {
			parts = append(parts, err)
			continue
		}
		_, basic := t.Underlying().(*types.Basic)
		zero, ok := typetext.Zero(l.u.Fn, t, l.u.Node.Pos())
		if !basic || !ok {
			return ""
		}
		parts = append(parts, zero)
	}
	if err != "nil" && (len(results) == 0 || !syntax.IsError(results[len(results)-1])) {
		return ""
	}
	return strings.TrimSpace("return " + strings.Join(parts, ", "))
}

// useOf finds the use of an edit again.
func useOf(fn *mutate.Function, e mutate.Edit) (l leaving, ok bool) {
	for _, c := range channelsOf(fn) {
		for _, u := range slices.Concat(c.Sends, c.Closes) {
			at := ast.Stmt(u.Stmt)
			if u.Select != nil {
				at = u.Select
			}
			if u.Fn == nil || u.Fn.Node != fn.Node || fn.ID(at) != e.Node {
				continue
			}
			if sel, _, ok := channelField(u); ok && types.ExprString(sel) == e.Expr {
				return leaving{u: u, sel: sel}, true
			}
		}
	}
	return l, false
}

// channelsOf are the channels that a function sends to or closes.
func channelsOf(fn *mutate.Function) (all []*mutate.Channel) {
	add := func(e ast.Expr) {
		if c := fn.Channel(e); c != nil && !slices.Contains(all, c) {
			all = append(all, c)
		}
	}
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SendStmt:
			add(n.Chan)
		case *ast.CallExpr:
			if syntax.Builtin(fn.File.Package.Info, n) == "close" {
				add(n.Args[0])
			}
		}
		return true
	})
	return all
}

// applyLeaving makes the edit of one use.
func applyLeaving(m *mutate.Mutation, e mutate.Edit, fn *mutate.Function, stmt dst.Stmt) error {
	l, ok := useOf(fn, e)
	if !ok {
		return mutate.Refuse(e, "there is no send or close")
	}
	flag, err := declare(m, e, fn)
	if err != nil {
		return err
	}
	done, ok := donefield.Of(fn, l.sel.X, "Done")
	if !ok {
		return mutate.Refuse(e, "the type can get no channel")
	}
	if _, err := done.Add(m, e, "closed before "+l.sel.Sel.Name); err != nil {
		return err
	}
	end := types.ExprString(l.sel.X) + "." + done.Name
	lock := e.Lock.Expr
	switch e.Form {
	case formLast:
		if err := m.InsertSnippet(e.File, stmt, true, lock+".Unlock()"); err != nil {
			return err
		}
		return m.InsertSnippet(e.File, stmt, false, "// "+e.Note+"\nclose("+end+")\n"+lock+".Lock()\n"+flag+" = true")
	case formAside:
		for _, exit := range exits.Of(fn, l.statement()) {
			if err := m.InsertSnippet(e.File, m.StmtOf(e.File, exit), false, lock+".RUnlock()"); err != nil {
				return err
			}
		}
		choice, err := givenUp(m, e, stmt, end, "")
		if err != nil {
			return err
		}
		guard, err := tree.Snippet("if !" + flag + " {\n}")
		if err != nil {
			return err
		}
		test := guard[0].(*dst.IfStmt)
		if err := m.InsertSnippet(e.File, choice, false, lock+".RLock()"); err != nil {
			return err
		}
		if err := m.InsertSnippet(e.File, choice, true, lock+".RUnlock()"); err != nil {
			return err
		}
		if err := m.Replace(e.File, choice, test); err != nil {
			return err
		}
		*choice.Decorations() = dst.NodeDecs{Before: dst.NewLine, After: dst.NewLine} // the test has its comments
		test.Body.List = []dst.Stmt{choice}
		return nil
	}
	leave := l.plainly()
	if e.Form == formFails {
		leave = l.failure()
	}
	choice, err := givenUp(m, e, stmt, end, leave)
	if err != nil {
		return err
	}
	return m.InsertSnippet(e.File, choice, false, lock+".RLock()\ndefer "+lock+".RUnlock()\nif "+flag+" {\n"+leave+"\n}")
}

// statement is the statement of a send: the select that it is a case of.
func (l leaving) statement() ast.Stmt {
	if l.u.Select != nil {
		return l.u.Select
	}
	return l.u.Stmt
}

// givenUp makes a send one case of a select beside the end, unless it never waits.
func givenUp(m *mutate.Mutation, e mutate.Edit, stmt dst.Stmt, end, leave string) (dst.Stmt, error) {
	clause := &dst.CommClause{Comm: &dst.ExprStmt{X: &dst.UnaryExpr{Op: token.ARROW, X: tree.Expr(end)}}}
	clause.Decs.Before = dst.NewLine
	if leave != "" {
		body, err := tree.Snippet(leave)
		if err != nil {
			return nil, err
		}
		clause.Body = body
	}
	switch stmt := stmt.(type) {
	case *dst.SelectStmt:
		list := stmt.Body.List
		if slices.ContainsFunc(list, func(c dst.Stmt) bool { return c.(*dst.CommClause).Comm == nil }) {
			return stmt, nil
		}
		stmt.Body.List = append(list, clause)
		return stmt, nil
	case *dst.SendStmt:
		send := &dst.CommClause{Comm: &dst.SendStmt{Chan: stmt.Chan, Value: stmt.Value}}
		send.Decs.Before = dst.NewLine
		choice := &dst.SelectStmt{Body: &dst.BlockStmt{List: []dst.Stmt{send, clause}}}
		return choice, m.Replace(e.File, stmt, choice)
	}
	return nil, mutate.Refuse(e, "another edit changed the send")
}
