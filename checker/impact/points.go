package impact

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// widen adds the sections of locks that have one of the lines.
func (f *source) widen(lines map[int]bool) {
	ast.Inspect(f.AST, func(n ast.Node) bool {
		var list []ast.Stmt
		switch n := n.(type) {
		case *ast.BlockStmt:
			list = n.List
		case *ast.CaseClause:
			list = n.Body
		case *ast.CommClause:
			list = n.Body
		}
		for i, s := range list {
			lock, method := lockOf(s)
			release := map[string]string{"Lock": "Unlock", "RLock": "RUnlock"}[method]
			if release == "" {
				continue
			}
			end := list[len(list)-1]
			for _, u := range list[i+1:] {
				if l, m := lockOf(u); l == lock && m == release {
					end = u
					break
				}
			}
			f.add(lines, f.line(s.Pos()), f.line(end.End()))
		}
		return true
	})
}

// add adds the lines of a range, if one of them is there.
func (f *source) add(lines map[int]bool, from, to int) {
	for n := from; n <= to; n++ {
		if lines[n] {
			for k := from; k <= to; k++ {
				lines[k] = true
			}
			return
		}
	}
}

// lockOf is the lock whose method a statement calls, as the source names it, and the
// method; "" if it is no such call.
func lockOf(s ast.Stmt) (lock, method string) {
	e, ok := s.(*ast.ExprStmt)
	if !ok {
		return "", ""
	}
	call, ok := e.X.(*ast.CallExpr)
	if !ok || len(call.Args) > 0 {
		return "", ""
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return "", ""
	}
	return types.ExprString(sel.X), sel.Sel.Name
}

// surround adds, for each of some lines, the lines of the scheduling points before and
// behind it in its function.
func (f *source) surround(lines map[int]bool) {
	var more []int
	for _, fn := range f.funcs {
		var points []int
		ast.Inspect(fn, func(n ast.Node) bool {
			if _, inner := n.(*ast.FuncLit); inner && n != fn {
				return false
			}
			if n != nil && f.schedules(n) {
				points = append(points, f.line(n.Pos()))
			}
			return true
		})
		slices.Sort(points)
		r := f.rangeOf(fn)
		for n := range lines {
			if n < r.From || n > r.To || f.function(n) != fn {
				continue
			}
			i, _ := slices.BinarySearch(points, n)
			if i < len(points) {
				more = append(more, points[i])
			}
			if i > 0 {
				more = append(more, points[i-1])
			}
		}
	}
	for _, n := range more {
		lines[n] = true
	}
}

// schedules reports whether a node is an operation at which goroutines may be switched.
func (f *source) schedules(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.SendStmt, *ast.SelectStmt, *ast.GoStmt:
		return true
	case *ast.UnaryExpr:
		return n.Op == token.ARROW
	case *ast.RangeStmt:
		_, ok := under(f.info.TypeOf(n.X)).(*types.Chan)
		return ok
	case *ast.CallExpr:
		switch fun := ast.Unparen(n.Fun).(type) {
		case *ast.Ident:
			b, ok := f.info.Uses[fun].(*types.Builtin)
			return ok && b.Name() == "close"
		case *ast.SelectorExpr:
			o := f.info.Uses[fun.Sel]
			return o != nil && o.Pkg() != nil && slices.Contains([]string{"sync", "sync/atomic", "time", "context"}, o.Pkg().Path())
		}
	}
	return false
}

func under(t types.Type) types.Type {
	if t == nil {
		return nil
	}
	return t.Underlying()
}

// names notes the fields and variables that some lines name, and those that functions name
// which they call.
func (c *collector) names(f *source, lines map[int]bool) {
	ast.Inspect(f.AST, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok || !lines[f.line(id.Pos())] {
			return true
		}
		o := f.info.Uses[id]
		if key := keyOf(o); key != "" {
			c.fields[key] = true
		}
		if fn, ok := o.(*types.Func); ok {
			c.called(fn)
		}
		return true
	})
}

// called notes the fields and variables that a function of the program names.
func (c *collector) called(fn *types.Func) {
	for _, g := range c.files {
		for _, n := range g.funcs {
			d, ok := n.(*ast.FuncDecl)
			if !ok || g.info.Defs[d.Name] == nil || fullName(g.info.Defs[d.Name]) != fn.FullName() {
				continue
			}
			ast.Inspect(d, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok {
					if key := keyOf(g.info.Uses[id]); key != "" {
						c.fields[key] = true
					}
				}
				return true
			})
		}
	}
}

func fullName(o types.Object) string {
	if fn, ok := o.(*types.Func); ok {
		return fn.FullName()
	}
	return ""
}

// keyOf names a field, or a variable of a package, of the program; "": it is neither. The
// name is the same in packages that were checked anew. Fields of one name and type may
// share it.
func keyOf(o types.Object) string {
	v, ok := o.(*types.Var)
	if !ok || v.Pkg() == nil || !v.IsField() && v.Parent() != v.Pkg().Scope() {
		return ""
	}
	return v.Pkg().Path() + "." + v.Name() + " " + types.TypeString(v.Type(), nil)
}

// uses are the lines at which a file names one of some fields and variables.
func (f *source) uses(keys map[string]bool) map[int]bool {
	lines := map[int]bool{}
	for id, o := range f.info.Uses {
		if pos := f.fset.PositionFor(id.Pos(), false); pos.Filename == f.Name && keys[keyOf(o)] {
			lines[pos.Line] = true
		}
	}
	return lines
}
