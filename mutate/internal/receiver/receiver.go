package receiver

import (
	"go/ast"
	"go/types"

	"mendel/mutate"
)

// A Receiver is that of a method.
type Receiver struct {
	Method *mutate.Function
	Name   *ast.Ident
	Type   *types.TypeName // of the value, or of what it points to; that of the generic type
}

// Of is the receiver of the method that a function is, or that it stands in; ok is false where there is none with a name.
func Of(fn *mutate.Function) (r Receiver, ok bool) {
	r.Method = fn
	if around := fn.Around(); len(around) > 0 {
		r.Method = around[0]
	}
	decl, ok := r.Method.Node.(*ast.FuncDecl)
	if !ok || decl.Recv == nil || len(decl.Recv.List) != 1 || len(decl.Recv.List[0].Names) != 1 {
		return Receiver{}, false
	}
	r.Name = decl.Recv.List[0].Names[0]
	t := types.Unalias(fn.File.Package.Info.TypeOf(decl.Recv.List[0].Type))
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	named, ok := t.(*types.Named)
	if !ok {
		return Receiver{}, false
	}
	r.Type = named.Origin().Obj()
	return r, true
}
