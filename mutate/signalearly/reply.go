package signalearly

import (
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"github.com/dave/dst"

	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/scope"
	"mendel/mutate/fact/typetext"
	"mendel/mutate/internal/syncops"
	"mendel/mutate/internal/waitgroups"
)

// An answer is what those who receive a value give to who has sent it: a message on a
// channel in the value, or the close of it.
type answer struct {
	item  string // what the receiver calls the value
	field string // ".reply"
	kind  syncops.Kind
	elem  types.Type
	waits []mutate.ChannelUse // who waits for it
}

// unanswered is the edit that answers for values which are dropped at a node, as others do
// who receive from the channel; ok is false if they do not, or there is nothing to say.
func unanswered(fn *mutate.Function, n ast.Node, ch ast.Expr) (e mutate.Edit, ok bool) {
	a, ok := answerOf(fn, fn.Channel(ch))
	if !ok {
		return e, false
	}
	name, given := itemAt(n)
	if !given {
		name = scope.FreeName(fn, a.item)
	}
	text := "close(" + name + a.field + ")"
	if a.kind == syncops.Send {
		value, ok := a.failure(fn, n)
		if !ok {
			return e, false
		}
		text = name + a.field + " <- " + value
	}
	e = fn.NewEdit("signalearly", n)
	e.Form, e.Expr, e.Group = formReply, text, "dropped "+types.ExprString(ch)
	e.Heat = syncops.Heat(fn, e.Heat, a.waits...)
	return e, true
}

// answerOf is the answer that another function gives for each value of a channel.
func answerOf(fn *mutate.Function, c *mutate.Channel) (a answer, ok bool) {
	if c == nil {
		return a, false
	}
	for _, u := range slices.Concat(c.Receives, c.Ranges) {
		if u.Fn == nil || u.Fn == fn || u.Test {
			continue
		}
		item := received(u)
		if item == nil {
			continue
		}
		for _, s := range waitgroups.Turn(u) {
			if a, ok := answerIn(u.Fn, s, item); ok {
				return a, true
			}
		}
	}
	return a, false
}

// received is the variable that a value is received into; nil if there is none.
func received(u mutate.ChannelUse) *types.Var {
	var to ast.Expr
	switch s := u.Stmt.(type) {
	case *ast.RangeStmt:
		to = s.Key
	case *ast.AssignStmt:
		to = s.Lhs[0]
	}
	id, ok := to.(*ast.Ident)
	if !ok {
		return nil
	}
	v, _ := u.Fn.File.Package.Info.ObjectOf(id).(*types.Var)
	return v
}

// answerIn is the answer that a statement of a function gives for a value, by itself or by
// what it calls.
func answerIn(fn *mutate.Function, s ast.Stmt, item *types.Var) (answer, bool) {
	for _, st := range fn.Statements() {
		if syntax.Within(st.Stmt, s) {
			if a, ok := answerBy(fn, st.Stmt, item, func(p mutate.Path) mutate.Path { return p }); ok {
				return a, true
			}
		}
	}
	for _, c := range fn.Calls(s) {
		for _, st := range c.To.Statements() {
			if a, ok := answerBy(c.To, st.Stmt, item, c.Name); ok {
				return a, true
			}
		}
	}
	return answer{}, false
}

func answerBy(fn *mutate.Function, s ast.Stmt, item *types.Var, name func(mutate.Path) mutate.Path) (a answer, ok bool) {
	op, ok := syncops.Of(fn, s)
	if !ok || op.Kind != syncops.Send && op.Kind != syncops.Close {
		return a, false
	}
	p := name(fn.Path(op.On))
	if p.Root != item || p.Rest == "" {
		return a, false
	}
	a = answer{item: item.Name(), field: p.Rest, kind: op.Kind}
	if c, ok := syncops.TypeOf(fn, op.On).Underlying().(*types.Chan); ok {
		a.elem = c.Elem()
	}
	if c := fn.Channel(op.On); c != nil {
		a.waits = slices.Concat(c.Receives, c.Ranges)
	}
	return a, true
}

// itemAt is the name of what a loop or case receives, if it has one.
func itemAt(n ast.Node) (name string, given bool) {
	var to ast.Expr
	switch n := n.(type) {
	case *ast.RangeStmt:
		to = n.Key
	case *ast.CommClause:
		if a, ok := n.Comm.(*ast.AssignStmt); ok {
			to = a.Lhs[0]
		}
	}
	id, ok := to.(*ast.Ident)
	return nameOf(id), ok && id.Name != "_"
}

func nameOf(id *ast.Ident) string {
	if id == nil {
		return ""
	}
	return id.Name
}

// over are the names of errors that say that somebody serves no more.
var over = regexp.MustCompile(`(?i)closed|closing|stopped|shut|cancel|aborted`)

// failure is the answer that says that there is none, as text: an error of the package that
// means so, or a struct with it in its only error.
func (a answer) failure(fn *mutate.Function, at ast.Node) (text string, ok bool) {
	isError := func(t types.Type) bool { return types.Identical(t, types.Universe.Lookup("error").Type()) }
	scope := fn.File.Package.Types.Scope()
	for _, name := range scope.Names() {
		v, ok := scope.Lookup(name).(*types.Var)
		if !ok || !isError(v.Type()) || !over.MatchString(name) {
			continue
		}
		if isError(a.elem) {
			return name, true
		}
		st, ok := a.elem.Underlying().(*types.Struct)
		typ, can := typetext.Of(fn, a.elem, at.Pos())
		if !ok || !can {
			return "", false
		}
		field := ""
		for f := range st.Fields() {
			if isError(f.Type()) && field == "" {
				field = f.Name()
			} else if isError(f.Type()) {
				return "", false
			}
		}
		return typ + "{" + field + ": " + name + "}", field != ""
	}
	return "", false
}

// applyReply names what is dropped, if it has no name, and answers.
func applyReply(m *mutate.Mutation, e mutate.Edit) error {
	item, _, _ := strings.Cut(strings.TrimPrefix(e.Expr, "close("), ".")
	name := dst.NewIdent(item)
	switch n := m.Node(e.File, e.Node).(type) {
	case *dst.RangeStmt:
		n.Key, n.Tok = name, token.DEFINE
	case *dst.CommClause:
		n.Comm = define(name, n.Comm)
	case *dst.ExprStmt:
		now := define(name, n)
		if err := m.Replace(e.File, n, now); err != nil {
			return err
		}
		return m.InsertSnippet(e.File, now, true, e.Expr)
	}
	return applyDrop(m, e)
}

// define is a receive with its value in a variable.
func define(name *dst.Ident, receive dst.Stmt) dst.Stmt {
	switch s := receive.(type) {
	case *dst.AssignStmt:
		s.Lhs[0], s.Tok = name, token.DEFINE
	case *dst.ExprStmt:
		a := &dst.AssignStmt{Lhs: []dst.Expr{name}, Tok: token.DEFINE, Rhs: []dst.Expr{s.X}}
		s.X, a.Decs.NodeDecs = nil, s.Decs.NodeDecs
		return a
	}
	return receive
}
