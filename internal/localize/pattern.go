package localize

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"mendel/checker"
	"mendel/checker/sched"
)

// Patterns of accesses and their suspiciousness: Park, Vuduc and Harrold, Falcon:
// Fault Localization in Concurrent Programs (ICSE 2010). A pattern is an order of two
// accesses of different goroutines to one variable of which one writes, or three
// accesses of which the second comes between two of another goroutine so that no
// serial order has the same result. Its suspiciousness is Jaccard's coefficient: the
// failing executions that have it, divided by the failing ones and the passing ones
// that have it.
//
// Deviations. Operations on channels, wait groups and conditions have orders, too,
// and sections of a lock count as writes of it. Executions are made by the checker,
// and the failing one has the fewest switches possible: what does not occur in that
// is less suspicious.

// A shape is what a pattern is made of.
type shape int

const (
	order    shape = iota // of two accesses, one of which writes
	between               // an access that comes between two
	sections              // a section that comes between two of a lock
	synchron              // an order of operations that synchronise
)

// A pattern is one that an execution has or has not.
type pattern struct {
	shape shape
	ops   string // "RWR", or the operations
	a, b  site
	c     site // with between and sections: the second access of the first goroutine
	// Where one function calls what makes a and what makes c; zero if it makes one of
	// them itself, or nothing is known.
	callA, callC site
	// Where the lock that the first goroutine holds at a is acquired again for c; zero if
	// it holds none at both, or holds it all the time.
	gap site
}

// patterns are those of an execution.
func (x *execution) patterns() map[pattern]bool {
	found := map[pattern]bool{}
	for _, list := range x.words {
		orders(list, found)
		betweens(list, between, found)
	}
	for _, list := range x.deeds {
		var atomic, locks []access
		for i, d := range list {
			switch d.kind {
			case sched.KindLoad, sched.KindStore:
				atomic = append(atomic, access{at: d.at, g: d.g, write: d.kind == sched.KindStore, atomic: true})
			case sched.KindAcquire, sched.KindRAcquire:
				locks = append(locks, access{at: d.at, g: d.g, write: d.kind == sched.KindAcquire})
			default:
				if i > 0 && list[i-1].g != d.g {
					found[pattern{shape: synchron, ops: list[i-1].what + "," + d.what, a: list[i-1].at, b: d.at}] = true
				}
			}
		}
		orders(atomic, found)
		betweens(atomic, between, found)
		betweens(locks, sections, found)
	}
	return found
}

// orders finds neighbouring accesses of two goroutines.
func orders(list []access, found map[pattern]bool) {
	for i := 1; i < len(list); i++ {
		a, b := list[i-1], list[i]
		if a.g != b.g && (a.write || b.write) {
			found[pattern{shape: order, ops: letters(a, b), a: a.at, b: b.at}] = true
		}
	}
}

// window is how many accesses of others between two of a goroutine are looked at.
// Guessed, as Falcon's.
const window = 8

// betweens finds accesses that come between two of one goroutine.
func betweens(list []access, s shape, found map[pattern]bool) {
	previous := map[int]int{} // by goroutine: its last access
	for i, c := range list {
		at, ok := previous[c.g]
		previous[c.g] = i
		if !ok || i-at < 2 {
			continue
		}
		a := list[at]
		for k := max(at+1, i-window); k < i; k++ {
			if b := list[k]; unserialisable(a.write, b.write, c.write) || s == sections && (a.write || b.write || c.write) {
				p := pattern{shape: s, ops: letters(a, b, c), a: a.at, b: b.at, c: c.at}
				p.callA, p.callC = common(a.stack, c.stack)
				p.gap = gap(a, c)
				found[p] = true
			}
		}
	}
}

// gap is where a lock that was held at one access of a goroutine was acquired again for
// the next one, which are not in one section then; zero if there is no such lock, or they
// are.
func gap(a, c access) site {
	for _, lock := range objects(c.held) {
		if at, held := a.held[lock]; held {
			if at == c.held[lock] {
				return site{}
			}
			return c.held[lock]
		}
	}
	return site{}
}

// common is where the innermost call that two stacks have in common is in each of
// them, if it is not that of the function in which one of them ends.
func common(a, c []sched.Frame) (site, site) {
	for i, f := range a {
		for k, o := range c {
			if f.Function != o.Function || !sameCallers(a[i+1:], c[k+1:]) {
				continue
			}
			if i == 0 || k == 0 {
				return site{}, site{}
			}
			return siteOf(f), siteOf(o)
		}
	}
	return site{}, site{}
}

// sameCallers compares as many frames as both have: stacks are cut off.
func sameCallers(a, c []sched.Frame) bool {
	n := min(len(a), len(c))
	return slices.Equal(a[:n], c[:n])
}

// unserialisable reports whether no serial order of a and c on the one hand and b
// on the other has the same result (Lu et al., AVIO, ASPLOS 2006, table 1).
func unserialisable(a, b, c bool) bool { return b && !(a && c) || !b && a && c }

func letters(list ...access) string {
	var b strings.Builder
	for _, a := range list {
		if a.write {
			b.WriteByte('W')
		} else {
			b.WriteByte('R')
		}
	}
	return b.String()
}

// A suspicion is a pattern with how often it occurs.
type suspicion struct {
	pattern
	score           float64
	failed, passing int // executions that have it
	switched        bool
}

// suspicions ranks the patterns of the executions that fail as f does.
func suspicions(f *checker.Failure, all []*execution) []suspicion {
	count := map[pattern]*suspicion{}
	failing, passing, given := 0, 0, 0
	for _, x := range all {
		if x.Failure != nil && !x.fails(f) {
			continue
		}
		if x.Failure == nil {
			passing++
		} else {
			failing++
			if x.Given {
				given++
			}
		}
		for p := range x.patterns() {
			s := count[p]
			if s == nil {
				s = &suspicion{pattern: p}
				count[p] = s
			}
			if x.Failure == nil {
				s.passing++
				continue
			}
			s.failed++
			s.switched = s.switched || x.Given
		}
	}
	var list []suspicion
	for _, s := range count {
		if s.failed == 0 {
			continue
		}
		s.score = float64(s.failed) / float64(failing+s.passing) * weights[s.shape]
		if given > 0 && !s.switched {
			s.score *= notWhenSwitched
		}
		if passing == 0 {
			s.score *= onlyInFailing
		}
		list = append(list, *s)
	}
	slices.SortFunc(list, func(s, t suspicion) int {
		return cmp.Or(cmp.Compare(t.score, s.score), cmp.Compare(s.shape, t.shape), s.a.compare(t.a), s.b.compare(t.b), s.c.compare(t.c), strings.Compare(s.ops, t.ops))
	})
	return list
}

// seen says how often a pattern occurs.
func (s suspicion) seen() string {
	return fmt.Sprintf("in %d failing and %d passing schedules", s.failed, s.passing)
}
