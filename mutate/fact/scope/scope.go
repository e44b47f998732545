package scope

import (
	"go/ast"
	"go/token"
	"go/types"
	"strconv"

	"mendel/mutate"
)

// Means reports whether an expression of names and selectors that a function
// uses means the same at another position of its file: the variable it starts
// with is in scope there under its name.
func Means(fn *mutate.Function, e ast.Expr, at token.Pos) bool {
	root := fn.Path(e).Root
	if root == nil {
		return false
	}
	inner := fn.File.Package.Types.Scope().Innermost(at)
	if inner == nil {
		return false
	}
	_, found := inner.LookupParent(root.Name(), at)
	return found == root
}

// FreeName is the first of name, name2, name3 ... that neither the declaration
// around a function nor its package nor its file uses for anything.
func FreeName(fn *mutate.Function, name string) string {
	used := fn.Program.NamesAt(fn.File, fn.Node.Pos())
	inner := fn.File.Package.Types.Scope().Innermost(fn.Body.Pos())
	free := func(name string) bool {
		if used[name] {
			return false
		}
		if inner == nil {
			return types.Universe.Lookup(name) == nil
		}
		_, found := inner.LookupParent(name, token.NoPos)
		return found == nil
	}
	candidate := name
	for i := 2; !free(candidate); i++ {
		candidate = name + strconv.Itoa(i)
	}
	return candidate
}
