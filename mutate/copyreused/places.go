package copyreused

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"mendel/analysis"
	"mendel/analysis/syntax"
	"mendel/mutate/internal/lending"
)

// A finder finds what a declared function hands over.
type finder struct {
	*lending.Finder
	handed map[*types.Var]bool // locals that are handed over as a whole
	taken  map[string]bool     // names of variables that have copies
}

// places lists what a function hands over, though it is used again.
func places(in *lending.Finder) (all []*place) {
	f := &finder{Finder: in, handed: make(map[*types.Var]bool)}
	if len(f.Lenders) == 0 {
		return nil
	}
	add := func(p *place) {
		if p != nil {
			all = append(all, p)
		}
	}
	for range 2 { // the second time, composite literals in variables that are handed over are known
		all, f.taken = nil, make(map[string]bool)
		syntax.Walk(f.Decl.Body, func(n ast.Node, path []ast.Node) {
			switch n := n.(type) {
			case *ast.FuncLit:
				for _, p := range f.captured(n, path) {
					add(p)
				}
			case ast.Expr:
				if f.handsOver(n, path) {
					add(f.place(n, path))
				}
			}
		})
	}
	return all
}

// handsOver reports whether an expression's value goes to somebody else as a whole.
func (f *finder) handsOver(e ast.Expr, path []ast.Node) bool {
	if _, paren := e.(*ast.ParenExpr); paren || len(path) == 0 {
		return false
	}
	yes, i := false, len(path)-1
	for ; i > 0 && isParen(path[i]); i-- {
		e = path[i].(ast.Expr)
	}
	switch n := path[i].(type) {
	case *ast.ReturnStmt:
		yes = true
	case *ast.SendStmt:
		yes = n.Value == e
	case *ast.CallExpr:
		_, started := path[i-1].(*ast.GoStmt)
		arg := slices.Index(n.Args, e)
		yes = arg >= 0 && (started || f.Keeps(f.Info, n, arg)) || arg > 0 && syntax.Builtin(f.Info, n) == "append" && !n.Ellipsis.IsValid()
	case *ast.AssignStmt:
		at := slices.Index(n.Rhs, e)
		yes = at >= 0 && len(n.Lhs) == len(n.Rhs) && f.keeps(n.Lhs[at], e)
	case *ast.KeyValueExpr:
		return n.Value == e && f.handsOver(n, path[:i])
	case *ast.CompositeLit:
		return n.Type != e && f.handsOver(n, path[:i])
	case *ast.UnaryExpr:
		return n.Op == token.AND && f.handsOver(n, path[:i])
	}
	if id, ok := ast.Unparen(e).(*ast.Ident); ok && yes {
		if v, ok := f.Info.Uses[id].(*types.Var); ok {
			f.handed[v] = true
		}
	}
	return yes
}

func isParen(n ast.Node) bool { _, is := n.(*ast.ParenExpr); return is }

// keeps reports whether what is assigned to stays, or is handed over, and is no part of
// what the value's memory belongs to.
func (f *finder) keeps(to, value ast.Expr) bool {
	if id, ok := ast.Unparen(to).(*ast.Ident); ok {
		v, _ := f.Info.ObjectOf(id).(*types.Var)
		_, part := f.memoryIn(value)
		return v != nil && (v.Pkg() != nil && v.Parent() == v.Pkg().Scope() || part && f.handed[v])
	}
	l, _ := f.memoryIn(value)
	if l == nil {
		return true
	}
	root := f.Root(to)
	if root == nil {
		return true
	}
	own := f.Has(root)
	return own != l
}

// memoryIn is the lender of an expression; part is true for one in a composite literal.
func (f *finder) memoryIn(e ast.Expr) (l *lending.Lender, part bool) {
	if l = f.Memory(e); l != nil {
		return l, false
	}
	_, literal := ast.Unparen(e).(*ast.CompositeLit)
	u, address := ast.Unparen(e).(*ast.UnaryExpr)
	if address {
		_, literal = ast.Unparen(u.X).(*ast.CompositeLit)
	}
	return nil, literal
}

// place is the one at which something that is handed over is to be copied; nil: none, or it
// is not used again.
func (f *finder) place(e ast.Expr, path []ast.Node) *place {
	l := f.Memory(e)
	if l == nil {
		l = f.value(e)
	}
	if l == nil || !f.sameFunction(l, path) {
		return nil
	}
	if slices.ContainsFunc(l.Given, func(g lending.Given) bool { return syntax.Within(ast.Node(e), g.At) }) {
		return nil // that is how it goes back
	}
	before, after := f.order(l, e, path)
	if started(path) && f.Waits(l, e) {
		return nil
	}
	switch {
	case before:
		return f.derived(e, l)
	case after:
		return f.copied(e, path, l)
	}
	return nil
}

// sameFunction reports whether what returns at the end of a path is the function that the
// lender's variable is one of. Where nothing returns it does not matter.
func (f *finder) sameFunction(l *lending.Lender, path []ast.Node) bool {
	if !slices.ContainsFunc(path, func(n ast.Node) bool { _, is := n.(*ast.ReturnStmt); return is }) {
		return true
	}
	var inner ast.Node = f.Decl
	for _, n := range path {
		if _, lit := n.(*ast.FuncLit); lit {
			inner = n
		}
	}
	return !f.Own(l.Var) && inner == f.Decl || inner.Pos() <= l.Var.Pos() && l.Var.Pos() < inner.End()
}

// order says whether memory is given back before a node is reached, and whether afterwards.
func (f *finder) order(l *lending.Lender, n ast.Node, path []ast.Node) (before, after bool) {
	for _, g := range l.Given {
		switch {
		case g.Deferred, f.loops(l, path, g.At) && l.Owner == l.Var:
			after = true
		case l.Owner != l.Var && g.At.Pos() < n.Pos() && lending.Reaches(g.At, g.Path, n):
			before = true
		case g.At.Pos() > n.Pos() && lending.Reaches(n, path, g.At):
			after = true
		}
	}
	return before, after || l.Ever
}

// loops reports whether a loop has the end of a path and another node in it, and all its turns
// have one lender.
func (f *finder) loops(l *lending.Lender, path []ast.Node, other ast.Node) bool {
	return slices.ContainsFunc(path, func(n ast.Node) bool {
		var body *ast.BlockStmt
		switch n := n.(type) {
		case *ast.ForStmt:
			body = n.Body
		case *ast.RangeStmt:
			body = n.Body
		default:
			return false
		}
		return syntax.Within(other, n) && (l.Var.Pos() < body.Pos() || l.Var.Pos() >= body.End())
	})
}

// started reports whether a path ends at the arguments of a go statement.
func started(path []ast.Node) bool {
	return slices.ContainsFunc(path, func(n ast.Node) bool { _, is := n.(*ast.GoStmt); return is })
}

// derived is the place at which the only value of a variable is copied that is handed over
// when it has been given back.
func (f *finder) derived(e ast.Expr, l *lending.Lender) *place {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return nil
	}
	v, _ := f.Info.Uses[id].(*types.Var)
	value := f.OnlyValue(v)
	if v == l.Var || value == nil {
		return nil
	}
	if tuple, several := f.Info.TypeOf(value).(*types.Tuple); several && tuple.Len() != 1 {
		return nil
	}
	var p *place
	syntax.Walk(f.Decl.Body, func(n ast.Node, path []ast.Node) {
		if n == ast.Node(value) {
			if before, _ := f.order(l, n, path); !before {
				p = f.copied(value, path, l)
			}
		}
	})
	return p
}

// captured lists the places of the variables that a started literal captures.
func (f *finder) captured(lit *ast.FuncLit, path []ast.Node) (all []*place) {
	call, ok := path[len(path)-1].(*ast.CallExpr)
	if !ok || !f.starts(call, lit, path) {
		return nil
	}
	for n := range ast.Preorder(lit.Body) {
		id, ok := n.(*ast.Ident)
		if !ok {
			continue
		}
		v, _ := f.Info.Uses[id].(*types.Var)
		if v == nil || lit.Pos() <= v.Pos() && v.Pos() < lit.End() {
			continue
		}
		l := f.Memory(id)
		if l == nil || f.Waits(l, lit) || slices.ContainsFunc(l.Given, func(g lending.Given) bool { return syntax.Within(g.At, ast.Node(lit)) }) {
			continue
		}
		if before, after := f.order(l, lit, path); before || after {
			if p := f.derived(id, l); p != nil {
				all = append(all, p)
			}
		}
	}
	return all
}

// starts reports whether a call starts a literal in a goroutine.
func (f *finder) starts(call *ast.CallExpr, lit *ast.FuncLit, path []ast.Node) bool {
	for _, n := range path[max(len(path)-2, 0):] {
		if fun := syntax.Started(f.Info, n); fun != nil && ast.Unparen(fun) == ast.Expr(lit) {
			return true
		}
	}
	return false
}

// copied is a place with what copies it; nil: nothing does.
func (f *finder) copied(e ast.Expr, path []ast.Node, l *lending.Lender) *place {
	p := &place{file: f.File, function: analysis.FuncName(f.Decl), expr: e, lender: l, near: f.Near(l)}
	for i, n := range slices.Backward(path) {
		if c, ok := n.(*ast.CommClause); ok && p.commented == nil && c.Comm != nil && syntax.Within(e, c.Comm) {
			p.commented = c
			continue
		}
		s, ok := n.(ast.Stmt)
		if ok && i > 0 && slices.Contains(lending.ListOf(path[i-1]), s) {
			p.stmt = s
			break
		}
	}
	if p.stmt == nil {
		return nil
	}
	if p.commented == nil {
		p.commented = p.stmt
	}
	switch t := f.Info.TypeOf(e).Underlying().(type) {
	case *types.Slice:
		p.pkg = "slices"
		if b, ok := t.Elem().Underlying().(*types.Basic); ok && b.Kind() == types.Byte && types.Identical(f.Info.TypeOf(e), types.NewSlice(types.Typ[types.Byte])) {
			p.pkg = "bytes"
		}
	case *types.Map:
		p.pkg = "maps"
	default:
		if !f.byValue(p) {
			return nil
		}
	}
	return p
}
