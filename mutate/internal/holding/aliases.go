package holding

import (
	"go/ast"
	"strings"
)

// aliases are the local variables of a declaration that stand for an
// expression throughout, by name: l for p.list after l := p.list.
type aliases map[string]string

// aliases are those of a declaration of the original, nil too.
func (p *Program) aliases(d ast.Decl) aliases {
	decl, ok := d.(*ast.FuncDecl)
	if !ok {
		return nil
	}
	found, known := p.aliasesOf.Load(decl)
	if !known {
		found, _ = p.aliasesOf.LoadOrStore(decl, aliases(p.model.Aliases(p.model.Of(decl))))
	}
	return found.(aliases)
}

// Unaliased is an expression of a declared function without aliases.
func (p *Program) Unaliased(decl *ast.FuncDecl, expr string) string {
	return p.aliases(decl).resolve(expr)
}

// resolve replaces the name that an expression starts with by what it stands for.
func (a aliases) resolve(expr string) string {
	for range len(a) {
		first, rest, selects := strings.Cut(expr, ".")
		value, ok := a[first]
		if !ok {
			break
		}
		expr = value
		if selects {
			expr += "." + rest
		}
	}
	return expr
}
