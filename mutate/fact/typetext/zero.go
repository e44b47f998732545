package typetext

import (
	"go/token"
	"go/types"

	"mendel/mutate"
)

// Zero writes the zero value of a type as code at a place of the function
// would; ok is false if the type cannot be named there.
func Zero(fn *mutate.Function, t types.Type, at token.Pos) (text string, ok bool) {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsBoolean != 0:
			return "false", true
		case u.Info()&types.IsString != 0:
			return `""`, true
		case u.Info()&types.IsNumeric != 0:
			return "0", true
		}
		return "nil", u.Kind() == types.UnsafePointer
	case *types.Struct, *types.Array:
		name, ok := Of(fn, t, at)
		return name + "{}", ok
	}
	if _, param := types.Unalias(t).(*types.TypeParam); param {
		name, ok := Of(fn, t, at)
		return "*new(" + name + ")", ok
	}
	return "nil", true
}
