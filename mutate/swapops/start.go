package swapops

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"

	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/exits"
	"mendel/mutate/fact/held"
	"mendel/mutate/fact/starts"
	"mendel/mutate/internal/syncops"
)

const (
	setReach  = 8 // statements that a start is moved over at most; chosen, not measured
	usesDeep  = 3 // calls deep that the uses of a goroutine are followed
	setBelief = 6 // makes up for the prior where what fails is not a wait; guessed
)

// starts lists the moves of statements that start a goroutine behind later ones of
// their list that set what it uses.
func begun(fn *mutate.Function) []mutate.Edit {
	var out []mutate.Edit
	for _, st := range fn.Statements() {
		used := usedByStarted(fn, st)
		if len(used) == 0 {
			continue
		}
		if anchor := lastSetter(fn, st, used); anchor != nil {
			e := fn.NewEdit("swapops", st.Stmt, anchor)
			e.Other, e.Form, e.Belief = fn.ID(anchor), formStart, setBelief
			e.Note = "the goroutine uses what is set here"
			out = append(out, e)
		}
	}
	return out
}

// usedByStarted are the shared variables that the goroutines use which a statement
// starts, itself or in a function that it is a call of.
func usedByStarted(fn *mutate.Function, st mutate.Statement) map[*types.Var]bool {
	used := make(map[*types.Var]bool)
	seen := make(map[*mutate.Function]bool)
	for _, s := range starts.Of(fn) {
		if s.Stmt == st.Stmt && s.To != nil {
			addUses(s.To, usesDeep, seen, used)
		}
	}
	if _, plain := st.Stmt.(*ast.ExprStmt); plain {
		for _, c := range fn.Calls(st.Stmt) {
			for _, s := range starts.Of(c.To) {
				if s.To != nil {
					addUses(s.To, usesDeep, seen, used)
				}
			}
		}
	}
	return used
}

// addUses adds the shared variables that a function and those it calls use.
func addUses(fn *mutate.Function, depth int, seen map[*mutate.Function]bool, used map[*types.Var]bool) {
	if seen[fn] {
		return
	}
	seen[fn] = true
	for _, a := range fn.Accesses(fn.Body.List...) {
		used[a.Var.Origin()] = true
	}
	if depth > 0 {
		for _, c := range fn.Calls(fn.Body.List...) {
			addUses(c.To, depth-1, seen, used)
		}
	}
}

// lastSetter is the last of the statements behind a start that writes one of some
// variables and that the start may be moved behind; nil if there is none.
func lastSetter(fn *mutate.Function, st mutate.Statement, used map[*types.Var]bool) ast.Stmt {
	var last ast.Stmt
	named := evaluated(fn, st.Stmt)
	makes := madeNow(fn, st.Stmt)
	for _, s := range st.List[st.Index+1 : min(st.Index+1+setReach, len(st.List))] {
		if len(exits.Of(fn, s)) > 0 || exits.Terminates(fn, s) || waits(fn, s) || assignsWhole(fn, s, named) {
			break
		}
		sets, conflicts := false, false
		for v, written := range usesOf(fn, s) {
			sets = sets || written && used[v]
			conflicts = conflicts || makes[v]
		}
		if conflicts {
			break
		}
		if sets {
			last = s
		}
	}
	return last
}

// usesOf are the shared variables that a statement and the functions that it calls use,
// and whether they write them.
func usesOf(fn *mutate.Function, s ast.Stmt) map[*types.Var]bool {
	found := make(map[*types.Var]bool)
	for _, a := range fn.Accesses(s) {
		found[a.Var.Origin()] = found[a.Var.Origin()] || a.Write
	}
	for _, c := range fn.Calls(s) {
		for _, a := range c.To.Accesses(c.To.Body.List...) {
			found[a.Var.Origin()] = found[a.Var.Origin()] || a.Write
		}
	}
	return found
}

// madeNow are the shared variables that a start writes before its goroutine runs.
func madeNow(fn *mutate.Function, start ast.Stmt) map[*types.Var]bool {
	made := usesOf(fn, start)
	maps.DeleteFunc(made, func(_ *types.Var, written bool) bool { return !written })
	return made
}

// evaluated are the variables that a start names outside of function literals: they have
// their values when the statement runs, not when the goroutine does.
func evaluated(fn *mutate.Function, start ast.Stmt) map[types.Object]bool {
	found := make(map[types.Object]bool)
	ast.Inspect(start, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if v, ok := fn.File.Package.Info.ObjectOf(id).(*types.Var); ok && !v.IsField() {
				found[v] = true
			}
		}
		_, lit := n.(*ast.FuncLit)
		return !lit
	})
	return found
}

// assignsWhole reports whether a statement assigns one of some variables, and not only a
// field or an element of it.
func assignsWhole(fn *mutate.Function, s ast.Stmt, vars map[types.Object]bool) bool {
	found := false
	ast.Inspect(s, func(n ast.Node) bool {
		stmt, ok := n.(ast.Stmt)
		if !ok {
			return true
		}
		for _, e := range syntax.Assigned(stmt) {
			id, ok := ast.Unparen(e).(*ast.Ident)
			found = found || ok && vars[fn.File.Package.Info.ObjectOf(id)]
		}
		return !found
	})
	return found
}

// waits reports whether a statement may wait for another goroutine, or takes part in
// what others wait for.
func waits(fn *mutate.Function, s ast.Stmt) bool {
	found := false
	ast.Inspect(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.DeferStmt, *ast.GoStmt:
			return false
		case *ast.SelectStmt, *ast.SendStmt, *ast.LabeledStmt:
			found = true
		case *ast.UnaryExpr:
			found = found || n.Op == token.ARROW
		case *ast.RangeStmt:
			_, channel := types.Unalias(fn.File.Package.Info.TypeOf(n.X)).Underlying().(*types.Chan)
			found = found || channel
		case *ast.ExprStmt:
			op, ok := syncops.Of(fn, n)
			found = found || ok && op.Kind != syncops.Start
		case *ast.CallExpr:
			found = found || fn.MayWait(n) || len(held.AcquiresOf(fn, n)) > 0
		}
		return !found
	})
	return found
}
