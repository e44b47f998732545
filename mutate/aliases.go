package mutate

import (
	"go/ast"
	"strings"
)

// aliases are the local variables of a declaration that stand for an
// expression throughout, by name: l for p.list after l := p.list.
type aliases map[string]string

// aliases are those of a declaration of the original, nil too.
func (s *Space) aliases(d ast.Decl) aliases {
	decl, ok := d.(*ast.FuncDecl)
	if !ok {
		return nil
	}
	type aliasesOf struct{ *ast.FuncDecl }
	found, known := s.once.Load(aliasesOf{decl})
	if !known {
		found, _ = s.once.LoadOrStore(aliasesOf{decl}, aliases(s.model.Aliases(s.model.Of(decl))))
	}
	return found.(aliases)
}

// unaliased is an expression of the function without aliases.
func (fn *Function) Unaliased(expr string) string {
	if decl := fn.Decl(); decl != nil {
		return fn.space.aliases(decl).resolve(expr)
	}
	return expr
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
