package lockatomics

import (
	"slices"

	"mendel/mutate"
	"mendel/mutate/internal/locking"
)

// nests reports whether some edit would hold the package's lock around a call that comes,
// by name, to a function in which another of them takes it.
func (g *group) nests(edits []mutate.Edit) bool {
	if g.vars[0].IsField() { // of which value is for the mutant to say
		return false
	}
	takes := make(map[*mutate.Function]bool)
	var take func(fn *mutate.Function)
	take = func(fn *mutate.Function) {
		if !takes[fn] {
			takes[fn] = true
			for _, caller := range fn.Callers() {
				take(caller)
			}
		}
	}
	in := make([]*mutate.Function, len(edits))
	for i, e := range edits {
		at := slices.IndexFunc(g.users, func(u *user) bool { return u.fn.File.Rel == e.File && u.fn.Name == e.Func })
		in[i] = g.users[at].fn
		take(in[i])
	}
	for i, e := range edits {
		s, ok := locking.Find(in[i], e)
		if ok && slices.ContainsFunc(in[i].Calls(s.Stmts...), func(c mutate.Call) bool { return takes[c.To] }) {
			return true
		}
	}
	return false
}
