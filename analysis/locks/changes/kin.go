package changes

import (
	"go/ast"
	"strings"

	"mendel/analysis/locks"
	"mendel/analysis/locks/naming"
	"mendel/analysis/locks/order"
	"mendel/analysis/locks/program"
	"mendel/analysis/syntax"
)

// A kin is a place at which the lock of a value's parent, child or neighbour is taken with
// the value's own lock held. The field says in which direction.
type kin struct {
	lock, field string
	in          *program.Func
	at          ast.Node
}

// kinOrder finds values whose locks are taken in two directions, upwards and downwards in a
// tree say, at fewer places than in the original: who goes one way meets who goes the other.
func (c *comparison) kinOrder() {
	was, now := kins(c.before), kins(c.after)
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
func kins(m *locks.View) []kin {
	var list []kin
	for _, fn := range m.Shipped() {
		for _, s := range m.Calls(fn) {
			sel, ok := ast.Unparen(s.Call.Fun).(*ast.SelectorExpr)
			n := m.NodeOf(fn, s.Call)
			if !ok || n == nil || m.Deferred(s) {
				continue
			}
			for _, f := range m.Flows(fn) {
				owner, mutex := cutPath(f.Lock.Path)
				if _, some := f.At(n); !some || !owner.Known() || !takesOf(m, fn, s, f.Lock.Key) {
					continue
				}
				field := relation(reached(m, fn, sel.X), owner, mutex)
				if field != "" {
					list = append(list, kin{f.Lock.Key, field, fn, s.Call})
				}
			}
		}
	}
	return list
}

// reached is the path of an expression or, of the variable of a range loop, that of what the
// loop is over.
func reached(m *locks.View, fn *program.Func, e ast.Expr) naming.Path {
	p := m.PathOf(fn, e)
	if p.Root == nil {
		return p
	}
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		loop, ok := n.(*ast.RangeStmt)
		if !ok || loop.Value == nil {
			return true
		}
		if id, ok := loop.Value.(*ast.Ident); ok && fn.Info().Defs[id] == p.Root {
			over := m.PathOf(fn, loop.X)
			p = over.With(naming.AnyElement + p.Text)
			return false
		}
		return true
	})
	return p
}

// takesOf reports whether a call takes a lock with a key: it is the lock's own method, or the
// method of a value that takes its own.
func takesOf(m *locks.View, fn *program.Func, s program.Site, key string) bool {
	if op, ok := program.LockMethod(fn.Info(), s.Call.Fun); ok {
		return program.KeyOf(fn.Info(), op.Sel) == key && (op.Method == "Lock" || op.Method == "RLock")
	}
	to := m.CalledBy(s)
	f := syntax.Callee(fn.Info(), s.Call.Fun)
	if to == nil || f == nil || f.Signature().Recv() == nil {
		return false
	}
	owner, _ := program.CutKey(key)
	return program.TypeKey(f.Signature().Recv().Type()) == owner && order.Takes(m, to)[key]
}

// cutPath cuts a lock's path at its last field: the value, and the field of the lock.
func cutPath(p naming.Path) (owner naming.Path, field string) {
	i := strings.LastIndex(p.Text, ".")
	if i < 0 {
		return naming.Path{}, ""
	}
	owner = p
	owner.Text = p.Text[:i]
	return owner, p.Text[i+1:]
}

// relation is the field by which one value is reached from another; "" if it is not.
func relation(to, from naming.Path, mutex string) string {
	rest, ok := to.Below(from)
	if !ok {
		return ""
	}
	rest = strings.TrimPrefix(strings.TrimSuffix(rest, "."+mutex), ".")
	field, _, _ := strings.Cut(rest, ".")
	field, _, _ = strings.Cut(field, "[")
	return field
}
