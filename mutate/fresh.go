package mutate

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"mendel/analysis"
	"mendel/analysis/locks/owned"
	"mendel/analysis/syntax"
)

// Fresh reports whether a field is accessed of an object that the function has
// just made and not handed on: nobody else can know it. It has a local variable
// declared here by a composite literal or new, and so far only its fields were
// selected. Or it is a field of a struct of the function's own, such as a copy of a shared one;
// or one of a parameter or receiver for which all callers give what they have just made, as a
// constructor does that applies options.
func (fn *Function) Fresh(access ast.Expr) bool {
	if givenFresh(fn, access) {
		return true
	}
	obj := fn.Base(access).Root
	if obj == nil || obj.Pos() < fn.Body.Pos() || obj.Pos() > fn.Body.End() {
		return false
	}
	known := freshnessOf(fn, obj)
	return known.made && (!known.handed.IsValid() || access.Pos() < known.handed) || known.own && inValue(fn, access)
}

// givenFresh reports whether a field is one of what all callers have just made.
func givenFresh(fn *Function, access ast.Expr) bool {
	sel, ok := ast.Unparen(access).(*ast.SelectorExpr)
	if !ok || fn.space == nil {
		return false
	}
	f := fn.Locks().Of(fn.Node)
	return f != nil && owned.GivenFresh(fn.Locks(), f, sel)
}

// A freshness says whether a local variable was given a new object, and where
// that may first become known to others; NoPos: nowhere.
type freshness struct {
	made   bool
	handed token.Pos
	own    bool // a struct whose memory nobody else can know, whatever it is a copy of
}

// inValue reports whether a field lies in the memory of the variable that it is selected
// from: neither a pointer on the way nor the field leads elsewhere.
func inValue(fn *Function, access ast.Expr) bool {
	info := fn.File.Package.Info
	switch info.TypeOf(access).Underlying().(type) {
	case *types.Map, *types.Slice, *types.Pointer:
		return false
	}
	x := ast.Unparen(access)
	for {
		sel, ok := x.(*ast.SelectorExpr)
		if !ok {
			break
		}
		s := info.Selections[sel]
		if s == nil || s.Kind() != types.FieldVal || s.Indirect() {
			return false
		}
		x = ast.Unparen(sel.X)
	}
	_, ok := x.(*ast.Ident)
	return ok
}

// isOwn reports whether a variable is a struct that is neither captured nor has its address
// taken, be it by a call of a method.
func isOwn(fn *Function, obj types.Object) bool {
	if _, ok := obj.Type().Underlying().(*types.Struct); !ok {
		return false
	}
	info := fn.File.Package.Info
	return !syntax.Any(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return syntax.Has(fn.File.Package.Info, obj, n.Body)
		case *ast.UnaryExpr:
			return n.Op == token.AND && fn.Base(n.X).Root == obj
		case *ast.SelectorExpr:
			s := info.Selections[n]
			if s == nil || s.Kind() == types.FieldVal || fn.Base(n.X).Root != obj {
				return false
			}
			_, pointer := s.Obj().Type().(*types.Signature).Recv().Type().(*types.Pointer)
			return pointer
		case *ast.SliceExpr: // of an array
			return fn.Base(n.X).Root == obj
		}
		return false
	})
}

// freshnessOf is that of a local variable of the function.
func freshnessOf(fn *Function, obj types.Object) freshness {
	return freshnesses.Of(fn).Get(obj, func() freshness { return findFreshness(fn, obj) })
}

var freshnesses = NewFact(func(*Function) *Table[types.Object, freshness] { return new(Table[types.Object, freshness]) })

func findFreshness(fn *Function, obj types.Object) freshness {
	made, handed := false, token.NoPos
	hand := func(pos token.Pos) {
		if loop := analysis.OuterLoop(fn.Body, pos, obj.Pos()); loop.IsValid() {
			pos = loop
		}
		if !handed.IsValid() || pos < handed {
			handed = pos
		}
	}
	syntax.Walk(fn.Body, func(n ast.Node, path []ast.Node) {
		switch n := n.(type) {
		case *ast.AssignStmt:
			made = made || n.Tok == token.DEFINE && makes(fn, obj, n)
		case *ast.Ident:
			if fn.File.Package.Info.Uses[n] == obj && !selectsField(fn, path) {
				hand(n.Pos())
			}
		case *ast.FuncLit: // may keep what it uses
			if n != fn.Node && syntax.Has(fn.File.Package.Info, obj, n.Body) {
				hand(n.Pos())
			}
		}
	})
	return freshness{made: made, handed: handed, own: isOwn(fn, obj)}
}

// makes reports whether a definition gives a variable a new object.
func makes(fn *Function, obj types.Object, s *ast.AssignStmt) bool {
	if len(s.Lhs) != len(s.Rhs) {
		return false
	}
	for i, l := range s.Lhs {
		id, ok := l.(*ast.Ident)
		if !ok || fn.File.Package.Info.Defs[id] != obj {
			continue
		}
		switch e := ast.Unparen(s.Rhs[i]).(type) {
		case *ast.CompositeLit:
			return true
		case *ast.UnaryExpr:
			_, lit := ast.Unparen(e.X).(*ast.CompositeLit)
			return e.Op == token.AND && lit
		case *ast.CallExpr:
			return syntax.Builtin(fn.File.Package.Info, e) == "new"
		}
	}
	return false
}

// selectsField reports whether the name below path is only selected a field from,
// and no method.
func selectsField(fn *Function, path []ast.Node) bool {
	for i := len(path) - 1; i >= 0; i-- {
		switch n := path[i].(type) {
		case *ast.ParenExpr, *ast.StarExpr:
		case *ast.SelectorExpr:
			_, field := fn.File.Package.Info.ObjectOf(n.Sel).(*types.Var)
			return field
		default:
			return false
		}
	}
	return false
}

// Quiet reports whether only tests call the function, and only in the goroutine
// that runs them: not in a function literal, and not with go. What implements
// an interface whose method is used elsewhere may be called there.
func (fn *Function) Quiet() bool { return fn.index.quiet(fn.File, fn.Node) }

func (ix *index) quiet(f *analysis.File, node ast.Node) bool {
	decl, ok := node.(*ast.FuncDecl)
	if !ok || ix.started[node] {
		return false
	}
	obj, ok := f.Package.Info.Defs[decl.Name].(*types.Func)
	callers := ix.callers[obj]
	if !ok || len(callers) == 0 || ix.usedOutsideTests(obj) {
		return false
	}
	return !slices.ContainsFunc(callers, func(c caller) bool {
		return callsLater(ix.program.File(c.file), c.decl, obj)
	})
}

// callsLater reports whether a declaration calls a function in a function literal or with go.
func callsLater(f *analysis.File, d ast.Decl, obj *types.Func) bool {
	found := false
	var visit func(n ast.Node, within bool)
	visit = func(n ast.Node, within bool) {
		ast.Inspect(n, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				visit(n.Body, true)
				return false
			case *ast.GoStmt:
				found = found || syntax.Callee(f.Package.Info, n.Call.Fun) == obj
			case *ast.CallExpr:
				found = found || within && syntax.Callee(f.Package.Info, n.Fun) == obj
			}
			return !found
		})
	}
	visit(d, false)
	return found
}
