package analysis

import (
	"go/ast"
	"go/types"
)

// A Declaration is a top-level declaration of a file.
type Declaration struct {
	File *File
	Decl ast.Decl
}

// Naming lists the declarations in which a variable is named, or gets a value in a
// composite literal without keys, in source order. The list must not be changed.
func (p *Program) Naming(v *types.Var) []Declaration { return p.naming()[v.Origin()] }

func (p *Program) findNaming() map[*types.Var][]Declaration {
	found := map[*types.Var][]Declaration{}
	for _, pkg := range p.Packages {
		for _, f := range pkg.Files {
			for _, d := range f.AST.Decls {
				here := Declaration{f, d}
				note := func(v *types.Var) {
					v = v.Origin()
					if list := found[v]; len(list) == 0 || list[len(list)-1] != here {
						found[v] = append(list, here)
					}
				}
				ast.Inspect(d, func(n ast.Node) bool {
					switch n := n.(type) {
					case *ast.Ident:
						if v, ok := pkg.Info.Uses[n].(*types.Var); ok {
							note(v)
						}
					case *ast.CompositeLit:
						eachUnkeyed(pkg.Info, n, note)
					}
					return true
				})
			}
		}
	}
	return found
}

// eachUnkeyed visits the fields that a literal without keys has values for.
func eachUnkeyed(info *types.Info, lit *ast.CompositeLit, visit func(*types.Var)) {
	t := info.TypeOf(lit)
	if t == nil || len(lit.Elts) == 0 {
		return
	}
	if _, keyed := lit.Elts[0].(*ast.KeyValueExpr); keyed {
		return
	}
	st, ok := deref(t).Underlying().(*types.Struct)
	if !ok {
		return
	}
	for i := range min(len(lit.Elts), st.NumFields()) {
		visit(st.Field(i))
	}
}
