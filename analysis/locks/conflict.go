package locks

import (
	"go/ast"
	"go/token"
	"slices"

	"mendel/analysis/locks/naming"
	"mendel/analysis/locks/program"
	"mendel/analysis/syntax"
)

// Passed reports whether a call gives what it runs a lock, so that this has a name for it.
func (m *View) Passed(s program.Site, l naming.Lock) bool {
	fr := m.frame(s.In, l)
	for _, c := range fr.callables(s.Call.Fun, naming.MaxAliases) {
		if c.fn == nil {
			continue
		}
		if in, _ := fr.inner(s.Call, c); len(in.on.names) > 0 {
			return true
		}
	}
	return false
}

// Handled reports whether statements call a method of a lock, function literals included.
func (m *View) Handled(fn *program.Func, l naming.Lock, stmts []ast.Stmt) bool {
	fr := m.frame(fn, l)
	for _, s := range stmts {
		for _, op := range m.OperationsIn(fn, s) {
			if fr.is(op) == same {
				return true
			}
		}
	}
	return false
}

// OperationsIn are the calls of locks' methods in a statement of a function,
// those of literals included, in source order.
func (m *View) OperationsIn(fn *program.Func, s ast.Stmt) []program.Operation {
	all, known := m.operations[fn]
	if !known {
		ast.Inspect(fn.Body, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				if op, ok := program.LockMethod(fn.Info(), call.Fun); ok {
					all = append(all, op)
				}
			}
			return true
		})
		slices.SortStableFunc(all, func(a, b program.Operation) int { return int(a.Sel.Pos() - b.Sel.Pos()) })
		m.operations[fn] = all
	}
	first, _ := slices.BinarySearchFunc(all, s.Pos(), func(op program.Operation, pos token.Pos) int { return int(op.Sel.Pos() - pos) })
	end, _ := slices.BinarySearchFunc(all, s.End(), func(op program.Operation, pos token.Pos) int { return int(op.Sel.Pos() - pos) })
	return all[first:end]
}

// Relocked reports whether statements, run with a lock held, come to take it, or
// to the function itself, which would.
func (m *View) Relocked(fn *program.Func, l naming.Lock, deferred bool, stmts []ast.Stmt) bool {
	again, touches := m.Again(fn), false
	for up := fn; up != nil; up = up.Up { // a literal may call one that it has captured
		touches = touches || m.Touches(up, l.Key)
	}
	if !again && !touches {
		return false
	}
	p := &prober{m: m, fn: fn, lock: l, touches: touches, again: again}
	var known []probe // the same for all statements of the function
	concerned := m.concerned(fn, l.Key, touches, again)
	if len(concerned) > 0 {
		known = m.probesOf(fn, l, len(concerned))
	}
	for _, s := range stmts {
		if d, ok := s.(*ast.DeferStmt); ok && deferred {
			if p.meets(d.Call) {
				return true
			}
			continue
		}
		first, _ := slices.BinarySearchFunc(concerned, s.Pos(), comparePos)
		end, _ := slices.BinarySearchFunc(concerned, s.End(), comparePos)
		for i := first; i < end; i++ {
			if known[i] == unprobed {
				known[i] = passes
				if p.meets(concerned[i]) {
					known[i] = meets
				}
			}
			if known[i] == meets {
				return true
			}
		}
	}
	return false
}

// A probe is whether a call meets a lock that is held at it.
type probe int8

const (
	unprobed probe = iota
	passes
	meets
)

// A probed names the probes of a function with a lock.
type probed struct {
	fn   *program.Func
	path naming.Path
	key  string
}

// probesOf are the probes of a function's concerned calls with a lock.
func (m *View) probesOf(fn *program.Func, l naming.Lock, calls int) []probe {
	of := probed{fn, l.Path, l.Key}
	if m.probes[of] == nil {
		m.probes[of] = make([]probe, calls)
	}
	return m.probes[of]
}

// A prober finds out whether calls of a function, made with a lock held, come to take
// it, or to the function itself.
type prober struct {
	m              *View
	fn             *program.Func
	lock           naming.Lock
	touches, again bool
}

func (p *prober) meets(n ast.Node) bool {
	fr := p.m.frame(p.fn, p.lock)
	fr.faults = make(map[fault]bool)
	held := state{{write: 1}}
	call, isCall := n.(*ast.CallExpr)
	if p.touches {
		if !isCall {
			fr.iterate(n.(*ast.RangeStmt), held)
			return fr.relocks()
		}
		if yes, no := fr.call(call, held); fr.relocks() || !only(yes, held) || !only(no, held) {
			return true
		}
	}
	return p.again && isCall && p.m.comesTo(fr, call, p.fn, p.lock, make(map[string]bool))
}

func comparePos(n ast.Node, pos token.Pos) int { return int(n.Pos() - pos) }

// A concern is a function and what its calls may have to do with: a lock with a key
// that it touches, or the function itself.
type concern struct {
	fn             *program.Func
	key            string
	touches, again bool
}

// concerned are the calls, and the loops over iterators, that run when a function does
// and that may come to a lock with a key or to the function itself, in source order.
func (m *View) concerned(fn *program.Func, key string, touches, again bool) []ast.Node {
	if !touches {
		key = ""
	}
	c := concern{fn, key, touches, again}
	list, known := m.concerns[c]
	if !known {
		fr := &frame{m: m, fn: fn, on: subject{key: key}}
		for _, n := range m.runIn(fn) {
			call, ok := n.(*ast.CallExpr)
			if !ok || touches && !fr.passes(call) || again && mayLead(fr, call, fn) {
				list = append(list, n)
			}
		}
		m.concerns[c] = list
	}
	return list
}

// mayLead reports whether a call may lead to a function again. Of one that names a
// function that is known at once.
func mayLead(fr *frame, call *ast.CallExpr, target *program.Func) bool {
	if tv := fr.fn.Info().Types[call.Fun]; tv.IsType() || tv.IsBuiltin() {
		return false
	}
	f := syntax.Callee(fr.fn.Info(), call.Fun)
	if f == nil || syntax.InterfaceMethod(f) {
		return true
	}
	to := fr.m.Declared(f)
	return to != nil && fr.m.Leads(to, target)
}

// runIn are the calls, and the loops over iterators, that run when a function does, in
// source order.
func (m *View) runIn(fn *program.Func) []ast.Node {
	all, known := m.runs[fn]
	if !known {
		syntax.Now(fn.Body, func(n ast.Node) {
			switch n := n.(type) {
			case *ast.CallExpr:
				all = append(all, n)
			case *ast.RangeStmt:
				if t := fn.Info().TypeOf(n.X); t != nil && program.IsFunc(t) {
					all = append(all, n)
				}
			}
		})
		slices.SortStableFunc(all, func(a, b ast.Node) int { return int(a.Pos() - b.Pos()) })
		m.runs[fn] = all
	}
	return all
}

// only reports whether a state is no other than one with the lock held.
func only(s, held state) bool {
	for _, h := range s {
		if !held.covers(h) {
			return false
		}
	}
	return true
}

// comesTo reports whether a call leads to a function that is given a lock.
func (m *View) comesTo(fr *frame, call *ast.CallExpr, target *program.Func, l naming.Lock, asked map[string]bool) bool {
	if f := syntax.Callee(fr.fn.Info(), call.Fun); f != nil && !syntax.InterfaceMethod(f) {
		if to := m.Declared(f); to == nil || !m.Leads(to, target) {
			return false
		}
	}
	for _, c := range fr.callables(call.Fun, naming.MaxAliases) {
		if c.fn == nil || !m.Leads(c.fn, target) {
			continue
		}
		in, _ := fr.inner(call, c)
		if c.fn == target && slices.Contains(in.on.names, l.Path) {
			return true
		}
		if key := in.identity(); asked[key] || len(in.on.names) == 0 {
			continue
		} else {
			asked[key] = true
		}
		for _, s := range m.Calls(c.fn) {
			if m.comesTo(in, s.Call, target, l, asked) {
				return true
			}
		}
	}
	return false
}
