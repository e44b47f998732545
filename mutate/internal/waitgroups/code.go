package waitgroups

import (
	"go/ast"
	"go/token"
	"go/types"
	"go/version"
	"slices"

	"mendel/analysis/syntax"
	"mendel/mutate"
)

// HasGo reports whether the function's file may use WaitGroup.Go, which came
// with Go 1.25.
func HasGo(fn *mutate.Function) bool {
	v := fn.File.Package.Info.FileVersions[fn.File.AST]
	if v == "" {
		v = fn.File.Package.Types.GoVersion()
	}
	return version.Compare(v, "go1.25") >= 0
}

// Local reports whether a group is a local variable of the function.
func Local(fn *mutate.Function, group mutate.Path) bool {
	v, ok := group.Root.(*types.Var)
	return ok && group.Rest == "" && v.Kind() == types.LocalVar && fn.Body.Pos() <= v.Pos() && v.Pos() < fn.Body.End()
}

// Contains reports whether a statement is, or has somewhere inside, another one.
func Contains(s, inner ast.Stmt) bool { return s.Pos() <= inner.Pos() && inner.End() <= s.End() }

// Assigns reports whether code gives a variable another value, or has its address.
func Assigns(fn *mutate.Function, code ast.Node, v types.Object) bool {
	is := func(e ast.Expr) bool { return syntax.Is(fn.File.Package.Info, e, v) }
	return syntax.Any(code, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.UnaryExpr:
			return n.Op == token.AND && is(n.X)
		case ast.Stmt:
			return slices.ContainsFunc(syntax.Assigned(n), is)
		}
		return false
	})
}
