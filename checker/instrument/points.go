package instrument

import (
	"maps"
	"slices"

	"mendel/analysis"
	"mendel/checker/incremental"
	"mendel/internal/rewrite"
)

// mark marks what executions reach in the packages of the tests and those that were
// changed, which have clones of their own in a Batch. The others belong to the rest, and
// so do tests, which mutants hardly ever change.
func (in *Instrumenter) mark(r *Rewritten) error {
	marked := map[string][]byte{}
	own := in.testPackages()
	var k incremental.Marker
	for _, path := range slices.Sorted(maps.Keys(r.packages)) {
		pkg := r.packages[path]
		for _, name := range r.added[path] {
			k.Plain(name, r.Overlay[name])
		}
		k.Plain(path, order(pkg))
		changed := slices.Contains(own, path) || !slices.Contains(in.program.Packages, pkg)
		alias := rewrite.FreeName(pkg, "zzpoint")
		for _, f := range pkg.Files {
			name := in.fileName(pkg, f.Name)
			text := r.textOf(f, name)
			if !changed || f.Test {
				k.Plain(name, text)
				continue
			}
			var err error
			if marked[name], err = k.Mark(name, text, alias, runtimePath+"sched"); err != nil {
				return err
			}
		}
	}
	if r.Points, _ = k.Points(); r.Points != nil {
		maps.Copy(r.Overlay, marked)
	}
	return nil
}

// order is the order in which a package's variables are initialised. What a function
// names decides it, wherever executions come.
func order(pkg *analysis.Package) []byte {
	var names []byte
	for _, i := range pkg.Info.InitOrder {
		for _, v := range i.Lhs {
			names = append(names, v.Name()+" "...)
		}
	}
	return names
}

// textOf is a file as it is compiled.
func (r *Rewritten) textOf(f *analysis.File, name string) []byte {
	if text, ok := r.Overlay[name]; ok {
		return text
	}
	return f.Source
}
