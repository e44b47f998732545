package left

import (
	"go/ast"
	"go/types"
	"slices"

	"mendel/analysis"
)

// A calls has what a test names, with the functions of test files that it names.
type calls struct {
	methods []*types.Func
	cancels bool // it calls a context.CancelFunc, or hands one on
}

// calledBy collects what a test names.
func (f *finder) calledBy(test string) *calls {
	c := &calls{}
	done := map[*ast.FuncDecl]bool{}
	for _, pkg := range f.program.Packages {
		for _, file := range pkg.Files {
			for _, d := range file.AST.Decls {
				if fd, ok := d.(*ast.FuncDecl); ok && file.Test && fd.Recv == nil && fd.Name.Name == test && fd.Body != nil {
					f.collect(c, pkg, fd, done)
				}
			}
		}
	}
	return c
}

// collect adds what a function of a test file names.
func (f *finder) collect(c *calls, pkg *analysis.Package, fd *ast.FuncDecl, done map[*ast.FuncDecl]bool) {
	if done[fd] {
		return
	}
	done[fd] = true
	ast.Inspect(fd.Body, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		switch o := pkg.Info.Uses[id].(type) {
		case *types.Func:
			c.methods = append(c.methods, o.Origin())
			if named, decl := f.declaration(o); decl != nil && f.isTest(named, decl) {
				f.collect(c, named, decl, done)
			}
		case *types.Var:
			if t, ok := types.Unalias(o.Type()).(*types.Named); ok && t.Obj().Name() == "CancelFunc" {
				c.cancels = true
			}
		}
		return true
	})
}

// isTest reports whether a function is one of a test file.
func (f *finder) isTest(pkg *analysis.Package, fd *ast.FuncDecl) bool {
	return slices.ContainsFunc(pkg.Files, func(file *analysis.File) bool {
		return file.Test && file.AST.FileStart <= fd.Pos() && fd.Pos() < file.AST.FileEnd
	})
}

// method reports whether a method of a type is named: it, or one of an interface that the
// type fulfils.
func (c *calls) method(m *types.Func, t *types.Named) bool {
	return slices.ContainsFunc(c.methods, func(o *types.Func) bool {
		if o.Name() != m.Name() {
			return false
		}
		if o == m.Origin() || o.Pos() == m.Origin().Pos() && o.Pos().IsValid() {
			return true
		}
		recv := o.Signature().Recv()
		if recv == nil {
			return false
		}
		i, ok := recv.Type().Underlying().(*types.Interface)
		return ok && types.Implements(types.NewPointer(t), i)
	})
}
