package locks

import (
	"go/ast"

	"mendel/analysis/locks/naming"
	"mendel/analysis/locks/program"
)

// HeldInCall is HeldInCall for a lock as the caller knows it.
func (m *View) HeldInCall(at program.Site, fn *program.Func, s ast.Stmt, l naming.Lock) bool {
	ways := []entry{{}}
	for _, f := range m.Flows(at.In) {
		if f.Lock.Path == l.Path {
			ways = nil
			for _, way := range f.Before[m.NodeOf(at.In, at.Call)] {
				ways = append(ways, way.entry())
			}
		}
	}
	fr, found := m.frame(at.In, l), false
	for _, c := range fr.callables(at.Call.Fun, naming.MaxAliases) {
		if c.fn != fn {
			continue
		}
		in, _ := fr.inner(at.Call, c)
		in.before = make(map[ast.Node]state)
		in.run(ways...)
		for _, way := range in.before[m.Graph(fn).Node(s)] {
			if way.entry() == (entry{}) {
				return false
			}
		}
		found = true
	}
	return found
}
