package atomicrmw

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/dave/dst"

	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/exits"
	"mendel/mutate/fact/scope"
	"mendel/mutate/internal/tree"
)

// A window is an if that leaves after asking an atomic variable, and a change of the
// variable behind it: what was asked may no longer be so.
type window struct {
	access
	asks   *ast.IfStmt
	loads  []*ast.CallExpr // in the condition
	loaded *ast.AssignStmt // the definition of a variable with what was loaded, in front of or in the if; nil: none
	change ast.Stmt
	name   string // of what is loaded, in the loop
	next   string // the value after the change
}

// windowAt is the window whose if a statement is.
func windowAt(fn *mutate.Function, st mutate.Statement) (w window, ok bool) {
	s, ok := st.Stmt.(*ast.IfStmt)
	if !ok || s.Else != nil || !leaves(s.Body) {
		return w, false
	}
	w = window{asks: s}
	var v types.Object
	w.loaded, v = definition(fn, st, s)
	if s.Init != nil && w.loaded == nil {
		return w, false
	}
	at := w.changeBehind(fn, st, v)
	if at < 0 {
		return w, false
	}
	w.change = st.List[at]
	if reason := w.hindrance(fn, st.List[st.Index+1:at], v); reason != "" {
		fn.Decline(s, "%s", reason)
		return w, false
	}
	c, _ := changed(fn, w.change)
	w.next = w.valueAfter(fn, c)
	return w, !fn.Fresh(targetOf(c.call))
}

// targetOf is the variable that a call of sync/atomic is for.
func targetOf(call *ast.CallExpr) ast.Expr {
	if len(call.Args) > 0 {
		if at, ok := ast.Unparen(call.Args[0]).(*ast.UnaryExpr); ok && at.Op == token.AND {
			return at.X
		}
	}
	return ast.Unparen(call.Fun).(*ast.SelectorExpr).X
}

// definition is that of a variable with what an atomic variable holds, in front of an if or as its
// first part, if it is named nowhere behind it but in the statements of the window.
func definition(fn *mutate.Function, st mutate.Statement, s *ast.IfStmt) (*ast.AssignStmt, types.Object) {
	init := s.Init
	if init == nil && st.Index > 0 {
		init = st.List[st.Index-1]
	}
	d, ok := init.(*ast.AssignStmt)
	if !ok || d.Tok != token.DEFINE || len(d.Lhs) != 1 || len(d.Rhs) != 1 {
		return nil, nil
	}
	if l, ok := accessOf(fn, d.Rhs[0]); !ok || l.store {
		return nil, nil
	}
	v := fn.File.Package.Info.Defs[d.Lhs[0].(*ast.Ident)]
	if v == nil || !syntax.Names(fn.File.Package.Info, s.Cond, v) {
		return nil, nil
	}
	return d, v
}

// changeBehind finds the change of what the condition asks, and how it is asked; -1: there is none.
func (w *window) changeBehind(fn *mutate.Function, st mutate.Statement, v types.Object) int {
	info := fn.File.Package.Info
	for i := st.Index + 1; i < len(st.List); i++ {
		c, ok := changed(fn, st.List[i])
		if !ok || !c.number {
			continue
		}
		w.access, w.loads = c, loadsOf(fn, w.asks.Cond, c.target)
		if v != nil {
			if l, _ := accessOf(fn, w.loaded.Rhs[0]); l.target != c.target {
				w.loaded = nil
				if w.asks.Init != nil {
					return -1
				}
			}
		}
		depends := c.add || len(loadsOf(fn, c.value, c.target)) > 0 || w.loaded != nil && syntax.Names(info, c.value, v)
		if depends && (w.loaded != nil || len(w.loads) > 0) {
			return i
		}
		return -1
	}
	return -1
}

// changed is what a statement stores or adds and does nothing else.
func changed(fn *mutate.Function, s ast.Stmt) (a access, ok bool) {
	e, ok := s.(*ast.ExprStmt)
	if !ok {
		return a, false
	}
	a, ok = callOf(fn, e.X)
	return a, ok && a.value != nil
}

// loadsOf are the loads of an atomic variable in an expression.
func loadsOf(fn *mutate.Function, e ast.Expr, target string) (loads []*ast.CallExpr) {
	ast.Inspect(e, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if ok {
			if a, ok := accessOf(fn, call); ok && !a.store && a.target == target {
				loads = append(loads, call)
			}
		}
		return true
	})
	return loads
}

// hindrance is why a window cannot become a loop; "": it can.
func (w *window) hindrance(fn *mutate.Function, between []ast.Stmt, v types.Object) string {
	info := fn.File.Package.Info
	for _, s := range between {
		if !quiet(fn, s) {
			return "what stands between the check and the change of " + w.target + " may have effects"
		}
	}
	if !onlyLoads(fn, w.asks.Cond) || !onlyLoads(fn, w.value) {
		return "the check or the change of " + w.target + " calls a function, which a loop would call again"
	}
	if !w.knownBefore(fn, between, v) {
		return "what changes " + w.target + " is known only later than the check"
	}
	for _, s := range exits.Of(fn, w.asks.Body.List...) {
		if b, ok := s.(*ast.BranchStmt); ok && b.Label == nil {
			return "the check is left by a break or continue, which would be that of the loop"
		}
	}
	if w.loaded == nil {
		w.name = w.freeName(fn)
		return ""
	}
	w.name = v.Name()
	outside := syntax.Any(fn.Body, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		return ok && info.Uses[id] == v && !syntax.Within(n, ast.Node(w.asks), ast.Node(w.change))
	})
	if outside {
		return "what was loaded is used behind the change of " + w.target
	}
	return ""
}

// quiet reports whether a statement only gives local variables values that need no call.
func quiet(fn *mutate.Function, s ast.Stmt) bool {
	info := fn.File.Package.Info
	switch s := s.(type) {
	case *ast.DeclStmt:
		return !syntax.Any(s, func(n ast.Node) bool { e, ok := n.(ast.Expr); return ok && !syntax.Effectless(info, e) })
	case *ast.AssignStmt:
		for _, l := range s.Lhs {
			id, ok := ast.Unparen(l).(*ast.Ident)
			if !ok || syntax.PackageLevel(info.ObjectOf(id)) {
				return false
			}
		}
		for _, r := range s.Rhs {
			if !syntax.Effectless(info, r) {
				return false
			}
		}
		return true
	}
	return false
}

// onlyLoads reports whether an expression calls nothing but conversions, predeclared functions
// and loads of atomic variables.
func onlyLoads(fn *mutate.Function, e ast.Expr) bool {
	info := fn.File.Package.Info
	return !syntax.Any(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.UnaryExpr:
			return n.Op == token.ARROW
		case *ast.FuncLit:
			return true
		case *ast.CallExpr:
			tv := info.Types[n.Fun]
			if tv.IsBuiltin() || tv.IsType() {
				return false
			}
			a, ok := accessOf(fn, n)
			return !ok || a.store
		}
		return false
	})
}

// knownBefore reports whether the value of the change names nothing, but what was loaded, that is
// declared or assigned in the if or behind it.
func (w *window) knownBefore(fn *mutate.Function, between []ast.Stmt, loaded types.Object) bool {
	return !syntax.Any(w.value, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return false
		}
		v, variable := fn.File.Package.Info.Uses[id].(*types.Var)
		if !variable || v.IsField() || v == loaded {
			return false
		}
		return w.asks.Pos() <= v.Pos() && v.Pos() < w.change.End() || fn.Reassigns(id.Name, between...)
	})
}

// freeName is a name for what is loaded: that of the variable, or a common one.
func (w *window) freeName(fn *mutate.Function) string {
	_, last := syntax.CutLast(w.target)
	if last == "" {
		last = w.target
	}
	inner := fn.File.Package.Types.Scope().Innermost(w.asks.Pos())
	for _, name := range []string{syntax.Uncapital(last), "old"} {
		if !token.IsIdentifier(name) || inner == nil {
			continue
		}
		if _, found := inner.LookupParent(name, token.NoPos); found == nil {
			return name
		}
	}
	return scope.FreeName(fn, "old")
}

// valueAfter writes the value that the variable has after the change.
func (w *window) valueAfter(fn *mutate.Function, c access) string {
	text := types.ExprString(c.value)
	if !c.add {
		for _, l := range loadsOf(fn, c.value, c.target) {
			text = strings.ReplaceAll(text, types.ExprString(l), w.name)
		}
		return text
	}
	switch v := ast.Unparen(c.value).(type) {
	case *ast.UnaryExpr:
		if v.Op == token.SUB {
			return w.name + "-" + types.ExprString(v.X)
		}
	case *ast.BinaryExpr:
		text = "(" + types.ExprString(v) + ")"
	}
	return w.name + "+" + text
}

// applyLoop asks and changes until nobody has come in between.
func applyLoop(m *mutate.Mutation, e mutate.Edit) error {
	fn := m.Function(e.File, e.Node)
	asks, _ := m.Syntax(e.File, e.Node).(*ast.IfStmt)
	st := mutate.Innermost(fn.Statements(), asks)
	w, ok := windowAt(fn, st)
	if !ok {
		return mutate.Refuse(e, "there is nothing to be made one step")
	}
	s, _ := m.Stmt(e.File, e.Node).(*dst.IfStmt)
	if s == nil {
		return mutate.Refuse(e, "another edit removed the check")
	}
	for _, load := range w.loads {
		if err := m.Replace(e.File, m.Of(e.File, load), dst.NewIdent(w.name)); err != nil {
			return fmt.Errorf("asking what was loaded: %w", err)
		}
	}
	gone := []dst.Stmt{m.StmtOf(e.File, w.change)}
	var load ast.Expr
	switch {
	case w.loaded == nil:
		load = w.loads[0]
	case ast.Stmt(w.loaded) == asks.Init:
		load, s.Init = w.loaded.Rhs[0], nil
	default:
		load, gone = w.loaded.Rhs[0], append(gone, m.StmtOf(e.File, w.loaded))
	}
	for _, g := range gone {
		if err := m.Remove(e.File, g); err != nil {
			return err
		}
	}
	source := fmt.Sprintf("// %s\nfor {\n%s := %s\nif %s {\nbreak\n}\n}", e.Note, w.name, types.ExprString(load), w.write("CompareAndSwap", w.name, w.next))
	stmts, err := tree.Snippet(source)
	if err != nil {
		return err
	}
	if err := m.Insert(e.File, s, false, stmts...); err != nil {
		return err
	}
	return m.Move(e.File, s, stmts[0].(*dst.ForStmt).Body.List[1], false)
}
