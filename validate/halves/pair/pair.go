package pair

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/scanner"
	"go/token"
	"go/types"
	"slices"

	"mendel/analysis"
	"mendel/mutate"
)

// A Finding is a place that a patch leaves, or at which it does half of what it should.
type Finding struct {
	File string // module-relative
	Line int    // of the patched file
	Func string
	What string // the sentence, without the place
	Flag mutate.Flag
}

// A Finder finds the places of one sort.
type Finder func(*Change) []Finding

// A Change is of some packages.
type Change struct{ Before, After *Version }

// New is the change of a program some packages of which are replaced, as [analysis.Program.Recheck] returns them.
func New(p *analysis.Program, fset *token.FileSet, pkgs []*analysis.Package) *Change {
	was := slices.DeleteFunc(slices.Clone(p.Packages), func(o *analysis.Package) bool {
		return !slices.ContainsFunc(pkgs, func(n *analysis.Package) bool { return n.Path == o.Path })
	})
	return &Change{Before: Read(p.Fset, was), After: Read(fset, pkgs)}
}

// Changed reports whether a function's text has changed, or is new.
func (c *Change) Changed(fn *Function) bool {
	was := c.Before.Named[fn.FullName]
	return was == nil || !slices.Equal(was.tokens, fn.tokens)
}

// At is a finding in a function after the change.
func (c *Change) At(fn *Function, pos token.Pos, format string, args ...any) Finding {
	return Finding{
		File: fn.File.Rel, Line: c.After.Fset.PositionFor(pos, false).Line,
		Func: analysis.FuncName(fn.FuncDecl), What: fmt.Sprintf(format, args...), Flag: mutate.LeftElsewhere,
	}
}

// Find lists what finders find, each in the order of the places.
func (c *Change) Find(finders ...Finder) (found []Finding) {
	for _, find := range finders {
		list := find(c)
		slices.SortStableFunc(list, func(a, b Finding) int {
			return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.What, b.What))
		})
		found = append(found, slices.Compact(list)...)
	}
	return found
}

// A Version is the packages before or after the change.
type Version struct {
	Fset     *token.FileSet
	Packages []*analysis.Package
	Funcs    []*Function
	Named    map[string]*Function // by [Function.FullName]
}

// A Function is a declared one; tests have none.
type Function struct {
	*ast.FuncDecl
	FullName string // "(*example.com/farm.Farm).Render"
	File     *analysis.File
	tokens   []string
}

// Info has the types of the function's package.
func (fn *Function) Info() *types.Info { return fn.File.Package.Info }

// A Place is a node of a function, such as one that a patch leaves.
type Place struct {
	In *Function
	At ast.Node
}

// Read lists the functions of packages, but for those of tests and of generated files.
func Read(fset *token.FileSet, pkgs []*analysis.Package) *Version {
	v := &Version{Fset: fset, Packages: pkgs, Named: make(map[string]*Function)}
	for _, pkg := range pkgs {
		for _, f := range pkg.Files {
			if f.Test || f.Generated {
				continue
			}
			for _, d := range f.AST.Decls {
				decl, ok := d.(*ast.FuncDecl)
				if !ok || decl.Body == nil {
					continue
				}
				obj, ok := pkg.Info.Defs[decl.Name].(*types.Func)
				if !ok {
					continue
				}
				fn := &Function{FuncDecl: decl, FullName: obj.FullName(), File: f}
				fn.tokens = v.Tokens(f, decl)
				v.Funcs, v.Named[fn.FullName] = append(v.Funcs, fn), fn
			}
		}
	}
	return v
}

// Tokens are those of a node, without comments; texts count as equal.
func (v *Version) Tokens(f *analysis.File, n ast.Node) (list []string) {
	from, to := v.Fset.PositionFor(n.Pos(), false).Offset, v.Fset.PositionFor(n.End(), false).Offset
	if from < 0 || to > len(f.Source) || from > to {
		return nil
	}
	source := f.Source[from:to]
	set := token.NewFileSet()
	var s scanner.Scanner
	s.Init(set.AddFile("", -1, len(source)), source, nil, 0)
	for {
		_, t, text := s.Scan()
		switch {
		case t == token.EOF:
			return list
		case t == token.STRING, t == token.CHAR:
			list = append(list, t.String())
		case t == token.IDENT || t.IsLiteral():
			list = append(list, text)
		default:
			list = append(list, t.String())
		}
	}
}
