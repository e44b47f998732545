package flow

import (
	"go/ast"
	"slices"
)

// Retakes reports whether a call, or a loop over an iterator, that runs when a function
// does would take a lock that the function holds then, or leave it otherwise than it was.
func (m *Model) Retakes(fn *Func, l Lock, read bool, call ast.Node) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.touchesAround(fn, l.Key) {
		return false
	}
	p := m.prober(fn, l, read, true, false)
	i, _ := slices.BinarySearchFunc(p.concerned, call.Pos(), comparePos)
	for ; i < len(p.concerned) && p.concerned[i].Pos() == call.Pos(); i++ {
		if p.concerned[i] == call {
			return p.probe(i)
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
	concern
	path Path
	read bool
}

// A prober finds out whether calls of a function, made with a lock held, come to take
// it, or to the function itself.
type prober struct {
	m              *Model
	fn             *Func
	lock           Lock
	read           bool // held for reading
	touches, again bool

	concerned []ast.Node
	known     []probe // of those; the same for all statements of the function
}

func (m *Model) prober(fn *Func, l Lock, read, touches, again bool) *prober {
	p := &prober{m: m, fn: fn, lock: l, read: read, touches: touches, again: again, concerned: m.concerned(fn, l.Key, touches, again)}
	if len(p.concerned) > 0 {
		of := probed{concern{fn, l.Key, touches, again}, l.Path, read}
		if m.probes[of] == nil {
			m.probes[of] = make([]probe, len(p.concerned))
		}
		p.known = m.probes[of]
	}
	return p
}

// probe reports whether a concerned call meets the lock.
func (p *prober) probe(i int) bool {
	if p.known[i] == unprobed {
		p.known[i] = passes
		if p.meets(p.concerned[i]) {
			p.known[i] = meets
		}
	}
	return p.known[i] == meets
}

func (p *prober) meets(n ast.Node) bool {
	fr := p.m.frame(p.fn, p.lock)
	fr.faults = make(map[fault]bool)
	held := state{{write: 1}}
	if p.read {
		held = state{{read: 1}}
	}
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

// touchesAround reports whether a function, or one around it, may come to take or release
// a lock with a key: a literal may call one that it has captured.
func (m *Model) touchesAround(fn *Func, key string) bool {
	for ; fn != nil; fn = fn.Up {
		if m.touches(fn, key) {
			return true
		}
	}
	return false
}
