package analysis

import "go/types"

// HoldsLock reports whether values of a type must not be copied, because they
// hold a lock or another value that says so, as vet's copylocks judges.
func HoldsLock(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Array:
		return HoldsLock(t.Elem())
	case *types.Struct:
		for f := range t.Fields() {
			if HoldsLock(f.Type()) {
				return true
			}
		}
	case *types.Interface:
		return false
	}
	// A type whose pointer, and not whose value, has Lock and Unlock.
	return hasLock(types.NewPointer(t)) && !hasLock(t)
}

func hasLock(t types.Type) bool {
	set := types.NewMethodSet(t)
	return set.Lookup(nil, "Lock") != nil && set.Lookup(nil, "Unlock") != nil
}
