package tree

import (
	"fmt"
	"go/ast"
	"go/parser"

	"github.com/dave/dst"
	"github.com/dave/dst/decorator"
)

// Snippet makes the trees of statements that are given as Go writes them,
// comments included.
func Snippet(src string) ([]dst.Stmt, error) {
	f, err := decorator.Parse("package p\n\nfunc _() {\n" + src + "\n}\n")
	if err != nil {
		return nil, fmt.Errorf("parsing %q: %w", src, err)
	}
	body := dst.Clone(f.Decls[0].(*dst.FuncDecl).Body).(*dst.BlockStmt)
	return body.List, nil
}

// Expr makes the tree of an expression that is given as Go writes it. One that
// does not parse becomes an identifier, for the type check to refuse.
func Expr(expr string) dst.Expr {
	if e, err := parser.ParseExpr(expr); err == nil {
		if plain := plainExpr(e); plain != nil {
			return plain
		}
	}
	f, err := decorator.Parse("package p\n\nvar _ = " + expr + "\n")
	if err == nil && len(f.Decls) == 1 {
		if d, ok := f.Decls[0].(*dst.GenDecl); ok && len(d.Specs) == 1 {
			if spec, ok := d.Specs[0].(*dst.ValueSpec); ok && len(spec.Values) == 1 {
				return dst.Clone(spec.Values[0]).(dst.Expr)
			}
		}
	}
	return dst.NewIdent(expr)
}

// plainExpr is the tree of an expression of names and selectors, as most locks
// are written; nil of others. The decorator takes far longer.
func plainExpr(e ast.Expr) dst.Expr {
	switch e := e.(type) {
	case *ast.Ident:
		return dst.NewIdent(e.Name)
	case *ast.SelectorExpr:
		if x := plainExpr(e.X); x != nil {
			return &dst.SelectorExpr{X: x, Sel: dst.NewIdent(e.Sel.Name)}
		}
	}
	return nil
}

// CallOf is the call that a statement in an edited tree only makes, at once or deferred;
// nil if it is no such statement.
func CallOf(s dst.Node) *dst.CallExpr {
	switch s := s.(type) {
	case *dst.ExprStmt:
		call, _ := s.X.(*dst.CallExpr)
		return call
	case *dst.DeferStmt:
		return s.Call
	}
	return nil
}
