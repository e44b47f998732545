package order

import (
	"context"
	"go/ast"
	"go/types"
	"maps"
	"slices"
	"strings"

	"mendel/analysis/locks"
	"mendel/analysis/locks/naming"
	"mendel/analysis/locks/program"
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
func orderOf(held naming.Lock, taken, name string) order {
	o := order{held: held.Key, taken: taken}
	is := held.Path.String()
	switch {
	case o.held == o.taken:
		o.names = min(is, name) + " " + max(is, name)
	case o.held == program.AnyKey:
		o.names = is
	case o.taken == program.AnyKey:
		o.names = name
	}
	return o
}

// alike reports whether the keys of two locks do not rule out that each stands for the other:
// whatever the order of locks is elsewhere, this one is in a ring.
func (o order) alike() bool {
	return o.held == o.taken || o.held == program.AnyKey || o.taken == program.AnyKey
}

// anyFunction stands in an order for what a function takes that nobody knows.
const anyFunction = "()"

// nested yields the orders in which a call takes locks while others may be held. Of what a
// function takes that is called, locks that may be any are left out.
func nested(m *locks.View, fn *program.Func, s program.Site, yield func(order)) {
	locks := heldBy(m, fn, s)
	if len(locks) == 0 {
		return
	}
	var path naming.Path
	var taken []string
	var name string
	op, isLock := program.LockMethod(fn.Info(), s.Call.Fun)
	switch {
	case isLock && (op.Method == "Lock" || op.Method == "RLock"):
		l := m.LockOf(fn, op)
		path, taken, name = l.Path, []string{orderKey(m, fn, l)}, l.Path.String()
	case isLock:
	case unknown(m, fn, s.Call):
		taken = []string{anyFunction}
	default:
		for _, to := range m.Targets(fn, s) {
			taken = append(taken, slices.Sorted(maps.Keys(Takes(m, to)))...)
		}
	}
	for _, l := range locks {
		for _, key := range taken {
			if (isLock || key != program.AnyKey) && (!path.Known() || l.Path != path) {
				yield(orderOf(l, key, name))
			}
		}
	}
}

// unknown reports whether a call is of a function value that may be any.
func unknown(m *locks.View, fn *program.Func, call *ast.CallExpr) bool {
	info := fn.Info()
	if tv := info.Types[call.Fun]; !tv.IsValue() || !program.IsFunc(tv.Type) || types.TypeString(tv.Type, nil) == "context.CancelFunc" {
		return false
	}
	return syntax.Callee(info, call.Fun) == nil && len(m.FuncsOf(fn, call.Fun)) == 0
}

// heldBy are the locks that a function may hold when it makes a call.
func heldBy(m *locks.View, fn *program.Func, s program.Site) []naming.Lock {
	n := m.MadeAt(s)
	if n == nil {
		return nil
	}
	var held []naming.Lock
	for _, f := range m.Flows(fn) {
		l := f.Lock
		l.Key = orderKey(m, fn, l)
		if _, some := f.At(n); some {
			held = append(held, l)
		}
	}
	return held
}

// orderKey is the key of a lock; of one that may be any the key of the field that has it, or of
// the lock that the condition variable was made with.
func orderKey(m *locks.View, fn *program.Func, l naming.Lock) string {
	if l.Key != program.AnyKey || l.Call == nil {
		return l.Key
	}
	info := fn.Info()
	if id, ok := ast.Unparen(l.Call.X).(*ast.Ident); ok && makesLock(m, fn, id) {
		return fn.File.Package.Path + ":" + id.Name
	}
	locker, ok := ast.Unparen(l.Call.X).(*ast.SelectorExpr)
	if !ok {
		return l.Key
	}
	if key := program.ExprKey(info, locker); key != "sync.Cond.L" {
		return key
	}
	if id, ok := ast.Unparen(locker.X).(*ast.Ident); ok {
		if arg := program.NewCond(m.LocalsOf(fn).Alias[info.ObjectOf(id)]); arg != nil {
			return program.ExprKey(info, arg)
		}
	}
	for _, v := range m.Conds(program.StoreKey(fn.Info(), locker.X)) {
		if v.In != nil {
			return program.ExprKey(v.In.Info(), program.NewCond(v.Expr))
		}
	}
	return l.Key
}

// makesLock reports whether a local variable stands for a lock that its function makes.
func makesLock(m *locks.View, fn *program.Func, id *ast.Ident) bool {
	switch value := m.LocalsOf(fn).Alias[fn.Info().ObjectOf(id)].(type) {
	case *ast.UnaryExpr:
		_, made := ast.Unparen(value.X).(*ast.CompositeLit)
		return made
	case *ast.CallExpr:
		b, ok := ast.Unparen(value.Fun).(*ast.Ident)
		return ok && fn.Info().Uses[b] == types.Universe.Lookup("new")
	}
	return false
}

// A nestings is the orders in which a declared function takes locks, with its literals.
type nestings map[order]bool

// nestingsOf are those of a declared function.
func nestingsOf(m *locks.View, decl *program.Func) nestings {
	found, known := tables.Of(m).nesting[decl]
	if !known {
		found = make(nestings)
		for _, fn := range decl.WithLiterals() {
			for _, s := range m.Calls(fn) {
				nested(m, fn, s, func(o order) { found[o] = true })
			}
		}
		tables.Of(m).nesting[decl] = found
	}
	return found
}

// Nests reports whether the program takes a lock while another may be held, both given by key;
// tests are left out.
func Nests(of *locks.Model, held, taken string) bool {
	m := of.Lock()
	defer of.Unlock()
	o := order{held: held, taken: taken}
	nests, known := tables.Of(m).nests[o]
	if !known {
		nests = slices.ContainsFunc(m.Shipped(), func(decl *program.Func) bool {
			return decl.Decl == decl && touchesWithin(m, decl, held) && touchesWithin(m, decl, taken) && nestingsOf(m, decl)[o]
		})
		tables.Of(m).nests[o] = nests
	}
	return nests
}

// touchesWithin reports whether a function, or a literal of it, may come to take or release a
// lock with a key.
func touchesWithin(m *locks.View, fn *program.Func, key string) bool {
	return slices.ContainsFunc(fn.WithLiterals(), func(fn *program.Func) bool { return m.Touches(fn, key) })
}

// takenUnder are the keys of the locks that are taken while one with a key may be held, with
// the declared functions that do it, those of tests too.
func takenUnder(m *locks.View, key string) map[string][]*program.Func {
	found, known := tables.Of(m).under[key]
	if known {
		return found
	}
	found = make(map[string][]*program.Func)
	for _, decl := range m.Index().Funcs {
		if decl.Decl != decl || !touchesWithin(m, decl, key) {
			continue
		}
		for o := range nestingsOf(m, decl) {
			if o.held == key {
				found[o.taken] = append(found[o.taken], decl)
			}
		}
	}
	tables.Of(m).under[key] = found
	return found
}

// NestsMore reports whether a mutant nests two locks which the original does not nest there,
// where the lock-order graph of the mutant has a cycle with them. When ctx ends, the error is
// its own.
func NestsMore(of *locks.Model, ctx context.Context) (bool, error) {
	m := of.Lock()
	defer of.Unlock()
	if m.Base == nil {
		return false, nil
	}
	g := &mutantOrder{m: m, now: make(map[string]map[string]bool), taken: make(map[string]bool), fresh: make(map[order]bool)}
	for _, decl := range m.Changed() {
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

// A mutantOrder is the lock-order graph of a mutant: the original's without what the functions
// have that are changed, and with what these and those that call them have now.
type mutantOrder struct {
	m     *locks.View
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
func (g *mutantOrder) changed(decl *program.Func) {
	now := nestingsOf(g.m, decl)
	for o := range now {
		g.add(o)
	}
	var took map[string]bool
	var before map[string]int
	g.m.AskOriginal(func(base *locks.View) {
		var was nestings
		of := base.Named(decl.Name)
		if of != nil {
			took, before, was = ComesToTake(base, of), acquisitions(base, of), nestingsOf(base, of)
		}
		fresh := func(o order) bool {
			return o.taken != anyFunction && !was[o] && (of == nil || !comesToNest(base, of, o))
		}
		more := morePairs(now, was, fresh)
		for o := range now {
			if fresh(o) && (o.held != o.taken || more[o.held] > 0) {
				g.fresh[o] = true
			}
		}
	})
	for key, n := range acquisitions(g.m, decl) {
		if n > before[key] && mayBeTaken(g.m, decl, key) {
			g.taken[key] = true
		}
	}
	for key := range ComesToTake(g.m, decl) {
		if !took[key] && key != program.AnyKey {
			if mayBeTaken(g.m, decl, key) {
				g.taken[key] = true
			}
			g.m.AskOriginal(func(base *locks.View) { g.above(base, decl.Name, key) })
		}
	}
}

// mayBeTaken reports whether code of others may come to a lock that a declared function takes: not
// to a local one, unless a literal that is not started takes it.
func mayBeTaken(m *locks.View, decl *program.Func, key string) bool {
	return !strings.Contains(key, ":") || slices.ContainsFunc(decl.Literals(), func(lit *program.Func) bool { return !m.Started(lit) && Takes(m, lit)[key] })
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
func acquisitions(m *locks.View, decl *program.Func) map[string]int {
	found := make(map[string]int)
	for _, fn := range decl.WithLiterals() {
		for _, s := range m.Calls(fn) {
			if op, ok := program.LockMethod(fn.Info(), s.Call.Fun); ok && (op.Method == "Lock" || op.Method == "RLock") {
				found[orderKey(m, fn, m.LockOf(fn, op))]++
			}
		}
	}
	return found
}

// comesToNest reports whether something that a function runs takes locks in an order. Of two
// values of one type, it is what the function itself calls, which holds one that is known to the
// function by the name in the order.
func comesToNest(m *locks.View, fn *program.Func, o order) bool {
	if o.names != "" {
		return o.held == o.taken && nestsFor(m, fn, o)
	}
	by := takenUnder(m, o.held)[o.taken]
	if len(by) == 0 {
		return false
	}
	running := m.Running(fn)
	return slices.ContainsFunc(by, func(decl *program.Func) bool { return running[decl] })
}

// nestsFor is comesToNest for two values of one type, one of which is taken by what is called.
func nestsFor(m *locks.View, decl *program.Func, o order) bool {
	for _, fn := range decl.WithLiterals() {
		for _, s := range m.Calls(fn) {
			to := m.CalledBy(s)
			if to == nil || !touchesWithin(m, to, o.held) {
				continue
			}
			for _, in := range m.Calls(to) {
				nests := false
				nested(m, to, in, func(is order) { nests = nests || is.held == o.held && is.taken == o.taken })
				if nests && slices.ContainsFunc(heldBy(m, to, in), func(l naming.Lock) bool {
					return l.Key == o.held && slices.ContainsFunc(m.InCaller(fn, s.Call, to, l), func(l naming.Lock) bool { return orderOf(l, o.taken, "") == o })
				}) {
					return true
				}
			}
		}
	}
	return false
}

// ComesToTake are the keys of the locks that a function takes, or what it calls or runs where
// it stands.
func ComesToTake(m *locks.View, fn *program.Func) map[string]bool {
	found := maps.Clone(Takes(m, fn))
	for _, lit := range fn.Literals() {
		if !m.Started(lit) {
			maps.Copy(found, Takes(m, lit))
		}
	}
	return found
}

// above adds what those nest that call a function, directly or not, which comes to take a lock
// now. What is changed itself has been followed.
func (g *mutantOrder) above(base *locks.View, name, key string) {
	seen := map[string]bool{name: true}
	for work := []string{name}; len(work) > 0; {
		last := work[len(work)-1]
		work = work[:len(work)-1]
		for _, s := range base.Index().Callers[last] {
			decl := s.In.Decl
			if !g.m.Has(decl) {
				for _, l := range heldBy(base, s.In, s) {
					o := orderOf(l, key, "")
					g.add(o)
					if !nestingsOf(base, decl)[o] && !comesToNest(base, decl, o) {
						g.fresh[o] = true
					}
				}
			}
			if !base.Started(s.In) && !seen[decl.Name] {
				seen[decl.Name] = true
				work = append(work, decl.Name)
			}
		}
	}
}

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
		if seen[key] || key == program.AnyKey {
			continue
		}
		seen[key] = true
		if key == anyFunction { // what nobody knows may take what is taken anew
			work = slices.AppendSeq(work, maps.Keys(g.taken))
			continue
		}
		work = slices.AppendSeq(work, maps.Keys(g.now[key]))
		g.m.AskOriginal(func(base *locks.View) {
			for taken, by := range takenUnder(base, key) {
				if slices.ContainsFunc(by, func(decl *program.Func) bool { return !g.m.Has(decl) }) {
					work = append(work, taken)
				}
			}
		})
	}
	return false
}
