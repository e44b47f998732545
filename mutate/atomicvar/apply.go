package atomicvar

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/dave/dst"

	"mendel/mutate"
	"mendel/mutate/internal/tree"
)

func apply(m *mutate.Mutation, e mutate.Edit) error {
	id, ok := m.Syntax(e.File, e.Node).(*ast.Ident)
	if !ok {
		return mutate.Refuse(e, "no variable is declared here")
	}
	v, ok := m.Program().File(e.File).Package.Info.Defs[id].(*types.Var)
	if !ok {
		return mutate.Refuse(e, "no variable is declared here")
	}
	a, ok := survey(m.Program(), v)
	if !ok {
		return mutate.Refuse(e, "%s cannot be made atomic", v.Name())
	}
	if err := a.declare(m, e); err != nil {
		return err
	}
	for _, u := range a.uses {
		if err := a.change(m, e, u); err != nil {
			return err
		}
	}
	return nil
}

// declare gives the variable its new type.
func (a *atomic) declare(m *mutate.Mutation, e mutate.Edit) error {
	typ, err := a.newType(m, e, a.file.Rel)
	if err != nil {
		return err
	}
	switch d := m.Of(a.file.Rel, a.decl).(type) {
	case *dst.Field:
		if len(d.Names) > 1 {
			return a.part(m, e, d, typ)
		}
		d.Type = typ
		a.sayType(d.Decorations())
	case *dst.ValueSpec:
		if len(d.Names) > 1 {
			return a.partSpec(m, e, d, typ)
		}
		d.Type, d.Values = typ, nil
	case *dst.AssignStmt:
		return a.partAssign(m, e, d, typ)
	default:
		return mutate.Refuse(e, "another edit removed the declaration")
	}
	return nil
}

// sayType says behind a declaration what the values mean, which the new type does
// not say.
func (a *atomic) sayType(decs *dst.NodeDecs) {
	if a.named != nil && len(decs.End) == 0 {
		decs.End.Append("// a " + a.kind.plain)
	}
}

// newType is the variable's new type as a file writes it.
func (a *atomic) newType(m *mutate.Mutation, e mutate.Edit, file string) (dst.Expr, error) {
	qualifier, err := m.Import(file, "sync/atomic")
	if err != nil {
		return nil, mutate.Refuse(e, "%v", err)
	}
	var typ dst.Expr = dst.NewIdent(a.kind.name)
	if qualifier != "" {
		typ = &dst.SelectorExpr{X: dst.NewIdent(qualifier), Sel: dst.NewIdent(a.kind.name)}
	}
	if a.elem == nil {
		return typ, nil
	}
	elem, ok := m.Of(a.file.Rel, a.elem).(dst.Expr)
	if !ok {
		return nil, mutate.Refuse(e, "another edit changed the declaration")
	}
	return &dst.IndexExpr{X: typ, Index: dst.Clone(elem).(dst.Expr)}, nil
}

// change makes a use a method call, or the zero value of the new type.
func (a *atomic) change(m *mutate.Mutation, e mutate.Edit, u use) error {
	old := m.Of(u.file.Rel, u.node)
	expr, ok := m.Of(u.file.Rel, u.expr).(dst.Expr)
	if old == nil || !ok {
		return mutate.Refuse(e, "another edit changed a use of %s", a.v.Name())
	}
	args := make([]dst.Expr, 0, len(u.args))
	for _, arg := range u.args {
		n, ok := m.Of(u.file.Rel, arg).(dst.Expr)
		if !ok {
			return mutate.Refuse(e, "another edit changed a use of %s", a.v.Name())
		}
		n.Decorations().Before, n.Decorations().After = dst.None, dst.None
		args = append(args, a.converted(u, arg, n))
	}
	var now dst.Node
	method := func(name string, args ...dst.Expr) *dst.CallExpr {
		return &dst.CallExpr{Fun: &dst.SelectorExpr{X: expr, Sel: dst.NewIdent(name)}, Args: args}
	}
	switch u.does {
	case load:
		var value dst.Expr = method("Load")
		if a.kind.plain != "" && !u.bare {
			value = &dst.CallExpr{Fun: tree.Expr(a.plainIn(u.file)), Args: []dst.Expr{value}}
		}
		now = value
	case store:
		now = &dst.ExprStmt{X: method("Store", args...)}
	case add:
		now = &dst.ExprStmt{X: method("Add", delta(u, args))}
	case called:
		now = method(u.call, args...)
	case initial:
		typ, err := a.newType(m, e, u.file.Rel)
		if err != nil {
			return err
		}
		now = &dst.CompositeLit{Type: typ}
	}
	return m.Replace(u.file.Rel, old, now)
}

// converted is an argument in the type that the method wants.
func (a *atomic) converted(u use, arg ast.Expr, n dst.Expr) dst.Expr {
	if a.kind.plain == "" || literal(arg) || a.denotes(u.file, arg) {
		return n
	}
	return &dst.CallExpr{Fun: dst.NewIdent(a.kind.param), Args: []dst.Expr{n}}
}

// literal reports whether an expression is a number as it is written, true or false.
func literal(e ast.Expr) bool {
	if minus, ok := e.(*ast.UnaryExpr); ok && minus.Op == token.SUB {
		e = minus.X
	}
	if id, ok := e.(*ast.Ident); ok {
		return id.Name == "true" || id.Name == "false"
	}
	_, ok := e.(*ast.BasicLit)
	return ok
}

// delta is what is added: 1, or the operand of the assignment.
func delta(u use, args []dst.Expr) dst.Expr {
	var n dst.Expr = &dst.BasicLit{Kind: token.INT, Value: "1"}
	if len(args) > 0 {
		n = args[0]
	}
	if !u.take {
		return n
	}
	switch n.(type) {
	case *dst.BinaryExpr, *dst.UnaryExpr:
		n = &dst.ParenExpr{X: n}
	}
	return &dst.UnaryExpr{Op: token.SUB, X: n}
}
