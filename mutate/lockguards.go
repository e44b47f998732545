package mutate

import "go/types"

// SectionsUsing counts the critical sections of the program, tests left out,
// that hold a lock with a key and name a variable.
func (fn *Function) SectionsUsing(key string, v *types.Var) int {
	return fn.index.guardedBy(fn.Program, key)[v.Origin()]
}
