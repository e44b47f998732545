package locks

import (
	"go/ast"

	"mendel/analysis/locks/program"
)

// A function that is given away is entered where it is called:
//
//	c.mu.Lock()
//	c.onEvict(oldest, c.removeOldest) // which calls it, or not, before it returns
//	c.mu.Unlock()
//
// Where the call that is given it does nothing else with it, that is an entrance like a call of
// the function itself.

// lentTo are the calls that are given a function; ok is false where one of them may do more than
// call it before it returns.
func (m *View) lentTo(fn *program.Func) (list []Entrance, ok bool) {
	ok = true
	for _, at := range m.Lent(fn) {
		list = append(list, Entrance{at.Site, at.Param})
		ok = ok && !m.Deferred(at.Site) && m.onlyCalls(at.Site, at.Param)
	}
	return list, ok
}

// Naming is the call that gives a function the names that it knows values by: the one that names it or,
// where it is given away, one of what is given.
func (at Entrance) Naming(fn *program.Func) *ast.CallExpr {
	if at.param < 0 || fn.Object == nil {
		return at.Call
	}
	return &ast.CallExpr{Fun: at.Call.Args[at.param]}
}
