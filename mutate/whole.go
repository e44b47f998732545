package mutate

import (
	"go/ast"
	"slices"

	"mendel/analysis"
)

// A Whole is a program as composite edits see it: all functions that may be
// edited, and what the operators found in each alone.
type Whole struct {
	Program   *analysis.Program
	Narrowing *Narrowed
	Functions []*Function // narrowed ones, by file, in source order

	space *Space
	list  func(operator string) []Edit
	edits map[string][]Edit // what list has said; see EditsOf
	asked map[string]bool   // operators whose edits EditsOf was asked for; nil: nobody listens

	byFile map[*analysis.File][]*Function // Functions; see At
}

// EditsOf lists what a single operator found, by function. The list must not be changed.
func (w *Whole) EditsOf(operator string) []Edit {
	if w.asked != nil {
		w.asked[operator] = true
	}
	found, known := w.edits[operator]
	if !known {
		if w.edits == nil {
			w.edits = make(map[string][]Edit)
		}
		found = slices.Clip(w.list(operator))
		w.edits[operator] = found
	}
	return found
}

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

// Try makes the mutant of an edit, composite ones included, without printing
// and type-checking it. It returns flags that the mutant would have, maybe not all; ok is false
// when it is refused. It is for operators that make edits of others.
func (w *Whole) Try(e Edit) (flags []Flag, ok bool) { return w.space.try(e) }

// Applies reports whether Try gives a mutant. It does not ask for the flags.
func (w *Whole) Applies(e Edit) bool { return w.space.applies(e) }
