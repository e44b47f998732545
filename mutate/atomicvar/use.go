package atomicvar

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"mendel/analysis"
	"mendel/analysis/syntax"
)

// A use is one place where the variable is named.
type use struct {
	file *analysis.File
	expr ast.Expr // the variable: a name, or a selector
	does effect
	node ast.Node // what is replaced: the expression, a statement or a call
	args []ast.Expr
	take bool   // subtract the argument
	bare bool   // a load that is right without conversion
	call string // of a call of package sync/atomic, the method
}

// An effect is what happens to the variable.
type effect int

const (
	load effect = iota
	store
	add
	called  // by a function of sync/atomic
	initial // zero in a literal without keys
)

// findUses lists the uses of the variable in the whole program; it is false if
// one of them would not do with an atomic.
func (a *atomic) findUses(p *analysis.Program) bool {
	for _, d := range p.Naming(a.v) {
		if !a.usesIn(d.File, d.Decl) {
			return false
		}
	}
	return len(a.uses) > 0
}

func (a *atomic) usesIn(f *analysis.File, d ast.Decl) bool {
	info, ok := f.Package.Info, true
	path := []ast.Node{f.AST}
	done := make(map[ast.Node]bool) // right sides that are part of an add
	ast.Inspect(d, func(n ast.Node) bool {
		if n == nil {
			path = path[:len(path)-1]
			return true
		}
		if id, is := n.(*ast.Ident); is && ok {
			if v, is := info.Uses[id].(*types.Var); is && v.Origin() == a.v {
				u, fits := a.classify(f, id, path, done)
				ok = fits && !f.Test && !f.Generated && (u.bare || a.kind.plain == "" || a.plainIn(f) != "")
				if u.node != nil {
					a.uses = append(a.uses, u)
				}
			}
		}
		if lit, is := n.(*ast.CompositeLit); is && ok {
			elt := a.inLiteral(f, lit)
			ok = elt == nil || a.zero(f, elt) && !f.Test && !f.Generated
			if elt != nil {
				a.uses = append(a.uses, use{file: f, expr: elt, node: elt, does: initial})
			}
		}
		path = append(path, n)
		return true
	})
	return ok
}

// inLiteral is the value that a literal without keys has for the field; nil if it has none.
func (a *atomic) inLiteral(f *analysis.File, lit *ast.CompositeLit) ast.Expr {
	if len(lit.Elts) == 0 || !a.v.IsField() {
		return nil
	}
	t := f.Package.Info.TypeOf(lit)
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	st, ok := t.Underlying().(*types.Struct)
	if _, keyed := lit.Elts[0].(*ast.KeyValueExpr); !ok || keyed {
		return nil
	}
	for i, elt := range lit.Elts {
		if st.Field(i).Origin() == a.v {
			return elt
		}
	}
	return nil
}

// classify finds what happens to the variable where it is named. The zero use
// is part of another one.
func (a *atomic) classify(f *analysis.File, id *ast.Ident, path []ast.Node, done map[ast.Node]bool) (u use, ok bool) {
	u = use{file: f, expr: id, node: id}
	i := len(path) - 1
	if sel, is := path[i].(*ast.SelectorExpr); is && sel.Sel == id {
		u.expr, u.node = sel, sel
		i--
	}
	if done[u.expr] {
		return use{}, true
	}
	var outer ast.Expr = u.expr
	for ; i >= 0; i-- {
		paren, is := path[i].(*ast.ParenExpr)
		if !is {
			break
		}
		outer = paren
	}
	switch parent := path[i].(type) {
	case *ast.AssignStmt:
		if slices.Contains(parent.Lhs, outer) {
			return a.assigned(u, parent, done)
		}
		u.bare = len(parent.Lhs) == 1 && a.denotes(f, parent.Lhs[0])
	case *ast.SelectorExpr:
		if s := f.Package.Info.Selections[parent]; s != nil && s.Kind() == types.MethodVal {
			_, pointer := s.Obj().(*types.Func).Signature().Recv().Type().(*types.Pointer)
			return u, !pointer
		}
	case *ast.CallExpr:
		u.bare = converts(f.Package.Info, parent)
	case *ast.IfStmt, *ast.ForStmt: // any type of bool will do for the condition
		u.bare = true
	case *ast.BinaryExpr:
		u.bare = syntax.Compares(parent.Op) && (literal(parent.X) || literal(parent.Y))
	case *ast.IncDecStmt:
		u.does, u.node, u.take = add, parent, parent.Tok == token.DEC
		return u, a.kind.number && (a.kind.signed || !u.take)
	case *ast.UnaryExpr:
		if parent.Op == token.AND {
			return a.addressed(u, parent, path[:i])
		}
	case *ast.KeyValueExpr:
		_, literal := path[i-1].(*ast.CompositeLit)
		return u, !(literal && parent.Key == outer && a.v.IsField())
	case *ast.RangeStmt:
		return u, parent.Key != outer && parent.Value != outer
	}
	return u, true
}

// converts reports whether a call is a conversion to a type of numbers.
func converts(info *types.Info, call *ast.CallExpr) bool {
	tv := info.Types[call.Fun]
	if !tv.IsType() {
		return false
	}
	b, ok := tv.Type.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsNumeric != 0
}

// denotes reports whether an expression is the variable, of whichever value.
func (a *atomic) denotes(f *analysis.File, e ast.Expr) bool {
	e = ast.Unparen(e)
	if sel, ok := e.(*ast.SelectorExpr); ok {
		e = sel.Sel
	}
	id, ok := e.(*ast.Ident)
	if !ok {
		return false
	}
	v, ok := f.Package.Info.Uses[id].(*types.Var)
	return ok && v.Origin() == a.v
}

// assigned takes an assignment to the variable alone.
func (a *atomic) assigned(u use, s *ast.AssignStmt, done map[ast.Node]bool) (use, bool) {
	if len(s.Lhs) != 1 || len(s.Rhs) != 1 {
		return u, false
	}
	u.node, u.args = s, s.Rhs
	switch s.Tok {
	case token.ASSIGN:
		u.does = store
		b, ok := ast.Unparen(s.Rhs[0]).(*ast.BinaryExpr)
		same := func(e ast.Expr) bool { return types.ExprString(ast.Unparen(e)) == types.ExprString(u.expr) }
		if ok && a.kind.number && same(b.X) && (b.Op == token.ADD || b.Op == token.SUB && a.kind.signed) {
			u.does, u.args, u.take = add, []ast.Expr{b.Y}, b.Op == token.SUB
			done[ast.Unparen(b.X)] = true
		}
		return u, true
	case token.ADD_ASSIGN, token.SUB_ASSIGN:
		u.does, u.take = add, s.Tok == token.SUB_ASSIGN
		return u, a.kind.number && (a.kind.signed || !u.take)
	}
	return u, false
}

// addressed takes &x as the first argument of a function of sync/atomic.
func (a *atomic) addressed(u use, addr *ast.UnaryExpr, path []ast.Node) (use, bool) {
	call, ok := path[len(path)-1].(*ast.CallExpr)
	if !ok || len(call.Args) == 0 || call.Args[0] != ast.Expr(addr) || a.kind.plain != "" {
		return u, false
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return u, false
	}
	fn, ok := u.file.Package.Info.Uses[sel.Sel].(*types.Func)
	if !ok || fn.Pkg() == nil || fn.Pkg().Path() != "sync/atomic" {
		return u, false
	}
	method, ok := strings.CutSuffix(fn.Name(), a.kind.name)
	u.does, u.node, u.args, u.call = called, call, call.Args[1:], method
	return u, ok && method != ""
}
