package locks

import (
	"go/token"
	"go/types"

	"mendel/analysis/locks/naming"
	"mendel/analysis/locks/program"
)

// LockAt is the lock that an expression of names, selectors and indexes means
// at a place of a function; ok is false where it means none. Of a type of the
// program's own that has a method Lock, it is the mutex which that locks.
func (of *Model) LockAt(fn *program.Func, expr string, pos token.Pos) (naming.Lock, bool) {
	m := of.Lock()
	defer of.Unlock()
	r := m.Resolver(fn, pos)
	p, t := r.Resolve(m.Parse(expr))
	if !p.Known() || t == nil {
		return naming.Lock{}, false
	}
	obj, index, _ := types.LookupFieldOrMethod(t, true, fn.File.Package.Types, "Lock")
	method, ok := obj.(*types.Func)
	if !ok {
		return naming.Lock{}, false
	}
	embedded := program.FieldNames(t, index[:len(index)-1])
	if own := m.Declared(method.Origin()); own != nil && own.Recv != nil {
		for _, l := range m.Locks(own) {
			if rest, ok := l.Path.Below(naming.Path{Root: own.Recv}); ok {
				return naming.Lock{Path: p.With(embedded + rest), Key: l.Key, Expr: expr}, true
			}
		}
	}
	key := program.LastField(t, index[:len(index)-1])
	if key == "" || key[0] == '.' {
		key = r.Key + key
	}
	return naming.Lock{Path: p.With(embedded), Key: key, Expr: expr}, true
}

// FieldAt is the lock that would be a new field of a struct, known by its type's
// full name, which an expression at a place of a function leads to: the value's
// own or that of one embedded in it.
func (of *Model) FieldAt(fn *program.Func, expr, owner, field string, pos token.Pos) (naming.Lock, bool) {
	m := of.Lock()
	defer of.Unlock()
	p, t := m.Resolver(fn, pos).Resolve(m.Parse(expr))
	if !p.Known() || t == nil {
		return naming.Lock{}, false
	}
	return naming.Lock{Path: p.With(naming.EmbeddedIn(t, owner, 3) + "." + field), Key: owner + "." + field, Expr: expr + "." + field}, true
}
