package locks

import (
	"context"
	"go/ast"
	"go/types"
	"maps"
	"slices"

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

// An order is an acquisition of one lock while another may be held, both by key.
type order struct{ held, taken string }

// anyFunction stands in an order for what a function takes that nobody knows.
const anyFunction = "()"

// nested yields the locks that may be held where a call takes others, with the key of each of
// these. m.mu is held.
func (m *Model) nested(fn *Func, s site, yield func(held Lock, taken string)) {
	var path Path
	var taken []string
	op, isLock := lockMethod(fn.info(), s.call.Fun)
	switch {
	case isLock && (op.method == "Lock" || op.method == "RLock"):
		l := m.lockOf(fn, op)
		path, taken = l.Path, []string{m.orderKey(fn, l)}
	case isLock:
	case m.unknown(fn, s.call):
		taken = []string{anyFunction}
	default:
		for _, to := range m.targets(fn, s) {
			taken = append(taken, sortedKeys(m.takes(to))...)
		}
	}
	if len(taken) > 0 {
		for _, l := range m.heldBy(fn, s) {
			for _, key := range taken {
				if key != anyKey && (!path.known() || l.Path != path) {
					yield(l, key)
				}
			}
		}
	}
}

// unknown reports whether a call is of a function value that may be any.
func (m *Model) unknown(fn *Func, call *ast.CallExpr) bool {
	info := fn.info()
	if tv := info.Types[call.Fun]; !tv.IsValue() || !isFunc(tv.Type) || types.TypeString(tv.Type, nil) == "context.CancelFunc" {
		return false
	}
	return syntax.Callee(info, call.Fun) == nil && len(m.named(fn, call.Fun)) == 0
}

// heldBy are the locks with a key that a function may hold when it makes a call. m.mu is held.
func (m *Model) heldBy(fn *Func, s site) []Lock {
	n := m.madeAt(s)
	if n == nil {
		return nil
	}
	var held []Lock
	for _, f := range m.flowsOf(fn) {
		l := f.lock
		l.Key = m.orderKey(fn, l)
		if _, some := f.at(n); some && l.Key != anyKey {
			held = append(held, l)
		}
	}
	return held
}

// orderKey is the key of a lock; of that of a condition variable, which may be any, the key of
// the one that the condition variable was made with.
func (m *Model) orderKey(fn *Func, l Lock) string {
	if l.Key != anyKey || l.Call == nil {
		return l.Key
	}
	locker, ok := ast.Unparen(l.Call.X).(*ast.SelectorExpr)
	if !ok || locker.Sel.Name != "L" {
		return l.Key
	}
	if id, ok := ast.Unparen(locker.X).(*ast.Ident); ok {
		if arg := newCond(m.localsOf(fn).alias[fn.info().ObjectOf(id)]); arg != nil {
			return exprKey(fn.info(), arg)
		}
	}
	for _, v := range m.conds(storeKey(fn.info(), locker.X)) {
		if v.in != nil {
			return exprKey(v.in.info(), newCond(v.expr))
		}
	}
	return l.Key
}

// A nestings is the orders in which a declared function takes locks, with its literals.
type nestings map[order]bool

// nestingsOf are those of a declared function. m.mu is held.
func (m *Model) nestingsOf(decl *Func) nestings {
	found, known := m.nesting[decl]
	if !known {
		found = make(nestings)
		for _, fn := range decl.withLiterals() {
			for _, s := range m.callsOf(fn) {
				m.nested(fn, s, func(held Lock, taken string) { found[order{held.Key, taken}] = true })
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
func (m *Model) Nests(held, taken string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	o := order{held, taken}
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
func (m *Model) touchesWithin(fn *Func, key string) bool {
	return slices.ContainsFunc(fn.withLiterals(), func(fn *Func) bool { return m.touches(fn, key) })
}

// takenUnder are the keys of the locks that are taken while one with a key may be held, with
// the declared functions that do it, those of tests too. m.mu is held.
func (m *Model) takenUnder(key string) map[string][]*Func {
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
func (m *Model) NestsMore(ctx context.Context) (bool, error) {
	if m.base == nil {
		return false, nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
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
func (m *Model) changedDecls() []*Func {
	return slices.DeleteFunc(slices.Clone(m.ready().funcs), func(fn *Func) bool { return fn.Decl != fn })
}

// askOriginal asks the original's model, which is locked meanwhile.
func (m *Model) askOriginal(ask func(*Model)) {
	m.base.mu.Lock()
	defer m.base.mu.Unlock()
	ask(m.base)
}

// A mutantOrder is the lock-order graph of a mutant: the original's without what the functions
// have that are changed, and with what these and those that call them have now.
type mutantOrder struct {
	m     *Model
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
	took := make(map[string]bool)
	g.m.askOriginal(func(base *Model) {
		was := base.Named(decl.Name)
		if was != nil {
			took = base.comesToTake(was)
		}
		for o := range now {
			if o.taken != anyFunction && (was == nil || !base.nestingsOf(was)[o] && !base.comesToNest(was, o)) {
				g.fresh[o] = true
			}
		}
	})
	for key := range g.m.comesToTake(decl) {
		if !took[key] && key != anyKey {
			g.taken[key] = true
			g.m.askOriginal(func(base *Model) { g.above(base, decl.Name, key) })
		}
	}
}

// comesToNest reports whether something that a function runs takes locks in an order.
func (m *Model) comesToNest(fn *Func, o order) bool {
	by := m.takenUnder(o.held)[o.taken]
	if len(by) == 0 {
		return false
	}
	running := m.running(fn)
	return slices.ContainsFunc(by, func(decl *Func) bool { return running[decl] })
}

// comesToTake are the keys of the locks that a function takes, or what it calls or runs where
// it stands.
func (m *Model) comesToTake(fn *Func) map[string]bool {
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
func (g *mutantOrder) above(base *Model, name, key string) {
	seen := map[string]bool{name: true}
	for work := []string{name}; len(work) > 0; {
		last := work[len(work)-1]
		work = work[:len(work)-1]
		for _, s := range base.ready().callers[last] {
			decl := s.in.Decl
			if !g.m.has(decl) {
				for _, l := range base.heldBy(s.in, s) {
					o := order{l.Key, key}
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
func (m *Model) has(decl *Func) bool { return m.ready().byName[decl.Name] != nil }

// cycle reports whether an order is on a cycle.
func (g *mutantOrder) cycle(o order) bool {
	seen := make(map[string]bool)
	for work := []string{o.taken}; len(work) > 0; {
		key := work[len(work)-1]
		work = work[:len(work)-1]
		if key == o.held {
			return true
		}
		if seen[key] {
			continue
		}
		seen[key] = true
		if key == anyFunction { // what nobody knows may take what is taken anew
			work = slices.AppendSeq(work, maps.Keys(g.taken))
			continue
		}
		work = slices.AppendSeq(work, maps.Keys(g.now[key]))
		g.m.askOriginal(func(base *Model) {
			for taken, by := range base.takenUnder(key) {
				if slices.ContainsFunc(by, func(decl *Func) bool { return !g.m.has(decl) }) {
					work = append(work, taken)
				}
			}
		})
	}
	return false
}
