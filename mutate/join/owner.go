package join

import (
	"go/ast"
	"go/constant"
	"go/types"
	"slices"

	"mendel/analysis"
	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/exits"
	"mendel/mutate/fact/scope"
	"mendel/mutate/internal/chanwait"
	"mendel/mutate/internal/syncops"
	"mendel/mutate/internal/waitgroups"
)

// ownerDiscount is the belief in a Wait that a whole method gets: of
// several methods any may be the one that is to wait. Guessed.
const ownerDiscount = 0.8

// awaited are edits that wait for the group in a field: where a function uses other
// fields of what has the group, which its goroutines may still write.
func awaited(fn *mutate.Function, calls []waitgroups.Call) (edits []mutate.Edit) {
	if slices.ContainsFunc(calls, func(c waitgroups.Call) bool { return c.Field(fn) != nil }) {
		for _, f := range fn.OfPackage() { // it may be a goroutine, and far from who should wait
			for _, e := range whole(f) {
				e.Heat = max(e.Heat, waitgroups.Hottest(fn))
				edits = append(edits, e)
			}
		}
	}
	if fn.Started() {
		return edits
	}
	return append(append(edits, whole(fn)...), beforeUses(fn, calls)...)
}

// whole are the edits of a method that does nothing with a group of its receiver: it
// waits first, or behind what tells the goroutines to end. The list must not be changed.
func whole(fn *mutate.Function) []mutate.Edit {
	type wholeOf struct{ fn *mutate.Function }
	return mutate.Remember(fn, wholeOf{fn}, func() []mutate.Edit { return findWhole(fn) })
}

func findWhole(fn *mutate.Function) (edits []mutate.Edit) {
	if len(fn.Body.List) == 0 || fn.Started() {
		return nil
	}
	at, form := waitsAt(fn)
	if at == nil {
		return nil
	}
	for _, field := range unnamed(fn) {
		e := fn.NewEdit("join", at, fn.Body.List...)
		e.Form, e.Expr, e.Note = form, receiver(fn).Name()+"."+field.Name(), "the goroutines that are counted may not be ready"
		e.Doubt(ownerDiscount)
		edits = append(edits, e)
	}
	return edits
}

// waitsAt is where a method waits: before its first statement, or where no lock is held
// behind what tells the goroutines to end. Who waits before that may wait for those that
// wait for it. nil: there is no such place.
func waitsAt(fn *mutate.Function) (at ast.Stmt, form string) {
	list := fn.Body.List
	told := tellsEnd(fn)
	for _, s := range list[told+1:] {
		if len(fn.HeldAt(s)) == 0 {
			return s, owner
		}
	}
	last := list[len(list)-1]
	if exits.Terminates(fn, last) || len(fn.HeldAt(last)) > 0 && !fn.IsLockCall(last) {
		return nil, ""
	}
	return last, ownerBehind
}

// tellsEnd is the index of the last statement of a function's body in which it tells
// goroutines to end: it calls a context's cancel function, closes a channel that has no
// values, or sets a flag; -1 if there is none.
func tellsEnd(fn *mutate.Function) int {
	for i, s := range slices.Backward(fn.Body.List) {
		if syntax.Any(s, func(n ast.Node) bool {
			call, isCall := n.(*ast.CallExpr)
			return isCall && (syncops.Cancels(fn, call) || closesSignal(fn, call)) || setsFlag(fn.File.Package.Info, n)
		}) {
			return i
		}
	}
	return -1
}

// closesSignal reports whether a call closes a channel that has no values.
func closesSignal(fn *mutate.Function, call *ast.CallExpr) bool {
	closed, ok := syncops.Closed(fn, call)
	if !ok {
		return false
	}
	ch, ok := syncops.TypeOf(fn, closed).Underlying().(*types.Chan)
	return ok && chanwait.Empty(ch.Elem())
}

// setsFlag reports whether a node sets a field to true.
func setsFlag(info *types.Info, n ast.Node) bool {
	a, ok := n.(*ast.AssignStmt)
	if !ok || len(a.Lhs) != 1 || len(a.Rhs) != 1 {
		return false
	}
	_, field := ast.Unparen(a.Lhs[0]).(*ast.SelectorExpr)
	value := info.Types[a.Rhs[0]].Value
	return field && value != nil && value.Kind() == constant.Bool && constant.BoolVal(value)
}

// unnamed are the groups of a method's receiver that it does not name.
func unnamed(fn *mutate.Function) []*types.Var {
	type unnamedIn struct{ fn *mutate.Function }
	return mutate.Once(fn, unnamedIn{fn}, func() (fields []*types.Var) {
		if recv := receiver(fn); recv != nil {
			for _, field := range groupFields(fn, recv.Type()) {
				if !syntax.Names(fn.File.Package.Info, fn.Body, field) {
					fields = append(fields, field)
				}
			}
		}
		return fields
	})
}

// beforeUses are the edits that wait right before a statement.
func beforeUses(fn *mutate.Function, calls []waitgroups.Call) (edits []mutate.Edit) {
	statements := fn.Statements()
	for _, st := range statements {
		done := map[string]bool{}
		for _, a := range fn.Accesses(st.Stmt) {
			sel, ok := ast.Unparen(a.Expr).(*ast.SelectorExpr)
			if !ok || mutate.Innermost(statements, sel).Stmt != st.Stmt {
				continue
			}
			root, ok := ast.Unparen(sel.X).(*ast.Ident)
			if !ok || !a.Var.IsField() || !scope.Means(fn, root, st.Stmt.Pos()) {
				continue
			}
			v, ok := fn.File.Package.Info.Uses[root].(*types.Var)
			if !ok || v == receiver(fn) {
				continue
			}
			for _, field := range groupFields(fn, v.Type()) {
				text := v.Name() + "." + field.Name()
				if done[text] || counted(calls, text, st) {
					continue
				}
				done[text] = true
				e := fn.NewEdit("join", st.Stmt, st.Stmt)
				e.Form, e.Expr, e.Note = owner, text, "the goroutines that are counted may not be ready"
				edits = append(edits, e)
			}
		}
	}
	return edits
}

// counted reports whether a group is counted up or waited for before a statement, in
// its list or one around it: then the function knows the group.
func counted(calls []waitgroups.Call, text string, st mutate.Statement) bool {
	return slices.ContainsFunc(calls, func(c waitgroups.Call) bool {
		return c.Text == text && c.Expr.Pos() < st.Stmt.Pos() && c.At.Owner.Pos() <= st.Stmt.Pos() && st.Stmt.End() <= c.At.Owner.End()
	})
}

// receiver is the receiver of a method that has a name for it.
func receiver(fn *mutate.Function) *types.Var {
	decl, ok := fn.Node.(*ast.FuncDecl)
	if !ok || decl.Recv == nil || len(decl.Recv.List[0].Names) == 0 {
		return nil
	}
	v, _ := fn.File.Package.Info.Defs[decl.Recv.List[0].Names[0]].(*types.Var)
	return v
}

// groupFields are the wait groups among the fields of a struct, or of what a pointer
// leads to, to which something is added.
func groupFields(fn *mutate.Function, t types.Type) []*types.Var {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	type groupsIn struct {
		of  *types.Struct
		pkg *types.Package
	}
	pkg := fn.File.Package.Types
	return mutate.Once(fn, groupsIn{s, pkg}, func() (fields []*types.Var) {
		for f := range s.Fields() {
			if types.TypeString(f.Type(), nil) == "sync.WaitGroup" && !f.Exported() && f.Pkg() == pkg && countedUp(fn)[f] {
				fields = append(fields, f)
			}
		}
		return fields
	})
}

// countedUp are the groups in fields on which the package calls Add.
func countedUp(fn *mutate.Function) map[*types.Var]bool {
	type countedIn struct{ *analysis.Package }
	pkg := fn.File.Package
	return mutate.Once(fn, countedIn{pkg}, func() map[*types.Var]bool {
		fields := make(map[*types.Var]bool)
		for _, f := range pkg.Files {
			ast.Inspect(f.AST, func(n ast.Node) bool {
				sel, ok := n.(*ast.SelectorExpr)
				if !ok || sel.Sel.Name != "Add" {
					return true
				}
				if x, ok := ast.Unparen(sel.X).(*ast.SelectorExpr); ok {
					if v, ok := pkg.Info.Uses[x.Sel].(*types.Var); ok {
						fields[v] = true
					}
				}
				return true
			})
		}
		return fields
	})
}

// wait puts the Wait of an edit before its statement, or behind it.
func wait(m *mutate.Mutation, e mutate.Edit) error {
	return m.InsertSnippet(e.File, m.Stmt(e.File, e.Node), e.Form == ownerBehind, e.Expr+".Wait() // "+e.Note)
}
