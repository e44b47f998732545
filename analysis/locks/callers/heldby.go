package callers

import (
	"mendel/analysis/locks"
	"mendel/analysis/locks/naming"
	"mendel/analysis/locks/program"
)

// Hold reports whether a function that calls this one, directly or not,
// may hold a lock then, at a call that is given what the lock belongs to. The
// locks meant are those, by the function that holds them, which is says so of;
// by the name the answer is remembered.
func Hold(of *locks.Model, fn *program.Func, name string, is func(*program.Func, naming.Lock) bool) bool {
	m := of.Lock()
	defer of.Unlock()
	return givenHeld(m, fn, "named "+name, is)
}

// A query is whether callers of a function hold a lock, given by the number of
// its name or path.
type query struct {
	fn   *program.Func
	lock int32
}

// A lockName is what a lock is called in questions.
type lockName struct {
	name string
	path naming.Path
}

// queryOf asks about a function and a lock. There are many functions for each
// name.
func queryOf(m *locks.View, fn *program.Func, of lockName) query {
	n, known := tables.Of(m).lockNames[of]
	if !known {
		n = int32(len(tables.Of(m).lockNames))
		tables.Of(m).lockNames[of] = n
	}
	return query{fn, n}
}

// An inquiry asks one thing about a function and all that call it. What was
// asked on the way to a no is answered by it, too.
type inquiry struct {
	m     *locks.View
	asked map[query]bool
}

// inquire answers a question by what ask finds, or remembers.
func inquire(m *locks.View, q query, ask func(*inquiry) bool) bool {
	if answer, known := tables.Of(m).above[q]; known {
		return answer
	}
	i := &inquiry{m, make(map[query]bool)}
	if ask(i) {
		return true
	}
	for q := range i.asked {
		tables.Of(m).above[q] = false
	}
	return false
}

// about answers one question of several, once.
func (i *inquiry) about(q query, ask func() bool) bool {
	if answer, known := tables.Of(i.m).above[q]; known || i.asked[q] {
		return answer
	}
	i.asked[q] = true
	yes := ask()
	if yes {
		tables.Of(i.m).above[q] = true
	}
	return yes
}

// givenHeld is HeldByCaller.
func givenHeld(m *locks.View, fn *program.Func, name string, is func(*program.Func, naming.Lock) bool) bool {
	return inquire(m, queryOf(m, fn, lockName{name: name}), func(i *inquiry) bool { return i.givenHeld(fn, name, is) })
}

func (i *inquiry) givenHeld(fn *program.Func, name string, is func(*program.Func, naming.Lock) bool) bool {
	return i.about(queryOf(i.m, fn, lockName{name: name}), func() bool { return i.findGivenHeld(fn, name, is) })
}

func (i *inquiry) findGivenHeld(fn *program.Func, name string, is func(*program.Func, naming.Lock) bool) bool {
	m := i.m
	if m.Started(fn) {
		return false
	}
	for _, e := range m.Entries(fn) {
		if is(fn.Up, e.Lock) {
			return true
		}
	}
	if fn.Up != nil {
		return i.givenHeld(fn.Up, name, is)
	}
	for _, s := range m.Sites(fn) {
		for _, f := range m.Flows(s.In) {
			if !is(s.In, f.Lock) {
				continue
			}
			if _, held := f.At(m.NodeOf(s.In, s.Call)); held && m.Passed(s, f.Lock) {
				return true
			}
		}
		if i.givenHeld(s.In, name, is) {
			return true
		}
	}
	return false
}

// heldByCaller is HeldByCaller for the very lock.
func heldByCaller(m *locks.View, fn *program.Func, l naming.Lock) bool {
	if !AboveOf(m, fn).mayBe(l.Path) {
		return false
	}
	return inquire(m, queryOf(m, fn, lockName{path: l.Path}), func(i *inquiry) bool { return i.heldByCaller(fn, l) })
}

// heldByCaller asks the callers. Where functions call themselves with a field of what they
// are given, their paths would grow and branch without an end that is near.
func (i *inquiry) heldByCaller(fn *program.Func, l naming.Lock) bool {
	if !AboveOf(i.m, fn).mayBe(l.Path) {
		return false
	}
	return i.about(queryOf(i.m, fn, lockName{path: l.Path}), func() bool { return i.findHeldByCaller(fn, l) })
}

func (i *inquiry) findHeldByCaller(fn *program.Func, l naming.Lock) bool {
	m := i.m
	if m.Started(fn) {
		return false
	}
	if fn.Up != nil {
		return i.heldAround(fn, l)
	}
	for _, s := range m.Sites(fn) {
		for _, named := range m.InCaller(s.In, s.Call, fn, l) {
			if mayHold(m, s, named) || i.heldByCaller(s.In, named) {
				return true
			}
		}
	}
	return false
}

// heldAround is heldByCaller for a literal: what it has captured may be held
// around it, or by the callers of the function around it.
func (i *inquiry) heldAround(fn *program.Func, l naming.Lock) bool {
	for _, e := range i.m.Entries(fn) {
		if e.Lock.Path == l.Path {
			return true
		}
	}
	return i.heldByCaller(fn.Up, l)
}

// mayHold reports whether a lock may be held at a call.
func mayHold(m *locks.View, s program.Site, l naming.Lock) bool {
	for _, f := range m.Flows(s.In) {
		if f.Lock.Path == l.Path {
			_, held := f.At(m.NodeOf(s.In, s.Call))
			return held
		}
	}
	return false
}
