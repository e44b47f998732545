package donefield

import (
	"go/ast"
	"go/types"
	"slices"

	"mendel/analysis"
	"mendel/analysis/syntax"
	"mendel/mutate"
)

// A Field is a channel that a type of the program can get, and where it is made.
type Field struct {
	Name string
	Type *types.TypeName

	file   *analysis.File
	fields *ast.StructType
	made   []made // where values come from
}

// A made is a literal that makes a value, or a call of new.
type made struct {
	file *analysis.File
	at   ast.Expr
}

// Of is the field that the type can get which an expression of a function points to, with
// a name that is free, and free with a suffix. ok is false if it can get none: values
// come about without new or a literal that can be edited, or are copied.
func Of(fn *mutate.Function, e ast.Expr, suffix string) (f Field, ok bool) {
	t := fn.File.Package.Info.TypeOf(e)
	if t == nil {
		return f, false
	}
	p, pointer := t.Underlying().(*types.Pointer)
	if !pointer {
		return f, false
	}
	named, ok := types.Unalias(p.Elem()).(*types.Named)
	if !ok || named.Obj().Pkg() != fn.File.Package.Types || fn.Program.Copied(named.Obj()) {
		return f, false
	}
	named = named.Origin()
	type fieldOf struct {
		typ    *types.TypeName
		suffix string
	}
	found := mutate.Once(fn, fieldOf{named.Obj(), suffix}, func() *Field { return find(fn, named, suffix) })
	if found == nil {
		return f, false
	}
	return *found, true
}

// find is the field that a type of the function's package can get; nil if it can get none.
func find(fn *mutate.Function, named *types.Named, suffix string) *Field {
	f := &Field{Name: free(named, suffix), Type: named.Obj()}
	if f.Name == "" {
		return nil
	}
	for _, pkg := range fn.Program.Packages {
		in := f
		if pkg != fn.File.Package {
			in = &Field{} // others only hold pointers to it
		}
		for _, file := range pkg.Files {
			if !in.look(file, named) {
				return nil
			}
		}
	}
	if f.fields == nil || len(f.made) == 0 {
		return nil
	}
	return f
}

// names of the new channel.
var names = []string{"done", "quit", "gone", "closed"}

// free is a name that the type has for nothing yet; "" if there is none.
func free(named *types.Named, suffix string) string {
	unused := func(name string) bool {
		obj, _, _ := types.LookupFieldOrMethod(types.NewPointer(named), true, named.Obj().Pkg(), name)
		return obj == nil
	}
	i := slices.IndexFunc(names, func(name string) bool { return unused(name) && unused(name+suffix) })
	if i < 0 {
		return ""
	}
	return names[i]
}

// look finds the declaration and the literals in a file; it is false if a value may come
// about in another way.
func (f *Field) look(file *analysis.File, named *types.Named) bool {
	info, ok := file.Package.Info, true
	syntax.Walk(file.AST, func(n ast.Node, path []ast.Node) {
		switch n := n.(type) {
		case *ast.TypeSpec:
			if info.Defs[n.Name] == named.Obj() {
				f.file = file
				f.fields, _ = n.Type.(*ast.StructType)
			}
		case *ast.CompositeLit:
			if t := info.TypeOf(n); t != nil && isNamed(t, named) {
				ok = ok && f.makes(file, n)
			}
		case *ast.Ident:
			if info.Uses[n] != named.Obj() {
				break
			}
			if call := newOf(info, path); call != nil {
				ok = ok && f.makes(file, call)
			} else {
				ok = ok && pointed(path, n)
			}
		}
	})
	return ok
}

// isNamed reports whether a type is the named one, or an instance of it.
func isNamed(t types.Type, named *types.Named) bool {
	if p, ok := t.Underlying().(*types.Pointer); ok { // an element of []*T{{...}}
		t = p.Elem()
	}
	of, ok := types.Unalias(t).(*types.Named)
	return ok && of.Origin() == named
}

// makes notes an expression that makes a value, where it can be edited.
func (f *Field) makes(file *analysis.File, at ast.Expr) bool {
	f.made = append(f.made, made{file, at})
	return !file.Test && !file.Generated
}

// newOf is the call of new whose argument is a type's name, which a path of nodes leads
// to, or an instance of it; nil if there is none.
func newOf(info *types.Info, path []ast.Node) *ast.CallExpr {
	at := len(path) - 1
	if isInstance(path[at]) {
		at--
	}
	call, ok := path[at].(*ast.CallExpr)
	if !ok || syntax.Builtin(info, call) != "new" {
		return nil
	}
	return call
}

// pointed reports whether the name of the type, which a path of nodes leads to,
// stands for pointers to it or begins a literal.
func pointed(path []ast.Node, name ast.Expr) bool {
	for i := len(path) - 1; i >= 0; i-- {
		switch n := path[i].(type) {
		case *ast.ParenExpr:
			name = n
			continue
		case *ast.SelectorExpr: // in another package: pkg.T
			name = n
			continue
		case *ast.IndexExpr: // T[int]
			name = n
			continue
		case *ast.IndexListExpr:
			name = n
			continue
		case *ast.StarExpr:
			return true
		case *ast.CompositeLit:
			return n.Type == name
		}
		return false
	}
	return false
}

// isInstance reports whether a node gives a generic type its arguments.
func isInstance(n ast.Node) bool {
	switch n.(type) {
	case *ast.IndexExpr, *ast.IndexListExpr:
		return true
	}
	return false
}
