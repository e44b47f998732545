package callers

import (
	"maps"
	"strings"

	"mendel/analysis/locks"
	"mendel/analysis/locks/naming"
	"mendel/analysis/locks/program"
)

// An Above is what the functions that call a function, directly or not, may hold: how
// long their longest path to a lock of a name is, in fields, and the keys of the locks.
// It is not changed once it is made; most functions share theirs with a caller.
type Above struct {
	fields map[string]int // by the last name of the path
	Keys   map[string]bool
}

// AboveOf finds what the callers of a function may hold.
func AboveOf(m *locks.View, fn *program.Func) *Above {
	if tables.Of(m).over == nil {
		tables.Of(m).over = make(map[*program.Func]*Above)
		tables.Of(m).callers = program.NewComponents(func(fn *program.Func) []*program.Func { return callersOf(m, fn) }, func(members []program.Member) {
			a := findAbove(m, members)
			for _, c := range members {
				tables.Of(m).over[c.Fn] = a
			}
		})
	}
	tables.Of(m).callers.Visit(fn)
	return tables.Of(m).over[fn]
}

// callersOf are the functions that call a function, or give it to another one that may, and the one around a literal.
func callersOf(m *locks.View, fn *program.Func) []*program.Func {
	if fn.Up != nil {
		return []*program.Func{fn.Up}
	}
	var list []*program.Func
	for _, s := range m.Sites(fn) {
		list = append(list, s.In)
	}
	for _, at := range m.Lent(fn) {
		list = append(list, at.In)
		if to := m.CalledBy(at.Site); to != nil {
			list = append(list, to)
		}
	}
	return list
}

// findAbove finds it for functions that call each other.
func findAbove(m *locks.View, members []program.Member) *Above {
	var g gathering
	seen := make(map[*program.Func]bool)
	for _, c := range members {
		for _, caller := range c.Next {
			if seen[caller] {
				continue
			}
			seen[caller] = true
			g.all(tables.Of(m).over[caller])
			for _, f := range m.Flows(caller) {
				g.name(lastName(f.Lock.Path), strings.Count(f.Lock.Path.Text, "."))
				g.key(f.Lock.Key)
			}
		}
	}
	return g.Above
}

// A gathering is an above that is being made. It is a caller's until something is
// added to that.
type gathering struct {
	*Above // nil: nothing
	own    bool
}

// all adds what a caller's callers may hold.
func (g *gathering) all(o *Above) {
	switch {
	case o == nil || o == g.Above:
		return
	case g.Above == nil:
		g.Above = o
		return
	}
	for name, fields := range o.fields {
		g.name(name, fields)
	}
	for key := range o.Keys {
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
		g.Keys[key] = true
	}
}

// change makes sure that nobody else has what is about to change.
func (g *gathering) change() {
	switch {
	case g.own:
		return
	case g.Above == nil:
		g.Above = &Above{make(map[string]int), make(map[string]bool)}
	default:
		g.Above = &Above{maps.Clone(g.fields), maps.Clone(g.Keys)}
	}
	g.own = true
}

// of is the length of the longest path that ends with a name.
func (a *Above) of(name string) (fields int, ok bool) {
	if a == nil {
		return 0, false
	}
	fields, ok = a.fields[name]
	return fields, ok
}

func (a *Above) has(key string) bool { return a != nil && a.Keys[key] }

// mayBe reports whether a lock of a function may be one that its callers hold, by
// its name in them: this ends as the function's own does, and is as long or longer.
func (a *Above) mayBe(p naming.Path) bool {
	if p.Text == "" || strings.Contains(p.Text, "[") {
		return true
	}
	fields, ok := a.of(lastName(p))
	return ok && strings.Count(p.Text, ".") <= fields
}

// lastName is what a path ends with.
func lastName(p naming.Path) string { return p.Text[strings.LastIndex(p.Text, ".")+1:] }
