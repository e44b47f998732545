package waitgroups

import (
	"go/ast"
	"slices"

	"mendel/mutate"
	"mendel/mutate/fact/methodcalls"
	"mendel/mutate/fact/starts"
)

// A Call is a call of a method of a sync.WaitGroup.
type Call struct {
	Expr   *ast.CallExpr
	Method string           // "Add", "Done", "Wait" or "Go"
	Group  mutate.Path      // what it is called on
	Text   string           // the same as it is written: "s.wg"
	At     mutate.Statement // the innermost statement around the call
}

// Alone reports whether the statement is nothing but the call, at once or
// deferred.
func (c Call) Alone() bool {
	switch s := c.At.Stmt.(type) {
	case *ast.ExprStmt:
		return ast.Unparen(s.X) == ast.Expr(c.Expr)
	case *ast.DeferStmt:
		return s.Call == c.Expr
	}
	return false
}

// Deferred reports whether the call is made when its function returns.
func (c Call) Deferred() bool {
	d, ok := c.At.Stmt.(*ast.DeferStmt)
	return ok && d.Call == c.Expr
}

// Calls lists the calls that a function itself makes or defers, in source order.
func Calls(fn *mutate.Function) []Call {
	type callsOf struct{ fn *mutate.Function }
	return slices.Clone(mutate.Once(fn, callsOf{fn}, func() []Call { return findCalls(fn) }))
}

func findCalls(fn *mutate.Function) []Call {
	statements := fn.Statements()
	var out []Call
	for call, sel := range methodcalls.Of(fn, "*sync.WaitGroup") {
		if group := fn.Path(sel.X); group.Root != nil {
			out = append(out, Call{
				Expr: call, Method: sel.Sel.Name, Group: group, Text: group.String(),
				At: mutate.Innermost(statements, call),
			})
		}
	}
	return out
}

// Select are the calls of a method on a group.
func Select(calls []Call, method string, group mutate.Path) []Call {
	return slices.DeleteFunc(slices.Clone(calls), func(c Call) bool { return c.Method != method || c.Group != group })
}

// A Goroutine is one that a function starts, with what it does to wait groups.
type Goroutine struct {
	starts.Start
	Calls []Call // Group and Text are as the starting function names them; others are left out
}

// Goroutines lists what a function starts by go statements and may be edited.
func Goroutines(fn *mutate.Function) []Goroutine {
	var out []Goroutine
	for _, s := range starts.Of(fn) {
		if s.To == nil || s.Go == nil {
			continue
		}
		g := Goroutine{Start: s}
		for _, c := range Calls(s.To) {
			if c.Group = s.Name(c.Group); c.Group.Root != nil {
				c.Text = c.Group.String()
				g.Calls = append(g.Calls, c)
			}
		}
		out = append(out, g)
	}
	return out
}

// Groups are the groups that calls are made on, in their order.
func Groups(calls []Call) []mutate.Path {
	var out []mutate.Path
	for _, c := range calls {
		if !slices.Contains(out, c.Group) {
			out = append(out, c.Group)
		}
	}
	return out
}

// Warm raises an edit's heat to that of the calls of the function on the same
// group: a goroutine blocked in Wait is stuck for what another place forgot.
func Warm(fn *mutate.Function, e *mutate.Edit, group mutate.Path) {
	for _, c := range Calls(fn) {
		if c.Group == group {
			heat, _ := fn.Narrowing.HeatAt(c.Expr.Pos())
			e.Heat = max(e.Heat, heat)
		}
	}
}

// Group is the group of an edit, see [mutate.Edit.Group]: all of its function. Where
// one goroutine is not waited for as it should be, the next one is not either.
func Group(e *mutate.Edit) string { return e.File + " " + e.Func }
