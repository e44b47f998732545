package scenario

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"regexp"

	"mendel/analysis"
)

// A Touch is what a patch has to do with: the functions that it changes, and the fields and
// package variables that these use.
type Touch struct {
	functions map[*types.Func]bool
	variables map[*types.Var]bool
	locks     bool // a changed function takes a lock, before or after
}

// Touched compares some files of a program with the original.
func Touched(p *analysis.Program, files map[string][]byte) Touch {
	t := Touch{functions: map[*types.Func]bool{}, variables: map[*types.Var]bool{}}
	for name, text := range files {
		f := p.File(name)
		if f == nil || f.Test {
			continue
		}
		after := declarations(text)
		for _, d := range f.AST.Decls {
			fd, ok := d.(*ast.FuncDecl)
			if !ok || after[functionKey(fd)] == source(f, fd) {
				continue
			}
			if obj, ok := f.Package.Info.Defs[fd.Name].(*types.Func); ok {
				t.functions[obj] = true
				t.locks = t.locks || takesLock.MatchString(source(f, fd)) || takesLock.MatchString(after[functionKey(fd)])
				t.uses(f.Package.Info, fd)
			}
		}
	}
	return t
}

// takesLock finds calls that take a lock.
var takesLock = regexp.MustCompile(`\.(Try)?R?Lock\(\)`)

// uses adds the variables that a function uses.
func (t Touch) uses(info *types.Info, fd *ast.FuncDecl) {
	ast.Inspect(fd, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if v, ok := info.Uses[id].(*types.Var); ok && (v.IsField() || isPackageVariable(v)) && !synchronises(v.Type()) {
				t.variables[v.Origin()] = true
			}
		}
		return true
	})
}

// isPackageVariable says whether a variable is declared at package level.
func isPackageVariable(v *types.Var) bool {
	return v.Pkg() != nil && v.Parent() == v.Pkg().Scope()
}

// synchronises says whether values of a type come from sync or sync/atomic: no race is about them.
func synchronises(t types.Type) bool {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Pkg() != nil && (n.Obj().Pkg().Path() == "sync" || n.Obj().Pkg().Path() == "sync/atomic")
}

// declarations are the texts of a file's functions by their names.
func declarations(text []byte) map[string]string {
	all := map[string]string{}
	fset := token.NewFileSet()
	tree, err := parser.ParseFile(fset, "", text, parser.SkipObjectResolution)
	if err != nil {
		return all // whoever builds it will say so
	}
	for _, d := range tree.Decls {
		if fd, ok := d.(*ast.FuncDecl); ok {
			all[functionKey(fd)] = string(text[fset.Position(fd.Pos()).Offset:fset.Position(fd.End()).Offset])
		}
	}
	return all
}

// functionKey names a function within its package: "Hub.Publish".
func functionKey(fd *ast.FuncDecl) string {
	if fd.Recv == nil || len(fd.Recv.List) == 0 {
		return fd.Name.Name
	}
	t := fd.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
			continue
		case *ast.IndexExpr:
			t = x.X
			continue
		case *ast.IndexListExpr:
			t = x.X
			continue
		case *ast.ParenExpr:
			t = x.X
			continue
		case *ast.Ident:
			return x.Name + "." + fd.Name.Name
		}
		return "?." + fd.Name.Name
	}
}

// source is the text of a node of a file.
func source(f *analysis.File, n ast.Node) string {
	return string(f.Source[n.Pos()-f.AST.FileStart : n.End()-f.AST.FileStart])
}
