package newdone

import (
	"go/ast"
	"go/types"

	"github.com/dave/dst"

	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/starts"
	"mendel/mutate/internal/tree"
)

// extensible reports whether the declared function that a go statement starts can
// get one more parameter: it is named nowhere else, and no interface asks for it.
func extensible(s starts.Start) bool {
	decl, ok := s.To.Node.(*ast.FuncDecl)
	if !ok || s.Go == nil || s.Go.Call.Ellipsis.IsValid() {
		return false
	}
	f, ok := s.To.File.Package.Info.Defs[decl.Name].(*types.Func)
	return ok && !f.Signature().Variadic() && namedBy(s.To) == 1
}

// namedBy counts the places that name a declared function, tests included, if it can get
// one more parameter there; 0 if it cannot.
func namedBy(fn *mutate.Function) int {
	type namedOf struct{ ast.Node }
	return mutate.Once(fn, namedOf{fn.Node}, func() (uses int) {
		decl, ok := fn.Node.(*ast.FuncDecl)
		if !ok || decl.Name.IsExported() || decl.Name.Name == "main" || decl.Name.Name == "init" || !namedParameters(decl) {
			return 0
		}
		f, ok := fn.File.Package.Info.Defs[decl.Name].(*types.Func)
		if !ok {
			return 0
		}
		if f.Signature().Recv() != nil && interfaceMethods(fn)[f.Name()] {
			return 0
		}
		return len(fn.Mentions(f))
	})
}

// interfaceMethods are the names of the methods that interfaces of the program ask for.
func interfaceMethods(fn *mutate.Function) map[string]bool {
	type interfaces struct{}
	return mutate.Once(fn, interfaces{}, func() map[string]bool {
		asked := make(map[string]bool)
		for _, pkg := range fn.Program.Packages {
			for _, obj := range pkg.Info.Defs {
				if f, ok := obj.(*types.Func); ok && syntax.InterfaceMethod(f) {
					asked[f.Name()] = true
				}
			}
		}
		return asked
	})
}

// namedParameters reports whether a parameter with a name can be added.
func namedParameters(decl *ast.FuncDecl) bool {
	for _, field := range decl.Type.Params.List {
		if len(field.Names) == 0 {
			return false
		}
	}
	return true
}

// extend gives the started function a parameter for the new channel, and the
// call its argument.
func extend(m *mutate.Mutation, e mutate.Edit, s starts.Start) error {
	decl, ok := m.Of(s.To.File.Rel, s.To.Node).(*dst.FuncDecl)
	call, isCall := m.Of(e.File, s.Go.Call).(*dst.CallExpr)
	if !ok || !isCall {
		return mutate.Refuse(e, "another edit changed the go statement")
	}
	decl.Type.Params.List = append(decl.Type.Params.List, &dst.Field{
		Names: []*dst.Ident{dst.NewIdent(e.Expr)},
		Type:  tree.Expr("<-chan struct{}"),
	})
	call.Args = append(call.Args, dst.NewIdent(e.Expr))
	return nil
}
