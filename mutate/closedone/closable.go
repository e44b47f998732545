package closedone

import (
	"go/ast"
	"go/types"
	"slices"

	"mendel/analysis"
	"mendel/mutate"
	"mendel/mutate/internal/donefield"
)

// A closable is a type of values that somebody closes, and that could say so by a channel.
type closable struct {
	donefield.Field
	method *ast.FuncDecl // that closes, with a receiver that has a name
	in     *analysis.File
}

// methods are those that end the use of a value, the likeliest first.
var methods = []string{"Close", "Cancel", "Stop", "Shutdown", "Unsubscribe", "close", "cancel", "stop", "shutdown", "unsubscribe"}

// closableOf is the closable type that an expression of the function has; ok is
// false if its type is no such.
func closableOf(fn *mutate.Function, e ast.Expr) (c closable, ok bool) {
	if c.Field, ok = donefield.Of(fn, e, "Once"); !ok {
		return c, false
	}
	for _, f := range fn.File.Package.Files {
		for _, d := range f.AST.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && typeOf(f.Package.Info, d) == c.Type {
				c.closes(f, d)
			}
		}
	}
	return c, c.method != nil
}

// typeOf is the type that a method is one of the pointers to; nil for others.
func typeOf(info *types.Info, d *ast.FuncDecl) *types.TypeName {
	if d.Recv == nil || d.Body == nil || len(d.Recv.List) != 1 || len(d.Recv.List[0].Names) != 1 || d.Recv.List[0].Names[0].Name == "_" {
		return nil
	}
	star, ok := d.Recv.List[0].Type.(*ast.StarExpr)
	if !ok {
		return nil
	}
	named, ok := types.Unalias(info.TypeOf(star.X)).(*types.Named)
	if !ok {
		return nil
	}
	return named.Origin().Obj()
}

// closes notes a method if it is the likeliest so far to close.
func (c *closable) closes(f *analysis.File, d *ast.FuncDecl) {
	rank := slices.Index(methods, d.Name.Name)
	if rank < 0 || f.Test || f.Generated || c.method != nil && slices.Index(methods, c.method.Name.Name) < rank {
		return
	}
	c.method, c.in = d, f
}
