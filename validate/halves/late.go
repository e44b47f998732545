package halves

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"mendel/analysis/syntax"
	"mendel/validate/halves/pair"
)

// late finds stores in a value that come after its end and that nobody ends then, where the patch has another
// function ask for the same end before it stores: in a field that the function which sets the end goes over, too.
func late(c *pair.Change) (found []pair.Finding) {
	for _, asks := range c.After.Funcs {
		was := c.Before.Named[asks.FullName]
		if was == nil || !c.Changed(asks) {
			continue
		}
		for _, end := range askedFor(asks) {
			if mentionsField(was, end) {
				continue
			}
			for _, setter := range c.After.Funcs {
				over := goneOver(c.After, setter, end)
				if !slices.ContainsFunc(storesIn(asks), func(s storing) bool { return over[s.in] }) {
					continue
				}
				for _, fn := range c.After.Funcs {
					if fn == setter || mentionsField(fn, end) {
						continue
					}
					for _, s := range storesIn(fn) {
						if over[s.in] {
							found = append(found, c.At(fn, s.at.Pos(), "nobody ends what is stored in %s after %s: the patch asks for %s elsewhere", s.in.Name, setter.Name.Name, end.Name))
							break
						}
					}
				}
			}
		}
	}
	return found
}

// askedFor are the flags and errors of values that conditions of a function ask for.
func askedFor(fn *pair.Function) (ends []pair.Field) {
	for n := range ast.Preorder(fn.Body) {
		check, ok := n.(*ast.IfStmt)
		if !ok {
			continue
		}
		code := []ast.Node{check.Cond}
		if check.Init != nil {
			code = append(code, check.Init)
		}
		for _, part := range code {
			for n := range ast.Preorder(part) {
				sel, ok := n.(*ast.SelectorExpr)
				if !ok {
					continue
				}
				if f, ok := pair.FieldOf(fn.Info(), sel); ok && tellsEnd(fn.Info().TypeOf(sel)) && !slices.Contains(ends, f) {
					ends = append(ends, f)
				}
			}
		}
	}
	return ends
}

// tellsEnd reports whether a field of a type can say that a value has ended.
func tellsEnd(t types.Type) bool {
	if t == nil {
		return false
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Kind() == types.Bool || syntax.IsError(t)
}

// mentionsField reports whether a function names a field of a type.
func mentionsField(fn *pair.Function, f pair.Field) bool {
	return syntax.Any(fn.Body, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return false
		}
		of, ok := pair.FieldOf(fn.Info(), sel)
		return ok && of == f
	})
}

// goneOver are the fields beside a flag that a function goes over, itself or by methods of the value that it
// calls, if it sets the flag.
func goneOver(v *pair.Version, fn *pair.Function, end pair.Field) map[pair.Field]bool {
	sets := syntax.Any(fn.Body, func(n ast.Node) bool {
		a, ok := n.(*ast.AssignStmt)
		return ok && a.Tok == token.ASSIGN && slices.ContainsFunc(a.Lhs, func(e ast.Expr) bool {
			of, ok := pair.FieldOf(fn.Info(), e)
			return ok && of == end
		})
	})
	if !sets {
		return nil
	}
	over := make(map[pair.Field]bool)
	look := func(fn *pair.Function) {
		from := elementsOf(fn)
		for n := range ast.Preorder(fn.Body) {
			if loop, ok := n.(*ast.RangeStmt); ok {
				if of, ok := listOf(fn, from, loop.X); ok && of.Owner == end.Owner {
					over[of] = true
				}
			}
		}
	}
	look(fn)
	for n := range ast.Preorder(fn.Body) {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			continue
		}
		if f := syntax.Callee(fn.Info(), call.Fun); f != nil {
			if to := v.Named[f.Origin().FullName()]; to != nil && to != fn && pair.ReceiverOf(to) == end.Owner {
				look(to)
			}
		}
	}
	return over
}

// A storing puts something into a list or map of a value.
type storing struct {
	in pair.Field
	at ast.Node
}

// storesIn lists what a function stores in values that it has not made itself.
func storesIn(fn *pair.Function) (out []storing) {
	info := fn.Info()
	from := elementsOf(fn)
	for n := range ast.Preorder(fn.Body) {
		a, ok := n.(*ast.AssignStmt)
		if !ok || a.Tok != token.ASSIGN || len(a.Lhs) != len(a.Rhs) {
			continue
		}
		for i, l := range a.Lhs {
			at := ast.Unparen(l)
			if index, ok := at.(*ast.IndexExpr); ok {
				at = index.X
			} else if call, ok := ast.Unparen(a.Rhs[i]).(*ast.CallExpr); !ok || syntax.Builtin(info, call) != "append" || len(call.Args) < 2 {
				continue
			}
			root := pair.RootVar(fn, at)
			if of, ok := listOf(fn, from, at); ok && (root == nil || from[root] != (pair.Field{}) || root.Pos() < fn.Body.Pos()) {
				out = append(out, storing{of, a})
			}
		}
	}
	return out
}

// elementsOf are the local variables of a function that are fields of values, or elements of these: lists and maps.
func elementsOf(fn *pair.Function) map[types.Object]pair.Field {
	info := fn.Info()
	from := make(map[types.Object]pair.Field)
	note := func(e ast.Expr, of pair.Field) {
		if id, ok := e.(*ast.Ident); ok && id.Name != "_" {
			if obj := info.ObjectOf(id); obj != nil && isList(obj.Type()) {
				from[obj] = of
			}
		}
	}
	for n := range ast.Preorder(fn.Body) {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if len(n.Rhs) != 1 {
				continue
			}
			e := ast.Unparen(n.Rhs[0])
			if index, ok := e.(*ast.IndexExpr); ok {
				e = index.X
			}
			if of, ok := listOf(fn, from, e); ok {
				note(n.Lhs[0], of)
			}
		case *ast.RangeStmt:
			if of, ok := listOf(fn, from, n.X); ok && n.Value != nil {
				note(n.Value, of)
			}
		}
	}
	return from
}

// listOf is the field that a list or map is, or is an element of.
func listOf(fn *pair.Function, from map[types.Object]pair.Field, e ast.Expr) (pair.Field, bool) {
	if t := fn.Info().TypeOf(e); t == nil || !isList(t) {
		return pair.Field{}, false
	}
	if id, ok := ast.Unparen(e).(*ast.Ident); ok {
		of, known := from[fn.Info().ObjectOf(id)]
		return of, known
	}
	return pair.FieldOf(fn.Info(), e)
}

func isList(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Map, *types.Slice:
		return true
	}
	return false
}
