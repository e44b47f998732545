package mutate

import (
	"go/ast"

	"mendel/analysis"
)

// All lists the functions that may be edited, narrowed or not, by file and in
// source order: what belongs together may lie in functions that no evidence names.
func (w *Whole) All() []*Function {
	all := w.space.allFunctions()
	w.space.look(all)
	return all
}

// At is the innermost of the narrowed functions around a node of a file; nil: none is.
func (w *Whole) At(f *analysis.File, n ast.Node) (innermost *Function) {
	if w.byFile == nil {
		w.byFile = make(map[*analysis.File][]*Function)
		for _, fn := range w.Functions {
			w.byFile[fn.File] = append(w.byFile[fn.File], fn)
		}
	}
	for _, fn := range w.byFile[f] {
		if fn.Node.Pos() <= n.Pos() && n.End() <= fn.Node.End() {
			innermost = fn
		}
	}
	return innermost
}

// ID is the NodeID of a node of one of the program's files.
func (w *Whole) ID(f *analysis.File, n ast.Node) (id int, ok bool) {
	return w.space.trees.Original(f).ID(n)
}

// Editable reports whether a file may be edited.
func (w *Whole) Editable(f *analysis.File) bool { return w.space.functions[f.Rel] != nil }
