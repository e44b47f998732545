package guard

import (
	"go/ast"
	"maps"
	"slices"

	"mendel/analysis"
	"mendel/mutate"
	"mendel/mutate/fact/held"
)

// A plan lays one lock around all accesses of some variables without it.
type plan struct {
	*layout
	form   form
	parted bool // some part releases another value's lock before
	waits  bool // something may wait in some part
	blocks bool // something in some part may take long, callbacks included
}

// A layout is which functions are to take a target's lock, and for what: the same for
// all forms of plans but the wide one.
type layout struct {
	target
	survey *survey
	wide   bool

	direct    map[*mutate.Function][]use // accesses in its text without the lock
	open      map[*mutate.Function]bool  // not to take the lock: callers hold it, or shall
	opening   map[*mutate.Function]bool  // that call open ones
	acquirers map[*mutate.Function]bool  // that shall take it, and all that call them
	needed    map[*mutate.Function]bool  // see needs
	uses      map[*mutate.Function][]use // see usesOf
}

// A use is an access as a function comes to it: in its own text, or in that of
// an open function that it calls.
type use struct {
	analysis.Access
	at   ast.Node // the access, or the call
	stmt ast.Stmt // innermost one of a statement list around it
	base mutate.Path
}

func newLayout(sv *survey, t target, wide bool) *layout {
	p := &layout{
		target: t, survey: sv, wide: wide,
		direct:    make(map[*mutate.Function][]use),
		open:      make(map[*mutate.Function]bool),
		opening:   make(map[*mutate.Function]bool),
		acquirers: make(map[*mutate.Function]bool),
		needed:    make(map[*mutate.Function]bool),
		uses:      make(map[*mutate.Function][]use),
	}
	for v := range t.vars {
		for _, fn := range sv.users[v] {
			if _, known := p.direct[fn]; !known {
				p.direct[fn] = p.unguarded(fn)
			}
		}
	}
	maps.DeleteFunc(p.direct, func(_ *mutate.Function, uses []use) bool { return len(uses) == 0 })
	p.findOpen()
	for _, fn := range sv.whole.Functions {
		if p.locked(fn) {
			p.take(fn)
		}
	}
	return p
}

// unguarded are the accesses in a function's text without the lock.
func (p *layout) unguarded(fn *mutate.Function) (uses []use) {
	for _, pl := range p.survey.by[fn] {
		guarded := slices.ContainsFunc(pl.held, func(l analysis.Lock) bool {
			return l.Key == p.key && p.survey.guardsAccess(l, pl)
		})
		if p.vars[pl.Var] && !guarded {
			uses = append(uses, use{pl.Access, pl.Expr, pl.stmt, pl.base})
		}
	}
	return uses
}

// findOpen finds the functions that access without the lock and are not to
// take it themselves: some caller holds it, or, in the wide form, all callers
// access the variables without it, too, and shall hold it around the call.
func (p *layout) findOpen() {
	for fn := range p.direct {
		if held.ByCaller(fn, p.key) || p.wide && p.helper(fn) {
			p.setOpen(fn)
		}
	}
	for range maxCalls {
		for _, fn := range p.survey.whole.Functions {
			if p.opening[fn] && !p.open[fn] && len(p.openCalls(fn)) > 0 && held.ByCaller(fn, p.key) {
				p.setOpen(fn)
			}
		}
	}
}

func (p *layout) setOpen(fn *mutate.Function) {
	p.open[fn] = true
	for _, c := range fn.Callers() {
		p.opening[c] = true
	}
}

// maxCalls is over how many calls open functions lead to others. Guessed.
const maxCalls = 3

// helper reports whether a function is only called by such as access the
// variables without the lock themselves.
func (p *layout) helper(fn *mutate.Function) bool {
	decl, ok := fn.Node.(*ast.FuncDecl)
	callers := fn.Callers()
	if !ok || decl.Name.IsExported() || fn.Started() || len(callers) == 0 {
		return false
	}
	return !slices.ContainsFunc(callers, func(c *mutate.Function) bool { return c == fn || len(p.direct[c]) == 0 })
}

// take notes that a function and all that call it take the lock.
func (p *layout) take(fn *mutate.Function) {
	if p.acquirers[fn] {
		return
	}
	p.acquirers[fn] = true
	for _, c := range fn.Callers() {
		p.take(c)
	}
}

// openCalls are the calls of open functions in a function's text, where the
// lock is not held.
func (p *layout) openCalls(fn *mutate.Function) []callAt {
	if !p.opening[fn] {
		return nil
	}
	var calls []callAt
	for _, c := range p.survey.callsIn(fn) {
		if p.open[c.To] && c.stmt != nil && !c.held[p.key] {
			calls = append(calls, c)
		}
	}
	return calls
}

// needs reports whether a function, or an open one that it comes to, uses the
// variables without the lock: whether usesOf finds anything.
func (p *layout) needs(fn *mutate.Function) bool {
	if found, ok := p.needed[fn]; ok {
		return found
	}
	found := len(p.direct[fn]) > 0
	p.needed[fn] = false // of a recursive call
	for _, c := range p.openCalls(fn) {
		found = p.needs(c.To) || found
	}
	p.needed[fn] = found
	return found
}

// usesOf lists what a function is to guard: its own accesses and those of the
// open functions it calls.
func (p *layout) usesOf(fn *mutate.Function) []use {
	if !p.opening[fn] {
		return p.direct[fn]
	}
	if found, ok := p.uses[fn]; ok {
		return found
	}
	calls := p.openCalls(fn)
	if len(calls) == 0 {
		return p.direct[fn]
	}
	p.uses[fn] = nil // of a recursive call
	found := slices.Clone(p.direct[fn])
	seen := make(map[use]bool)
	for _, c := range calls {
		for _, u := range p.usesOf(c.To) {
			u = use{u.Access, c.Expr, c.stmt, c.Name(u.base)}
			same := u
			same.Expr = nil
			if !seen[same] { // an open function may come to a variable at several places, by several calls
				seen[same] = true
				found = append(found, u)
			}
		}
	}
	p.uses[fn] = slices.Clip(found)
	return found
}

// locked reports whether a function is to take the lock. Those that only tests
// call, before or after they do anything concurrently as far as can be seen, are
// left out unless the evidence names them.
func (p *layout) locked(fn *mutate.Function) bool {
	return !p.open[fn] && p.needs(fn) && (!fn.Quiet() || p.named(fn))
}

// named reports whether the evidence names one of a function's own accesses.
func (p *layout) named(fn *mutate.Function) bool {
	return slices.ContainsFunc(p.survey.by[fn], func(pl *sharedAccess) bool { return p.vars[pl.Var] && pl.heat >= hot })
}
