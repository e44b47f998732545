package locks

import (
	"go/ast"
	"strings"

	"mendel/analysis/syntax"
)

// A kin is a place at which the lock of a value's parent, child or neighbour is taken with
// the value's own lock held. The field says in which direction.
type kin struct {
	lock, field string
	in          *Func
	at          ast.Node
}

// kinOrder finds values whose locks are taken in two directions, upwards and downwards in a
// tree say, at fewer places than in the original: who goes one way meets who goes the other.
func (c *comparison) kinOrder() {
	was, now := c.before.kins(), c.after.kins()
	directions := func(list []kin, lock string) (fields map[string]bool, places int) {
		fields = make(map[string]bool)
		for _, k := range list {
			if k.lock == lock {
				fields[k.field] = true
				places++
			}
		}
		return fields, places
	}
	for _, k := range now {
		_, before := directions(was, k.lock)
		fields, after := directions(now, k.lock)
		if after < before && len(fields) > 1 {
			c.reportAt(RingLeft, k.in, k.at, "", "%s of %s is taken with that of the value held, and the other way round elsewhere", shortKey(k.lock), k.field)
		}
	}
}

// kins lists the places of the program, tests left out.
func (m *View) kins() []kin {
	var list []kin
	for _, fn := range m.shipped() {
		for _, s := range m.callsOf(fn) {
			sel, ok := ast.Unparen(s.call.Fun).(*ast.SelectorExpr)
			n := m.nodeOf(fn, s.call)
			if !ok || n == nil || m.deferred(s) {
				continue
			}
			for _, f := range m.flowsOf(fn) {
				owner, mutex := cutPath(f.lock.Path)
				if _, some := f.at(n); !some || !owner.known() || !m.takesOf(fn, s, f.lock.Key) {
					continue
				}
				field := relation(m.reached(fn, sel.X), owner, mutex)
				if field != "" {
					list = append(list, kin{f.lock.Key, field, fn, s.call})
				}
			}
		}
	}
	return list
}

// reached is the path of an expression or, of the variable of a range loop, that of what the
// loop is over.
func (m *View) reached(fn *Func, e ast.Expr) Path {
	p := m.path(fn, e)
	if p.Root == nil {
		return p
	}
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		loop, ok := n.(*ast.RangeStmt)
		if !ok || loop.Value == nil {
			return true
		}
		if id, ok := loop.Value.(*ast.Ident); ok && fn.info().Defs[id] == p.Root {
			over := m.path(fn, loop.X)
			p = over.with(anyElement + p.Text)
			return false
		}
		return true
	})
	return p
}

// takesOf reports whether a call takes a lock with a key: it is the lock's own method, or the
// method of a value that takes its own.
func (m *View) takesOf(fn *Func, s site, key string) bool {
	if op, ok := lockMethod(fn.info(), s.call.Fun); ok {
		return keyOf(fn.info(), op.sel) == key && (op.method == "Lock" || op.method == "RLock")
	}
	to := m.calledBy(s)
	f := syntax.Callee(fn.info(), s.call.Fun)
	if to == nil || f == nil || f.Signature().Recv() == nil {
		return false
	}
	owner, _ := cutKey(key)
	return typeKey(f.Signature().Recv().Type()) == owner && m.takes(to)[key]
}

// cutPath cuts a lock's path at its last field: the value, and the field of the lock.
func cutPath(p Path) (owner Path, field string) {
	i := strings.LastIndex(p.Text, ".")
	if i < 0 {
		return Path{}, ""
	}
	owner = p
	owner.Text = p.Text[:i]
	return owner, p.Text[i+1:]
}

// relation is the field by which one value is reached from another; "" if it is not.
func relation(to, from Path, mutex string) string {
	rest, ok := to.below(from)
	if !ok {
		return ""
	}
	rest = strings.TrimPrefix(strings.TrimSuffix(rest, "."+mutex), ".")
	field, _, _ := strings.Cut(rest, ".")
	field, _, _ = strings.Cut(field, "[")
	return field
}
