package handback

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"mendel/analysis/syntax"
	"mendel/mutate"
)

// A removal is the statement that takes one who waits off a list.
type removal struct {
	stmt   ast.Stmt
	field  string          // "p.waiting"
	key    string          // of a map; "": it is none
	exit   *ast.ReturnStmt // by which the function is left where he was found; nil: it goes on
	leaves bool            // that return comes right behind, but for a release
	opaque bool            // nothing tells whether he was there
}

// leaveOf is how a case gives up; nil: nothing is known about it.
func (a *abandon) leaveOf(clause *ast.CommClause, locked bool) *leave {
	l := &leave{of: a, clause: clause}
	for _, s := range clause.Body {
		for _, c := range a.fn.Calls(s) {
			if r := removalIn(c.To, a.list.variable); r != nil {
				return l.byHelper(s, c, r, locked)
			}
			if takes(c.To, a.list.variable) {
				return nil // in a way that is not known
			}
		}
	}
	for _, s := range a.fn.Sections() {
		if s.Deferred || s.Read || s.Lock.Key != a.list.lockKey || !slices.Contains(clause.Body, s.Acquire) || s.Final == nil {
			continue
		}
		r := removalAmong(a.fn, s.Body, a.list.variable)
		if r == nil {
			continue
		}
		l.removal, l.before, l.after = r, s.Acquire, s.Final
		l.certain = r.opaque
		if r.opaque && !locked {
			return nil
		}
		if r.key != "" && !slices.Contains(s.Body, r.stmt) || r.exit != nil && slices.Index(clause.Body, s.Final) != len(clause.Body)-2 {
			return nil
		}
		return l
	}
	if names(a.fn, clause, a.list.variable) || a.inList() || a.list.key == "" && a.list.waiter == "" {
		return nil
	}
	return l
}

// byHelper is how a case gives up by a method that leaves the list.
func (l *leave) byHelper(at ast.Stmt, c mutate.Call, r *removal, locked bool) *leave {
	stmt, ok := at.(*ast.ExprStmt)
	if !ok || ast.Unparen(stmt.X) != ast.Expr(c.Expr) {
		return nil
	}
	l.helper, l.removal, l.after, l.certain = c.To, r, at, r.opaque
	if r.opaque {
		if !locked {
			return nil
		}
		return l
	}
	decl, ok := c.To.Node.(*ast.FuncDecl)
	if !ok || decl.Type.Results != nil || ast.IsExported(decl.Name.Name) || r.key != "" && (len(returns(c.To.Body)) > 0 || !slices.Contains(c.To.Body.List, r.stmt)) {
		return nil
	}
	obj, _ := c.To.File.Package.Info.Defs[decl.Name].(*types.Func)
	for _, m := range c.To.Mentions(obj) {
		path := m.Path()
		if !slices.ContainsFunc(path, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			return ok && syntax.CalledName(call.Fun) == m.Name
		}) {
			return nil // it is handed on as a value: its type is known elsewhere
		}
	}
	return l
}

// inList reports whether the list is one of package container/list, of which only the element can leave.
func (a *abandon) inList() bool {
	switch a.list.variable.Type().Underlying().(type) {
	case *types.Slice, *types.Map:
		return false
	}
	return true
}

// removalIn is how a function leaves a list, if it does nothing else with it.
func removalIn(fn *mutate.Function, list *types.Var) *removal {
	if fn == nil {
		return nil
	}
	return removalAmong(fn, fn.Body.List, list)
}

// names reports whether code of a function names a list.
func names(fn *mutate.Function, code ast.Node, list *types.Var) bool {
	info := fn.File.Package.Info
	return syntax.Any(code, func(n ast.Node) bool {
		e, ok := n.(ast.Expr)
		return ok && syntax.Field(info, e) == list
	})
}

// removalAmong finds how statements of a function take one who waits off a list: in a loop that compares, by the key of
// a map, or by the element of a list; nil: they do not.
func removalAmong(fn *mutate.Function, list []ast.Stmt, variable *types.Var) *removal {
	info := fn.File.Package.Info
	for _, s := range list {
		switch s := s.(type) {
		case *ast.ExprStmt:
			call, ok := s.X.(*ast.CallExpr)
			if !ok {
				continue
			}
			if syntax.Builtin(info, call) == "delete" && syntax.Field(info, call.Args[0]) == variable {
				return &removal{stmt: s, field: fn.Text(call.Args[0]), key: fn.Text(call.Args[1])}
			}
			sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
			if ok && sel.Sel.Name == "Remove" && syntax.Field(info, sel.X) == variable {
				return &removal{stmt: s, opaque: true}
			}
		case *ast.RangeStmt, *ast.ForStmt:
			if r := removalInLoop(fn, s, variable); r != nil {
				return r
			}
		}
	}
	return nil
}

// removalInLoop finds how a loop takes the one that it looks for off a list.
func removalInLoop(fn *mutate.Function, loop ast.Stmt, variable *types.Var) *removal {
	info := fn.File.Package.Info
	for _, st := range fn.Statements() {
		assign, ok := st.Stmt.(*ast.AssignStmt)
		if !ok || !syntax.Within(ast.Node(assign), ast.Node(loop)) || len(assign.Lhs) != 1 || syntax.Field(info, assign.Lhs[0]) != variable {
			continue
		}
		call, ok := ast.Unparen(assign.Rhs[0]).(*ast.CallExpr)
		if !ok || !cuts(info, call, variable) || !inIf(loop, assign) {
			continue
		}
		r := &removal{stmt: assign, field: fn.Text(assign.Lhs[0])}
		if last, ok := st.List[len(st.List)-1].(*ast.ReturnStmt); ok {
			r.exit = last
			r.leaves = len(last.Results) == 0 && len(st.List) <= st.Index+3
		}
		return r
	}
	return nil
}

// cuts reports whether a call gives a list without one of its elements: append(l[:i], l[i+1:]...) or slices.Delete(l,
// i, i+1).
func cuts(info *types.Info, call *ast.CallExpr, list *types.Var) bool {
	if syntax.Builtin(info, call) == "append" {
		if len(call.Args) != 2 || call.Ellipsis == token.NoPos {
			return false
		}
		head, ok := ast.Unparen(call.Args[0]).(*ast.SliceExpr)
		return ok && syntax.Field(info, head.X) == list
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	return ok && sel.Sel.Name == "Delete" && len(call.Args) == 3 && syntax.Field(info, call.Args[0]) == list
}

// inIf reports whether a statement of a loop is made under a condition of it.
func inIf(loop ast.Stmt, s ast.Stmt) bool {
	return slices.ContainsFunc(syntax.Path(loop, s), func(n ast.Node) bool {
		check, ok := n.(*ast.IfStmt)
		return ok && syntax.Within(ast.Node(s), ast.Node(check.Body))
	})
}

// returns are the returns of a function, in source order, but those of literals.
func returns(body *ast.BlockStmt) (out []*ast.ReturnStmt) {
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			out = append(out, n)
		}
		return true
	})
	return out
}

// replaced is a call with a value in its place.
func replaced(call, value string) string { return strings.Replace(call, "\x00", value, 1) }
