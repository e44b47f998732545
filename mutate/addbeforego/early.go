package addbeforego

import (
	"go/ast"
	"slices"

	"mendel/mutate"
	"mendel/mutate/fact/exits"
	"mendel/mutate/fact/scope"
	"mendel/mutate/internal/waitgroups"
)

// doneAtTop reports whether an Add at the top of a function can be made by who calls the
// function. Where the function may be left before the Add, the Done that is deferred right
// behind it has to come first then: that is what is returned, else nil.
func doneAtTop(fn *mutate.Function, add waitgroups.Call) (deferred ast.Stmt, ok bool) {
	list := fn.Body.List
	at := slices.Index(list, add.At.Stmt)
	if at < 0 {
		return nil, false
	}
	if len(exits.Of(fn, list[:at]...)) == 0 {
		return nil, true
	}
	if at+1 == len(list) || !scope.Means(fn, add.Receiver(), list[0].Pos()) {
		return nil, false
	}
	one, ok := add.Expr.Args[0].(*ast.BasicLit)
	if !ok || one.Value != "1" {
		return nil, false
	}
	calls := waitgroups.Calls(fn)
	own := slices.IndexFunc(calls, func(c waitgroups.Call) bool { return c.Expr == add.Expr })
	for _, c := range calls {
		if own < 0 || c.Group != calls[own].Group {
			continue
		}
		if c.At.Stmt.Pos() < add.At.Stmt.Pos() {
			return nil, false
		}
		if c.Method == "Done" && c.Deferred() && c.At.Stmt == list[at+1] {
			deferred = c.At.Stmt
		}
	}
	return deferred, deferred != nil
}

// moveDone puts the deferred Done of the function whose Add is moved away where all its exits
// come to it.
func moveDone(m *mutate.Mutation, e mutate.Edit, fn *mutate.Function, add int) error {
	if fn == nil {
		return mutate.Refuse(e, "there is no such Add")
	}
	for _, c := range waitgroups.Calls(fn) {
		if fn.ID(c.At.Stmt) != add {
			continue
		}
		done, ok := doneAtTop(fn, c)
		if !ok {
			break
		}
		if done == nil {
			return nil
		}
		file := fn.File.Rel
		top := m.Stmt(file, fn.ID(fn.Body.List[0]))
		if err := m.InsertSnippet(file, top, false, "defer "+c.Text+".Done()"); err != nil {
			return err
		}
		return m.Remove(file, m.Stmt(file, fn.ID(done)))
	}
	return mutate.Refuse(e, "there is no such Add")
}
