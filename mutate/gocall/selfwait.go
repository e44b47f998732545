package gocall

import (
	"slices"

	"mendel/analysis"
	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/starts"
)

// A selfWait is a call that leads to a wait for the goroutine that makes it.
type selfWait struct {
	site  starts.Site
	wait  wait
	by    *mutate.Function // whose signal, behind the call, is waited for
	steps int              // calls between this one and the wait
}

// maxAbove is the number of functions above a wait at which it is given up: what is
// called from everywhere shows nothing. Chosen, not measured.
const maxAbove = 200

// selfWaits finds the calls of the program that lead to such waits, by function.
func selfWaits(fn *mutate.Function) map[*mutate.Function][]selfWait {
	type key struct{ *analysis.Program }
	return mutate.Once(fn, key{fn.Program}, func() map[*mutate.Function][]selfWait {
		found := make(map[*mutate.Function][]selfWait)
		functions := fn.OfProgram()
		groups := dones(functions)
		for _, f := range functions {
			for _, w := range waits(f, groups) {
				for _, s := range leadingTo(w) {
					found[s.site.Fn] = append(found[s.site.Fn], s)
				}
			}
		}
		return found
	})
}

// leadingTo lists the calls that a goroutine makes before its signal and that lead to
// a wait for this.
func leadingTo(w wait) []selfWait {
	a := findAbove(w.fn)
	if a == nil {
		return nil
	}
	var found []selfWait
	for _, s := range w.signals {
		calls := a.before(raised(s))
		if len(calls) == 0 && !w.all {
			return nil // another goroutine may end the wait
		}
		for _, c := range calls {
			if !slices.ContainsFunc(found, func(f selfWait) bool { return f.site.Expr == c.site.Expr }) {
				c.wait = w
				found = append(found, c)
			}
		}
	}
	return found
}

// raised is a signal and, of one that a helper gives, those of the helper's callers.
func raised(s signal) []signal {
	all := []signal{s}
	if s.fn.Started() {
		return all
	}
	for _, site := range starts.Sites(s.fn) {
		all = append(all, signal{fn: site.Fn, pos: site.Expr.Pos(), deferred: site.Deferred()})
	}
	return all
}

// An above is what may call a function, directly or not, in one goroutine.
type above struct {
	below map[*mutate.Function][]step // by caller
	steps map[*mutate.Function]int    // from a function down to the wait
}

// A step is a call that leads down to the wait.
type step struct {
	site starts.Site
	to   *mutate.Function
}

// findAbove finds what is above a function; nil if that is too much.
func findAbove(fn *mutate.Function) *above {
	a := &above{below: make(map[*mutate.Function][]step), steps: map[*mutate.Function]int{fn: 0}}
	work := []*mutate.Function{fn}
	for len(work) > 0 {
		to := work[0]
		work = work[1:]
		for _, site := range starts.Sites(to) {
			a.below[site.Fn] = append(a.below[site.Fn], step{site, to})
			if _, known := a.steps[site.Fn]; !known {
				a.steps[site.Fn] = a.steps[to] + 1
				if syntax.Within(to.Node, site.Fn.Node) { // its literal is a part of it
					a.steps[site.Fn]--
				}
				work = append(work, site.Fn)
			}
		}
		if len(a.steps) > maxAbove {
			return nil
		}
	}
	return a
}

// before lists the calls between a goroutine's function and the wait, if it gives one of
// some signals only behind the first of them.
func (a *above) before(signals []signal) (found []selfWait) {
	for _, s := range signals {
		for _, st := range a.below[s.fn] {
			if s.behind(st.site) {
				found = append(found, selfWait{site: st.site, by: s.fn, steps: a.steps[st.to]})
				found = a.down(found, st.to, s.fn)
			}
		}
	}
	return found
}

// down adds the calls that lead from a function down to the wait.
func (a *above) down(found []selfWait, from, by *mutate.Function) []selfWait {
	for _, st := range a.below[from] {
		if slices.ContainsFunc(found, func(f selfWait) bool { return f.site.Expr == st.site.Expr }) {
			continue
		}
		found = append(found, selfWait{site: st.site, by: by, steps: a.steps[st.to]})
		found = a.down(found, st.to, by)
	}
	return found
}

// behind reports whether a call is made before the signal of the same function.
func (s signal) behind(site starts.Site) bool {
	pos := site.Expr.Pos()
	switch {
	case s.pos == pos:
		return false // the signal is somewhere in what is called
	case s.again != nil && s.again.Pos() <= pos && pos < s.again.End():
		return true
	case s.deferred && site.Deferred():
		return s.pos < pos // what is deferred first runs last
	case s.deferred:
		return true
	}
	return !site.Deferred() && s.pos > pos
}
