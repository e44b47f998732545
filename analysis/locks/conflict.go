package locks

import (
	"go/ast"
	"go/token"
	"slices"

	"mendel/analysis/syntax"
)

// A Conflict is why a lock cannot be held around some statements.
type Conflict int

// Conflicts.
const (
	NoConflict   Conflict = iota
	HeldAlready           // it may be held there
	Handled               // the statements lock or release it, or call what leaves it otherwise than it was
	HeldByCaller          // it, or one with its key that is given to what is called
	Relocked              // the statements come to a function that takes it, or to this one again
)

// Conflict finds why a lock cannot be held around some consecutive statements
// of a function. It would be taken before those inside, the last of them; what
// they defer runs under it where its own release would be deferred.
func (of *Model) Conflict(fn *Func, l Lock, deferred bool, stmts, inside []ast.Stmt) Conflict {
	m := of.Lock()
	defer of.Unlock()
	if l.New {
		if m.relocked(fn, l, deferred, inside) {
			return Relocked
		}
		return NoConflict
	}
	if len(stmts) > 0 {
		for _, f := range m.flowsOf(fn) {
			if f.lock.Path != l.Path {
				continue
			}
			if _, held := f.at(m.graph(fn).node(stmts[0])); held {
				return HeldAlready
			}
		}
	}
	if m.handled(fn, l, stmts) {
		return Handled
	}
	named := func(_ *Func, o Lock) bool { return o.Key == l.Key }
	if m.heldByCaller(fn, l) || m.aboveOf(fn).has(l.Key) && m.givenHeld(fn, "key "+l.Key, named) {
		return HeldByCaller
	}
	if m.relocked(fn, l, deferred, inside) {
		return Relocked
	}
	return NoConflict
}

// HeldByCaller reports whether a function that calls this one, directly or not,
// may hold a lock then, at a call that is given what the lock belongs to. The
// locks meant are those, by the function that holds them, which is says so of;
// by the name the answer is remembered.
func (of *Model) HeldByCaller(fn *Func, name string, is func(*Func, Lock) bool) bool {
	m := of.Lock()
	defer of.Unlock()
	return m.givenHeld(fn, "named "+name, is)
}

// A question is whether callers of a function hold a lock, given by the number of
// its name or path.
type question struct {
	fn   *Func
	lock int32
}

// A lockName is what a lock is called in questions.
type lockName struct {
	name string
	path Path
}

// question asks about a function and a lock. There are many functions for each
// name.
func (m *View) question(fn *Func, of lockName) question {
	n, known := m.lockNames[of]
	if !known {
		n = int32(len(m.lockNames))
		m.lockNames[of] = n
	}
	return question{fn, n}
}

// An inquiry asks one thing about a function and all that call it. What was
// asked on the way to a no is answered by it, too.
type inquiry struct {
	m     *View
	asked map[question]bool
}

// inquire answers a question by what ask finds, or remembers.
func (m *View) inquire(q question, ask func(*inquiry) bool) bool {
	if answer, known := m.above[q]; known {
		return answer
	}
	i := &inquiry{m, make(map[question]bool)}
	if ask(i) {
		return true
	}
	for q := range i.asked {
		m.above[q] = false
	}
	return false
}

// about answers one question of several, once.
func (i *inquiry) about(q question, ask func() bool) bool {
	if answer, known := i.m.above[q]; known || i.asked[q] {
		return answer
	}
	i.asked[q] = true
	yes := ask()
	if yes {
		i.m.above[q] = true
	}
	return yes
}

// givenHeld is HeldByCaller.
func (m *View) givenHeld(fn *Func, name string, is func(*Func, Lock) bool) bool {
	return m.inquire(m.question(fn, lockName{name: name}), func(i *inquiry) bool { return i.givenHeld(fn, name, is) })
}

func (i *inquiry) givenHeld(fn *Func, name string, is func(*Func, Lock) bool) bool {
	return i.about(i.m.question(fn, lockName{name: name}), func() bool { return i.findGivenHeld(fn, name, is) })
}

func (i *inquiry) findGivenHeld(fn *Func, name string, is func(*Func, Lock) bool) bool {
	m := i.m
	if m.startedAt(fn) {
		return false
	}
	for _, e := range m.entries(fn) {
		if is(fn.Up, e.lock) {
			return true
		}
	}
	if fn.Up != nil {
		return i.givenHeld(fn.Up, name, is)
	}
	for _, s := range m.sitesOf(fn) {
		for _, f := range m.flowsOf(s.in) {
			if !is(s.in, f.lock) {
				continue
			}
			if _, held := f.at(m.nodeOf(s.in, s.call)); held && m.passed(s, f.lock) {
				return true
			}
		}
		if i.givenHeld(s.in, name, is) {
			return true
		}
	}
	return false
}

// passed reports whether a call gives what it runs a lock, so that this has a name for it.
func (m *View) passed(s site, l Lock) bool {
	fr := m.frame(s.in, l)
	for _, c := range fr.callables(s.call.Fun, maxAliases) {
		if c.fn == nil {
			continue
		}
		if in, _ := fr.inner(s.call, c); len(in.on.names) > 0 {
			return true
		}
	}
	return false
}

// handled reports whether statements call a method of a lock, function literals included.
func (m *View) handled(fn *Func, l Lock, stmts []ast.Stmt) bool {
	fr := m.frame(fn, l)
	for _, s := range stmts {
		for _, op := range m.operationsIn(fn, s) {
			if fr.is(op) == same {
				return true
			}
		}
	}
	return false
}

// operationsIn are the calls of locks' methods in a statement of a function,
// those of literals included, in source order.
func (m *View) operationsIn(fn *Func, s ast.Stmt) []operation {
	all, known := m.operations[fn]
	if !known {
		ast.Inspect(fn.Body, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				if op, ok := lockMethod(fn.info(), call.Fun); ok {
					all = append(all, op)
				}
			}
			return true
		})
		slices.SortStableFunc(all, func(a, b operation) int { return int(a.sel.Pos() - b.sel.Pos()) })
		m.operations[fn] = all
	}
	first, _ := slices.BinarySearchFunc(all, s.Pos(), func(op operation, pos token.Pos) int { return int(op.sel.Pos() - pos) })
	end, _ := slices.BinarySearchFunc(all, s.End(), func(op operation, pos token.Pos) int { return int(op.sel.Pos() - pos) })
	return all[first:end]
}

// relocked reports whether statements, run with a lock held, come to take it, or
// to the function itself, which would.
func (m *View) relocked(fn *Func, l Lock, deferred bool, stmts []ast.Stmt) bool {
	again, touches := m.again(fn), false
	for up := fn; up != nil; up = up.Up { // a literal may call one that it has captured
		touches = touches || m.touches(up, l.Key)
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
	fn   *Func
	path Path
	key  string
}

// probesOf are the probes of a function's concerned calls with a lock.
func (m *View) probesOf(fn *Func, l Lock, calls int) []probe {
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
	fn             *Func
	lock           Lock
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
	fn             *Func
	key            string
	touches, again bool
}

// concerned are the calls, and the loops over iterators, that run when a function does
// and that may come to a lock with a key or to the function itself, in source order.
func (m *View) concerned(fn *Func, key string, touches, again bool) []ast.Node {
	if !touches {
		key = ""
	}
	c := concern{fn, key, touches, again}
	list, known := m.concerns[c]
	if !known {
		fr := &frame{m: m, fn: fn, on: subject{key: key}}
		for _, n := range m.runIn(fn) {
			call, ok := n.(*ast.CallExpr)
			if !ok || touches && !fr.passes(call) || again && fr.mayLead(call, fn) {
				list = append(list, n)
			}
		}
		m.concerns[c] = list
	}
	return list
}

// mayLead reports whether a call may lead to a function again. Of one that names a
// function that is known at once.
func (fr *frame) mayLead(call *ast.CallExpr, target *Func) bool {
	if tv := fr.fn.info().Types[call.Fun]; tv.IsType() || tv.IsBuiltin() {
		return false
	}
	f := syntax.Callee(fr.fn.info(), call.Fun)
	if f == nil || syntax.InterfaceMethod(f) {
		return true
	}
	to := fr.m.declared(f)
	return to != nil && fr.m.leads(to, target)
}

// runIn are the calls, and the loops over iterators, that run when a function does, in
// source order.
func (m *View) runIn(fn *Func) []ast.Node {
	all, known := m.runs[fn]
	if !known {
		syntax.Now(fn.Body, func(n ast.Node) {
			switch n := n.(type) {
			case *ast.CallExpr:
				all = append(all, n)
			case *ast.RangeStmt:
				if t := fn.info().TypeOf(n.X); t != nil && isFunc(t) {
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
func (m *View) comesTo(fr *frame, call *ast.CallExpr, target *Func, l Lock, asked map[string]bool) bool {
	if f := syntax.Callee(fr.fn.info(), call.Fun); f != nil && !syntax.InterfaceMethod(f) {
		if to := m.declared(f); to == nil || !m.leads(to, target) {
			return false
		}
	}
	for _, c := range fr.callables(call.Fun, maxAliases) {
		if c.fn == nil || !m.leads(c.fn, target) {
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
		for _, s := range m.callsOf(c.fn) {
			if m.comesTo(in, s.call, target, l, asked) {
				return true
			}
		}
	}
	return false
}

// again reports whether a call in a function may lead to it again, or to a literal
// of the same declaration.
func (m *Program) again(fn *Func) bool {
	root, was := m.asOriginal(fn)
	return was != nil && (was.Decl != was || len(was.lits) > 0 || root.reach[was].cyclic)
}

// asOriginal is what the index of the original knows a function as; nil if it has none.
func (m *Program) asOriginal(fn *Func) (*index, *Func) {
	if m.base == nil {
		return m.ready(), fn
	}
	return m.base.ready(), m.base.Named(fn.Name)
}

// leads reports whether a function is on a cycle of calls with another.
func (m *Program) leads(from, to *Func) bool {
	root, a := m.asOriginal(from)
	_, b := m.asOriginal(to)
	return a != nil && b != nil && (root.reach[a] == root.reach[b] || from.Decl == to.Decl)
}

// heldByCaller is HeldByCaller for the very lock.
func (m *View) heldByCaller(fn *Func, l Lock) bool {
	if !m.aboveOf(fn).mayBe(l.Path) {
		return false
	}
	return m.inquire(m.question(fn, lockName{path: l.Path}), func(i *inquiry) bool { return i.heldByCaller(fn, l) })
}

// heldByCaller asks the callers. Where functions call themselves with a field of what they
// are given, their paths would grow and branch without an end that is near.
func (i *inquiry) heldByCaller(fn *Func, l Lock) bool {
	if !i.m.aboveOf(fn).mayBe(l.Path) {
		return false
	}
	return i.about(i.m.question(fn, lockName{path: l.Path}), func() bool { return i.findHeldByCaller(fn, l) })
}

func (i *inquiry) findHeldByCaller(fn *Func, l Lock) bool {
	m := i.m
	if m.startedAt(fn) {
		return false
	}
	if fn.Up != nil {
		return i.heldAround(fn, l)
	}
	for _, s := range m.sitesOf(fn) {
		for _, named := range m.inCaller(s.in, s.call, fn, l) {
			if m.mayHold(s, named) || i.heldByCaller(s.in, named) {
				return true
			}
		}
	}
	return false
}

// heldAround is heldByCaller for a literal: what it has captured may be held
// around it, or by the callers of the function around it.
func (i *inquiry) heldAround(fn *Func, l Lock) bool {
	for _, e := range i.m.entries(fn) {
		if e.lock.Path == l.Path {
			return true
		}
	}
	return i.heldByCaller(fn.Up, l)
}

// mayHold reports whether a lock may be held at a call.
func (m *View) mayHold(s site, l Lock) bool {
	for _, f := range m.flowsOf(s.in) {
		if f.lock.Path == l.Path {
			_, held := f.at(m.nodeOf(s.in, s.call))
			return held
		}
	}
	return false
}

// sitesOf are the calls of a declared function by name or by the method of an interface.
func (m *Program) sitesOf(fn *Func) []site {
	if fn.object == nil {
		return nil
	}
	return m.ready().callers[fn.Name]
}
