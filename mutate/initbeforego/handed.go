package initbeforego

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/dave/dst"

	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/scope"
	"mendel/mutate/fact/typetext"
	"mendel/mutate/internal/tree"
	"mendel/mutate/internal/waitgroups"
)

// A handing is how the one channel that moves is handed to the goroutine.
type handing struct {
	name, typ string     // of the parameter
	lhs       ast.Expr   // what the channel is assigned to
	reads     []ast.Expr // of it by the goroutine
}

// handing plans the second form; ok is false if more than a channel in a field moves, or the
// function does not read it, or cannot get a parameter.
func (p *plan) handing() (h handing, ok bool) {
	if len(p.moved) != 1 || len(p.moved[0].Lhs) != 1 || !p.takesParameter() {
		return h, false
	}
	h.lhs = p.moved[0].Lhs[0]
	path := p.fn.Path(h.lhs)
	t := p.info.TypeOf(h.lhs)
	if _, channel := t.Underlying().(*types.Chan); !channel {
		return h, false
	}
	if waitgroups.Assigns(p.fn, p.fn.Body, path.Root) { // or it is a variable: package copyarg passes those
		return h, false
	}
	if h.reads, ok = p.readsOf(path); !ok || len(h.reads) == 0 {
		return h, false
	}
	h.name = scope.FreeName(p.fn, syntax.Variable(p.info, h.lhs).Name())
	h.typ, ok = typetext.Of(p.fn, t, p.fn.Node.Pos())
	return h, ok
}

// takesParameter reports whether the function and each of its starts can get one more.
func (p *plan) takesParameter() bool {
	for _, f := range p.fn.Type.Params.List {
		if _, variadic := f.Type.(*ast.Ellipsis); variadic || len(f.Names) == 0 {
			return false
		}
	}
	return !slices.ContainsFunc(p.starts, func(s start) bool { return s.Go == nil || s.Go.Call.Ellipsis.IsValid() })
}

// readsOf are the places behind what moves, and in deferred calls, that read what a
// path leads to; ok is false if it is also set there, or its address taken.
func (p *plan) readsOf(path mutate.Path) (reads []ast.Expr, ok bool) {
	ok = true
	var set []ast.Expr
	for _, s := range p.fn.Body.List {
		if s == ast.Stmt(p.moved[0]) {
			continue
		}
		ast.Inspect(s, func(n ast.Node) bool {
			switch n := n.(type) {
			case ast.Stmt:
				set = append(set, syntax.Assigned(n)...)
			case *ast.UnaryExpr:
				ok = ok && (n.Op != token.AND || p.fn.Path(n.X) != path)
			case *ast.SelectorExpr, *ast.Ident:
				if e := n.(ast.Expr); p.fn.Path(e) == path {
					reads = append(reads, e)
					return false
				}
			}
			return true
		})
	}
	for _, e := range set {
		ok = ok && p.fn.Path(e) != path
	}
	return reads, ok
}

// hand gives the function the parameter, and lets it read that.
func (h *handing) hand(m *mutate.Mutation, e mutate.Edit, fn *mutate.Function) error {
	var typ *dst.FuncType
	switch f := m.Of(e.File, fn.Node).(type) {
	case *dst.FuncDecl:
		typ = f.Type
	case *dst.FuncLit:
		typ = f.Type
	default:
		return mutate.Refuse(e, "another edit removed the function")
	}
	lit := tree.Expr("func(" + h.name + " " + h.typ + ") {}").(*dst.FuncLit)
	typ.Params.List = append(typ.Params.List, lit.Type.Params.List...)
	for _, read := range h.reads {
		if err := m.Replace(e.File, m.Of(e.File, read), dst.NewIdent(h.name)); err != nil {
			return err
		}
	}
	return nil
}

// pass gives a start the argument: what the moved assignment before it sets.
func pass(m *mutate.Mutation, e mutate.Edit, s start, moved dst.Stmt) error {
	g, ok := m.Of(s.file, s.Go).(*dst.GoStmt)
	a, isAssign := moved.(*dst.AssignStmt)
	if !ok || !isAssign {
		return mutate.Refuse(e, "another edit changed the start of the goroutine")
	}
	arg := dst.Clone(a.Lhs[0]).(dst.Expr)
	arg.Decorations().Before, arg.Decorations().After = dst.None, dst.None
	g.Call.Args = append(g.Call.Args, arg)
	return nil
}
