package callafter

import (
	"go/ast"
	"go/types"
	"strings"

	"github.com/dave/dst"

	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/scope"
	"mendel/mutate/fact/starts"
	"mendel/mutate/internal/callback"
	"mendel/mutate/internal/tree"
)

// A copied value is a field with a method that calls what others have given, a list of
// observers: what it has when the call is put off is called.
type copied struct {
	of      *ast.SelectorExpr // the field
	pointer bool              // it points to the value
	parts   []part            // what of the value others may change in place
}

// A part is a field that is a slice or map, and the package of the standard library that
// copies it.
type part struct{ field, pkg string }

// copiedFor is the value to copy for a call of a method that reads nothing but its receiver
// and its arguments, takes no lock and calls what others have given; nil: it is no such call.
func copiedFor(fn *mutate.Function, x *ast.CallExpr) *copied {
	sel, ok := ast.Unparen(x.Fun).(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	of, ok := ast.Unparen(sel.X).(*ast.SelectorExpr)
	f := syntax.Callee(fn.File.Package.Info, x.Fun)
	if !ok || f == nil || f.Pkg() != fn.File.Package.Types || syntax.InterfaceMethod(f) {
		return nil
	}
	to := fn.Declared(f.Origin())
	if to == nil || !tells(to) {
		return nil
	}
	t := fn.File.Package.Info.TypeOf(of)
	c := &copied{of: of, pointer: syntax.Pointer(t)}
	if c.pointer {
		t = t.Underlying().(*types.Pointer).Elem()
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok || !c.copies(s) {
		return nil
	}
	return c
}

// tells reports whether a method only calls what others have given: it assigns to no field,
// takes no lock, and starts and waits for nothing.
func tells(to *mutate.Function) bool {
	info := to.File.Package.Info
	if len(to.Sections()) > 0 || len(starts.Of(to)) > 0 {
		return false
	}
	told := false
	for _, st := range to.Statements() {
		for _, e := range syntax.Assigned(st.Stmt) {
			if _, local := ast.Unparen(e).(*ast.Ident); !local {
				return false
			}
		}
		if stmt, ok := st.Stmt.(*ast.ExprStmt); ok {
			x, ok := ast.Unparen(stmt.X).(*ast.CallExpr)
			if !ok || !callback.Foreign(to, x) {
				return false
			}
			told = true
		}
	}
	return told && !syntax.Any(to.Body, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		v, is := info.Uses[id].(*types.Var)
		return ok && is && !v.IsField() && v.Parent() == v.Pkg().Scope()
	})
}

// copies finds what of a struct has to be copied by itself; false if it must not be copied.
func (c *copied) copies(s *types.Struct) bool {
	for f := range s.Fields() {
		switch f.Type().Underlying().(type) {
		case *types.Slice:
			c.parts = append(c.parts, part{f.Name(), "slices"})
		case *types.Map:
			c.parts = append(c.parts, part{f.Name(), "maps"})
		case *types.Basic, *types.Signature, *types.Interface, *types.Pointer, *types.Chan:
		default:
			return false // a lock maybe
		}
	}
	return true
}

// make declares the copy before the statement of a call, which is then made for it.
func (c *copied) make(m *mutate.Mutation, e mutate.Edit, of call, old dst.Stmt) error {
	file := of.fn.File.Rel
	node, ok := m.Of(file, c.of).(dst.Expr)
	if !ok {
		return mutate.Refuse(e, "another edit changed what is called")
	}
	name := scope.FreeName(of.fn, strings.ToLower(c.of.Sel.Name[:1])+c.of.Sel.Name[1:])
	src := name + " := nil\n"
	for _, p := range c.parts {
		pkg, err := m.Import(file, p.pkg)
		if err != nil {
			return mutate.Refuse(e, "%v", err)
		}
		src += name + "." + p.field + " = " + pkg + ".Clone(" + name + "." + p.field + ")\n"
	}
	stmts, err := tree.Snippet(src)
	if err != nil {
		return err
	}
	if err := m.Replace(file, node, dst.NewIdent(name)); err != nil {
		return mutate.Refuse(e, "%v", err)
	}
	if c.pointer {
		node = &dst.StarExpr{X: node}
	}
	stmts[0].(*dst.AssignStmt).Rhs[0] = node
	return m.Insert(file, old, false, stmts...)
}
