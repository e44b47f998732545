package closedone

import (
	"go/ast"
	"go/types"
	"slices"

	"mendel/analysis"
	"mendel/analysis/syntax"
	"mendel/mutate"
)

// A closable is a type of values that somebody closes, and that could say so by a channel.
type closable struct {
	name string // of the new field

	file   *analysis.File
	fields *ast.StructType
	made   []made        // where values come from
	method *ast.FuncDecl // that closes, with a receiver that has a name
	in     *analysis.File
}

// A made is a literal that makes a value.
type made struct {
	file *analysis.File
	lit  *ast.CompositeLit
}

// methods are those that end the use of a value, the likeliest first.
var methods = []string{"Close", "Cancel", "Stop", "Shutdown", "Unsubscribe", "close", "cancel", "stop", "shutdown", "unsubscribe"}

// closableOf is the closable type that an expression of the function has; ok is
// false if its type is no such.
func closableOf(fn *mutate.Function, e ast.Expr) (c closable, ok bool) {
	t := fn.File.Package.Info.TypeOf(e)
	p, pointer := t.Underlying().(*types.Pointer)
	if !pointer {
		return c, false
	}
	named, ok := types.Unalias(p.Elem()).(*types.Named)
	if !ok || named.TypeParams() != nil || named.Obj().Pkg() != fn.File.Package.Types || fn.Program.Copied(named.Obj()) {
		return c, false
	}
	if c.name = freeField(named); c.name == "" {
		return c, false
	}
	for _, f := range fn.File.Package.Files {
		if !c.look(f, named) {
			return c, false
		}
	}
	for _, pkg := range fn.Program.Packages { // others only hold pointers to it
		for _, f := range pkg.Files {
			if pkg != fn.File.Package && !(&closable{}).look(f, named) {
				return c, false
			}
		}
	}
	return c, c.fields != nil && c.method != nil && len(c.made) > 0
}

// names of the new channel.
var names = []string{"done", "quit", "gone", "closed"}

// freeField is a name that the type has for nothing yet; "" if there is none.
func freeField(named *types.Named) string {
	free := func(name string) bool {
		obj, _, _ := types.LookupFieldOrMethod(types.NewPointer(named), true, named.Obj().Pkg(), name)
		return obj == nil
	}
	i := slices.IndexFunc(names, func(name string) bool { return free(name) && free(name+"Once") })
	if i < 0 {
		return ""
	}
	return names[i]
}

// look finds the declaration, the method and the literals in a file; it is false
// if a value may come about in another way.
func (c *closable) look(f *analysis.File, named *types.Named) bool {
	info, ok := f.Package.Info, true
	syntax.Walk(f.AST, func(n ast.Node, path []ast.Node) {
		switch n := n.(type) {
		case *ast.TypeSpec:
			if info.Defs[n.Name] == named.Obj() {
				c.file = f
				c.fields, _ = n.Type.(*ast.StructType)
			}
		case *ast.FuncDecl:
			if recv := receiver(info, n); recv == named.Obj() {
				c.closes(f, n)
			}
		case *ast.CompositeLit:
			if t := info.TypeOf(n); t != nil && isNamed(t, named) {
				ok = ok && c.literal(f, n)
			}
		case *ast.Ident:
			if info.Uses[n] == named.Obj() {
				ok = ok && pointed(path, n)
			}
		}
	})
	return ok
}

func isNamed(t types.Type, named *types.Named) bool {
	if p, ok := t.Underlying().(*types.Pointer); ok { // an element of []*T{{...}}
		t = p.Elem()
	}
	return types.Identical(t, named)
}

// receiver is the type that a method is one of the pointers to; nil for others.
func receiver(info *types.Info, d *ast.FuncDecl) *types.TypeName {
	if d.Recv == nil || d.Body == nil || len(d.Recv.List) != 1 || len(d.Recv.List[0].Names) != 1 || d.Recv.List[0].Names[0].Name == "_" {
		return nil
	}
	star, ok := d.Recv.List[0].Type.(*ast.StarExpr)
	if !ok {
		return nil
	}
	id, ok := ast.Unparen(star.X).(*ast.Ident)
	if !ok {
		return nil
	}
	t, _ := info.Uses[id].(*types.TypeName)
	return t
}

// closes notes a method if it is the likeliest so far to close.
func (c *closable) closes(f *analysis.File, d *ast.FuncDecl) {
	rank := slices.Index(methods, d.Name.Name)
	if rank < 0 || f.Test || f.Generated || c.method != nil && slices.Index(methods, c.method.Name.Name) < rank {
		return
	}
	c.method, c.in = d, f
}

// literal notes a literal that can make the channel.
func (c *closable) literal(f *analysis.File, lit *ast.CompositeLit) bool {
	if f.Test || f.Generated {
		return false
	}
	if len(lit.Elts) > 0 {
		if _, keyed := lit.Elts[0].(*ast.KeyValueExpr); !keyed {
			return false
		}
	}
	c.made = append(c.made, made{f, lit})
	return true
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
		case *ast.StarExpr:
			return true
		case *ast.CompositeLit:
			return n.Type == name
		}
		return false
	}
	return false
}
