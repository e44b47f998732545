package drain

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/dave/dst"

	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/exits"
	"mendel/mutate/fact/scope"
)

// A source is the call whose goroutines send on the channel that a loop receives from.
type source struct {
	call  *ast.CallExpr
	from  ast.Stmt // the statement with the call: the loop or an assignment in front of it
	loop  ast.Stmt // with its label
	over  *ast.RangeStmt
	name  string // of the variable with the channel; "": the loop ranges over the call
	given string // the context that the call is given; "": none
	ends  string // what cancels that context already; "": nothing here does
}

// sourceOf finds where the channel comes from that a loop ranges over: a call of the program's right
// there, or in an assignment of the same list with no way out in between.
func sourceOf(fn *mutate.Function, st mutate.Statement, over *ast.RangeStmt) (s source, ok bool) {
	s = source{from: st.Stmt, loop: st.Stmt, over: over}
	switch x := ast.Unparen(over.X).(type) {
	case *ast.CallExpr:
		s.call = x
	case *ast.Ident:
		if s.call, s.from = assigned(fn, st, x); s.call == nil {
			return s, false
		}
		s.name = x.Name
	default:
		return s, false
	}
	info := fn.File.Package.Info
	to := fn.Declared(syntax.Callee(info, s.call.Fun))
	if to == nil || syntax.Any(s.call, func(n ast.Node) bool { _, is := n.(*ast.FuncLit); return is }) {
		return s, false
	}
	for _, arg := range s.call.Args {
		id, isName := ast.Unparen(arg).(*ast.Ident)
		if !isName || !syntax.IsContext(info.TypeOf(arg)) {
			continue
		}
		v, is := info.Uses[id].(*types.Var)
		if !is || v.IsField() || v.Parent() == v.Pkg().Scope() {
			continue
		}
		ends, once := cancels(fn, v)
		if once {
			s.given, s.ends = id.Name, ends
			break
		}
	}
	return s, true
}

// assigned is the call that a variable was made of in the list of a statement, in front of it, and the
// statement there; nil: there is none, or the function may return in between.
func assigned(fn *mutate.Function, st mutate.Statement, x *ast.Ident) (*ast.CallExpr, ast.Stmt) {
	info := fn.File.Package.Info
	for i := st.Index - 1; i >= 0; i-- {
		before := st.List[i]
		a, ok := before.(*ast.AssignStmt)
		if ok && a.Tok == token.DEFINE && len(a.Lhs) == 1 && len(a.Rhs) == 1 {
			if id, is := a.Lhs[0].(*ast.Ident); is && info.Defs[id] != nil && info.Defs[id] == info.Uses[x] {
				call, _ := ast.Unparen(a.Rhs[0]).(*ast.CallExpr)
				return call, before
			}
		}
		if len(exits.Of(fn, before)) > 0 {
			break
		}
	}
	return nil, nil
}

// cancels is what a function has to cancel a context with; "": nothing, it never assigns to the context. ok is
// false where it does so in another way.
func cancels(fn *mutate.Function, ctx *types.Var) (name string, ok bool) {
	info := fn.File.Package.Info
	ok = true
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		a, is := n.(*ast.AssignStmt)
		if !is {
			return true
		}
		for i, lhs := range a.Lhs {
			if !syntax.Is(info, lhs, ctx) && info.Defs[ident(lhs)] != types.Object(ctx) {
				continue
			}
			if ok = ok && name == "" && i == 0 && len(a.Lhs) == 2 && len(a.Rhs) == 1 && isCancel(info.TypeOf(a.Lhs[1])); ok {
				name = ident(a.Lhs[1]).Name
				ok = name != "_"
			}
		}
		return true
	})
	return name, ok
}

// ident is an expression that is a name; else none that anything has.
func ident(e ast.Expr) *ast.Ident {
	if id, ok := e.(*ast.Ident); ok {
		return id
	}
	return &ast.Ident{Name: "_"}
}

func isCancel(t types.Type) bool {
	return t != nil && types.TypeString(t, nil) == "context.CancelFunc"
}

// edit tells the senders to end, where they know of a context, and receives what they send until
// they have.
func (s source) edit(fn *mutate.Function, form string, c *mutate.Channel) mutate.Edit {
	e := fn.NewEdit("drain", s.loop, s.loop)
	e.Form, e.Expr, e.Other = form, types.ExprString(s.over.X), fn.ID(s.from)
	if len(c.Makes) > 0 {
		e.Group = "told " + fn.Program.Fset.Position(c.Makes[0].Node.Pos()).String()
	}
	e.Sure = slices.ContainsFunc(c.Sends, insists)
	if s.given == "" {
		e.Flags = []mutate.Flag{mutate.Discards}
	}
	return e
}

// insists reports whether a send waits whatever happens: it is no case of a select.
func insists(u mutate.ChannelUse) bool {
	s, ok := u.Node.(*ast.SendStmt)
	return ok && u.Fn != nil && !slices.ContainsFunc(u.Fn.Statements(), func(st mutate.Statement) bool {
		sel, ok := st.Stmt.(*ast.SelectStmt)
		return ok && slices.ContainsFunc(sel.Body.List, func(c ast.Stmt) bool { return c.(*ast.CommClause).Comm == ast.Stmt(s) })
	})
}

// applySource applies the edits whose senders are told to end, and those of a channel without a name.
func applySource(m *mutate.Mutation, e mutate.Edit) error {
	fn := m.Function(e.File, e.Node)
	at := m.Stmt(e.File, e.Node)
	if fn == nil || at == nil {
		return mutate.Refuse(e, "another edit removed the loop")
	}
	s, ok := sourceAt(fn, e.Node)
	if !ok {
		return mutate.Refuse(e, "there is no such loop")
	}
	cancel := s.ends
	if s.given != "" && cancel == "" {
		pkg, err := m.Import(e.File, "context")
		if err != nil {
			return err
		}
		cancel = scope.FreeName(fn, "cancel")
		if err := m.InsertSnippet(e.File, m.Stmt(e.File, e.Other), false, s.given+", "+cancel+" := "+pkg+".WithCancel("+s.given+")"); err != nil {
			return err
		}
	}
	if cancel != "" {
		cancel += "()\n"
	}
	if s.name == "" {
		s.name = scope.FreeName(fn, "results")
		if err := m.InsertSnippet(e.File, at, false, s.name+" := "+types.ExprString(s.call)); err != nil {
			return err
		}
		if err := m.Replace(e.File, m.Of(e.File, s.over.X), dst.NewIdent(s.name)); err != nil {
			return err
		}
	}
	rest := cancel + "for range " + s.name + " { // let the senders end\n}"
	if e.Form == formCancelAfter {
		return m.InsertSnippet(e.File, at, true, rest)
	}
	return m.InsertSnippet(e.File, at, false, "defer func() {\n"+rest+"\n}()")
}

// sourceAt is the source of a loop of a function.
func sourceAt(fn *mutate.Function, node int) (s source, ok bool) {
	for _, st := range fn.Statements() {
		if fn.ID(st.Stmt) != node {
			continue
		}
		if over, is := unlabelled(st.Stmt).(*ast.RangeStmt); is {
			return sourceOf(fn, st, over)
		}
	}
	return s, false
}
