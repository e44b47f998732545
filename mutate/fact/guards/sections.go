package guards

import (
	"go/types"

	"mendel/mutate"
)

// Sections counts the critical sections of the program, tests left out,
// that hold a lock with a key and name a variable.
func Sections(fn *mutate.Function, key string, v *types.Var) int {
	return guardedBy(fn, key)[v.Origin()]
}
