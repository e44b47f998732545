package askagain

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"mendel/analysis/syntax"
)

// The repetition of what a section has asked, as Go writes it.

// behindDefer reports whether the repeated code stands behind the deferred release. A function
// that begins again has to let the lock go before.
func (w *whole) behindDefer() bool { return w.next.Deferred && len(w.kept) == 0 }

// text is the repeated code as Go writes it. What takes the lock is called by its variant's name.
func (w *whole) text(variant string) string {
	var b strings.Builder
	_, release := w.next.Methods()
	let := w.next.Lock.Expr + "." + release + "()\n"
	if w.behindDefer() && w.left == nil {
		let = ""
	}
	leave := func(list []ast.Stmt, released bool) {
		if !released {
			b.WriteString(let)
		}
		var code []string
		for _, s := range list {
			if slices.Contains(w.let, s) {
				b.WriteString(let)
				continue
			}
			code = append(code, w.left.apart(w.fn, w.source(s, variant)))
		}
		for _, line := range w.left.closing(code) {
			b.WriteString(line + "\n")
		}
		b.WriteString("}\n")
	}
	if len(w.kept) == 0 && w.scoped() {
		ask := w.asked[0].(*ast.AssignStmt)
		b.WriteString("if " + w.left.apart(w.fn, w.scopedNames(ask)) + " := " + w.source(ask.Rhs[0], variant) + "; " + w.left.apart(w.fn, types.ExprString(w.tests[0].Cond)) + " {\n")
		leave(w.tests[0].Body.List, false)
		return strings.TrimSuffix(b.String(), "\n")
	}
	leaves := slices.ContainsFunc(w.asked, func(s ast.Stmt) bool {
		test, ok := w.leaver(s)
		return ok && w.asks(test)
	})
	asks := w.assignments()
	inOrder := len(w.kept) > 0 && (leaves || len(asks) > 1) // each question stands before what leaves by its answer
	for _, s := range w.asked {
		if test, ok := w.leaver(s); ok {
			b.WriteString(w.head(test, variant))
			leave(test.Body.List, slices.ContainsFunc(test.Body.List, func(s ast.Stmt) bool { return slices.Contains(w.let, s) }))
			continue
		}
		if len(w.kept) == 0 {
			b.WriteString(w.assigned(s, variant) + "\n")
		} else if a, ok := s.(*ast.AssignStmt); ok && inOrder {
			op := " = "
			if w.fresh(a) {
				op = " := "
			}
			b.WriteString(w.named(a, true) + op + w.source(a.Rhs[0], variant) + "\n")
		}
	}
	switch {
	case len(w.kept) == 0:
	case inOrder:
		b.WriteString("if " + w.differ() + " {\n" + let + w.begin() + "}\n")
	default:
		b.WriteString("if " + w.named(asks[0], false) + " := " + w.source(asks[0].Rhs[0], variant) + "; " + w.differ() + " {\n" + let + w.begin() + "}\n")
	}
	if len(w.kept) == 0 {
		for _, test := range w.tests {
			b.WriteString("if " + types.ExprString(test.Cond) + " {\n")
			leave(test.Body.List, false)
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// asks reports whether a test decides by an answer.
func (w *whole) asks(test *ast.IfStmt) bool {
	for v := range w.answers() {
		if syntax.Names(w.fn.File.Package.Info, test.Cond, v) {
			return true
		}
	}
	return false
}

// begin returns what the function returns when it begins again.
func (w *whole) begin() string {
	if res := w.fn.Type.Results; res != nil && len(res.List) > 0 {
		return "return " + w.again() + "\n"
	}
	return w.again() + "\nreturn\n"
}

// head is the beginning of a test that was asked with the lock held.
func (w *whole) head(test *ast.IfStmt, variant string) string {
	head := "if "
	if test.Init != nil {
		head += w.source(test.Init, variant) + "; "
	}
	return head + w.source(test.Cond, variant) + " {\n"
}

// named are the variables of an assignment that is repeated: new ones for the answers that are compared.
// Others that no test asks for are left out, unless all are to be there.
func (w *whole) named(ask *ast.AssignStmt, all bool) string {
	info := w.fn.File.Package.Info
	var names []string
	for _, e := range ask.Lhs {
		id := e.(*ast.Ident)
		v, _ := info.ObjectOf(id).(*types.Var)
		now, kept := w.kept[v]
		switch {
		case kept:
			names = append(names, now)
		case v != nil && (all || slices.ContainsFunc(w.tests, func(t *ast.IfStmt) bool { return syntax.Names(info, t.Cond, v) })):
			names = append(names, id.Name)
		default:
			names = append(names, "_")
		}
	}
	return strings.Join(names, ", ")
}

// scopedNames are the variables of an assignment, but for those that its test does not use.
func (w *whole) scopedNames(ask *ast.AssignStmt) string {
	info := w.fn.File.Package.Info
	var names []string
	for _, e := range ask.Lhs {
		name := "_"
		if obj := info.ObjectOf(e.(*ast.Ident)); obj != nil && syntax.Names(info, w.tests[0], obj) {
			name = e.(*ast.Ident).Name
		}
		names = append(names, name)
	}
	return strings.Join(names, ", ")
}

// fresh reports whether an assignment has an answer that is compared.
func (w *whole) fresh(ask *ast.AssignStmt) bool {
	return slices.ContainsFunc(ask.Lhs, func(e ast.Expr) bool {
		v, ok := w.fn.File.Package.Info.ObjectOf(e.(*ast.Ident)).(*types.Var)
		_, kept := w.kept[v]
		return ok && kept
	})
}

// differ is the condition for answers that are others now.
func (w *whole) differ() string {
	info := w.fn.File.Package.Info
	var conds, differ []string
	for _, t := range w.tests {
		for v := range w.answers() {
			if _, kept := w.kept[v]; !kept && syntax.Names(info, t.Cond, v) {
				conds = append(conds, types.ExprString(t.Cond))
				break
			}
		}
	}
	for _, a := range w.assignments() {
		for _, e := range a.Lhs {
			if v, ok := info.ObjectOf(e.(*ast.Ident)).(*types.Var); ok && w.kept[v] != "" {
				differ = append(differ, w.kept[v]+" != "+v.Name())
			}
		}
	}
	return strings.Join(append(conds, differ...), " || ")
}

// assigned is a statement whose variables are there already.
func (w *whole) assigned(s ast.Stmt, variant string) string {
	text := w.source(s, variant)
	if a, ok := s.(*ast.AssignStmt); ok && a.Tok == token.DEFINE {
		return strings.Replace(text, " := ", " = ", 1)
	}
	return text
}

// source is code as it stands in the program, with the name of what is called there.
func (w *whole) source(n ast.Node, variant string) string {
	text := func(from, to token.Pos) string {
		start := w.fn.File.AST.FileStart
		return string(w.fn.File.Source[from-start : to-start])
	}
	if w.call == nil || w.call.Expr.Pos() < n.Pos() || n.End() < w.call.Expr.End() {
		return text(n.Pos(), n.End())
	}
	var name *ast.Ident
	switch fun := w.call.Expr.Fun.(type) {
	case *ast.Ident:
		name = fun
	case *ast.SelectorExpr:
		name = fun.Sel
	}
	return text(n.Pos(), name.Pos()) + variant + text(name.End(), n.End())
}
