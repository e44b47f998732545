package locking

import (
	"fmt"
	"go/types"
	"strings"

	"mendel/analysis"
	"mendel/mutate"
)

// maxExpr is the longest expression, in bytes, that a note quotes.
const maxExpr = 40

// Note says in one line what holding a lock around some accesses guards
// against: "to.amount is also changed by Deposit". It names only what the
// source says.
func Note(fn *mutate.Function, accesses []analysis.Access) string {
	a, ok := principal(fn, accesses)
	if !ok {
		return "several goroutines run this at once"
	}
	name := types.ExprString(a.Expr)
	if len(name) > maxExpr || strings.ContainsAny(name, "\n({") {
		name = a.Var.Name()
	}
	writers, readers := fn.Users(a.Var)
	switch {
	case len(writers) > 0:
		return fmt.Sprintf("%s is also changed by %s", name, list(fn, writers))
	case len(readers) > 0 && a.Write:
		return fmt.Sprintf("%s is also read by %s", name, list(fn, readers))
	case a.Write:
		return fmt.Sprintf("several goroutines change %s here", name)
	}
	return fmt.Sprintf("several goroutines use %s here", name)
}

// principal is the access that a note is about: one whose variable other
// functions change, before one that they read; a write before a read.
func principal(fn *mutate.Function, accesses []analysis.Access) (best analysis.Access, ok bool) {
	bestRank := -1
	for _, a := range accesses {
		writers, readers := fn.Users(a.Var)
		rank := 0
		if a.Write {
			rank++
			if len(readers) > 0 {
				rank += 2
			}
		}
		if len(writers) > 0 {
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
