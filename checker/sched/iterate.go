package sched

import (
	"cmp"
	"reflect"
	"slices"
)

// Loops of rewritten programs. A range over a channel or a map becomes a loop
// with three clauses, which needs no language version and gives each iteration
// its own variables exactly where the original does:
//
//	for i, v, ok := Range(c); ok; v, ok = i.Next() {

// A ChanRange is a range over a channel.
type ChanRange[T any] struct {
	c    <-chan T
	last T
}

// Range begins a range over a channel with its first value, if there is one.
func Range[T any](c <-chan T) (*ChanRange[T], T, bool) {
	r := &ChanRange[T]{c: c}
	v, ok := r.Next()
	return r, v, ok
}

// Next returns the next value. After the last one the variable of the loop
// keeps it, as it does in the original.
func (r *ChanRange[T]) Next() (T, bool) {
	if g := current(); g != nil {
		g.ranging = true
		defer func() { g.ranging = false }()
	}
	v, ok := Recv2(r.c)
	if ok {
		r.last = v
	}
	return r.last, ok
}

// A MapRange is a range over a map. Entries that are deleted before they are
// reached are left out, and so are those that are added, which Go permits.
type MapRange[K comparable, V any] struct {
	m     map[K]V
	keys  []K
	odd   []entry[K, V] // whose keys, not equal to themselves, cannot be looked up
	key   K
	value V
}

type entry[K comparable, V any] struct {
	key   K
	value V
}

// RangeMap begins a range over a map with its first entry, if there is one.
// Under control the entries come in the order of their keys, and addresses in the
// order in which they became keys: the same in every execution.
func RangeMap[M ~map[K]V, K comparable, V any](m M) (*MapRange[K, V], K, V, bool) {
	r := &MapRange[K, V]{m: MapR(m)}
	for k, v := range r.m {
		if _, ok := r.m[k]; ok {
			r.keys = append(r.keys, k)
		} else {
			r.odd = append(r.odd, entry[K, V]{k, v})
		}
	}
	if g := current(); g != nil && len(r.keys) > 1 {
		slices.SortStableFunc(r.keys, func(a, b K) int { return g.x.compare(reflect.ValueOf(&a).Elem(), reflect.ValueOf(&b).Elem()) })
	}
	k, v, ok := r.Next()
	return r, k, v, ok
}

// Next returns the next entry; after the last one that again.
func (r *MapRange[K, V]) Next() (K, V, bool) {
	MapR(r.m)
	for len(r.keys) > 0 {
		k := r.keys[0]
		r.keys = r.keys[1:]
		if v, ok := r.m[k]; ok {
			r.key, r.value = k, v
			return k, v, true
		}
	}
	if len(r.odd) > 0 && len(r.m) > 0 {
		e := r.odd[0]
		r.odd = r.odd[1:]
		r.key, r.value = e.key, e.value
		return e.key, e.value, true
	}
	return r.key, r.value, false
}

// compare orders values of one type: numbers, strings, booleans, addresses that have a
// number (see Key), and what is made of them. Others are equal.
func (x *execution) compare(a, b reflect.Value) int {
	switch a.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return cmp.Compare(a.Int(), b.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return cmp.Compare(a.Uint(), b.Uint())
	case reflect.Float32, reflect.Float64:
		return cmp.Compare(a.Float(), b.Float())
	case reflect.Complex64, reflect.Complex128:
		c, d := a.Complex(), b.Complex()
		return cmp.Or(cmp.Compare(real(c), real(d)), cmp.Compare(imag(c), imag(d)))
	case reflect.String:
		return cmp.Compare(a.String(), b.String())
	case reflect.Bool:
		switch {
		case a.Bool() == b.Bool():
			return 0
		case b.Bool():
			return -1
		}
		return 1
	case reflect.Array:
		for i := range a.Len() {
			if c := x.compare(a.Index(i), b.Index(i)); c != 0 {
				return c
			}
		}
	case reflect.Struct:
		for i := range a.NumField() {
			if c := x.compare(a.Field(i), b.Field(i)); c != 0 {
				return c
			}
		}
	case reflect.Pointer, reflect.Chan, reflect.UnsafePointer:
		return x.compareAddresses(a, b)
	case reflect.Interface:
		return x.compareDynamic(a.Elem(), b.Elem())
	}
	return 0
}

// compareDynamic orders what two interfaces hold, by type first.
func (x *execution) compareDynamic(a, b reflect.Value) int {
	switch {
	case !a.IsValid() || !b.IsValid():
		return cmp.Compare(boolInt(a.IsValid()), boolInt(b.IsValid()))
	case a.Type() != b.Type():
		return cmp.Compare(a.Type().String(), b.Type().String())
	}
	return x.compare(a, b)
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}
