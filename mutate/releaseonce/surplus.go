package releaseonce

import (
	"go/ast"
	"go/token"
	"slices"

	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/exits"
)

// A surplus is a statement that releases what another one releases as well.
type surplus struct {
	fn    *mutate.Function
	stmt  mutate.Statement // what is too much
	other ast.Stmt         // the other one
	plain bool             // which does nothing else
	release
}

// surpluses lists the releases of a function that are too much, in source order.
// The list must not be changed.
func surpluses(fn *mutate.Function) []surplus {
	type surplusesOf struct{ fn *mutate.Function }
	return mutate.Once(fn, surplusesOf{fn}, func() []surplus { return findSurpluses(fn) })
}

func findSurpluses(fn *mutate.Function) []surplus {
	var out []surplus
	statements := fn.Statements()
	released := make([][]release, len(statements))
	for i, st := range statements {
		released[i] = releasesOf(fn, st.Stmt)
	}
	for i, st := range statements {
		for _, r := range released[i] {
			if _, starts := st.Stmt.(*ast.GoStmt); starts || !r.alone || !r.taken(fn, st.Stmt) {
				continue
			}
			for k, other := range statements {
				if also, ok := find(released[k], r.op); ok && k != i && twice(fn, st, other, r, also) {
					out = append(out, surplus{fn, st, other.Stmt, also.alone, r})
					break
				}
			}
		}
	}
	return out
}

// twice reports whether a statement is too much, since another one releases, too.
func twice(fn *mutate.Function, st, other mutate.Statement, r, also release) bool {
	first, second := other, st
	switch {
	case dominates(other, st) && !deferred(st):
		// What is deferred or started before, or has released already, is enough.
	case dominates(st, other) && deferred(st):
		// Of a call, or a goroutine, that releases by itself, the caller need not.
		if also.alone || deferred(other) || len(exits.Of(fn, st.List[st.Index+1:other.Index]...)) > 0 || !slices.Contains(st.List, other.Stmt) {
			return false
		}
		first, second = st, other
	case fallsTo(fn, st, other):
		// A branch releases, and runs on to what releases in any case.
		first, second = st, other
	default:
		return false
	}
	between := func(n ast.Node) bool { return first.Stmt.End() <= n.Pos() && n.Pos() < second.Stmt.Pos() }
	return r.once(fn, first.Stmt, second.Stmt) && !takesWithin(fn, r.op, fn.Body, between) && !retaken(fn, st, r)
}

// dominates reports whether a statement has run whenever another one does: it stands
// before it, or before what it is in.
func dominates(st, other mutate.Statement) bool {
	return slices.ContainsFunc(st.List[st.Index+1:], func(s ast.Stmt) bool { return syntax.Within(other.Stmt, s) })
}

func deferred(st mutate.Statement) bool {
	_, ok := st.Stmt.(*ast.DeferStmt)
	return ok
}

// fallsTo reports whether a statement in a branch is followed by another one behind what
// the branch is in, on each path.
func fallsTo(fn *mutate.Function, st, other mutate.Statement) bool {
	if deferred(st) || later(fn, other.Stmt) && deferred(other) {
		return false
	}
	i := slices.IndexFunc(other.List, func(s ast.Stmt) bool { return syntax.Within(st.Stmt, s) })
	if i < 0 || i >= other.Index || other.List[i] == st.Stmt {
		return false
	}
	if _, loop := other.List[i].(*ast.ForStmt); loop {
		return false
	}
	for _, around := range fn.Statements() {
		if syntax.Within(around.Stmt, other.List[i]) && syntax.Within(st.Stmt, around.Stmt) && around.Stmt != other.List[i] {
			if leaves(fn, around.List[around.Index:]) {
				return false
			}
		}
	}
	return len(exits.Of(fn, other.List[i+1:other.Index]...)) == 0
}

// leaves reports whether statements may leave the list that they are in.
func leaves(fn *mutate.Function, list []ast.Stmt) bool {
	return len(exits.Of(fn, list...)) > 0 || len(list) > 0 && exits.Terminates(fn, list[len(list)-1])
}

// retaken reports whether the resource is taken again behind a statement, as where a lock
// is released for a while.
func retaken(fn *mutate.Function, st mutate.Statement, r release) bool {
	for _, around := range fn.Statements() {
		if !syntax.Within(st.Stmt, around.Stmt) {
			continue
		}
		rest := around.List[around.Index+1:]
		if inner := innermostLeft(fn, st, around); inner {
			continue // the list inside is left before the rest is reached
		}
		if slices.ContainsFunc(rest, func(s ast.Stmt) bool {
			return takesWithin(fn, r.op, s, func(ast.Node) bool { return true })
		}) {
			return true
		}
	}
	return false
}

// innermostLeft reports whether the list of a statement ends by leaving, so that what is
// behind a statement around it is not reached.
func innermostLeft(fn *mutate.Function, st, around mutate.Statement) bool {
	if around.Stmt == st.Stmt {
		return false
	}
	last := st.List[len(st.List)-1]
	if b, ok := last.(*ast.BranchStmt); ok {
		return b.Tok == token.GOTO || b.Tok == token.CONTINUE
	}
	return exits.Terminates(fn, last)
}
