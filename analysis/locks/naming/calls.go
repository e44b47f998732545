package naming

import (
	"slices"

	"mendel/analysis/locks/program"
	"mendel/analysis/syntax"
)

// Targets are the functions that a call may run.
func (m *Names) Targets(fn *program.Func, s program.Site) []*program.Func {
	if to := m.CalledBy(s); to != nil {
		return []*program.Func{to}
	}
	var list []*program.Func
	f := syntax.Callee(fn.Info(), s.Call.Fun)
	if f == nil { // a variable that is always one function
		return slices.DeleteFunc(m.FuncsOf(fn, s.Call.Fun), func(to *program.Func) bool { return to.Up != nil })
	}
	if !syntax.InterfaceMethod(f) {
		return nil
	}
	for _, name := range m.Implementations(fn, s.Call.Fun) {
		if to := m.Named(name); to != nil && !to.File.Test {
			list = append(list, to)
		}
	}
	return list
}

// Running are the functions that a function comes to run by calls that name them, itself
// among them, started ones left out.
func (m *Names) Running(fn *program.Func) map[*program.Func]bool {
	found := map[*program.Func]bool{fn: true}
	for work := []*program.Func{fn}; len(work) > 0; {
		last := work[len(work)-1]
		work = work[:len(work)-1]
		for _, to := range m.callees(last) {
			if !found[to] {
				found[to] = true
				work = append(work, to)
			}
		}
	}
	return found
}

// callees are the functions that a function itself calls by name, and its literals.
func (m *Names) callees(fn *program.Func) []*program.Func {
	var list []*program.Func
	for _, s := range m.Calls(fn) {
		for _, to := range m.RunBy(s) {
			if !slices.Contains(list, to) {
				list = append(list, to)
			}
		}
	}
	for _, lit := range fn.Lits {
		if !m.Started(lit) {
			list = append(list, lit)
		}
	}
	return list
}

// CalledBy is the declared function that a call names; nil if it names none.
func (m *Names) CalledBy(s program.Site) *program.Func {
	f := syntax.Callee(s.In.Info(), s.Call.Fun)
	if f == nil || syntax.InterfaceMethod(f) {
		return nil
	}
	return m.Declared(f.Origin())
}

// RunBy are the functions of the module that a call runs: the one that it names or, of a
// method of an interface that only its package can implement, all that implement it.
func (m *Names) RunBy(s program.Site) []*program.Func {
	if f := syntax.Callee(s.In.Info(), s.Call.Fun); f == nil || syntax.InterfaceMethod(f) && f.Exported() {
		return nil
	}
	return m.Targets(s.In, s)
}
