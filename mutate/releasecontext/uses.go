package releasecontext

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/exits"
)

// unreleased reports whether a resource with a name stays in the function and is
// not released there, or not on every path; it sets the form then.
func unreleased(fn *mutate.Function, r *resource, behind ast.Stmt) bool {
	u := &uses{fn: fn, r: r}
	syntax.Walk(fn.Body, func(n ast.Node, path []ast.Node) {
		if id, ok := n.(*ast.Ident); ok && fn.File.Package.Info.Uses[id] == r.owner {
			u.path = path
			u.use(id)
		}
	})
	switch {
	case u.leaves || u.otherwise || len(u.plain) > 1:
		return false
	case len(u.plain) == 0:
		r.form = formDefer
		return true
	}
	stmt := u.plain[0]
	if fn.Loops(stmt) || !skipped(fn, behind, stmt) {
		return false
	}
	r.form, r.plain = formMove, stmt
	return true
}

// skipped reports whether the second statement may not come after the first: an
// exit stands between them, or the second is in a branch.
func skipped(fn *mutate.Function, from, to ast.Stmt) bool {
	statements := fn.Statements()
	owner := func(s ast.Stmt) ast.Node { return mutate.Innermost(statements, s).Owner }
	if owner(from) != owner(to) {
		return true
	}
	for _, exit := range exits.Of(fn, fn.Body.List...) {
		if from.End() <= exit.Pos() && exit.End() <= to.Pos() {
			return true
		}
	}
	return false
}

// uses is how a function uses a resource.
type uses struct {
	fn        *mutate.Function
	r         *resource
	leaves    bool
	otherwise bool       // released elsewhere than in a plain statement
	plain     []ast.Stmt // releases that are statements of the function's own
	path      []ast.Node // to the use that is judged
}

// use judges one use of the variable by what is around it.
func (u *uses) use(id *ast.Ident) {
	i := len(u.path) - 1
	var e ast.Expr = id
	released := u.r.typ == nil && u.r.field == "" // the variable itself is what releases
	if sel, ok := u.path[i].(*ast.SelectorExpr); ok && !released {
		e, i = sel, i-1
		if u.r.typ == nil {
			released = sel.Sel.Name == u.r.field
		} else {
			released = isRelease(sel.Sel.Name)
		}
		if !released {
			return // another field or method
		}
	}
	if released {
		u.release(i, e)
		return
	}
	u.value(i, e)
}

// release judges a use of what releases: called in a statement, or assigned to,
// or anything else.
func (u *uses) release(i int, e ast.Expr) {
	switch parent := u.path[i].(type) {
	case *ast.AssignStmt:
		for _, l := range parent.Lhs {
			if ast.Unparen(l) == e {
				return
			}
		}
	case *ast.CallExpr:
		stmt, ok := u.path[i-1].(*ast.ExprStmt)
		if ok && parent.Fun == e && !u.inLiteral() {
			u.plain = append(u.plain, stmt)
			return
		}
	}
	u.otherwise = true
}

func (u *uses) inLiteral() bool {
	for _, n := range u.path {
		if _, ok := n.(*ast.FuncLit); ok {
			return true
		}
	}
	return false
}

// value judges a use of the value as a whole.
func (u *uses) value(i int, e ast.Expr) {
	for ; i >= 0; i-- {
		switch p := u.path[i].(type) {
		case *ast.ParenExpr, *ast.StarExpr:
			e = p.(ast.Expr)
			continue
		case *ast.UnaryExpr:
			e = p
			continue
		case *ast.BinaryExpr, *ast.TypeAssertExpr:
		case *ast.CallExpr:
			if id, ok := p.Fun.(*ast.Ident); ok && id.Name == "append" {
				u.leaves = true
			}
			u.r.given = true
		case *ast.AssignStmt:
			for _, r := range p.Rhs {
				u.leaves = u.leaves || r == e
			}
		case *ast.RangeStmt:
		default:
			u.leaves = true
		}
		return
	}
}

// eachWait visits the places where a goroutine can wait for the resource to be
// released: for a context, receives from Done of any; for a value, what
// methods of its type and what the call that makes it do.
func (r *resource) eachWait(fn *mutate.Function, visit func(ast.Node)) {
	within := func(d ast.Decl) bool { return true }
	if r.typ != nil {
		base := strings.TrimPrefix(types.TypeString(r.typ, nil), "*")
		within = func(d ast.Decl) bool {
			decl, ok := d.(*ast.FuncDecl)
			return ok && (receiverType(fn, decl) == base || r.calls(fn, decl))
		}
	}
	for _, pkg := range fn.Program.Packages {
		for _, f := range pkg.Files {
			for _, d := range f.AST.Decls {
				if !within(d) {
					continue
				}
				ast.Inspect(d, func(n ast.Node) bool {
					if waits(n, r.typ == nil) {
						visit(n)
					}
					return true
				})
			}
		}
	}
}

// calls reports whether the statement that makes the resource calls a declared function.
func (r *resource) calls(fn *mutate.Function, decl *ast.FuncDecl) bool {
	for _, c := range fn.Calls(r.made) {
		if c.To.Node == decl {
			return true
		}
	}
	return false
}

func receiverType(fn *mutate.Function, decl *ast.FuncDecl) string {
	if decl.Recv == nil || len(decl.Recv.List) == 0 {
		return ""
	}
	for _, pkg := range fn.Program.Packages {
		if f, ok := pkg.Info.Defs[decl.Name].(*types.Func); ok {
			return strings.TrimPrefix(types.TypeString(f.Signature().Recv().Type(), nil), "*")
		}
	}
	return ""
}

// waits reports whether a node is an operation on a channel; of contexts only
// receives from Done count.
func waits(n ast.Node, context bool) bool {
	switch n := n.(type) {
	case *ast.UnaryExpr:
		if n.Op != token.ARROW {
			return false
		}
		call, ok := ast.Unparen(n.X).(*ast.CallExpr)
		if !ok {
			return !context
		}
		sel, ok := call.Fun.(*ast.SelectorExpr)
		return !context || ok && sel.Sel.Name == "Done"
	case *ast.SelectStmt, *ast.RangeStmt, *ast.SendStmt:
		return !context || isSelect(n)
	}
	return false
}

func isSelect(n ast.Node) bool {
	_, ok := n.(*ast.SelectStmt)
	return ok
}
