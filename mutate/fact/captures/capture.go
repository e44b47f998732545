package captures

import (
	"go/ast"
	"go/token"
	"go/types"
	"go/version"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"mendel/analysis"
	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/effects"
	"mendel/mutate/fact/guards"
	"mendel/mutate/fact/scope"
)

// A Capture is an operand of a statement that is to run without a section's
// lock and that uses what the lock guards: it is evaluated into a variable
// before the lock is released.
//
//	                next := q.next
//	q.next(item)  →  q.mu.Unlock()
//	q.mu.Unlock()   next(item)
type Capture struct {
	Expr ast.Expr
	Also []ast.Expr // where else the value is read
	Name string     // of the new variable
	// Clone is the package whose Clone copies what is ranged over: "slices",
	// "maps", or "" where the value alone will do.
	Clone string
	// Elements is the type of a list of what the elements point to, which is copied
	// instead, each by way of a variable Element; "": the list is.
	Elements, Element string
}

// has reports whether an access is of what is captured.
func (c Capture) has(e ast.Expr) bool {
	return syntax.Within(e, c.Expr) || slices.ContainsFunc(c.Also, func(also ast.Expr) bool { return syntax.Within(e, also) })
}

// Of lists the operands to capture when statements leave a section, in
// source order: the receiver or function value called, the arguments, the
// channel and the value sent, each as a whole. ok is false where what the lock
// guards is used in another way, is assigned to, or where a copy of the operand
// would still share it: slices, maps, and structs that might hold a lock. A
// slice or map that is ranged over is cloned. What a single statement with a body reads is
// captured wherever it does; see copies.
//
// All operands are evaluated before the first of the statements, so that there
// should be one, or the operations of one select.
func Of(fn *mutate.Function, s *mutate.Section, stmts ...ast.Stmt) (captures []Capture, ok bool) {
	if captures, ok := operandCaptures(fn, s, stmts...); ok || len(stmts) != 1 {
		return captures, ok
	}
	return copies(fn, s, stmts[0])
}

// operandCaptures are the captures of what the statements evaluate as they begin.
func operandCaptures(fn *mutate.Function, s *mutate.Section, stmts ...ast.Stmt) (captures []Capture, ok bool) {
	guarded := guards.Of(fn, s, stmts...)
	var operands []ast.Expr
	for _, stmt := range stmts {
		operands = append(operands, operandsOf(fn, stmt)...)
	}
	for _, a := range guarded {
		if a.Write || !slices.ContainsFunc(operands, func(e ast.Expr) bool { return syntax.Within(a.Expr, e) }) {
			return nil, false
		}
	}
	names := make(map[string]int)
	for _, e := range operands {
		if !slices.ContainsFunc(guarded, func(a analysis.Access) bool { return syntax.Within(a.Expr, e) }) {
			continue
		}
		clone := cloner(fn, e, stmts)
		if clone == "" && !capturable(fn, s, e) {
			return nil, false
		}
		name := captureName(fn, e)
		if names[name]++; names[name] > 1 {
			return nil, false // two operands of one name: hard to read
		}
		captures = append(captures, Capture{Expr: e, Name: name, Clone: clone})
	}
	return captures, true
}

// Flags are the flags of an edit that leaves some statements of a
// section without its lock, but for the captured operands of the first.
func Flags(fn *mutate.Function, s *mutate.Section, captures []Capture, stmts ...ast.Stmt) []mutate.Flag {
	copied := slices.ContainsFunc(captures, func(c Capture) bool { return c.Elements != "" })
	beyond := slices.ContainsFunc(guards.Of(fn, s, stmts...), func(a analysis.Access) bool {
		if copied && syntax.Within(a.Expr, stmts[0]) { // a snapshot has all of it
			return false
		}
		return !slices.ContainsFunc(captures, func(c Capture) bool { return c.has(a.Expr) })
	})
	if beyond || guards.CalleesUse(fn, s, stmts, nil, guards.MaxCalls, make(map[*types.Func]bool)) {
		return []mutate.Flag{mutate.DropsGuard}
	}
	return nil
}

// operandsOf lists what a statement evaluates before it calls, sends, receives or selects.
func operandsOf(fn *mutate.Function, stmt ast.Stmt) []ast.Expr {
	var of []ast.Expr
	switch s := stmt.(type) {
	case *ast.ExprStmt:
		of = operation(fn, s.X)
	case *ast.SendStmt:
		of = []ast.Expr{s.Chan, s.Value}
	case *ast.AssignStmt:
		if len(s.Rhs) == 1 {
			of = operation(fn, s.Rhs[0])
		}
	case *ast.ReturnStmt:
		for _, e := range s.Results {
			of = append(of, operation(fn, e)...)
		}
	case *ast.DeclStmt:
		if spec, ok := s.Decl.(*ast.GenDecl).Specs[0].(*ast.ValueSpec); ok && len(spec.Values) == 1 {
			of = operation(fn, spec.Values[0])
		}
	case *ast.RangeStmt:
		of = []ast.Expr{s.X}
	case *ast.SelectStmt:
		for _, c := range s.Body.List {
			if comm := c.(*ast.CommClause).Comm; comm != nil {
				of = append(of, operandsOf(fn, comm)...)
			}
		}
	}
	return of
}

// operation lists the operands of a call or receive.
func operation(fn *mutate.Function, e ast.Expr) []ast.Expr {
	switch e := ast.Unparen(e).(type) {
	case *ast.UnaryExpr:
		if e.Op == token.ARROW {
			return []ast.Expr{e.X}
		}
	case *ast.CallExpr:
		var of []ast.Expr
		sel, ok := ast.Unparen(e.Fun).(*ast.SelectorExpr)
		switch {
		case ok && fn.File.Package.Info.Selections[sel] != nil && fn.File.Package.Info.Selections[sel].Kind() == types.MethodVal:
			of = append(of, sel.X)
		case syntax.Variable(fn.File.Package.Info, e.Fun) != nil:
			of = append(of, e.Fun)
		}
		return append(of, e.Args...)
	}
	return nil
}

// capturable reports whether an operand's value stands for itself when copied,
// and evaluating it neither waits nor takes a lock.
func capturable(fn *mutate.Function, s *mutate.Section, e ast.Expr) bool {
	t := fn.File.Package.Info.TypeOf(e)
	if _, parameter := types.Unalias(t).(*types.TypeParam); t == nil || parameter {
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Chan, *types.Pointer, *types.Interface, *types.Signature:
	case *types.Basic:
		if u.Info()&types.IsUntyped != 0 {
			return false
		}
	default:
		return false
	}
	does := effects.Of(fn, s, &ast.ExprStmt{X: e})
	return does == effects.Effects{}
}

// cloner is the package whose Clone copies an operand that one of some
// statements ranges over; "" for other operands. See clonePackage.
func cloner(fn *mutate.Function, e ast.Expr, stmts []ast.Stmt) string {
	ranged := slices.ContainsFunc(stmts, func(stmt ast.Stmt) bool {
		r, ok := stmt.(*ast.RangeStmt)
		return ok && r.X == e && syntax.Variable(fn.File.Package.Info, e) != nil
	})
	if !ranged {
		return ""
	}
	return clonePackage(fn, e)
}

// clonePackage is the package whose Clone copies a map or slice; "" for other values, and
// where there is no such package yet or its name means something else.
func clonePackage(fn *mutate.Function, e ast.Expr) string {
	pkg := ""
	if t := fn.File.Package.Info.TypeOf(e); t != nil {
		switch t.Underlying().(type) {
		case *types.Slice:
			pkg = "slices"
		case *types.Map:
			pkg = "maps"
		}
	}
	if v := fn.File.Package.Info.FileVersions[fn.File.AST]; pkg == "" || v != "" && version.Compare(v, "go1.21") < 0 {
		return ""
	}
	if scope := fn.File.Package.Types.Scope().Innermost(e.Pos()); scope != nil {
		if _, obj := scope.LookupParent(pkg, e.Pos()); obj != nil {
			if _, imported := obj.(*types.PkgName); !imported {
				return ""
			}
		}
	}
	return pkg
}

// captureName is a free name for the value of an operand: that of the field,
// else of its type.
func captureName(fn *mutate.Function, e ast.Expr) string {
	if sel, ok := ast.Unparen(e).(*ast.SelectorExpr); ok && sel.Sel.Name != "_" {
		return scope.FreeName(fn, syntax.Uncapital(sel.Sel.Name))
	}
	return scope.FreeName(fn, typeName(fn.File.Package.Info.TypeOf(e)))
}

// typeName is what a variable of a type is called where nothing better is known.
func typeName(t types.Type) string {
	t = types.Unalias(t)
	if types.Identical(t, types.Universe.Lookup("error").Type()) {
		return "err"
	}
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	switch u := t.(type) {
	case *types.Named:
		name := strings.TrimFunc(syntax.Uncapital(u.Obj().Name()), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		if token.IsIdentifier(name) {
			return name
		}
	case *types.Chan:
		return "ch"
	case *types.Signature:
		return "call"
	case *types.Basic:
		switch {
		case u.Info()&types.IsInteger != 0:
			return "n"
		case u.Info()&types.IsString != 0:
			return "text"
		case u.Info()&types.IsBoolean != 0:
			return "is"
		}
	}
	return "value"
}

// ResultNames are free names for the results of an expression: err for an
// error, result for others.
func ResultNames(fn *mutate.Function, e ast.Expr) []string {
	t := fn.File.Package.Info.TypeOf(e)
	list := []types.Type{t}
	if tuple, ok := t.(*types.Tuple); ok {
		list = nil
		for v := range tuple.Variables() {
			list = append(list, v.Type())
		}
	}
	var names []string
	for _, t := range list {
		name := "result"
		if types.Identical(t, types.Universe.Lookup("error").Type()) {
			name = "err"
		}
		name = scope.FreeName(fn, name)
		for i := 2; slices.Contains(names, name); i++ {
			name = scope.FreeName(fn, "result"+strconv.Itoa(i))
		}
		names = append(names, name)
	}
	return names
}

// Movable reports whether what a statement evaluates, captured operands aside,
// is the same after some other statements: they assign to nothing it is made of.
func Movable(fn *mutate.Function, stmt ast.Stmt, captures []Capture, over ...ast.Stmt) bool {
	movable := true
	for _, e := range operandsOf(fn, stmt) {
		if slices.ContainsFunc(captures, func(c Capture) bool { return c.Expr == e }) {
			continue
		}
		movable = movable && lasts(fn, e)
		for _, s := range over {
			syntax.WalkOwn(s, func(n ast.Node, _ []ast.Node) {
				s, ok := n.(ast.Stmt)
				if !ok {
					return
				}
				for _, target := range syntax.Assigned(s) {
					movable = movable && !syntax.DependsOn(fn.File.Package.Info, e, target)
				}
			})
		}
	}
	return movable
}

// lasts reports whether nobody else changes what an expression reads: it calls
// nothing, and its fields keep their values or are only led through.
func lasts(fn *mutate.Function, e ast.Expr) bool {
	lasts := true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			tv := fn.File.Package.Info.Types[n.Fun]
			lasts = lasts && tv.IsType()
		case *ast.SelectorExpr:
			if v, field := fn.File.Package.Info.ObjectOf(n.Sel).(*types.Var); field {
				_, inside := v.Type().Underlying().(*types.Struct)
				lasts = lasts && (inside || fn.Immutable(v))
			}
		case *ast.IndexExpr, *ast.StarExpr, *ast.FuncLit:
			lasts = false
		}
		return lasts
	})
	return lasts
}
