package report

import (
	"cmp"
	"fmt"
	"go/ast"
	"slices"
	"strings"

	"mendel/checker/sched"
)

// A LockUse is an operation on a lock, described in a way that fits another
// execution of nearly the same program too: it is the nth call of a method on an
// expression, in a function, by a goroutine. The method is left out: where one
// execution waits at Lock for ever, the other may show the Unlock alone.
type LockUse struct {
	G        int    `json:"g"` // ID of the goroutine
	Function string `json:"function"`
	Lock     string `json:"lock"` // expression
	Nth      int    `json:"nth"`
	Name     string `json:"name"` // that the lock has in the drawing
}

// mostUses is how many uses of an expression by a goroutine are listed: guessed.
const mostUses = 10

// LockUses are the uses of locks in an execution, by which the locks of another
// one are known again. They are those of steps and those that goroutines wait
// for, as far as the source shows the lock.
func LockUses(o LanesOptions) []LockUse {
	t := newTimeline(InterleavingOptions{Kind: o.Kind, Goroutines: o.Goroutines, Trace: o.Trace, Places: o.Places})
	n := newLockNames(t, o.Source)
	var all []LockUse
	for _, u := range n.uses(o.Places) {
		u.Name = n.names[u.obj]
		all = append(all, u.LockUse)
	}
	return all
}

// A used lock.
type used struct {
	LockUse
	obj int32
}

// adopt gives the locks the names that they have in another execution. It matches
// them by the uses that both have in common; a lock without a match gets a name
// of its own.
func (n *lockNames) adopt(other []LockUse, places []sched.Place) {
	if len(other) == 0 {
		return
	}
	same, taken := n.match(other, n.uses(places)), map[string]bool{}
	for _, u := range other {
		taken[u.Name] = true
	}
	var rest []int32
	for obj := range n.names {
		if name, ok := same[obj]; ok {
			n.names[obj] = name
		} else {
			rest = append(rest, obj)
		}
	}
	slices.Sort(rest) // as they were first used
	for _, obj := range rest {
		n.names[obj] = freeName(n.names[obj], taken)
		taken[n.names[obj]] = true
	}
}

// match gives locks the names with which they have most uses in common.
func (n *lockNames) match(other []LockUse, own []used) map[int32]string {
	there := map[LockUse]string{}
	for _, u := range other {
		name := u.Name
		u.Name = ""
		there[u] = name
	}
	type pair struct {
		obj  int32
		name string
	}
	votes := map[pair]int{}
	for _, u := range own {
		if name, ok := there[u.LockUse]; ok {
			votes[pair{u.obj, name}]++
		}
	}
	var pairs []pair
	for p := range votes {
		pairs = append(pairs, p)
	}
	slices.SortFunc(pairs, func(a, b pair) int {
		return cmp.Or(cmp.Compare(votes[b], votes[a]), cmp.Compare(a.obj, b.obj), cmp.Compare(a.name, b.name))
	})
	same, given := map[int32]string{}, map[string]bool{}
	for _, p := range pairs {
		if _, known := same[p.obj]; !known && !given[p.name] {
			same[p.obj], given[p.name] = p.name, true
		}
	}
	return same
}

// uses are the uses of locks, without names.
func (n *lockNames) uses(places []sched.Place) []used {
	var all []used
	times := map[LockUse]map[string]int{} // by method; Nth is 0
	add := func(g int, obj int32, at sched.Place, what, lock string) {
		if lock == "" || !n.known(obj) {
			return
		}
		u := LockUse{G: g, Function: n.function(at), Lock: lock}
		if times[u] == nil {
			times[u] = map[string]int{}
		}
		times[u][methodOf(what)]++
		if u.Nth = times[u][methodOf(what)]; u.Nth <= mostUses {
			all = append(all, used{u, obj})
		}
	}
	for i, e := range n.t.trace {
		switch e.Kind {
		case sched.KindAcquire, sched.KindRAcquire, sched.KindRelease, sched.KindRRelease:
			add(e.G, e.Obj, e.Place, e.What, n.acquired(i))
		}
	}
	for _, p := range places {
		g := slices.Index(n.t.names, p.Goroutine)
		fset, file := n.syntax(p.File)
		if file == nil || g < 0 {
			continue
		}
		if calls := lockCalls(fset, file, p.Line, methodOf(p.What)); len(calls) == 1 {
			add(g, p.Obj, p, p.What, calls[0])
		}
	}
	return all
}

// function is the file and the name of the function that a place is in.
func (n *lockNames) function(at sched.Place) string {
	fset, file := n.syntax(at.File)
	for _, d := range file.Decls { // there is a file: a call was found in it
		f, ok := d.(*ast.FuncDecl)
		if ok && fset.Position(f.Pos()).Line <= at.Line && at.Line <= fset.Position(f.End()).Line {
			return at.File + " " + f.Name.Name
		}
	}
	return at.File
}

// freeName is a name that no other lock has, nor may be taken for that of one.
func freeName(name string, taken map[string]bool) string {
	base, _, _ := strings.Cut(name, " #")
	for other := range taken {
		bare, _, _ := strings.Cut(other, " #")
		if bare == base || methodOf(bare) == base {
			name = fmt.Sprintf("%s #2", methodOf(base))
		}
	}
	for k := 3; taken[name]; k++ {
		name = fmt.Sprintf("%s #%d", methodOf(base), k)
	}
	return name
}
