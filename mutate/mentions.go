package mutate

import (
	"go/ast"
	"go/types"
	"slices"

	"mendel/analysis"
	"mendel/analysis/syntax"
)

// A Mention is a place of the program that names a function, to call it or not.
type Mention struct {
	File *analysis.File
	Name *ast.Ident
}

// Mentions lists the places that name a function or an instance of it, tests included, by
// package, by file and in source order. The list must not be changed.
func (fn *Function) Mentions(f *types.Func) []Mention {
	return slices.Clip(fn.index.mentions[f.Origin()])
}

// AskedFor reports whether the program, tests included, names a method of an interface with
// a name: a method of that name may be called by it.
func (fn *Function) AskedFor(method string) bool {
	_, named := fn.index.methods[method]
	return named
}

// Path are the nodes of the file around the name, outer ones first.
func (m Mention) Path() []ast.Node { return syntax.Path(m.File.AST, m.Name) }
