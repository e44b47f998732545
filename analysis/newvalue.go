package analysis

import (
	"go/ast"
	"go/types"
)

// NewValue is what [Program.NewLocks] lists for a single access, but of another
// type: a field beside a field, named field if that is free, or a variable
// beside a package variable, named like it with a suffix. A struct may have a
// mutex already. ok is false where nothing can be declared.
func (p *Program) NewValue(f *File, at ast.Node, a Access, typ, field, suffix string) (l Lock, ok bool) {
	s := p.scopeAt(f, at)
	if s == nil {
		return l, false
	}
	c := &newLocks{p: p, s: s, field: field, typ: typ, seen: map[string]bool{}}
	sel, selected := a.Expr.(*ast.SelectorExpr)
	switch {
	case selected && f.Package.Info.Selections[sel] != nil:
		c.beside(sel)
	case a.Var.Parent() == a.Var.Pkg().Scope():
		c.packageLock(a.Var, a.Var.Name()+suffix)
	}
	if len(c.found) == 0 {
		return l, false
	}
	return c.found[0], true
}

// Copied reports whether values of a struct type are copied or compared somewhere
// in the program, which what must not be copied would break.
func (p *Program) Copied(t *types.TypeName) bool { return p.copies()[t] == copied }
