package locked

import (
	"go/ast"

	"mendel/analysis/syntax"
	"mendel/mutate"
)

// ByReceiver reports whether the section's lock belongs to the method's receiver.
func ByReceiver(fn *mutate.Function, s *mutate.Section) bool {
	decl, ok := fn.Node.(*ast.FuncDecl)
	base := syntax.Root(s.Expr)
	if !ok || base == nil || decl.Recv == nil || len(decl.Recv.List) == 0 {
		return false
	}
	for _, name := range decl.Recv.List[0].Names {
		if fn.File.Package.Info.ObjectOf(name) == fn.File.Package.Info.ObjectOf(base) {
			return true
		}
	}
	return false
}
