package locks

import (
	"maps"
	"strings"
)

// An above is what the functions that call a function, directly or not, may hold: how
// long their longest path to a lock of a name is, in fields, and the keys of the locks.
// It is not changed once it is made; most functions share theirs with a caller.
type above struct {
	fields map[string]int // by the last name of the path
	keys   map[string]bool
}

// aboveOf finds what the callers of a function may hold.
func (m *View) aboveOf(fn *Func) *above {
	if m.over == nil {
		m.over = make(map[*Func]*above)
		m.callers = newComponents(m.callersOf, func(members []member) {
			a := m.findAbove(members)
			for _, c := range members {
				m.over[c.fn] = a
			}
		})
	}
	m.callers.visit(fn)
	return m.over[fn]
}

// callersOf are the functions that call a function, and the one around a literal.
func (m *View) callersOf(fn *Func) []*Func {
	if fn.Up != nil {
		return []*Func{fn.Up}
	}
	var list []*Func
	for _, s := range m.sitesOf(fn) {
		list = append(list, s.in)
	}
	return list
}

// findAbove finds it for functions that call each other.
func (m *View) findAbove(members []member) *above {
	var g gathering
	seen := make(map[*Func]bool)
	for _, c := range members {
		for _, caller := range c.next {
			if seen[caller] {
				continue
			}
			seen[caller] = true
			g.all(m.over[caller])
			for _, f := range m.flowsOf(caller) {
				g.name(lastName(f.lock.Path), strings.Count(f.lock.Path.Text, "."))
				g.key(f.lock.Key)
			}
		}
	}
	return g.above
}

// A gathering is an above that is being made. It is a caller's until something is
// added to that.
type gathering struct {
	*above // nil: nothing
	own    bool
}

// all adds what a caller's callers may hold.
func (g *gathering) all(o *above) {
	switch {
	case o == nil || o == g.above:
		return
	case g.above == nil:
		g.above = o
		return
	}
	for name, fields := range o.fields {
		g.name(name, fields)
	}
	for key := range o.keys {
		g.key(key)
	}
}

func (g *gathering) name(name string, fields int) {
	if known, ok := g.of(name); !ok || known < fields {
		g.change()
		g.fields[name] = fields
	}
}

func (g *gathering) key(key string) {
	if !g.has(key) {
		g.change()
		g.keys[key] = true
	}
}

// change makes sure that nobody else has what is about to change.
func (g *gathering) change() {
	switch {
	case g.own:
		return
	case g.above == nil:
		g.above = &above{make(map[string]int), make(map[string]bool)}
	default:
		g.above = &above{maps.Clone(g.fields), maps.Clone(g.keys)}
	}
	g.own = true
}

// of is the length of the longest path that ends with a name.
func (a *above) of(name string) (fields int, ok bool) {
	if a == nil {
		return 0, false
	}
	fields, ok = a.fields[name]
	return fields, ok
}

func (a *above) has(key string) bool { return a != nil && a.keys[key] }

// mayBe reports whether a lock of a function may be one that its callers hold, by
// its name in them: this ends as the function's own does, and is as long or longer.
func (a *above) mayBe(p Path) bool {
	if p.Text == "" || strings.Contains(p.Text, "[") {
		return true
	}
	fields, ok := a.of(lastName(p))
	return ok && strings.Count(p.Text, ".") <= fields
}

// lastName is what a path ends with.
func lastName(p Path) string { return p.Text[strings.LastIndex(p.Text, ".")+1:] }
