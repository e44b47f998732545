package mutate

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"mendel/analysis/syntax"
)

// A Path is a variable as names and selectors lead to it: the variable that it
// starts with, and the rest as text: a of a.books.mu with ".books.mu". The zero
// Path stands for what has no such name.
type Path struct {
	Root types.Object
	Rest string
}

// String is the path as it is written where its root has its name; "" for the zero Path.
func (p Path) String() string {
	if p.Root == nil {
		return ""
	}
	return p.Root.Name() + p.Rest
}

// Path is the path of an expression: dereferences, & and parentheses are seen
// through; anything but names and selectors has none.
func (fn *Function) Path(e ast.Expr) Path {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		if v, ok := fn.File.Package.Info.ObjectOf(e).(*types.Var); ok {
			return Path{Root: v}
		}
	case *ast.StarExpr:
		return fn.Path(e.X)
	case *ast.UnaryExpr:
		if e.Op == token.AND {
			return fn.Path(e.X)
		}
	case *ast.SelectorExpr:
		if p := fn.Path(e.X); p.Root != nil {
			return Path{p.Root, p.Rest + "." + e.Sel.Name}
		}
	}
	return Path{}
}

// Base is the path of what an accessed field is selected from; the zero Path
// for variables that are no fields. Embedded fields at its end are left out:
// promoted fields are reached without them.
func (fn *Function) Base(e ast.Expr) Path {
	switch e := ast.Unparen(e).(type) {
	case *ast.SelectorExpr:
		return fn.Path(syntax.Unembedded(fn.File.Package.Info, e.X))
	case *ast.StarExpr: // of a struct, of which all fields are used
		return fn.Path(e.X)
	}
	return Path{}
}

// A Call is a call, by name, of a function that may be edited.
type Call struct {
	Expr *ast.CallExpr
	To   *Function

	From *Function     // the caller
	Made *ast.CallExpr // what gives the arguments: Expr, but of a function that Expr is given and starts
}

// Calls lists the calls that some statements make when they run; those that a
// go or defer statement makes, and those in function literals, are left out.
func (fn *Function) Calls(stmts ...ast.Stmt) []Call {
	var calls []Call
	for _, s := range stmts {
		var made []madeCall
		if fn.Owns(s) {
			made = allCalls.Of(fn)
		} else {
			made = findCalls(fn, s)
		}
		pos, end := s.Pos(), s.End()
		first, _ := slices.BinarySearchFunc(made, pos, func(c madeCall, pos token.Pos) int { return cmp.Compare(c.pos, pos) })
		for _, c := range made[first:] {
			if c.pos >= end {
				break
			}
			if !c.later {
				calls = append(calls, c.Call)
			}
		}
	}
	return calls
}

// Gives names what the call gives the callee's receiver or a parameter; ok says that it
// gives it something, which may have no name.
func (c Call) Gives(param types.Object) (given Path, ok bool) {
	fn, call, to := c.From, c.Made, c.To
	decl, _ := to.Node.(*ast.FuncDecl)
	if decl != nil && decl.Recv != nil && len(decl.Recv.List) == 1 && len(decl.Recv.List[0].Names) == 1 {
		if sel, isSel := ast.Unparen(call.Fun).(*ast.SelectorExpr); isSel && to.File.Package.Info.ObjectOf(decl.Recv.List[0].Names[0]) == param {
			return fn.Path(sel.X), true
		}
	}
	i := 0
	for _, field := range to.Type.Params.List {
		for _, name := range field.Names {
			if i < len(call.Args) && to.File.Package.Info.ObjectOf(name) == param {
				return fn.Path(call.Args[i]), true
			}
			i++
		}
	}
	return Path{}, false
}

// Name is a path of the callee as the caller can write it; the zero Path if it
// cannot. A parameter that the callee assigns to no longer is what was given.
func (c Call) Name(p Path) Path {
	if p.Root == nil {
		return Path{}
	}
	if v, ok := p.Root.(*types.Var); ok && v.Pkg() != nil && v.Parent() == v.Pkg().Scope() {
		return p
	}
	given, ok := c.Gives(p.Root)
	if !ok || given.Root == nil || Assigned.Of(c.To)[p.Root] {
		return Path{}
	}
	return Path{given.Root, given.Rest + p.Rest}
}

// Assigned are the variables that a function assigns to as a whole, or has the
// address of.
var Assigned = NewFact(func(fn *Function) map[types.Object]bool {
	found := make(map[types.Object]bool)
	add := func(e ast.Expr) {
		if id, ok := ast.Unparen(e).(*ast.Ident); ok {
			if obj := fn.File.Package.Info.ObjectOf(id); obj != nil {
				found[obj] = true
			}
		}
	}
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		if s, ok := n.(ast.Stmt); ok {
			for _, e := range syntax.Assigned(s) {
				add(e)
			}
		}
		if u, ok := n.(*ast.UnaryExpr); ok && u.Op == token.AND {
			add(u.X)
		}
		return true
	})
	return found
})

// Reassigns reports whether statements assign to something that an expression of
// names, selectors and indexes, such as a lock's, leads through, or declare it
// anew: behind them the expression means another variable.
func (fn *Function) Reassigns(expr string, stmts ...ast.Stmt) bool {
	changes := func(to string) bool {
		return to != "" && (expr == to || strings.HasPrefix(expr, to+".") || strings.HasPrefix(expr, to+"[") ||
			strings.Contains(expr, "["+to+"]") || strings.Contains(expr, "["+to+"."))
	}
	found := false
	for _, s := range stmts {
		syntax.WalkOwn(s, func(n ast.Node, _ []ast.Node) {
			switch n := n.(type) {
			case *ast.ValueSpec:
				for _, name := range n.Names {
					found = found || changes(name.Name)
				}
			case ast.Stmt:
				for _, e := range syntax.Assigned(n) {
					found = found || changes(fn.Path(e).String())
				}
			}
		})
	}
	return found
}

// Callers lists the functions that may be edited in whose text the function is
// called by name, by file and in source order.
func (fn *Function) Callers() []*Function {
	s := fn.space
	s.callersOnce.Do(func() {
		s.callers = make(map[*Function][]*Function)
		for _, name := range s.fileNames {
			for _, from := range s.functions[name] {
				for _, c := range from.Calls(from.Body.List...) {
					if list := s.callers[c.To]; len(list) == 0 || list[len(list)-1] != from {
						s.callers[c.To] = append(list, from)
					}
				}
			}
		}
	})
	return s.callers[fn]
}

// Started reports whether the function is what a go statement, or Go of a
// WaitGroup, runs.
func (fn *Function) Started() bool { return fn.index.started[fn.Node] }

// A madeCall is a call in a function's text.
type madeCall struct {
	Call
	pos   token.Pos // of Expr
	later bool      // by a go or defer statement
}

// allCalls are the calls in a function's own text, in source order.
var allCalls = NewFact(func(fn *Function) []madeCall { return findCalls(fn, fn.Body) })

// findCalls finds the calls, by name, in a statement.
func findCalls(fn *Function, s ast.Stmt) []madeCall {
	var calls []madeCall
	syntax.WalkOwn(s, func(n ast.Node, path []ast.Node) {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return
		}
		f := syntax.Callee(fn.File.Package.Info, call.Fun)
		if to := fn.space.declared[f]; f != nil && to != nil {
			made := Call{Expr: call, To: to, From: fn, Made: call}
			calls = append(calls, madeCall{made, call.Pos(), len(path) > 0 && syntax.Later(path[len(path)-1])})
		}
	})
	return calls
}
