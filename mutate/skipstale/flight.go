package skipstale

import (
	"go/ast"
	"go/types"
	"slices"

	"mendel/analysis/syntax"
	"mendel/mutate"
)

// A flight is a load that those share who ask for the same: an entry of a map of the value.
type flight struct {
	field *types.Var
	key   ast.Expr // of the entry, in the function
	entry string   // the function's own
	index int      // of the statement that takes the entry out, in the section's list
}

// takesFlight finds the entry that the section takes out of a map of the value, and that the function has put there
// before it loads; nil: there is none.
func (s *stale) takesFlight() *flight {
	info := s.fn.File.Package.Info
	for i, stmt := range s.section.Body {
		expr, ok := stmt.(*ast.ExprStmt)
		if !ok {
			continue
		}
		call, ok := ast.Unparen(expr.X).(*ast.CallExpr)
		if !ok || syntax.Builtin(info, call) != "delete" {
			continue
		}
		v := fieldOf(info, s.object(), call.Args[0])
		if v == nil || slices.Contains(s.fields, v) {
			continue
		}
		if entry := s.entered(v); entry != "" {
			return &flight{field: v, key: call.Args[1], entry: entry, index: s.section.First + i}
		}
	}
	return nil
}

// entered is the name of the variable that the method has put into a map before it loads, and that can be compared;
// "": there is none.
func (s *stale) entered(v *types.Var) string {
	info := s.fn.File.Package.Info
	for _, fn := range []*mutate.Function{s.fn, s.of.Method} {
		for _, st := range fn.Statements() {
			if st.Stmt.Pos() > s.load.Pos() {
				break
			}
			for _, p := range putsOf(info, s.object(), st.Stmt) {
				id, ok := ast.Unparen(p.value).(*ast.Ident)
				if !ok || p.field != v || p.key == nil {
					continue
				}
				switch info.TypeOf(id).Underlying().(type) {
				case *types.Pointer, *types.Chan:
					return id.Name
				}
			}
		}
	}
	return ""
}

// keyOf is the key of the entry that a drop is to take out, "" for all; ok is false if it cannot be told.
func (s *stale) keyOf(d drop) (key string, ok bool) {
	if d.whole {
		return "", true
	}
	if d.key != nil {
		return types.ExprString(d.key), true
	}
	m, ok := s.flight.field.Type().Underlying().(*types.Map)
	if !ok {
		return "", false
	}
	for _, f := range d.fn.Type.Params.List {
		for _, id := range f.Names {
			if v := d.fn.File.Package.Info.Defs[id]; v != nil && syntax.SameGeneric(v.Type(), m.Key()) {
				if key != "" {
					return "", false
				}
				key = id.Name
			}
		}
	}
	return key, key != ""
}

// shared is the call of a singleflight.Group, that of golang.org/x/sync or one of its likes, that runs the function's
// literal; nil: there is none, or its key is no string.
func shared(fn *mutate.Function) *ast.CallExpr {
	lit, ok := fn.Node.(*ast.FuncLit)
	around := fn.Around()
	if !ok || len(around) == 0 {
		return nil
	}
	info := fn.File.Package.Info
	for n := range ast.Preorder(around[len(around)-1].Body) {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) != 2 || ast.Unparen(call.Args[1]) != lit {
			continue
		}
		if b, ok := info.TypeOf(call.Args[0]).Underlying().(*types.Basic); !ok || b.Kind() != types.String || !types.Identical(b, info.TypeOf(call.Args[0])) {
			continue
		}
		if f := syntax.Callee(info, call.Fun); f != nil && f.Pkg() != nil && f.Pkg().Name() == "singleflight" && syntax.Receiver(f) == "Group" {
			return call
		}
	}
	return nil
}
