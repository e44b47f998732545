package inplace

import (
	"go/ast"
	"go/token"
	"go/types"

	"mendel/analysis"
	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/scope"
)

// A Copy is a local variable that a value with a lock is copied to, to be read.
type Copy struct {
	Var   *types.Var
	Stmt  ast.Stmt // the definition, or the loop
	From  string   // what the original's fields are selected from: "r" of *r, "all[i]"
	Of    ast.Expr // what From is, in the source; nil for an element of a loop
	Count int      // statements from the definition to the last that uses the copy; of a loop 1

	fn      *mutate.Function
	address string // the original's, as Go writes it: "r", "&s.stats"
	index   string // of a loop's elements; "": no loop
}

// Edit is the operator's edit of a copy among some.
func (c *Copy) Edit(edits []mutate.Edit) (found mutate.Edit, ok bool) {
	for _, e := range edits {
		if e.File == c.fn.File.Rel && e.Node == c.fn.ID(c.Stmt) {
			return e, true
		}
	}
	return found, false
}

// Copies are those of a function that can be used in place, in source order.
func Copies(fn *mutate.Function) (out []Copy) {
	for _, st := range fn.Statements() {
		c, ok := Copy{}, false
		switch s := st.Stmt.(type) {
		case *ast.AssignStmt:
			c, ok = assigned(fn, st, s)
		case *ast.RangeStmt:
			c, ok = elements(fn, s)
		}
		if ok {
			out = append(out, c)
		}
	}
	return out
}

// assigned is the copy that a statement defines: v := *p, v := s.stats, v := list[i].
func assigned(fn *mutate.Function, st mutate.Statement, s *ast.AssignStmt) (c Copy, ok bool) {
	if s.Tok != token.DEFINE || len(s.Lhs) != 1 || len(s.Rhs) != 1 {
		return c, false
	}
	v := local(fn, s.Lhs[0])
	if v == nil {
		return c, false
	}
	from := ast.Unparen(s.Rhs[0])
	c = Copy{Var: v, Stmt: s, Count: 1, fn: fn, From: types.ExprString(from), address: "&" + types.ExprString(from)}
	if star, pointer := from.(*ast.StarExpr); pointer {
		from = star.X
		c.From = types.ExprString(from)
		c.address = c.From
	} else if !addressable(fn, from) {
		return c, false
	}
	if !named(from) {
		return c, false
	}
	c.Of = from
	for i, later := range st.List[st.Index:] {
		if uses(fn, v, later) {
			c.Count = i + 1
		}
	}
	return c, (c.onlyRead(fn.Body) || c.locks(fn.Body)) && !fn.Reassigns(c.From, st.List[st.Index+1:st.Index+c.Count]...)
}

// elements is the copy that a loop over a slice makes of each element.
func elements(fn *mutate.Function, s *ast.RangeStmt) (c Copy, ok bool) {
	if s.Tok != token.DEFINE || s.Value == nil || !named(s.X) {
		return c, false
	}
	v := local(fn, s.Value)
	if _, slice := fn.File.Package.Info.TypeOf(s.X).Underlying().(*types.Slice); v == nil || !slice {
		return c, false
	}
	index, ok := s.Key.(*ast.Ident)
	if !ok {
		return c, false
	}
	c = Copy{Var: v, Stmt: s, Count: 1, fn: fn, index: index.Name}
	if index.Name == "_" {
		c.index = scope.FreeName(fn, "i")
	}
	c.From = types.ExprString(s.X) + "[" + c.index + "]"
	return c, (c.onlyRead(s.Body) || c.locks(s.Body)) && !fn.Reassigns(types.ExprString(s.X), s.Body)
}

// local is the variable with a lock in it that an expression defines; nil: none.
func local(fn *mutate.Function, e ast.Expr) *types.Var {
	id, ok := e.(*ast.Ident)
	if !ok {
		return nil
	}
	v, ok := fn.File.Package.Info.Defs[id].(*types.Var)
	if !ok || !analysis.HoldsLock(v.Type()) {
		return nil
	}
	if _, ok := v.Type().Underlying().(*types.Struct); !ok {
		return nil
	}
	return v
}

// named reports whether an expression has names, fields and indexes only, so that it
// means the same when it is evaluated again.
func named(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return true
	case *ast.SelectorExpr:
		return named(e.X)
	case *ast.IndexExpr:
		_, literal := ast.Unparen(e.Index).(*ast.BasicLit)
		return named(e.X) && (literal || named(e.Index))
	}
	return false
}

// addressable reports whether the address of a field or of an element of a slice can be taken.
func addressable(fn *mutate.Function, e ast.Expr) bool {
	info := fn.File.Package.Info
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		_, variable := info.Uses[e].(*types.Var)
		return variable
	case *ast.SelectorExpr:
		s := info.Selections[e]
		if s == nil || s.Kind() != types.FieldVal {
			return false
		}
		return s.Indirect() || addressable(fn, e.X)
	case *ast.IndexExpr:
		switch info.TypeOf(e.X).Underlying().(type) {
		case *types.Slice:
			return true
		case *types.Array:
			return addressable(fn, e.X)
		}
	}
	return false
}

// uses reports whether a statement uses a variable.
func uses(fn *mutate.Function, v *types.Var, s ast.Stmt) bool {
	return syntax.Any(s, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		return ok && fn.File.Package.Info.Uses[id] == v
	})
}

// locks reports whether some code takes a lock of the copy, which nobody else has: the original is meant, whatever is done
// with it.
func (c *Copy) locks(in ast.Node) bool {
	info := c.fn.File.Package.Info
	return syntax.Any(in, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return false
		}
		sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if !ok || sel.Sel.Name != "Lock" && sel.Sel.Name != "RLock" || c.fn.Path(sel.X).Root != types.Object(c.Var) {
			return false
		}
		f := syntax.Callee(info, call.Fun)
		return f != nil && f.Pkg() != nil && f.Pkg().Path() == "sync"
	})
}

// onlyRead reports whether nothing but reading its fields is done with a copy in some code:
// only then is nothing else seen through the original.
func (c *Copy) onlyRead(in ast.Node) bool {
	info := c.fn.File.Package.Info
	read := true
	syntax.Walk(in, func(n ast.Node, path []ast.Node) {
		id, ok := n.(*ast.Ident)
		if !ok || info.Uses[id] != c.Var {
			return
		}
		read = read && c.readAt(path)
	})
	return read
}

// readAt reports whether the name at the end of a path, the nodes around it, is only
// selected a field from, whose value is read in the function's own text.
func (c *Copy) readAt(path []ast.Node) bool {
	info := c.fn.File.Package.Info
	selected := false
	for i := len(path) - 1; i >= 0; i-- {
		switch n := path[i].(type) {
		case *ast.ParenExpr:
		case *ast.SelectorExpr:
			if s := info.Selections[n]; s == nil || s.Kind() != types.FieldVal {
				return false
			}
			selected = true
			if analysis.HoldsLock(info.TypeOf(n)) {
				return false
			}
		case *ast.UnaryExpr:
			return selected && n.Op != token.AND && !c.inLiteral(path[:i])
		case *ast.IncDecStmt:
			return false
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				if l.Pos() <= c.at(path).Pos() && c.at(path).End() <= l.End() {
					return false
				}
			}
			return selected && !c.inLiteral(path[:i])
		case *ast.IndexExpr:
			// The elements of a map or slice are the original's as well.
		default:
			return selected && !c.inLiteral(path[:i])
		}
	}
	return false
}

// at is the innermost node of a path.
func (c *Copy) at(path []ast.Node) ast.Node { return path[len(path)-1] }

// inLiteral reports whether a path leads into a function literal of the function.
func (c *Copy) inLiteral(path []ast.Node) bool {
	for _, n := range path {
		if lit, ok := n.(*ast.FuncLit); ok && lit != c.fn.Node {
			return true
		}
	}
	return false
}
