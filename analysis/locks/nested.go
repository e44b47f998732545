package locks

import (
	"context"
	"go/ast"
	"go/types"
	"maps"
	"slices"
	"strings"

	"mendel/analysis/syntax"
)

// A lock nested in another is a reason against a change only where two orders can meet. The
// lock-order graph (Havelund, Using Runtime Analysis to Guide Model Checking of Java
// Programs, SPIN 2000; here from the text, not from a run) has an edge from each lock to
// those that are taken while it may be held. Goroutines that wait for each other in a ring,
// each at an acquisition, hold a cycle of it.
//
// Locks are told apart by their keys, so that all instances of a field are one lock, and
// nesting two of them is a cycle. What is proved of a nesting that is on no cycle is this:
// among the sections that the model sees, in the whole program with its tests, nobody takes
// these locks in an order that could close a ring with it. A function value that may be any
// comes to all that an edit lets something take anew.

// An order is an acquisition of one lock while another may be held, both by key. Where a key does
// not tell which lock it is, its name belongs to the order: of two values of one type, in whatever
// order, and of a lock that may be any.
type order struct{ held, taken, names string }

// orderOf is the order of a lock that is held and of one that is taken, with its name; "": what is
// called takes it.
func orderOf(held Lock, taken, name string) order {
	o := order{held: held.Key, taken: taken}
	is := held.Path.String()
	switch {
	case o.held == o.taken:
		o.names = min(is, name) + " " + max(is, name)
	case o.held == anyKey:
		o.names = is
	case o.taken == anyKey:
		o.names = name
	}
	return o
}

// alike reports whether the keys of two locks do not rule out that each stands for the other:
// whatever the order of locks is elsewhere, this one is in a ring.
func (o order) alike() bool { return o.held == o.taken || o.held == anyKey || o.taken == anyKey }

// anyFunction stands in an order for what a function takes that nobody knows.
const anyFunction = "()"

// nested yields the orders in which a call takes locks while others may be held. Of what a
// function takes that is called, locks that may be any are left out.
func (m *View) nested(fn *Func, s site, yield func(order)) {
	locks := m.heldBy(fn, s)
	if len(locks) == 0 {
		return
	}
	var path Path
	var taken []string
	var name string
	op, isLock := lockMethod(fn.info(), s.call.Fun)
	switch {
	case isLock && (op.method == "Lock" || op.method == "RLock"):
		l := m.lockOf(fn, op)
		path, taken, name = l.Path, []string{m.orderKey(fn, l)}, l.Path.String()
	case isLock:
	case m.unknown(fn, s.call):
		taken = []string{anyFunction}
	default:
		for _, to := range m.targets(fn, s) {
			taken = append(taken, slices.Sorted(maps.Keys(m.takes(to)))...)
		}
	}
	for _, l := range locks {
		for _, key := range taken {
			if (isLock || key != anyKey) && (!path.known() || l.Path != path) {
				yield(orderOf(l, key, name))
			}
		}
	}
}

// unknown reports whether a call is of a function value that may be any.
func (m *View) unknown(fn *Func, call *ast.CallExpr) bool {
	info := fn.info()
	if tv := info.Types[call.Fun]; !tv.IsValue() || !isFunc(tv.Type) || types.TypeString(tv.Type, nil) == "context.CancelFunc" {
		return false
	}
	return syntax.Callee(info, call.Fun) == nil && len(m.named(fn, call.Fun)) == 0
}

// heldBy are the locks that a function may hold when it makes a call.
func (m *View) heldBy(fn *Func, s site) []Lock {
	n := m.madeAt(s)
	if n == nil {
		return nil
	}
	var held []Lock
	for _, f := range m.flowsOf(fn) {
		l := f.lock
		l.Key = m.orderKey(fn, l)
		if _, some := f.at(n); some {
			held = append(held, l)
		}
	}
	return held
}

// orderKey is the key of a lock; of one that may be any the key of the field that has it, or of
// the lock that the condition variable was made with.
func (m *View) orderKey(fn *Func, l Lock) string {
	if l.Key != anyKey || l.Call == nil {
		return l.Key
	}
	info := fn.info()
	if id, ok := ast.Unparen(l.Call.X).(*ast.Ident); ok && m.makesLock(fn, id) {
		return fn.File.Package.Path + ":" + id.Name
	}
	locker, ok := ast.Unparen(l.Call.X).(*ast.SelectorExpr)
	if !ok {
		return l.Key
	}
	if key := exprKey(info, locker); key != "sync.Cond.L" {
		return key
	}
	if id, ok := ast.Unparen(locker.X).(*ast.Ident); ok {
		if arg := newCond(m.localsOf(fn).alias[info.ObjectOf(id)]); arg != nil {
			return exprKey(info, arg)
		}
	}
	for _, v := range m.conds(storeKey(fn.info(), locker.X)) {
		if v.in != nil {
			return exprKey(v.in.info(), newCond(v.expr))
		}
	}
	return l.Key
}

// makesLock reports whether a local variable stands for a lock that its function makes.
func (m *View) makesLock(fn *Func, id *ast.Ident) bool {
	switch value := m.localsOf(fn).alias[fn.info().ObjectOf(id)].(type) {
	case *ast.UnaryExpr:
		_, made := ast.Unparen(value.X).(*ast.CompositeLit)
		return made
	case *ast.CallExpr:
		b, ok := ast.Unparen(value.Fun).(*ast.Ident)
		return ok && fn.info().Uses[b] == types.Universe.Lookup("new")
	}
	return false
}

// A nestings is the orders in which a declared function takes locks, with its literals.
type nestings map[order]bool

// nestingsOf are those of a declared function.
func (m *View) nestingsOf(decl *Func) nestings {
	found, known := m.nesting[decl]
	if !known {
		found = make(nestings)
		for _, fn := range decl.withLiterals() {
			for _, s := range m.callsOf(fn) {
				m.nested(fn, s, func(o order) { found[o] = true })
			}
		}
		m.nesting[decl] = found
	}
	return found
}

// withLiterals are a function and all literals in it.
func (fn *Func) withLiterals() []*Func { return append([]*Func{fn}, fn.literals()...) }

// Nests reports whether the program takes a lock while another may be held, both given by key;
// tests are left out.
func (of *Model) Nests(held, taken string) bool {
	m := of.Lock()
	defer of.Unlock()
	o := order{held: held, taken: taken}
	nests, known := m.nests[o]
	if !known {
		nests = slices.ContainsFunc(m.shipped(), func(decl *Func) bool {
			return decl.Decl == decl && m.touchesWithin(decl, held) && m.touchesWithin(decl, taken) && m.nestingsOf(decl)[o]
		})
		m.nests[o] = nests
	}
	return nests
}

// touchesWithin reports whether a function, or a literal of it, may come to take or release a
// lock with a key.
func (m *View) touchesWithin(fn *Func, key string) bool {
	return slices.ContainsFunc(fn.withLiterals(), func(fn *Func) bool { return m.touches(fn, key) })
}

// takenUnder are the keys of the locks that are taken while one with a key may be held, with
// the declared functions that do it, those of tests too.
func (m *View) takenUnder(key string) map[string][]*Func {
	found, known := m.under[key]
	if known {
		return found
	}
	found = make(map[string][]*Func)
	for _, decl := range m.ready().funcs {
		if decl.Decl != decl || !m.touchesWithin(decl, key) {
			continue
		}
		for o := range m.nestingsOf(decl) {
			if o.held == key {
				found[o.taken] = append(found[o.taken], decl)
			}
		}
	}
	m.under[key] = found
	return found
}

// NestsMore reports whether a mutant nests two locks which the original does not nest there,
// where the lock-order graph of the mutant has a cycle with them. When ctx ends, the error is
// its own.
func (of *Model) NestsMore(ctx context.Context) (bool, error) {
	m := of.Lock()
	defer of.Unlock()
	if m.base == nil {
		return false, nil
	}
	g := &mutantOrder{m: m, now: make(map[string]map[string]bool), taken: make(map[string]bool), fresh: make(map[order]bool)}
	for _, decl := range m.changedDecls() {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		g.changed(decl)
	}
	for o := range g.fresh {
		if g.cycle(o) {
			return true, nil
		}
	}
	return false, ctx.Err()
}

// changedDecls are the declared functions that a mutant changes.
func (m *Program) changedDecls() []*Func {
	return slices.DeleteFunc(slices.Clone(m.ready().funcs), func(fn *Func) bool { return fn.Decl != fn })
}

// askOriginal asks the original's model, which is locked meanwhile.
func (m *View) askOriginal(ask func(*View)) {
	base := m.original.Lock()
	defer m.original.Unlock()
	ask(base)
}

// A mutantOrder is the lock-order graph of a mutant: the original's without what the functions
// have that are changed, and with what these and those that call them have now.
type mutantOrder struct {
	m     *View
	now   map[string]map[string]bool // by the key held, those taken
	taken map[string]bool            // keys that something comes to take anew
	fresh map[order]bool             // of nestings that the original does not have
}

func (g *mutantOrder) add(o order) {
	if g.now[o.held] == nil {
		g.now[o.held] = make(map[string]bool)
	}
	g.now[o.held][o.taken] = true
}

// changed adds what a function that is changed nests, and what its callers nest by it.
func (g *mutantOrder) changed(decl *Func) {
	now := g.m.nestingsOf(decl)
	for o := range now {
		g.add(o)
	}
	var took map[string]bool
	var before map[string]int
	g.m.askOriginal(func(base *View) {
		var was nestings
		of := base.Named(decl.Name)
		if of != nil {
			took, before, was = base.comesToTake(of), base.acquisitions(of), base.nestingsOf(of)
		}
		fresh := func(o order) bool {
			return o.taken != anyFunction && !was[o] && (of == nil || !base.comesToNest(of, o))
		}
		more := morePairs(now, was, fresh)
		for o := range now {
			if fresh(o) && (o.held != o.taken || more[o.held] > 0) {
				g.fresh[o] = true
			}
		}
	})
	for key, n := range g.m.acquisitions(decl) {
		if n > before[key] && g.m.mayBeTaken(decl, key) {
			g.taken[key] = true
		}
	}
	for key := range g.m.comesToTake(decl) {
		if !took[key] && key != anyKey {
			if g.m.mayBeTaken(decl, key) {
				g.taken[key] = true
			}
			g.m.askOriginal(func(base *View) { g.above(base, decl.Name, key) })
		}
	}
}

// mayBeTaken reports whether code of others may come to a lock that a declared function takes: not
// to a local one, unless a literal that is not started takes it.
func (m *View) mayBeTaken(decl *Func, key string) bool {
	return !strings.Contains(key, ":") || slices.ContainsFunc(decl.literals(), func(lit *Func) bool { return !m.startedAt(lit) && m.takes(lit)[key] })
}

// morePairs is by how many pairs of two values of one type more locks are nested now than were, by
// their key. Those that have other names stand in the place of those that are gone.
func morePairs(now, was nestings, fresh func(order) bool) map[string]int {
	more := make(map[string]int)
	for o := range now {
		if o.held == o.taken && fresh(o) {
			more[o.held]++
		}
	}
	for o := range was {
		if o.held == o.taken && !now[o] {
			more[o.held]--
		}
	}
	return more
}

// acquisitions counts by key where a declared function takes locks itself, with its literals.
func (m *View) acquisitions(decl *Func) map[string]int {
	found := make(map[string]int)
	for _, fn := range decl.withLiterals() {
		for _, s := range m.callsOf(fn) {
			if op, ok := lockMethod(fn.info(), s.call.Fun); ok && (op.method == "Lock" || op.method == "RLock") {
				found[m.orderKey(fn, m.lockOf(fn, op))]++
			}
		}
	}
	return found
}

// comesToNest reports whether something that a function runs takes locks in an order. Of two
// values of one type, it is what the function itself calls, which holds one that is known to the
// function by the name in the order.
func (m *View) comesToNest(fn *Func, o order) bool {
	if o.names != "" {
		return o.held == o.taken && m.nestsFor(fn, o)
	}
	by := m.takenUnder(o.held)[o.taken]
	if len(by) == 0 {
		return false
	}
	running := m.running(fn)
	return slices.ContainsFunc(by, func(decl *Func) bool { return running[decl] })
}

// nestsFor is comesToNest for two values of one type, one of which is taken by what is called.
func (m *View) nestsFor(decl *Func, o order) bool {
	for _, fn := range decl.withLiterals() {
		for _, s := range m.callsOf(fn) {
			to := m.calledBy(s)
			if to == nil || !m.touchesWithin(to, o.held) {
				continue
			}
			for _, in := range m.callsOf(to) {
				nests := false
				m.nested(to, in, func(is order) { nests = nests || is.held == o.held && is.taken == o.taken })
				if nests && slices.ContainsFunc(m.heldBy(to, in), func(l Lock) bool {
					return l.Key == o.held && slices.ContainsFunc(m.inCaller(fn, s.call, to, l), func(l Lock) bool { return orderOf(l, o.taken, "") == o })
				}) {
					return true
				}
			}
		}
	}
	return false
}

// comesToTake are the keys of the locks that a function takes, or what it calls or runs where
// it stands.
func (m *View) comesToTake(fn *Func) map[string]bool {
	found := maps.Clone(m.takes(fn))
	for _, lit := range fn.literals() {
		if !m.startedAt(lit) {
			maps.Copy(found, m.takes(lit))
		}
	}
	return found
}

// above adds what those nest that call a function, directly or not, which comes to take a lock
// now. What is changed itself has been followed.
func (g *mutantOrder) above(base *View, name, key string) {
	seen := map[string]bool{name: true}
	for work := []string{name}; len(work) > 0; {
		last := work[len(work)-1]
		work = work[:len(work)-1]
		for _, s := range base.ready().callers[last] {
			decl := s.in.Decl
			if !g.m.has(decl) {
				for _, l := range base.heldBy(s.in, s) {
					o := orderOf(l, key, "")
					g.add(o)
					if !base.nestingsOf(decl)[o] && !base.comesToNest(decl, o) {
						g.fresh[o] = true
					}
				}
			}
			if !base.startedAt(s.in) && !seen[decl.Name] {
				seen[decl.Name] = true
				work = append(work, decl.Name)
			}
		}
	}
}

// has reports whether a mutant changes a declared function of the original.
func (m *Program) has(decl *Func) bool { return m.ready().byName[decl.Name] != nil }

// cycle reports whether an order is on a cycle, or may be.
func (g *mutantOrder) cycle(o order) bool {
	if o.alike() {
		return true
	}
	seen := make(map[string]bool)
	for work := []string{o.taken}; len(work) > 0; {
		key := work[len(work)-1]
		work = work[:len(work)-1]
		if key == o.held {
			return true
		}
		if seen[key] || key == anyKey {
			continue
		}
		seen[key] = true
		if key == anyFunction { // what nobody knows may take what is taken anew
			work = slices.AppendSeq(work, maps.Keys(g.taken))
			continue
		}
		work = slices.AppendSeq(work, maps.Keys(g.now[key]))
		g.m.askOriginal(func(base *View) {
			for taken, by := range base.takenUnder(key) {
				if slices.ContainsFunc(by, func(decl *Func) bool { return !g.m.has(decl) }) {
					work = append(work, taken)
				}
			}
		})
	}
	return false
}
