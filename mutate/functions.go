package mutate

import (
	"go/ast"
	"go/types"
	"slices"

	"mendel/analysis"
	"mendel/analysis/syntax"
)

// Declared is the function that may be edited with a declaration; nil: there is none.
func (fn *Function) Declared(f *types.Func) *Function {
	if f == nil {
		return nil
	}
	return fn.space.declared[f]
}

// OfNode is the function of a declaration or literal of the program; nil if it may not be
// edited.
func (fn *Function) OfNode(node ast.Node) *Function { return fn.space.function(node) }

// OfPackage lists the functions of the function's package that may be edited, by file
// and in source order, the function among them. Not all of them are narrowed. The list is
// remembered and must not be changed.
//
// An operator is asked about each function: what it looks for in all of them it looks for
// once, with [Once], and keeps by what it will be asked for.
func (fn *Function) OfPackage() []*Function {
	s := fn.space
	all := s.byPackage.get(func() map[*analysis.Package][]*Function {
		found := make(map[*analysis.Package][]*Function)
		for _, f := range s.allFunctions() {
			if pkg := f.File.Package; !f.File.Test {
				found[pkg] = append(found[pkg], f)
			}
		}
		return found
	})[fn.File.Package]
	s.look(all)
	return slices.Clip(all)
}

// look notes that an operator goes through some functions.
func (s *Space) look(functions []*Function) {
	if s.looked != nil {
		s.looked(len(functions))
	}
}

// OfProgram lists the functions of the program that may be edited, as
// [Function.OfPackage] does those of a package, tests included where they may be.
func (fn *Function) OfProgram() []*Function {
	all := fn.space.allFunctions()
	fn.space.look(all)
	return all
}

// allFunctions lists the functions that may be edited, by file and in source order. The list
// must not be changed.
func (s *Space) allFunctions() []*Function {
	return slices.Clip(s.all.get(func() []*Function {
		var all []*Function
		for _, name := range s.fileNames {
			all = append(all, s.functions[name]...)
		}
		return all
	}))
}

// Around lists the functions of the function's declaration that it is in, outer ones first.
func (fn *Function) Around() []*Function {
	var around []*Function
	for _, outer := range fn.unit.functions {
		if outer != fn && outer.Node.Pos() <= fn.Node.Pos() && fn.Node.End() <= outer.Node.End() {
			around = append(around, outer)
		}
	}
	return around
}

// function is the function of a declaration or literal; nil if it may not be edited.
func (s *Space) function(node ast.Node) *Function {
	return s.byNode.get(func() map[ast.Node]*Function {
		known := make(map[ast.Node]*Function)
		for _, list := range s.functions {
			for _, fn := range list {
				known[fn.Node] = fn
			}
		}
		return known
	})[node]
}

// Declaration is a function of the program with its text alone, outside of tests, whether
// it may be edited or not; nil if there is none. What the narrowing says of it is what it says
// of this function's program.
func (fn *Function) Declaration(f *types.Func) *Function {
	to := fn.index.declaration(f)
	if to == nil {
		return nil
	}
	text := *to
	text.Narrowing, text.index = fn.Narrowing, fn.index
	return &text
}

// declaration finds a function's declaration, outside of tests; nil if it is not in the
// program.
func (ix *index) declaration(f *types.Func) *Function {
	return ix.declarations.get(func() map[*types.Func]*Function {
		found := make(map[*types.Func]*Function)
		for _, pkg := range ix.program.Packages {
			for _, f := range pkg.Files {
				if f.Test {
					continue
				}
				for _, d := range f.AST.Decls {
					decl, ok := d.(*ast.FuncDecl)
					if !ok || decl.Body == nil {
						continue
					}
					if obj, ok := pkg.Info.Defs[decl.Name].(*types.Func); ok {
						found[obj] = &Function{Program: ix.program, File: f, Node: decl, Body: decl.Body}
					}
				}
			}
		}
		return found
	})[f]
}

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
