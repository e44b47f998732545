package rewrite

import (
	"bytes"
	"slices"
	"strconv"

	"mendel/analysis"
)

// FreeName is a name that no identifier of a package begins with: the one asked for, if
// it is free.
func FreeName(pkg *analysis.Package, name string) string {
	free := name
	for n := 2; slices.ContainsFunc(pkg.Files, func(f *analysis.File) bool { return bytes.Contains(f.Source, []byte(free)) }); n++ {
		free = name + strconv.Itoa(n) + "_"
	}
	return free
}
