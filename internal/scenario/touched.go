package scenario

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"

	"mendel/analysis"
	"mendel/analysis/syntax"
)

// A Touch is what a patch has to do with: the functions that it changes, and the fields and
// package variables that these use, with the fields of unexported structs in lists and maps of theirs.
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
			if !ok {
				continue
			}
			now, there := after[functionKey(fd)]
			if there && now.text == source(f, fd) {
				continue
			}
			if obj, ok := f.Package.Info.Defs[fd.Name].(*types.Func); ok {
				t.functions[obj] = true
				t.locks = t.locks || takesLock(fd) || there && takesLock(now.decl)
				t.uses(f.Package.Info, fd)
			}
		}
	}
	return t
}

// takesLock says whether a function calls what takes a lock.
func takesLock(fd *ast.FuncDecl) bool {
	return syntax.Any(fd, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) > 0 {
			return false
		}
		sel, ok := call.Fun.(*ast.SelectorExpr)
		return ok && slices.Contains([]string{"Lock", "RLock", "TryLock", "TryRLock"}, sel.Sel.Name)
	})
}

// uses adds the variables that a function uses.
func (t Touch) uses(info *types.Info, fd *ast.FuncDecl) {
	ast.Inspect(fd, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if v, ok := info.Uses[id].(*types.Var); ok && (v.IsField() || isPackageVariable(v)) && !synchronises(v.Type()) {
				t.variables[v.Origin()] = true
				t.parts(v.Type(), v.Pkg(), maxParts)
			}
		}
		return true
	})
}

// maxParts is how deep what a variable's elements lead to is looked at. Guessed.
const maxParts = 2

// parts adds the fields of the structs to which the elements of a list or map point, if their type is the package's own
// business: nobody else can keep their uses apart.
func (t Touch) parts(of types.Type, pkg *types.Package, depth int) {
	elems, ok := of.Underlying().(interface{ Elem() types.Type })
	if _, pointer := of.Underlying().(*types.Pointer); !ok || pointer || depth == 0 {
		return
	}
	p, ok := types.Unalias(elems.Elem()).(*types.Pointer)
	if !ok {
		return
	}
	named, ok := types.Unalias(p.Elem()).(*types.Named)
	if !ok || named.Obj().Exported() || named.Obj().Pkg() != pkg {
		return
	}
	st, ok := named.Origin().Underlying().(*types.Struct)
	if !ok {
		return
	}
	for f := range st.Fields() {
		if !synchronises(f.Type()) && !t.variables[f.Origin()] {
			t.variables[f.Origin()] = true
			t.parts(f.Type(), pkg, depth-1)
		}
	}
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

// A patchedFunction is a declared function as the patch has it.
type patchedFunction struct {
	decl *ast.FuncDecl
	text string
}

// declarations are a file's functions by their names.
func declarations(text []byte) map[string]patchedFunction {
	all := map[string]patchedFunction{}
	fset := token.NewFileSet()
	tree, err := parser.ParseFile(fset, "", text, parser.SkipObjectResolution)
	if err != nil {
		return all // whoever builds it will say so
	}
	for _, d := range tree.Decls {
		if fd, ok := d.(*ast.FuncDecl); ok {
			all[functionKey(fd)] = patchedFunction{fd, string(text[fset.Position(fd.Pos()).Offset:fset.Position(fd.End()).Offset])}
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
