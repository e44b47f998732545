package mutate

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// aliases are the local variables of a declaration that stand for an
// expression throughout, by name: l for p.list after l := p.list. Only names
// that the declaration gives a meaning once count, and only expressions of
// names and selectors no part of which it assigns to.
type aliases map[string]string

// findAliases finds the aliases of a declared function.
func findAliases(decl *ast.FuncDecl) aliases {
	defined := make(map[string]int) // how often a name is given a meaning
	values := make(map[string]string)
	assigned := make(map[string]bool) // texts of what is assigned to
	define := func(id *ast.Ident) {
		if id != nil {
			defined[id.Name]++
		}
	}
	ast.Inspect(decl, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Field:
			for _, id := range n.Names {
				define(id)
			}
		case *ast.ValueSpec:
			for i, id := range n.Names {
				define(id)
				if i < len(n.Values) && len(n.Values) == len(n.Names) {
					values[id.Name] = chainText(n.Values[i])
				}
			}
		case *ast.RangeStmt:
			for _, e := range []ast.Expr{n.Key, n.Value} {
				if e != nil {
					assigned[types.ExprString(e)] = true
				}
			}
		case *ast.IncDecStmt:
			assigned[types.ExprString(n.X)] = true
		case *ast.UnaryExpr:
			// A variable may be assigned to through its address; mutexes,
			// which are selected from it, are not.
			if id, ok := ast.Unparen(n.X).(*ast.Ident); ok && n.Op == token.AND {
				assigned[id.Name] = true
			}
		case *ast.AssignStmt:
			for i, e := range n.Lhs {
				id, ok := e.(*ast.Ident)
				if !ok || n.Tok != token.DEFINE {
					assigned[types.ExprString(e)] = true
					continue
				}
				define(id)
				if len(n.Lhs) == len(n.Rhs) {
					values[id.Name] = chainText(n.Rhs[i])
				}
			}
		}
		return true
	})
	found := make(aliases)
	for name, value := range values {
		if value != "" && defined[name] == 1 && !assigned[name] && constant(value, assigned, defined) {
			found[name] = value
		}
	}
	return found
}

// constant reports whether no part of a chain is assigned to, and its first name
// means one thing only.
func constant(chain string, assigned map[string]bool, defined map[string]int) bool {
	first, _, _ := strings.Cut(chain, ".")
	if defined[first] > 1 {
		return false
	}
	for chain != "" {
		if assigned[chain] {
			return false
		}
		i := strings.LastIndex(chain, ".")
		chain = chain[:max(i, 0)]
	}
	return true
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
