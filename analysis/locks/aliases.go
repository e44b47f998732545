package locks

import (
	"go/ast"
	"go/token"
	"strings"

	"mendel/analysis/locks/program"
)

// Aliases are the local variables of a declared function that stand for an expression
// of names and selectors throughout, and that as text, by name: names that mean more
// than one thing in the function, and expressions that begin with one, are left out.
func (of *Model) Aliases(fn *program.Func) map[string]string {
	if fn == nil {
		return nil
	}
	m := of.Lock()
	defer of.Unlock()
	locals := m.LocalsOf(fn).Alias
	if len(locals) == 0 {
		return nil
	}
	meanings := make(map[string]int)
	ast.Inspect(fn.Node, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if _, defines := fn.Info().Defs[id]; defines {
				meanings[id.Name]++
			}
		}
		return true
	})
	found := make(map[string]string)
	for v, value := range locals {
		text := chainText(value)
		first, _, _ := strings.Cut(text, ".")
		if text != "" && meanings[v.Name()] == 1 && meanings[first] <= 1 {
			found[v.Name()] = text
		}
	}
	return found
}

// chainText is an expression of names and selectors as text, the address of
// one included; "" for others.
func chainText(e ast.Expr) string {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return e.Name
	case *ast.UnaryExpr:
		if e.Op == token.AND {
			return chainText(e.X)
		}
	case *ast.SelectorExpr:
		if x := chainText(e.X); x != "" {
			return x + "." + e.Sel.Name
		}
	}
	return ""
}
