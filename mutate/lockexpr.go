package mutate

import (
	"go/ast"
	"go/token"
	"go/types"

	"mendel/analysis/syntax"
)

// sameExpr reports whether two expressions of the function certainly mean the
// same variable as long as nothing they are made of is assigned to: names are
// compared by what they denote, and an expression with a call in it is never
// the same as another.
func (fn *Function) sameExpr(a, b ast.Expr) bool {
	switch a := ast.Unparen(a).(type) {
	case *ast.Ident:
		b, ok := ast.Unparen(b).(*ast.Ident)
		return ok && fn.object(a) != nil && fn.object(a) == fn.object(b)
	case *ast.BasicLit:
		b, ok := ast.Unparen(b).(*ast.BasicLit)
		return ok && a.Kind == b.Kind && a.Value == b.Value
	case *ast.SelectorExpr:
		b, ok := ast.Unparen(b).(*ast.SelectorExpr)
		return ok && fn.object(a.Sel) != nil && fn.object(a.Sel) == fn.object(b.Sel) && fn.sameBase(a.X, b.X)
	case *ast.StarExpr:
		b, ok := ast.Unparen(b).(*ast.StarExpr)
		return ok && fn.sameExpr(a.X, b.X)
	case *ast.UnaryExpr:
		b, ok := ast.Unparen(b).(*ast.UnaryExpr)
		return ok && a.Op == b.Op && a.Op != token.ARROW && fn.sameExpr(a.X, b.X)
	case *ast.IndexExpr:
		b, ok := ast.Unparen(b).(*ast.IndexExpr)
		return ok && fn.sameExpr(a.X, b.X) && fn.sameExpr(a.Index, b.Index)
	case *ast.BinaryExpr:
		b, ok := ast.Unparen(b).(*ast.BinaryExpr)
		return ok && a.Op == b.Op && fn.sameExpr(a.X, b.X) && fn.sameExpr(a.Y, b.Y)
	}
	return false
}

// sameBase is sameExpr for what a selector selects from, where a package's name counts.
func (fn *Function) sameBase(a, b ast.Expr) bool {
	ida, oka := a.(*ast.Ident)
	idb, okb := b.(*ast.Ident)
	if oka && okb {
		pa, oka := fn.object(ida).(*types.PkgName)
		pb, okb := fn.object(idb).(*types.PkgName)
		if oka && okb {
			return pa.Imported() == pb.Imported()
		}
	}
	return fn.sameExpr(a, b)
}

// object is what a name denotes; nil where nothing is known.
func (fn *Function) object(id *ast.Ident) types.Object {
	return fn.File.Package.Info.ObjectOf(id)
}

// dependsOn reports whether assigning to target changes what an expression
// means: the target is the expression, its base, a pointer or an index in it.
func (fn *Function) dependsOn(expr, target ast.Expr) bool {
	target = ast.Unparen(target)
	if star, ok := target.(*ast.StarExpr); ok {
		target = ast.Unparen(star.X)
	}
	return syntax.Any(expr, func(n ast.Node) bool {
		e, ok := n.(ast.Expr)
		return ok && fn.sameExpr(e, target)
	})
}

// root is the leftmost name of an expression such as a.b[i].mu; nil if it starts with anything else.
func root(e ast.Expr) *ast.Ident {
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.Ident:
			return x
		case *ast.SelectorExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.UnaryExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		default:
			return nil
		}
	}
}
