package waitgroups

import (
	"go/ast"
	"go/types"
	"slices"

	"mendel/analysis"
	"mendel/analysis/syntax"
	"mendel/mutate"
)

// Field is the unexported field that a call's group is in; nil if it is elsewhere.
func (c Call) Field(fn *mutate.Function) *types.Var {
	sel, ok := ast.Unparen(c.Receiver()).(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	v := syntax.Field(fn.File.Package.Info, sel)
	if v == nil || v.Exported() {
		return nil
	}
	return v
}

// Meeting lists the other functions of the package, narrowed or not, that call a
// method on a group in a field on which a function calls one: where a goroutine waits
// for a group, another function may have counted wrong.
func Meeting(fn *mutate.Function) []*mutate.Function {
	fields := fieldsOf(fn)
	if len(fields) == 0 {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(counting(fn)), func(g *mutate.Function) bool {
		return g.Node == fn.Node || !slices.ContainsFunc(fieldsOf(g), func(v *types.Var) bool { return slices.Contains(fields, v) })
	})
}

// counting are the functions of a function's package that call methods on groups in fields.
func counting(fn *mutate.Function) []*mutate.Function {
	type countingIn struct{ pkg *analysis.Package }
	return mutate.Once(fn, countingIn{fn.File.Package}, func() (counting []*mutate.Function) {
		for _, g := range fn.OfPackage() {
			if len(fieldsOf(g)) > 0 {
				counting = append(counting, g)
			}
		}
		return counting
	})
}

// Hottest is the heat of a function's calls on groups in fields: 0 without any.
func Hottest(fn *mutate.Function) (heat float64) {
	for _, c := range Calls(fn) {
		if c.Field(fn) != nil {
			h, _ := fn.Narrowing.HeatAt(c.Expr.Pos())
			heat = max(heat, h)
		}
	}
	return heat
}

// fieldsOf are the fields with the groups that a function calls methods on.
func fieldsOf(fn *mutate.Function) (fields []*types.Var) {
	for _, c := range Calls(fn) {
		if v := c.Field(fn); v != nil {
			fields = append(fields, v)
		}
	}
	return fields
}
