package locks

import (
	"cmp"
	"go/ast"
	"maps"
	"slices"

	"mendel/analysis/locks/naming"
	"mendel/analysis/locks/program"
	"mendel/analysis/syntax"
)

// GoingOn is a flow that goes on behind calls by which the goroutine waits for itself.
func (m *View) GoingOn(fn *program.Func, f *Flow) *Flow {
	if !f.relocks {
		return f
	}
	fr := m.frame(fn, f.Lock)
	fr.through, fr.before = true, make(map[ast.Node]state)
	ways := []entry{{}}
	for _, e := range m.Entries(fn) {
		if e.Lock.Path == f.Lock.Path {
			ways = e.ways
		}
	}
	fr.run(ways...)
	return &Flow{Lock: f.Lock, Before: fr.before}
}

// A Held is a lock that may be held at a point of a function.
type Held struct {
	naming.Lock
	Always bool // on every path to it
	Read   bool // maybe for reading only
}

// A Flow is what following a function for one of its locks has found.
type Flow struct {
	Lock    naming.Lock
	Before  map[ast.Node]state
	relocks bool // some path ends where the goroutine waits for itself
}

// HeldAt lists the locks that may be held when a statement of a function is
// reached: those that it takes, or what it calls leaves held, and in a literal
// that is called where it stands, or given to a function that calls it, those
// that are held meanwhile. What callers hold is left out.
func (of *Model) HeldAt(fn *program.Func, s ast.Stmt) []Held {
	m := of.Lock()
	defer of.Unlock()
	var list []Held
	for _, f := range m.Flows(fn) {
		if h, ok := f.At(m.Graph(fn).Node(s)); ok {
			list = append(list, h)
		}
	}
	return list
}

// At says how the lock is held before a node; the second result is false if no path has it there.
func (f *Flow) At(n ast.Node) (Held, bool) {
	h := Held{Lock: f.Lock, Always: len(f.Before[n]) > 0}
	some := false
	for _, way := range f.Before[n] {
		e := way.entry()
		some = some || e != entry{}
		h.Always = h.Always && e != entry{}
		h.Read = h.Read || e.Read > 0
	}
	return h, some
}

// Flows follows a function for each lock that it may hold.
func (m *View) Flows(fn *program.Func) []*Flow {
	if m.Unaffected(fn) {
		defer m.Original.Unlock()
		return m.Original.Lock().Flows(fn)
	}
	if list, ok := m.flows[fn]; ok {
		return list
	}
	m.flows[fn] = nil // of a literal that leads to itself
	var list []*Flow
	follow := func(l naming.Lock, entries ...entry) {
		fr := m.frame(fn, l)
		fr.before = make(map[ast.Node]state)
		fr.run(entries...)
		list = append(list, &Flow{l, fr.before, fr.relocks()})
	}
	entries := m.Entries(fn)
	for _, l := range m.Locks(fn) {
		i := slices.IndexFunc(entries, func(e entered) bool { return e.Lock.Path == l.Path })
		if i < 0 {
			follow(l, entry{})
			continue
		}
		follow(l, entries[i].ways...)
		entries = slices.Delete(entries, i, i+1)
	}
	for _, e := range entries {
		follow(e.Lock, e.ways...)
	}
	m.flows[fn] = list
	return list
}

// entered is how a literal may be entered with a lock held.
type entered struct {
	Lock naming.Lock
	ways []entry
}

// Entries are the locks that may be held when a literal is run where it stands.
func (m *View) Entries(fn *program.Func) []entered {
	lit, ok := fn.Node.(*ast.FuncLit)
	if !ok || fn.Up == nil || m.StartedItself(lit) {
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
func (m *View) findEntries(fn *program.Func, lit *ast.FuncLit) []entered {
	var list []entered
	entrances, ok := m.literalEntrances(fn, lit)
	held := make([]map[naming.Path]map[entry]bool, len(entrances))
	for i, at := range entrances {
		held[i] = make(map[naming.Path]map[entry]bool)
		for _, f := range m.Flows(at.In) {
			ways := m.frame(at.In, f.Lock).enters(at, f.Before[m.MadeAt(at.Site)])
			held[i][f.Lock.Path] = ways
			if len(ways) > 0 && !(len(ways) == 1 && ways[entry{}]) && !slices.ContainsFunc(list, func(e entered) bool { return e.Lock.Path == f.Lock.Path }) {
				e := entered{Lock: f.Lock}
				e.Lock.Call = nil
				list = append(list, e)
			}
		}
	}
	for i := range list {
		all := make(map[entry]bool)
		for _, at := range held {
			ways, known := at[list[i].Lock.Path]
			maps.Copy(all, ways)
			if !known {
				all[entry{}] = true
			}
		}
		if !ok {
			all[entry{}] = true
		}
		list[i].ways = slices.SortedFunc(maps.Keys(all), func(a, b entry) int {
			return cmp.Or(cmp.Compare(a.Write, b.Write), cmp.Compare(a.Read, b.Read))
		})
	}
	return list
}

// enters are the ways to hold the lock on which a function is entered by a call that
// is made in some ways.
func (fr *frame) enters(at Entrance, before state) map[entry]bool {
	ways := make(map[entry]bool)
	for _, h := range before {
		if at.param < 0 || syntax.CallsAtOnce(syntax.Callee(at.In.Info(), at.Call.Fun)) {
			ways[h.entry()] = true
		} else {
			fr.watched(at.Call, at.param, h.entry(), ways)
		}
	}
	return ways
}

// watched notes how the lock is held where a call runs one of its arguments.
func (fr *frame) watched(call *ast.CallExpr, param int, at entry, ways map[entry]bool) {
	for _, c := range fr.callables(call.Fun, naming.MaxAliases) {
		if c.fn == nil || param >= len(c.fn.Params) || c.fn.Params[param] == nil || fr.m.lending[c.fn] {
			continue
		}
		fr.m.lending[c.fn] = true
		in, _ := fr.inner(call, c)
		in.watch, in.seen = c.fn.Params[param], ways
		in.run(at)
		delete(fr.m.lending, c.fn)
	}
}

// MadeAt is the node before which the state of a call is noted: a deferred one is made at the end.
func (m *View) MadeAt(s program.Site) ast.Node {
	if m.Deferred(s) {
		return s.Call
	}
	return m.NodeOf(s.In, s.Call)
}

// NodeOf is the node of a function's graph that a call is in; nil if there is none.
func (m *View) NodeOf(fn *program.Func, call ast.Node) ast.Node {
	n, known := m.nodes[call]
	if !known {
		n = m.findNode(fn, call)
		m.nodes[call] = n
	}
	return n
}

func (m *View) findNode(fn *program.Func, call ast.Node) ast.Node {
	g := m.Graph(fn)
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
