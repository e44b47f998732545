package addbeforego

import (
	_ "embed"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"mendel/analysis/evidence"
	"mendel/mutate"
	"mendel/mutate/fact/scope"
	"mendel/mutate/internal/waitgroups"
)

//go:embed doc.go
var doc string

// Operator moves the Add of a wait group before the go statement.
var Operator = &mutate.Operator{
	Name: "addbeforego",
	Doc:  doc,
	Prior: map[evidence.Kind]float64{
		evidence.Race: 3, evidence.Panic: 4, evidence.TestFailure: 4,
		evidence.Deadlock: 2, evidence.Blocked: 2, evidence.Timeout: 2,
	},
	Faults: []evidence.Fault{evidence.WaitNotForAll, evidence.NegativeWaitGroup},
	Needs:  "goroutine that counts itself in a wait group, by an Add in it or behind its go statement",
	Edits:  edits,
	Apply:  apply,
}

// Forms of an edit.
const (
	inside = "inside" // the Add is in the goroutine
	behind = "behind" // it stands behind the go statement
	loop   = "loop"   // it stands before the loop around the go statement
	count  = "count"  // it counts more or fewer than are started behind it

	callers = "callers" // a declared function begins with it, which is called in several ways
	requeue = "requeue" // there is none before a value is sent to its queue again
)

func edits(fn *mutate.Function) []mutate.Edit {
	calls := waitgroups.Calls(fn)
	var out []mutate.Edit
	for _, f := range append(waitgroups.Meeting(fn), fn) {
		for _, e := range recount(f) {
			e.Heat = max(e.Heat, waitgroups.Hottest(fn))
			out = append(out, e)
		}
	}
	goroutines := waitgroups.Goroutines(fn)
	for _, g := range goroutines {
		for _, c := range g.Calls {
			if c.Method == "Add" && c.Alone() && fits(fn, g, c) {
				out = append(out, edit(fn, inside, c, g.Go, g.To.ID(c.At.Stmt)))
			}
		}
	}
	for _, c := range calls {
		if c.Method != "Add" || !c.Alone() || c.Deferred() {
			continue
		}
		if s := earlier(fn, goroutines, calls, c); s != nil {
			out = append(out, edit(fn, behind, c, s, fn.ID(c.At.Stmt)))
		} else if g := looped(fn, goroutines, calls, c); g != nil {
			out = append(out, edit(fn, loop, c, g, fn.ID(c.At.Stmt)))
		}
	}
	out = append(out, called(fn)...)
	return append(out, requeued(fn)...)
}

// edit moves the Add of a call, whose statement has a NodeID, before a statement.
func edit(fn *mutate.Function, form string, c waitgroups.Call, before ast.Stmt, add int) mutate.Edit {
	e := fn.NewEdit("addbeforego", before, c.At.Stmt)
	e.Form, e.Other, e.Group = form, add, waitgroups.Group(&e)
	e.Expr = c.Text + ".Add(" + types.ExprString(c.Expr.Args[0]) + ")"
	e.Note = "count the goroutine before it starts: Wait may be first"
	if form == loop {
		e.Note = "each goroutine calls Done"
	}
	waitgroups.Warm(fn, &e, c.Group)
	return e
}

// fits reports whether the Add of a goroutine can as well be made where it is started.
func fits(fn *mutate.Function, g waitgroups.Goroutine, c waitgroups.Call) bool {
	if c.Deferred() || g.To.File != fn.File {
		return false
	}
	if _, ok := doneAtTop(g.To, c); !ok {
		return false
	}
	if g.Lit == nil {
		_, constant := c.Expr.Args[0].(*ast.BasicLit)
		return constant && uses(fn, g) == 1
	}
	return known(fn, c.Expr.Args[0], g.Go.Pos(), g.Lit)
}

// uses counts the places of the program that name the function a goroutine runs.
func uses(fn *mutate.Function, g waitgroups.Goroutine) int {
	decl, ok := g.To.Node.(*ast.FuncDecl)
	if !ok {
		return 1
	}
	obj, _ := g.To.File.Package.Info.Defs[decl.Name].(*types.Func)
	return len(fn.Mentions(obj))
}

// known reports whether what an expression names means the same at an earlier
// position and does not lie in the code that begins there.
func known(fn *mutate.Function, e ast.Expr, at token.Pos, code ast.Node) bool {
	ok := true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			ok = false
		case *ast.SelectorExpr:
			ok = ok && known(fn, n.X, at, code)
			return false
		case *ast.Ident:
			v, variable := fn.File.Package.Info.Uses[n].(*types.Var)
			ok = ok && (!variable || v.Pos() < at && scope.Means(fn, n, at) && !waitgroups.Assigns(fn, code, v))
		}
		return ok
	})
	return ok
}

// earlier is the first statement of an Add's list, before it and behind the
// last Wait, that starts a goroutine which calls Done on the same group.
func earlier(fn *mutate.Function, goroutines []waitgroups.Goroutine, calls []waitgroups.Call, add waitgroups.Call) ast.Stmt {
	list, end := add.At.List, add.At.Index
	var first ast.Stmt
	for i := end - 1; i >= 0; i-- {
		if slices.ContainsFunc(waitgroups.Select(calls, "Wait", add.Group), func(w waitgroups.Call) bool {
			return waitgroups.Contains(list[i], w.At.Stmt)
		}) {
			break
		}
		for _, g := range goroutines {
			if waitgroups.Contains(list[i], g.Go) && len(waitgroups.Select(g.Calls, "Done", add.Group)) > 0 {
				first = list[i]
			}
		}
	}
	if first == nil {
		return nil
	}
	code := &ast.BlockStmt{List: list[slices.Index(list, first):end], Lbrace: first.Pos(), Rbrace: add.At.Stmt.Pos()}
	if !known(fn, add.Expr.Args[0], first.Pos(), code) || !scope.Means(fn, add.Receiver(), first.Pos()) || covered(calls, add, first) {
		return nil
	}
	return first
}

// covered reports whether an Add right before a statement counts what it starts.
func covered(calls []waitgroups.Call, add waitgroups.Call, first ast.Stmt) bool {
	list := add.At.List
	return slices.ContainsFunc(waitgroups.Select(calls, "Add", add.Group), func(c waitgroups.Call) bool {
		i := slices.Index(list, c.At.Stmt)
		if i >= 0 && i < slices.Index(list, first) {
			return true
		}
		return waitgroups.Contains(first, c.At.Stmt)
	})
}

// looped is the go statement, in a loop behind an Add(1) of the same list, whose
// goroutine calls Done, where nothing in the loop calls Add.
func looped(fn *mutate.Function, goroutines []waitgroups.Goroutine, calls []waitgroups.Call, add waitgroups.Call) ast.Stmt {
	one, ok := add.Expr.Args[0].(*ast.BasicLit)
	if !ok || one.Value != "1" || len(waitgroups.Select(calls, "Done", add.Group)) > 0 { // then it counts itself
		return nil
	}
	for _, s := range add.At.List[add.At.Index+1:] {
		switch s.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
		default:
			continue
		}
		counted := slices.ContainsFunc(waitgroups.Select(calls, "Add", add.Group), func(c waitgroups.Call) bool {
			return waitgroups.Contains(s, c.At.Stmt)
		})
		for _, g := range goroutines {
			done := waitgroups.Select(g.Calls, "Done", add.Group)
			if !counted && waitgroups.Contains(s, g.Go) && len(done) > 0 && scope.Means(fn, add.Receiver(), g.Go.Pos()) {
				return g.Go
			}
		}
	}
	return nil
}

func apply(m *mutate.Mutation, e mutate.Edit) error {
	if e.Form == callers {
		return applyCalled(m, e)
	}
	before := m.Stmt(e.File, e.Node)
	add := m.Stmt(e.File, e.Other)
	switch e.Form {
	case count:
		return replace(m, e, add)
	case requeue:
		return m.InsertSnippet(e.File, before, false, e.Expr+" // "+e.Note)
	}
	if e.Form == inside {
		if err := moveDone(m, e, m.Function(e.File, e.Other), e.Other); err != nil {
			return err
		}
	}
	if err := m.Remove(e.File, add); err != nil {
		return err
	}
	return m.InsertSnippet(e.File, before, false, "// "+e.Note+"\n"+e.Expr)
}
