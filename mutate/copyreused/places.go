package copyreused

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"

	"mendel/analysis"
	"mendel/analysis/syntax"
)

// places lists what the function hands over, though it is used again.
func (f *finder) places() (all []*place) {
	if len(f.lenders) == 0 {
		return nil
	}
	add := func(p *place) {
		if p != nil {
			all = append(all, p)
		}
	}
	for range 2 { // the second time, composite literals in variables that are handed over are known
		all = nil
		syntax.Walk(f.decl.Body, func(n ast.Node, path []ast.Node) {
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
		yes = started && arg >= 0 || arg > 0 && syntax.Builtin(f.info, n) == "append" && !n.Ellipsis.IsValid()
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
		if v, ok := f.info.Uses[id].(*types.Var); ok {
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
		v, _ := f.info.ObjectOf(id).(*types.Var)
		_, part := f.memoryIn(value)
		return v != nil && (v.Pkg() != nil && v.Parent() == v.Pkg().Scope() || part && f.handed[v])
	}
	l, _ := f.memoryIn(value)
	if l == nil {
		return true
	}
	root := f.root(to)
	if root == nil {
		return true
	}
	own := f.lenders[root]
	if own == nil && f.locals[root] != nil {
		own = f.locals[root].lender
	}
	return own != l
}

// memoryIn is the lender of an expression; part is true for one in a composite literal.
func (f *finder) memoryIn(e ast.Expr) (l *lender, part bool) {
	if l = f.memory(e); l != nil {
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
	l := f.memory(e)
	if l == nil || !f.sameFunction(l, path) {
		return nil
	}
	before, after := f.order(l, e, path)
	if started(path) && f.waits(e.End()) {
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
func (f *finder) sameFunction(l *lender, path []ast.Node) bool {
	if !slices.ContainsFunc(path, func(n ast.Node) bool { _, is := n.(*ast.ReturnStmt); return is }) {
		return true
	}
	var inner ast.Node = f.decl
	for _, n := range path {
		if _, lit := n.(*ast.FuncLit); lit {
			inner = n
		}
	}
	return !f.own(l.v) && inner == f.decl || inner.Pos() <= l.v.Pos() && l.v.Pos() < inner.End()
}

// order says whether memory is given back before a node is reached, and whether afterwards.
func (f *finder) order(l *lender, n ast.Node, path []ast.Node) (before, after bool) {
	for _, g := range l.gifts {
		switch {
		case g.deferred, f.loops(l, path, g.at) && l.owner == l.v:
			after = true
		case l.owner != l.v && g.at.Pos() < n.Pos() && reaches(g.at, g.path, n):
			before = true
		case g.at.Pos() > n.Pos() && reaches(n, path, g.at):
			after = true
		}
	}
	return before, after || l.ever
}

// loops reports whether a loop around which the lender lives has the end of a path and
// another node in it.
func (f *finder) loops(l *lender, path []ast.Node, other ast.Node) bool {
	return slices.ContainsFunc(path, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			return syntax.Within(other, n) && (l.v.Pos() < n.Pos() || l.v.Pos() >= n.End())
		}
		return false
	})
}

// reaches reports whether what stands behind a node with others around it may be another
// node: in the rest of a statement list, unless the path ends before.
func reaches(from ast.Node, path []ast.Node, to ast.Node) bool {
	inner := from
	for _, n := range slices.Backward(path) {
		list := listOf(n)
		at := slices.IndexFunc(list, func(s ast.Stmt) bool { return s.Pos() <= inner.Pos() && inner.End() <= s.End() })
		if c, ok := n.(*ast.CommClause); ok && c.Comm != nil && syntax.Within(inner, ast.Node(c.Comm)) {
			at = 0
			list = append([]ast.Stmt{c.Comm}, list...)
		}
		if at >= 0 {
			rest := list[at+1:]
			if slices.ContainsFunc(rest, func(s ast.Stmt) bool { return syntax.Within(to, ast.Node(s)) }) {
				return true
			}
			if slices.ContainsFunc(list[at:], leaves) {
				return false
			}
		}
		if _, lit := n.(*ast.FuncLit); lit {
			return false
		}
		inner = n
	}
	return false
}

func listOf(n ast.Node) []ast.Stmt {
	switch n := n.(type) {
	case *ast.BlockStmt:
		if len(n.List) > 0 && syntax.IsClause(n.List[0]) {
			return nil
		}
		return n.List
	case *ast.CaseClause:
		return n.Body
	case *ast.CommClause:
		return n.Body
	}
	return nil
}

// leaves reports whether a statement leaves its list for certain.
func leaves(s ast.Stmt) bool {
	switch s.(type) {
	case *ast.ReturnStmt, *ast.BranchStmt:
		return true
	}
	return false
}

// started reports whether a path ends at the arguments of a go statement.
func started(path []ast.Node) bool {
	return slices.ContainsFunc(path, func(n ast.Node) bool { _, is := n.(*ast.GoStmt); return is })
}

// waits reports whether the function waits for goroutines behind a position.
func (f *finder) waits(pos token.Pos) bool {
	return syntax.Any(f.decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			sel, ok := n.Fun.(*ast.SelectorExpr)
			return ok && n.Pos() > pos && sel.Sel.Name == "Wait"
		case *ast.UnaryExpr:
			return n.Op == token.ARROW && n.Pos() > pos
		}
		return false
	})
}

// derived is the place at which the only value of a variable is copied that is handed over
// when it has been given back.
func (f *finder) derived(e ast.Expr, l *lender) *place {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return nil
	}
	v, _ := f.info.Uses[id].(*types.Var)
	own := f.locals[v]
	if v == l.v || own == nil || own.opaque || len(own.values) != 1 {
		return nil
	}
	if tuple, several := f.info.TypeOf(own.values[0]).(*types.Tuple); several && tuple.Len() != 1 {
		return nil
	}
	var p *place
	syntax.Walk(f.decl.Body, func(n ast.Node, path []ast.Node) {
		if n == ast.Node(own.values[0]) {
			if before, _ := f.order(l, n, path); !before {
				p = f.copied(own.values[0], path, l)
			}
		}
	})
	return p
}

// captured lists the places of the variables that a started literal captures.
func (f *finder) captured(lit *ast.FuncLit, path []ast.Node) (all []*place) {
	call, ok := path[len(path)-1].(*ast.CallExpr)
	if !ok || !f.starts(call, lit, path) || f.waits(lit.End()) {
		return nil
	}
	for n := range ast.Preorder(lit.Body) {
		id, ok := n.(*ast.Ident)
		if !ok {
			continue
		}
		v, _ := f.info.Uses[id].(*types.Var)
		if v == nil || lit.Pos() <= v.Pos() && v.Pos() < lit.End() {
			continue
		}
		l := f.memory(id)
		if l == nil || slices.ContainsFunc(l.gifts, func(g given) bool { return syntax.Within(g.at, ast.Node(lit)) }) {
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
		if fun := syntax.Started(f.info, n); fun != nil && ast.Unparen(fun) == ast.Expr(lit) {
			return true
		}
	}
	return false
}

// copied is a place with what copies it; nil: nothing does.
func (f *finder) copied(e ast.Expr, path []ast.Node, l *lender) *place {
	p := &place{file: f.file, function: analysis.FuncName(f.decl), expr: e, lender: l, near: f.near(l)}
	for i, n := range slices.Backward(path) {
		if c, ok := n.(*ast.CommClause); ok && p.commented == nil && c.Comm != nil && syntax.Within(e, c.Comm) {
			p.commented = c
			continue
		}
		s, ok := n.(ast.Stmt)
		if ok && i > 0 && slices.Contains(listOf(path[i-1]), s) {
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
	switch t := f.info.TypeOf(e).Underlying().(type) {
	case *types.Slice:
		p.pkg = "slices"
		if b, ok := t.Elem().Underlying().(*types.Basic); ok && b.Kind() == types.Byte && types.Identical(f.info.TypeOf(e), types.NewSlice(types.Typ[types.Byte])) {
			p.pkg = "bytes"
		}
	case *types.Map:
		p.pkg = "maps"
	case *types.Pointer:
		if !f.byValue(e, t, l) {
			return nil
		}
		p.fresh = f.freeName("own")
	default:
		return nil
	}
	return p
}

// byValue reports whether a variable with the value of what a pointer points to is a copy.
func (f *finder) byValue(e ast.Expr, t *types.Pointer, l *lender) bool {
	if !syntax.Is(f.info, e, l.v) || analysis.HoldsLock(t.Elem()) {
		return false
	}
	s, ok := t.Elem().Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for field := range s.Fields() {
		switch field.Type().Underlying().(type) {
		case *types.Basic:
		default:
			return false
		}
	}
	return true
}

func (f *finder) freeName(name string) string {
	used := make(map[string]bool)
	for n := range ast.Preorder(f.decl) {
		if id, ok := n.(*ast.Ident); ok {
			used[id.Name] = true
		}
	}
	free := name
	for i := 2; used[free] || f.file.Package.Types.Scope().Lookup(free) != nil; i++ {
		free = name + strconv.Itoa(i)
	}
	return free
}

// near is where the memory of a lender is used: in the function, and in those that it calls
// with it.
func (f *finder) near(l *lender) []span {
	if f.spans[l] != nil {
		return f.spans[l]
	}
	out := []span{{f.file, f.decl.Pos(), f.decl.End()}}
	for n := range ast.Preorder(f.decl.Body) {
		call, ok := n.(*ast.CallExpr)
		if !ok || !slices.ContainsFunc(call.Args, func(e ast.Expr) bool { return f.memory(e) == l }) {
			continue
		}
		if fn := syntax.Callee(f.info, call.Fun); fn != nil {
			if s, ok := f.bodies[fn.Origin()]; ok {
				out = append(out, s)
			}
		}
	}
	f.spans[l] = out
	return out
}
