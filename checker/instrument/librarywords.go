package instrument

import (
	"fmt"
	"path/filepath"
	"slices"
)

// What a program calls through an interface is known when it runs only. So it has with it the
// words about methods of the library's types, as far as it depends on their packages. They
// are in a package of their own, below the runtime: all else of the runtime is the same for
// all programs, and compiled once. Mutants of a program share that package, too.

// libraryPath is the import path of that package. The package with the entry imports it.
const libraryPath = runtimePath + "library"

// libraryFile is the name of its file.
func (in *Instrumenter) libraryFile() string {
	return filepath.Join(in.goroot, "src", filepath.FromSlash(libraryPath), "library.go")
}

// librarySource is the text of its file. A mutant depends on no other packages than the
// program: analysis.Program.Recheck refuses it.
func (in *Instrumenter) librarySource() []byte {
	const text = "// Package library has what methods of the standard library do.\npackage library\n\nimport %q\n\nfunc init() {\n\teffects.Register(`%s`)\n}\n"
	known := slices.DeleteFunc(in.program.Library(), func(path string) bool { return in.facts[path] != nil }) // which tell themselves
	return fmt.Appendf(nil, text, runtimePath+"sched/effects", in.options.Library.Lines(known))
}
