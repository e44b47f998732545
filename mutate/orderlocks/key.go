package orderlocks

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"mendel/analysis/syntax"
	"mendel/mutate"
)

// identities are the names, in lower case, of fields that tell values of a type
// apart, the surest first.
var identities = []string{"id", "uid", "uuid", "guid", "key", "number", "num", "no", "serial", "seq", "index", "idx", "address", "addr", "name"}

// surest is how many of the identities need no evidence: there is one value of an ID.
const surest = 5

// key finds the field to order a type's values by; "" if there is none.
func key(fn *mutate.Function, t *types.Named) string {
	st, ok := t.Underlying().(*types.Struct)
	if !ok {
		return ""
	}
	best, rank := "", len(identities)
	for f := range st.Fields() {
		r := identity(f.Name())
		if r < 0 || r >= rank || !ordered(f.Type()) || !f.Exported() && f.Pkg() != fn.File.Package.Types {
			continue
		}
		if fn.Immutable(f) && made(fn, t, f) && (r < surest || kept(fn, t, f)) {
			best, rank = f.Name(), r
		}
	}
	return best
}

// identity is the rank of a name that says that a field identifies its value:
// "id", "ID", "accountID", "file_name"; -1 for others.
func identity(name string) int {
	return slices.IndexFunc(identities, func(word string) bool {
		title := strings.ToUpper(word[:1]) + word[1:]
		return strings.EqualFold(name, word) || strings.HasSuffix(name, title) || strings.HasSuffix(name, "_"+word) ||
			len(word) < 4 && strings.HasSuffix(name, strings.ToUpper(word))
	})
}

// kept reports whether values of a type are kept in a map with keys of a field's type, so that there is one for
// each: a name or an address that somebody gives to a value may be another one's as well.
func kept(fn *mutate.Function, t *types.Named, field *types.Var) bool {
	for _, pkg := range fn.Program.Packages {
		for _, tv := range pkg.Info.Types {
			m, ok := tv.Type.Underlying().(*types.Map)
			if !ok || !types.Identical(m.Key(), field.Type()) {
				continue
			}
			elem := types.Unalias(m.Elem())
			if p, pointer := elem.(*types.Pointer); pointer {
				elem = types.Unalias(p.Elem())
			}
			if named, ok := elem.(*types.Named); ok && named.Obj() == t.Obj() {
				return true
			}
		}
	}
	return false
}

// ordered reports whether a type is an integer or string type.
func ordered(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&(types.IsInteger|types.IsString) != 0
}

// made reports whether values of a type are made with a field set: in a composite
// literal, or by an assignment before anybody else knows the value.
func made(fn *mutate.Function, t *types.Named, field *types.Var) bool {
	found := false
	for _, pkg := range fn.Program.Packages {
		for _, f := range pkg.Files {
			ast.Inspect(f.AST, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.CompositeLit:
					found = found || sets(pkg.Info, n, t, field)
				case *ast.AssignStmt:
					for _, e := range n.Lhs {
						sel, ok := e.(*ast.SelectorExpr)
						found = found || ok && syntax.Declared(pkg.Info.Uses[sel.Sel]) == types.Object(field)
					}
				}
				return !found
			})
		}
	}
	return found
}

// sets reports whether a composite literal gives a field of a type a value.
func sets(info *types.Info, lit *ast.CompositeLit, t *types.Named, field *types.Var) bool {
	named, ok := types.Unalias(info.TypeOf(lit)).(*types.Named)
	if !ok || named.Obj() != t.Obj() {
		return false
	}
	for _, e := range lit.Elts {
		kv, keyed := e.(*ast.KeyValueExpr)
		if !keyed {
			return true
		}
		if id, ok := kv.Key.(*ast.Ident); ok && id.Name == field.Name() {
			return true
		}
	}
	return false
}
