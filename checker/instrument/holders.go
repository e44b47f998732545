package instrument

import (
	"go/types"
	"slices"

	"mendel/analysis"
)

// holders are the names of a package's variables through which channels may be
// reached, sorted.
func holders(pkg *analysis.Package) []string {
	keep := kept(pkg)
	var names []string
	for _, name := range pkg.Types.Scope().Names() {
		v, ok := pkg.Types.Scope().Lookup(name).(*types.Var)
		if ok && !keep[name] && holds(v.Type(), map[types.Type]bool{}) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// holds reports whether values of a type may lead to a channel. Functions may, but
// nobody can look into them.
func holds(t types.Type, seen map[types.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	switch u := t.Underlying().(type) {
	case *types.Chan, *types.TypeParam:
		return true
	case *types.Interface:
		return !types.Identical(t, types.Universe.Lookup("error").Type())
	case *types.Pointer:
		return holds(u.Elem(), seen)
	case *types.Slice:
		return holds(u.Elem(), seen)
	case *types.Array:
		return holds(u.Elem(), seen)
	case *types.Map:
		return holds(u.Key(), seen) || holds(u.Elem(), seen)
	case *types.Struct:
		for f := range u.Fields() {
			if holds(f.Type(), seen) {
				return true
			}
		}
	}
	return false
}
