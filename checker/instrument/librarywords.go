package instrument

import (
	"fmt"
	"path/filepath"
	"slices"

	"mendel/analysis"
)

// What a program calls through an interface is known when it runs only. So it has the words
// about methods of the library's types with it: those of packages that it depends on. They
// are a package of their own, below the runtime. The rest of the runtime is the same for all
// programs, and compiled once.

// libraryPath is the import path of that package. The package with the entry imports it.
const libraryPath = runtimePath + "library"

// libraryFile is the name of its file.
func (in *Instrumenter) libraryFile() string {
	return filepath.Join(in.goroot, "src", filepath.FromSlash(libraryPath), "library.go")
}

// librarySource is the text of its file, with words about some packages; nil: about all.
func (in *Instrumenter) librarySource(paths []string) []byte {
	const text = "// Package library has what methods of the standard library do.\npackage library\n\nimport %q\n\nfunc init() {\n\teffects.Register(`%s`)\n}\n"
	return fmt.Appendf(nil, text, runtimePath+"sched/effects", in.options.Library.Lines(paths))
}

// importsMore reports whether packages import one of the library that the program does not
// depend on. What that depends on is not known.
func (in *Instrumenter) importsMore(pkgs map[string]*analysis.Package) bool {
	for _, pkg := range pkgs {
		for _, imported := range pkg.Types.Imports() {
			if _, known := slices.BinarySearch(in.depends, imported.Path()); !known && in.options.Library.Package(imported.Path()) {
				return true
			}
		}
	}
	return false
}
