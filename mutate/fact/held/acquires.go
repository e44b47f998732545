package held

import (
	"go/ast"
	"slices"

	"mendel/mutate"
)

// Acquires reports whether a call may acquire a lock with a key in what it calls.
func Acquires(fn *mutate.Function, call *ast.CallExpr, key string) bool {
	return slices.Contains(fn.Program.Acquires(fn.File, call), key)
}

// AcquiresOf are the keys of the locks that a call may acquire in what it calls.
func AcquiresOf(fn *mutate.Function, call *ast.CallExpr) []string {
	return slices.Clone(fn.Program.Acquires(fn.File, call))
}
