package changes

import (
	"go/ast"
	"go/types"
	"strings"

	"mendel/analysis/locks"
	"mendel/analysis/locks/access"
	"mendel/analysis/locks/guards"
	"mendel/analysis/locks/program"
)

// A handout is where a function returns a slice or map that is a field of a value, or a part
// of it: whoever has it sees, or makes, changes without a lock.
type handout struct {
	owner string // key of the type
	field string // key of the variable
	name  string // "Series.points"
	in    *program.Func
	at    ast.Expr
}

// handsOut finds what functions that users can call hand out of a value as it is, where the
// change ends that for something else of the type.
func (c *comparison) handsOut() {
	was, now := handouts(c.before), handouts(c.after)
	count := func(list []handout, owner string) (n int) {
		for _, h := range list {
			if h.owner == owner {
				n++
			}
		}
		return n
	}
	for _, h := range now {
		if count(now, h.owner) < count(was, h.owner) && h.in.Offered() && guards.Written(c.now[h.field]) {
			c.reportAt(LeftOut, h.in, h.at, h.name, "%s is handed out as it is, as the change mends it elsewhere", h.name)
		}
	}
}

// handouts lists them, tests left out.
func handouts(m *locks.View) []handout {
	var list []handout
	for _, fn := range m.Shipped() {
		locks.EachReturn(fn.Body, func(ret *ast.ReturnStmt) {
			for _, e := range ret.Results {
				if h, ok := handoutOf(m, fn, e); ok {
					list = append(list, h)
				}
			}
		})
	}
	return list
}

func handoutOf(m *locks.View, fn *program.Func, e ast.Expr) (h handout, ok bool) {
	at := ast.Unparen(e)
	if id, ok := at.(*ast.Ident); ok {
		if value := m.LocalsOf(fn).Alias[fn.Info().ObjectOf(id)]; value != nil {
			at = ast.Unparen(value)
		}
	}
	if s, ok := at.(*ast.SliceExpr); ok {
		at = ast.Unparen(s.X)
	}
	sel, ok := at.(*ast.SelectorExpr)
	if !ok || fn.Info().Selections[sel] == nil {
		return h, false
	}
	v, ok := fn.Info().Selections[sel].Obj().(*types.Var)
	if !ok || !isList(v.Type()) {
		return h, false
	}
	of, known := access.VariableOf(m, fn, sel, v)
	owner := program.TypeKey(fn.Info().TypeOf(sel.X))
	if !known || owner == "" {
		return h, false
	}
	return handout{owner, of.Key, owner[strings.LastIndex(owner, ".")+1:] + "." + v.Name(), fn, e}, true
}

// isList reports whether a type is that of slices or maps.
func isList(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Slice, *types.Map:
		return true
	}
	return false
}
