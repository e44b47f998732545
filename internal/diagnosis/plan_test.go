package diagnosis

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"mendel/analysis"
	"mendel/analysis/evidence"
	"mendel/mutate"
)

// The first strategies for the first findings come first, two edits of each; what has flags
// and what is worth less come later, and what mends nothing that was found has no turn.
func TestPlan(t *testing.T) {
	guard, other := &analysis.Lock{Key: "m.T.mu"}, &analysis.Lock{Key: "m.U.mu"}
	edit := func(name, operator, fn string, heat float64, l *analysis.Lock, flags ...mutate.Flag) mutate.Edit {
		return mutate.Edit{Expr: name, Operator: operator, File: "a.go", Func: fn, Heat: heat, Lock: l, Flags: flags, Vars: []string{"T.n"}}
	}
	part := edit("", "addlock", "far", 0.1, guard)
	edits := []mutate.Edit{
		edit("other lock", "addlock", "get", 1, other),
		edit("no lock", "addlock", "get", 1, nil),
		edit("elsewhere", "addlock", "set", 1, guard),
		edit("lockread", "lockread", "get", 1, guard),
		edit("third", "addlock", "get", 0.3, guard),
		edit("flagged", "addlock", "get", 1, guard, mutate.Blocks),
		edit("second", "addlock", "get.func1", 0.5, guard),
		edit("first", "addlock", "get", 0.9, guard),
		edit("swap", "swaplocks", "wait", 0.1, nil),
		{Expr: "all", Operator: "guard", File: "a.go", Func: "far", Parts: []mutate.Edit{part}},
		{Expr: "other file", Operator: "swaplocks", File: "b.go", Func: "wait"},
	}
	found := []Finding{
		{Fault: evidence.MissingLock, Places: []Place{{File: "a.go", Func: "get"}}, Variable: "T.n", Lock: "m.T.mu"},
		{Fault: evidence.LockOrderInversion, Places: []Place{{File: "a.go", Func: "wait"}}},
		{Fault: evidence.SomeFailure, Places: []Place{{File: "a.go", Func: "get"}}},
	}
	turn := Plan(found, edits)
	var order []string
	for _, e := range slices.SortedFunc(slices.Values(edits), func(a, b mutate.Edit) int { return turn.Of(a) - turn.Of(b) }) {
		if n := turn.Of(e); n > 0 {
			order = append(order, fmt.Sprintf("%d %s", n, e.Expr))
		}
	}
	if got, want := strings.Join(order, ", "), "1 first, 2 second, 3 all, 4 swap, 5 lockread, 6 third, 7 flagged"; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

// No more edits have a turn than a first generation tries alone.
func TestPlanEnds(t *testing.T) {
	var edits []mutate.Edit
	for i := range 3 * most {
		edits = append(edits, mutate.Edit{Operator: "addunlock", File: "a.go", Func: "f", Node: i})
	}
	if turn := Plan([]Finding{{Fault: evidence.LockNotReleased, Places: []Place{{File: "a.go", Func: "f"}}}}, edits); len(turn) != most {
		t.Errorf("%d turns", len(turn))
	}
}
