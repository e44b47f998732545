package halves

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"mendel/analysis/syntax"
	"mendel/validate/halves/pair"
)

// combined finds functions that put together what several methods of a value read, each under the lock by itself,
// where the patch has another function do so under the lock once: what is written in between gives values of
// no one moment.
func combined(c *pair.Change) (found []pair.Finding) {
	mended := map[couple]bool{}
	for _, was := range c.Before.Funcs {
		now := c.After.Named[was.FullName]
		if now == nil {
			continue
		}
		left := pairs(readings(c.After, now))
		for p := range pairs(readings(c.Before, was)) {
			if !left[p] {
				mended[p] = true
			}
		}
	}
	if len(mended) == 0 {
		return nil
	}
	for _, fn := range c.After.Funcs {
		list := readings(c.After, fn)
		for i, r := range list {
			if first := slices.IndexFunc(list[:i], func(f reading) bool { return apart(f, r, mended) }); first >= 0 {
				found = append(found, c.At(fn, r.call.Pos(), "%s and %s take the lock one after the other: the patch takes it once for what they read elsewhere", list[first].name(), r.name()))
				break
			}
		}
	}
	return found
}

// A couple is two fields of a type, the first in the order of names first.
type couple struct{ a, b pair.Field }

// A reading is a call of a method that reads fields of its receiver in one section.
type reading struct {
	call   *ast.CallExpr
	value  string // of which the method is called
	fields []pair.Field
}

func (r reading) name() string { return types.ExprString(r.call.Fun) }

// readings are the calls of a function, outside of sections and of function literals, of methods that read under the lock.
func readings(v *pair.Version, fn *pair.Function) (list []reading) {
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		if _, later := n.(*ast.FuncLit); later {
			return false
		}
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		f := syntax.Callee(fn.Info(), call.Fun)
		if !ok || f == nil || inSection(fn, call) {
			return true
		}
		if to := v.Named[f.Origin().FullName()]; to != nil {
			if fields := readsLocked(to); len(fields) > 0 {
				list = append(list, reading{call, types.ExprString(sel.X), fields})
			}
		}
		return true
	})
	return list
}

// readsLocked are the fields of its receiver that a method reads which is one section and changes nothing.
func readsLocked(fn *pair.Function) (fields []pair.Field) {
	if fn.Recv == nil || len(fn.Recv.List[0].Names) == 0 || len(fn.Body.List) < 2 {
		return nil
	}
	info := fn.Info()
	recv := info.Defs[fn.Recv.List[0].Names[0]]
	first, ok := fn.Body.List[0].(*ast.ExprStmt)
	if !ok || recv == nil {
		return nil
	}
	if method := pair.LockMethod(info, first.X); method != "Lock" && method != "RLock" {
		return nil
	}
	for _, s := range fn.Body.List[1:] {
		if syntax.Any(s, func(n ast.Node) bool { return changes(info, n, recv) }) {
			return nil
		}
		ast.Inspect(s, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			if !ok || !syntax.Is(info, sel.X, recv) {
				return true
			}
			if v, ok := info.Uses[sel.Sel].(*types.Var); !ok || strings.HasPrefix(types.TypeString(v.Type(), nil), "sync.") {
				return true
			}
			if of, ok := pair.FieldOf(info, sel); ok && !slices.Contains(fields, of) {
				fields = append(fields, of)
			}
			return true
		})
	}
	return fields
}

// changes reports whether a node assigns to what a receiver has.
func changes(info *types.Info, n ast.Node, recv types.Object) bool {
	s, ok := n.(ast.Stmt)
	return ok && slices.ContainsFunc(syntax.Assigned(s), func(e ast.Expr) bool {
		return syntax.Names(info, e, recv)
	})
}

// pairs are the couples of fields that readings of one value read apart.
func pairs(list []reading) map[couple]bool {
	found := map[couple]bool{}
	for i, r := range list {
		for _, f := range list[:i] {
			if f.value != r.value {
				continue
			}
			for _, a := range f.fields {
				for _, b := range r.fields {
					if a != b {
						found[pairOf(a, b)] = true
					}
				}
			}
		}
	}
	return found
}

func pairOf(a, b pair.Field) couple {
	if b.Name < a.Name {
		a, b = b, a
	}
	return couple{a, b}
}

// apart reports whether two readings of one value read apart what belongs together.
func apart(f, r reading, together map[couple]bool) bool {
	for p := range pairs([]reading{f, r}) {
		if together[p] {
			return true
		}
	}
	return false
}
