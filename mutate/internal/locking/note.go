package locking

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"mendel/analysis"
	"mendel/mutate"
	"mendel/mutate/fact/effects"
)

// maxExpr is the longest expression, in bytes, that a note quotes.
const maxExpr = 40

// Note says in one line what holding a lock around some accesses guards
// against: "to.amount is also changed by Deposit", "Close may close s.C
// meanwhile". It names only what the source says.
func Note(fn *mutate.Function, accesses []analysis.Access) string {
	if note := partnerNote(fn, accesses); note != "" {
		return note
	}
	a, ok := principal(fn, accesses)
	if !ok {
		return runBySeveral
	}
	return nameOf(a) + usedBySeveral
}

// HeldNote says why some statements come under a lock that is held beside them: who
// else uses what they use or, where nobody else is known, what they do.
func HeldNote(fn *mutate.Function, lock string, stmts ...ast.Stmt) string {
	if note := partnerNote(fn, fn.Accesses(stmts...)); note != "" {
		return note
	}
	return effects.Subject(fn, "must be", stmts...) + " under " + lock
}

// partnerNote is a note that names other functions; "" if none is known.
func partnerNote(fn *mutate.Function, accesses []analysis.Access) string {
	if note := channelNote(fn, accesses); note != "" {
		return note
	}
	a, ok := principal(fn, accesses)
	if !ok {
		return ""
	}
	writers, readers := fn.Users(a.Var)
	switch {
	case len(writers) > 0:
		return nameOf(a) + changedBy + list(fn, writers)
	case len(readers) > 0 && a.Write:
		return nameOf(a) + readBy + list(fn, readers)
	case len(readers) > 0:
		return nameOf(a) + usedBy + list(fn, readers)
	}
	return ""
}

// nameOf is what a note calls an accessed variable.
func nameOf(a analysis.Access) string {
	name := types.ExprString(a.Expr)
	if len(name) > maxExpr || strings.ContainsAny(name, "\n({") {
		return a.Var.Name()
	}
	return name
}

// channelNote says who closes a channel that is sent on under the lock, or
// sends on one that is closed under it; "" if there is none.
func channelNote(fn *mutate.Function, accesses []analysis.Access) string {
	for _, a := range accesses {
		if _, ok := a.Var.Type().Underlying().(*types.Chan); !ok {
			continue
		}
		c := fn.ChannelOf(a.Var)
		if c == nil {
			continue
		}
		name := types.ExprString(a.Expr)
		if others := operating(fn, c.Closes); on(c.Sends, a.Expr) && len(others) > 0 {
			return fmt.Sprintf("%s may close %s meanwhile", list(fn, others), name)
		}
		if others := operating(fn, c.Sends); on(c.Closes, a.Expr) && len(others) > 0 {
			return fmt.Sprintf("%s may be sending on %s", list(fn, others), name)
		}
	}
	return ""
}

// on reports whether an expression is the operand of one of some operations.
func on(uses []mutate.ChannelUse, e ast.Expr) bool {
	return slices.ContainsFunc(uses, func(u mutate.ChannelUse) bool { return ast.Unparen(u.Expr) == ast.Unparen(e) })
}

// operating names the other functions that make some operations.
func operating(fn *mutate.Function, uses []mutate.ChannelUse) []string {
	var names []string
	for _, u := range uses {
		if u.Fn != nil && !u.Test && u.Fn.Name != fn.Name && !slices.Contains(names, u.Fn.Name) {
			names = append(names, u.Fn.Name)
		}
	}
	return names
}

// Comment is the note of an edit as a comment above the acquisition. It is "" where
// Lock and defer Unlock of the receiver's own mutex head a method, unless the
// note says more than that others use the same variables.
func Comment(fn *mutate.Function, e mutate.Edit) string {
	decl, ok := fn.Node.(*ast.FuncDecl)
	if !ok || decl.Recv == nil || len(decl.Recv.List) != 1 || !plain(e.Note) {
		return e.Note
	}
	receiver, field, _ := strings.Cut(e.Lock.Expr, ".")
	named := decl.Recv.List[0].Names
	if len(named) == 0 || named[0].Name == "_" { // it gets the lock's
		named = nil
	}
	if strings.Contains(field, ".") || len(named) == 1 && named[0].Name != receiver || len(named) == 0 && field == "" {
		return e.Note
	}
	return ""
}

// What a note says of the variables that a lock guards.
const (
	changedBy = " is also changed by "
	readBy    = " is also read by "
	usedBy    = " is also used by "
	// Nobody else is known: it may be this function that several goroutines run, or a test
	// that uses the variable.
	usedBySeveral = " is used by several goroutines"
	runBySeveral  = "several goroutines run this at once"
)

// plain reports whether a note says no more than who else uses the variables.
func plain(note string) bool {
	return strings.Contains(note, changedBy) || strings.Contains(note, readBy) || strings.Contains(note, usedBy) ||
		strings.HasSuffix(note, usedBySeveral) || note == runBySeveral
}

// principal is the access that a note is about: one whose variable other
// functions change, before one that they read; a write before a read.
func principal(fn *mutate.Function, accesses []analysis.Access) (best analysis.Access, ok bool) {
	bestRank := -1
	for _, a := range accesses {
		written, read := fn.UsedElsewhere(a.Var)
		rank := 0
		if a.Write {
			rank++
			if read {
				rank += 2
			}
		}
		if written {
			rank += 4
		}
		if rank > bestRank {
			best, bestRank, ok = a, rank, true
		}
	}
	return best, ok
}

// list names functions: "Deposit", "Deposit and Withdraw", "Deposit, Withdraw
// and 2 more".
func list(fn *mutate.Function, names []string) string {
	short := make([]string, 0, len(names))
	for _, name := range names {
		short = append(short, shorten(fn, name))
	}
	switch len(short) {
	case 1:
		return short[0]
	case 2:
		return short[0] + " and " + short[1]
	}
	return fmt.Sprintf("%s, %s and %d more", short[0], short[1], len(short)-2)
}

// shorten leaves the receiver out of a method's name unless this function has
// the same name, and calls a literal by the function it is in.
func shorten(fn *mutate.Function, name string) string {
	base := func(name string) string {
		outer, _, _ := strings.Cut(name, ".func")
		return outer[strings.LastIndex(outer, ".")+1:]
	}
	outer, _, literal := strings.Cut(name, ".func")
	switch {
	case strings.HasPrefix(name, "glob."):
		return "a function of a package variable"
	case literal && outer == strings.Split(fn.Name, ".func")[0]:
		return "another function literal of " + base(name)
	case literal:
		return "a function literal of " + base(name)
	case base(name) == base(fn.Name):
		return strings.NewReplacer("(*", "", ")", "").Replace(name)
	}
	return base(name)
}
