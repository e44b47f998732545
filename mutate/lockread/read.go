package lockread

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"mendel/analysis"
	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/scope"
)

// A read is a shared variable that a statement reads when it begins.
type read struct {
	stmt  ast.Stmt
	exprs []ast.Expr // the variable, each time it is written; in source order
	name  string     // of the variable to read it into
}

// reads lists what a statement reads of shared variables and could use later.
func reads(fn *mutate.Function, stmt ast.Stmt) []*read {
	header := evaluated(stmt)
	if len(header) == 0 || !does(fn, stmt) {
		return nil
	}
	var found []*read
	at := make(map[string]*read)
	spoilt := make(map[string]bool) // written, too, or read when it may have changed
	for _, a := range fn.Accesses(stmt) {
		text := types.ExprString(a.Expr)
		r := at[text]
		switch {
		case r != nil && !a.Write && !syntax.Within(a.Expr, header...) && fn.Base(a.Expr) == fn.Base(r.exprs[0]) && goesOn(fn, stmt, a.Expr):
			r.exprs = append(r.exprs, a.Expr)
			continue
		case a.Write || !syntax.Within(a.Expr, header...) || afterCall(fn, header, a.Expr):
			spoilt[text] = spoilt[text] || a.Write || syntax.Within(a.Expr, header...)
			continue
		case spoilt[text] || !holds(fn.File.Package.Info.TypeOf(a.Expr)) && !onlyFields(fn, stmt, a.Expr) || settled(fn, a.Var) || asksNil(fn, header, a.Expr) || assigned(stmt, text):
			continue
		}
		if r == nil {
			r = &read{stmt: stmt, name: nameOf(fn, a.Expr)}
			at[text] = r
			found = append(found, r)
		}
		r.exprs = append(r.exprs, a.Expr)
	}
	var out []*read
	for _, r := range found {
		text := types.ExprString(r.exprs[0])
		if sel, ok := ast.Unparen(r.exprs[0]).(*ast.SelectorExpr); ok {
			if of := types.ExprString(sel.X); at[of] != nil && !spoilt[of] && len(at[of].exprs) > 1 {
				continue // all of the struct is read
			}
		}
		if !spoilt[text] {
			out = append(out, r)
		}
	}
	return out
}

// goesOn reports whether what an if or switch decides about is read again in what
// it decides before anything is called that may change it, so that the copy serves
// there, too: the check and the use are of one value then.
func goesOn(fn *mutate.Function, stmt ast.Stmt, operand ast.Expr) bool {
	switch stmt.(type) {
	case *ast.IfStmt, *ast.SwitchStmt:
	default:
		return false
	}
	ok := true
	ast.Inspect(stmt, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ForStmt, *ast.RangeStmt: // read each time
			ok = ok && (operand.Pos() < n.Pos() || n.End() < operand.End())
		case *ast.FuncLit: // read later
			ok = ok && (operand.Pos() < n.Pos() || n.End() < operand.End())
			return false
		case *ast.CallExpr:
			ok = ok && (n.End() > operand.Pos() || !calls(fn, n))
		case *ast.UnaryExpr:
			ok = ok && (n.Op != token.ARROW || n.End() > operand.Pos())
		}
		return ok
	})
	return ok
}

// find is the read of a statement that begins with the expression of a NodeID; nil if there is none.
func find(fn *mutate.Function, stmt ast.Stmt, id int) *read {
	for _, r := range reads(fn, stmt) {
		if fn.ID(r.exprs[0]) == id {
			return r
		}
	}
	return nil
}

// evaluated lists what a statement evaluates once, first of all.
func evaluated(stmt ast.Stmt) []ast.Expr {
	switch s := stmt.(type) {
	case *ast.ExprStmt:
		return []ast.Expr{s.X}
	case *ast.SendStmt:
		return []ast.Expr{s.Chan, s.Value}
	case *ast.AssignStmt:
		return s.Rhs
	case *ast.ReturnStmt:
		return s.Results
	case *ast.GoStmt:
		return []ast.Expr{s.Call}
	case *ast.DeferStmt:
		return []ast.Expr{s.Call}
	case *ast.IfStmt:
		if s.Init == nil {
			return []ast.Expr{s.Cond}
		}
	case *ast.SwitchStmt:
		if s.Init == nil && s.Tag != nil {
			return []ast.Expr{s.Tag}
		}
	}
	return nil
}

// does reports whether a statement calls or waits, so that it matters whether a
// lock is held around all of it.
func does(fn *mutate.Function, stmt ast.Stmt) bool {
	found := false
	ast.Inspect(stmt, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			found = found || calls(fn, n)
		case *ast.SendStmt, *ast.SelectStmt:
			found = true
		case *ast.UnaryExpr:
			found = found || n.Op == token.ARROW
		}
		return !found
	})
	return found
}

// calls reports whether a call is one of a function: no conversion, no builtin.
func calls(fn *mutate.Function, call *ast.CallExpr) bool {
	tv := fn.File.Package.Info.Types[call.Fun]
	return !tv.IsType() && syntax.Builtin(fn.File.Package.Info, call) == ""
}

// callsOwn reports whether a call may come to the program: it is of one of its functions, or of a
// function value, or gives one to somebody else's.
func callsOwn(fn *mutate.Function, call *ast.CallExpr) bool {
	info := fn.File.Package.Info
	f := syntax.Callee(info, call.Fun)
	if f == nil || f.Pkg() == nil || slices.ContainsFunc(fn.Program.Packages, func(p *analysis.Package) bool { return p.Types == f.Pkg() }) {
		return true
	}
	return slices.ContainsFunc(call.Args, func(arg ast.Expr) bool {
		_, is := info.TypeOf(arg).Underlying().(*types.Signature)
		return is
	})
}

// afterCall reports whether the program may be called, or something received, before an operand of
// the same statement is evaluated.
func afterCall(fn *mutate.Function, header []ast.Expr, operand ast.Expr) bool {
	found := false
	for _, x := range header {
		ast.Inspect(x, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				return false
			case *ast.CallExpr:
				found = found || n.End() <= operand.Pos() && calls(fn, n) && callsOwn(fn, n)
			case *ast.UnaryExpr:
				found = found || n.Op == token.ARROW && n.End() <= operand.Pos()
			}
			return !found
		})
	}
	return found
}

// asksNil reports whether the expressions compare with nil what an operand is
// selected from, or the operand is reached through more than names and fields.
func asksNil(fn *mutate.Function, header []ast.Expr, operand ast.Expr) bool {
	bases := make(map[string]bool)
	e := operand
	for {
		sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
		if !ok {
			break
		}
		e = sel.X
		bases[types.ExprString(e)] = true
	}
	if _, ok := ast.Unparen(e).(*ast.Ident); !ok {
		return true
	}
	found := false
	for _, x := range header {
		ast.Inspect(x, func(n ast.Node) bool {
			b, ok := n.(*ast.BinaryExpr)
			if ok && (fn.File.Package.Info.Types[b.Y].IsNil() || fn.File.Package.Info.Types[b.X].IsNil()) {
				found = found || bases[types.ExprString(b.X)] || bases[types.ExprString(b.Y)]
			}
			return !found
		})
	}
	return found
}

// settled reports whether a variable keeps its value, or is a parameter, whose
// changes concern one call.
func settled(fn *mutate.Function, v *types.Var) bool {
	return fn.Immutable(v) || v.Kind() == types.ParamVar || v.Kind() == types.RecvVar
}

// assigned reports whether an assignment has an operand of a text on its left.
func assigned(stmt ast.Stmt, text string) bool {
	s, ok := stmt.(*ast.AssignStmt)
	if !ok {
		return false
	}
	for _, lhs := range s.Lhs {
		if types.ExprString(lhs) == text {
			return true
		}
	}
	return false
}

// holds reports whether a value of a type can be kept in a variable that shares
// nothing with the one it was read from, but what it leads to.
func holds(t types.Type) bool {
	if _, parameter := types.Unalias(t).(*types.TypeParam); t == nil || parameter {
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Chan, *types.Pointer, *types.Interface, *types.Signature:
		return true
	case *types.Basic:
		return u.Info()&types.IsUntyped == 0
	}
	return false
}

// onlyFields reports whether the value of a struct variable can be kept so, since the statement selects several fields
// of it that hold nothing but values: a copy of all of it agrees with itself, as copies of single fields do not.
func onlyFields(fn *mutate.Function, stmt ast.Stmt, operand ast.Expr) bool {
	info := fn.File.Package.Info
	t := info.TypeOf(operand)
	if t == nil || analysis.HoldsLock(t) {
		return false
	}
	if _, is := t.Underlying().(*types.Struct); !is {
		return false
	}
	ok, text, fields := true, types.ExprString(operand), map[string]bool{}
	syntax.Walk(stmt, func(n ast.Node, path []ast.Node) {
		e, is := n.(ast.Expr)
		if !is || types.ExprString(e) != text {
			return
		}
		sel, selects := parent(path).(*ast.SelectorExpr)
		ok = ok && selects && sel.X == e && holds(info.TypeOf(sel)) && fieldOfStruct(info, sel)
		if ok {
			fields[sel.Sel.Name] = true
		}
	})
	return ok && len(fields) > 1
}

// parent is the innermost of the nodes around one.
func parent(path []ast.Node) ast.Node {
	if len(path) == 0 {
		return nil
	}
	return path[len(path)-1]
}

// fieldOfStruct reports whether a selector is one of a field, and no method.
func fieldOfStruct(info *types.Info, sel *ast.SelectorExpr) bool {
	s := info.Selections[sel]
	return s != nil && s.Kind() == types.FieldVal
}

// nameOf is a free name for the value of a variable: that of the field with a
// small letter, or "now" and the variable's.
func nameOf(fn *mutate.Function, e ast.Expr) string {
	switch e := ast.Unparen(e).(type) {
	case *ast.SelectorExpr:
		first, size := utf8.DecodeRuneInString(e.Sel.Name)
		name := string(unicode.ToLower(first)) + e.Sel.Name[size:]
		if strings.ToUpper(e.Sel.Name) == e.Sel.Name {
			name = strings.ToLower(e.Sel.Name)
		}
		if token.IsIdentifier(name) {
			return scope.FreeName(fn, name)
		}
	case *ast.Ident:
		first, size := utf8.DecodeRuneInString(e.Name)
		return scope.FreeName(fn, "now"+string(unicode.ToUpper(first))+e.Name[size:])
	}
	return scope.FreeName(fn, "value")
}
