package locks

import (
	"cmp"
	"go/ast"
	"maps"
	"slices"

	"mendel/analysis/syntax"
)

// A Held is a lock that may be held at a point of a function.
type Held struct {
	Lock
	Always bool // on every path to it
	Read   bool // maybe for reading only
}

// A flow is what following a function for one of its locks has found.
type flow struct {
	lock    Lock
	before  map[ast.Node]state
	relocks bool // some path ends where the goroutine waits for itself
}

// HeldAt lists the locks that may be held when a statement of a function is
// reached: those that it takes, or what it calls leaves held, and in a literal
// that is called where it stands, or given to a function that calls it, those
// that are held meanwhile. What callers hold is left out.
func (of *Model) HeldAt(fn *Func, s ast.Stmt) []Held {
	m := of.Lock()
	defer of.Unlock()
	var list []Held
	for _, f := range m.flowsOf(fn) {
		if h, ok := f.at(m.graph(fn).node(s)); ok {
			list = append(list, h)
		}
	}
	return list
}

func (f *flow) at(n ast.Node) (Held, bool) {
	h := Held{Lock: f.lock, Always: len(f.before[n]) > 0}
	some := false
	for _, way := range f.before[n] {
		e := way.entry()
		some = some || e != entry{}
		h.Always = h.Always && e != entry{}
		h.Read = h.Read || e.read > 0
	}
	return h, some
}

// flowsOf follows a function for each lock that it may hold.
func (m *View) flowsOf(fn *Func) []*flow {
	if m.unaffected(fn) {
		defer m.original.Unlock()
		return m.original.Lock().flowsOf(fn)
	}
	if list, ok := m.flows[fn]; ok {
		return list
	}
	m.flows[fn] = nil // of a literal that leads to itself
	var list []*flow
	follow := func(l Lock, entries ...entry) {
		fr := m.frame(fn, l)
		fr.before = make(map[ast.Node]state)
		fr.run(entries...)
		list = append(list, &flow{l, fr.before, fr.relocks()})
	}
	entries := m.entries(fn)
	for _, l := range m.locksOf(fn) {
		i := slices.IndexFunc(entries, func(e entered) bool { return e.lock.Path == l.Path })
		if i < 0 {
			follow(l, entry{})
			continue
		}
		follow(l, entries[i].ways...)
		entries = slices.Delete(entries, i, i+1)
	}
	for _, e := range entries {
		follow(e.lock, e.ways...)
	}
	m.flows[fn] = list
	return list
}

// entered is how a literal may be entered with a lock held.
type entered struct {
	lock Lock
	ways []entry
}

// entries are the locks that may be held when a literal is run where it stands.
func (m *View) entries(fn *Func) []entered {
	lit, ok := fn.Node.(*ast.FuncLit)
	if !ok || fn.Up == nil || m.startedItself(lit) {
		return nil
	}
	list, known := m.entering[fn]
	if !known {
		list = m.findEntries(fn, lit)
		m.entering[fn] = list
	}
	return slices.Clone(list)
}

// findEntries puts together how each lock is held at the places where a literal is entered. One
// that is not held at one of them may not be held; nor is one certainly, where the literal may be
// run elsewhere, too.
func (m *View) findEntries(fn *Func, lit *ast.FuncLit) []entered {
	var list []entered
	entrances, ok := m.literalEntrances(fn, lit)
	held := make([]map[Path]map[entry]bool, len(entrances))
	for i, at := range entrances {
		held[i] = make(map[Path]map[entry]bool)
		for _, f := range m.flowsOf(at.in) {
			ways := m.frame(at.in, f.lock).enters(at, f.before[m.madeAt(at.site)])
			held[i][f.lock.Path] = ways
			if len(ways) > 0 && !(len(ways) == 1 && ways[entry{}]) && !slices.ContainsFunc(list, func(e entered) bool { return e.lock.Path == f.lock.Path }) {
				e := entered{lock: f.lock}
				e.lock.Call = nil
				list = append(list, e)
			}
		}
	}
	for i := range list {
		all := make(map[entry]bool)
		for _, at := range held {
			ways, known := at[list[i].lock.Path]
			maps.Copy(all, ways)
			if !known {
				all[entry{}] = true
			}
		}
		if !ok {
			all[entry{}] = true
		}
		list[i].ways = slices.SortedFunc(maps.Keys(all), func(a, b entry) int {
			return cmp.Or(cmp.Compare(a.write, b.write), cmp.Compare(a.read, b.read))
		})
	}
	return list
}

// enters are the ways to hold the lock on which a function is entered by a call that
// is made in some ways.
func (fr *frame) enters(at entrance, before state) map[entry]bool {
	ways := make(map[entry]bool)
	for _, h := range before {
		if at.param < 0 || syntax.CallsAtOnce(syntax.Callee(at.in.info(), at.call.Fun)) {
			ways[h.entry()] = true
		} else {
			fr.watched(at.call, at.param, h.entry(), ways)
		}
	}
	return ways
}

// watched notes how the lock is held where a call runs one of its arguments.
func (fr *frame) watched(call *ast.CallExpr, param int, at entry, ways map[entry]bool) {
	for _, c := range fr.callables(call.Fun, maxAliases) {
		if c.fn == nil || param >= len(c.fn.params) || c.fn.params[param] == nil || fr.m.lending[c.fn] {
			continue
		}
		fr.m.lending[c.fn] = true
		in, _ := fr.inner(call, c)
		in.watch, in.seen = c.fn.params[param], ways
		in.run(at)
		delete(fr.m.lending, c.fn)
	}
}

// startedAt reports whether a literal, or one around it, is a goroutine's.
func (m *Program) startedAt(fn *Func) bool {
	for ; fn != nil; fn = fn.Up {
		if lit, ok := fn.Node.(*ast.FuncLit); ok && m.startedItself(lit) {
			return true
		}
	}
	return false
}

// startedItself reports whether a literal is a goroutine's.
func (m *Program) startedItself(lit *ast.FuncLit) bool {
	return m.ready().started[lit] || m.base != nil && m.base.ready().started[lit]
}

// deferred reports whether a call is that of a defer statement.
func (m *Names) deferred(s site) bool {
	calls, known := m.defers[s.in]
	if !known {
		calls = make(map[*ast.CallExpr]bool)
		ast.Inspect(s.in.Body, func(n ast.Node) bool {
			if d, ok := n.(*ast.DeferStmt); ok {
				calls[d.Call] = true
			}
			return true
		})
		m.defers[s.in] = calls
	}
	return calls[s.call]
}

// madeAt is the node before which the state of a call is noted: a deferred one is made at the end.
func (m *View) madeAt(s site) ast.Node {
	if m.deferred(s) {
		return s.call
	}
	return m.nodeOf(s.in, s.call)
}

// nodeOf is the node of a function's graph that a call is in; nil if there is none.
func (m *View) nodeOf(fn *Func, call ast.Node) ast.Node {
	n, known := m.nodes[call]
	if !known {
		n = m.findNode(fn, call)
		m.nodes[call] = n
	}
	return n
}

func (m *View) findNode(fn *Func, call ast.Node) ast.Node {
	g := m.graph(fn)
	for _, b := range g.Blocks {
		for _, n := range b.Nodes {
			if n.Pos() <= call.Pos() && call.End() <= n.End() {
				if _, implicit := n.(*ast.EmptyStmt); !implicit {
					return n
				}
			}
		}
	}
	return nil
}
