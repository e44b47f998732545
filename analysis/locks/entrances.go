package locks

import (
	"go/ast"
	"go/types"
	"slices"

	"mendel/analysis/locks/naming"
	"mendel/analysis/locks/program"
	"mendel/analysis/syntax"
)

// WaysInto are the ways to hold a lock on which a function is entered.
func (m *View) WaysInto(at Entrance, l naming.Lock) map[entry]bool {
	key := wayKey{at.Call, at.param, l.Path}
	ways, known := m.ways[key]
	if !known {
		ways = m.findWaysInto(at, l)
		m.ways[key] = ways
	}
	return ways
}

// A wayKey is what waysInto was asked.
type wayKey struct {
	call  *ast.CallExpr
	param int
	lock  naming.Path
}

func (m *View) findWaysInto(at Entrance, l naming.Lock) map[entry]bool {
	fr := m.frame(at.In, l)
	fr.through = true
	i := slices.IndexFunc(m.Flows(at.In), func(f *Flow) bool { return f.Lock.Path == l.Path && !f.relocks })
	if i >= 0 && at.In.Up == nil {
		fr.before = m.Flows(at.In)[i].Before
	} else {
		fr.before = make(map[ast.Node]state)
		fr.run(entry{})
	}
	return fr.enters(at, fr.before[m.MadeAt(at.Site)])
}

// An Entrance is a call by which a function is entered: it names the function, or
// gives it as an argument to one that calls it.
type Entrance struct {
	program.Site
	param int // -1: the call names it
}

// Entrances lists where a function is entered; ok is false where it may be entered in
// a way that is not seen.
func (m *View) Entrances(fn *program.Func) (list []Entrance, ok bool) {
	lit, literal := fn.Node.(*ast.FuncLit)
	if literal {
		return m.literalEntrances(fn, lit)
	}
	if fn.Object == nil || m.Index().Escaped[fn.Object] {
		return nil, false
	}
	list, ok = m.lentTo(fn)
	for _, s := range m.Sites(fn) {
		list = append(list, Entrance{s, -1})
	}
	return list, ok
}

func (m *View) literalEntrances(fn *program.Func, lit *ast.FuncLit) (list []Entrance, ok bool) {
	if fn.Up == nil || m.Index().Started[lit] {
		return nil, false
	}
	var holder types.Object // the variable that is declared to be the literal
	for v, value := range m.LocalsOf(fn).Alias {
		if ast.Unparen(value) == ast.Expr(lit) {
			holder = v
		}
	}
	ok = holder == nil || !m.Index().Escaped[holder]
	for _, in := range append([]*program.Func{fn.Decl}, fn.Decl.Literals()...) {
		for _, s := range m.Calls(in) {
			fun := ast.Unparen(s.Call.Fun)
			id, _ := fun.(*ast.Ident)
			param := slices.IndexFunc(s.Call.Args, func(arg ast.Expr) bool { return ast.Unparen(arg) == ast.Expr(lit) })
			switch {
			case fun == ast.Expr(lit), id != nil && holder != nil && in.Info().ObjectOf(id) == holder:
				list = append(list, Entrance{s, -1})
			case param >= 0:
				ok = ok && m.onlyCalls(s, param)
				list = append(list, Entrance{s, param})
			}
		}
	}
	return list, ok
}

// onlyCalls reports whether what a call runs does nothing with one of its arguments but
// to call it before it returns.
func (m *View) onlyCalls(s program.Site, param int) bool {
	f := syntax.Callee(s.In.Info(), s.Call.Fun)
	if syntax.CallsAtOnce(f) {
		return true
	}
	if f == nil || syntax.InterfaceMethod(f) {
		return false
	}
	to := m.Declared(f)
	if to == nil || param >= len(to.Params) || to.Params[param] == nil || m.Index().Escaped[to.Params[param]] {
		return false
	}
	calls := func(s program.Site) bool {
		id, ok := ast.Unparen(s.Call.Fun).(*ast.Ident)
		return ok && s.In.Info().ObjectOf(id) == to.Params[param]
	}
	later := slices.ContainsFunc(m.Calls(to), func(s program.Site) bool { return calls(s) && m.Deferred(s) })
	for _, lit := range to.Literals() {
		later = later || slices.ContainsFunc(m.Calls(lit), calls)
	}
	return !later
}
