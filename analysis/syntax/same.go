package syntax

import (
	"go/ast"
	"go/token"
	"go/types"
)

// Same reports whether two expressions certainly mean the
// same variable as long as nothing they are made of is assigned to: names are
// compared by what they denote, and an expression with a call in it is never
// the same as another.
func Same(info *types.Info, a, b ast.Expr) bool {
	switch a := ast.Unparen(a).(type) {
	case *ast.Ident:
		b, ok := ast.Unparen(b).(*ast.Ident)
		return ok && info.ObjectOf(a) != nil && info.ObjectOf(a) == info.ObjectOf(b)
	case *ast.BasicLit:
		b, ok := ast.Unparen(b).(*ast.BasicLit)
		return ok && a.Kind == b.Kind && a.Value == b.Value
	case *ast.SelectorExpr:
		b, ok := ast.Unparen(b).(*ast.SelectorExpr)
		return ok && info.ObjectOf(a.Sel) != nil && info.ObjectOf(a.Sel) == info.ObjectOf(b.Sel) && sameBase(info, a.X, b.X)
	case *ast.StarExpr:
		b, ok := ast.Unparen(b).(*ast.StarExpr)
		return ok && Same(info, a.X, b.X)
	case *ast.UnaryExpr:
		b, ok := ast.Unparen(b).(*ast.UnaryExpr)
		return ok && a.Op == b.Op && a.Op != token.ARROW && Same(info, a.X, b.X)
	case *ast.IndexExpr:
		b, ok := ast.Unparen(b).(*ast.IndexExpr)
		return ok && Same(info, a.X, b.X) && Same(info, a.Index, b.Index)
	case *ast.BinaryExpr:
		b, ok := ast.Unparen(b).(*ast.BinaryExpr)
		return ok && a.Op == b.Op && Same(info, a.X, b.X) && Same(info, a.Y, b.Y)
	}
	return false
}

// sameBase is Same for what a selector selects from, where a package's name counts.
func sameBase(info *types.Info, a, b ast.Expr) bool {
	ida, oka := a.(*ast.Ident)
	idb, okb := b.(*ast.Ident)
	if oka && okb {
		pa, oka := info.ObjectOf(ida).(*types.PkgName)
		pb, okb := info.ObjectOf(idb).(*types.PkgName)
		if oka && okb {
			return pa.Imported() == pb.Imported()
		}
	}
	return Same(info, a, b)
}

// DependsOn reports whether assigning to target changes what an expression
// means: the target is the expression, its base, a pointer or an index in it.
func DependsOn(info *types.Info, expr, target ast.Expr) bool {
	target = ast.Unparen(target)
	if star, ok := target.(*ast.StarExpr); ok {
		target = ast.Unparen(star.X)
	}
	return Any(expr, func(n ast.Node) bool {
		e, ok := n.(ast.Expr)
		return ok && Same(info, e, target)
	})
}

// Root is the leftmost name of an expression such as a.b[i].mu; nil if it starts with anything else.
func Root(e ast.Expr) *ast.Ident {
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

// OneInstance reports whether an expression means the same lock wherever it is
// written: a package-level variable or a field of one, no element.
func OneInstance(info *types.Info, lock ast.Expr) bool {
	id := Root(lock)
	if id == nil {
		return false
	}
	indexed := false
	ast.Inspect(lock, func(n ast.Node) bool {
		_, index := n.(*ast.IndexExpr)
		indexed = indexed || index
		return true
	})
	if indexed {
		return false
	}
	switch obj := info.ObjectOf(id).(type) {
	case *types.PkgName:
		return true
	case *types.Var:
		return obj.Pkg() != nil && obj.Parent() == obj.Pkg().Scope()
	}
	return false
}

// Unembedded leaves out the embedded fields that an expression ends in, which
// need not be written: a for a.books when books is embedded.
func Unembedded(info *types.Info, e ast.Expr) ast.Expr {
	for {
		sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
		if !ok {
			return e
		}
		if v, ok := info.ObjectOf(sel.Sel).(*types.Var); !ok || !v.Embedded() {
			return e
		}
		e = sel.X
	}
}

// PackageLevel reports whether an object is declared by its package, outside of functions.
func PackageLevel(obj types.Object) bool {
	return obj.Pkg() != nil && obj.Parent() == obj.Pkg().Scope()
}

// FromSync reports whether a type is one of package sync.
func FromSync(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "sync"
}
