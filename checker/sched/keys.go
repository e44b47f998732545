package sched

import (
	"cmp"
	"reflect"
	"unsafe"
)

// Addresses differ from execution to execution, and so would the order of a map whose
// keys are pointers. They are numbered when they first become the key of an entry.

// maxKeys bounds the addresses that are numbered in an execution, because they are kept
// alive. Guessed.
const maxKeys = 1 << 18

// Key is the key of an entry that is about to be made: m[k] = v becomes
// m[Key(k)] = v, if k may have addresses in it.
func Key[K any](k K) K {
	switch t := reflect.TypeFor[K](); t.Kind() {
	case reflect.Pointer, reflect.Chan, reflect.UnsafePointer, reflect.Interface, reflect.Struct, reflect.Array:
		if g := current(); g != nil {
			g.x.number(reflect.ValueOf(&k).Elem())
		}
	}
	return k
}

// number gives each address in v a number, unless it has one.
func (x *execution) number(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Chan, reflect.UnsafePointer:
		p := v.UnsafePointer()
		if _, ok := x.naming.keys[p]; ok || p == nil || len(x.naming.keys) >= maxKeys {
			return
		}
		if x.naming.keys == nil {
			x.naming.keys = map[unsafe.Pointer]int{}
		}
		x.naming.keys[p] = len(x.naming.keys) + 1
	case reflect.Interface:
		x.number(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			x.number(v.Field(i))
		}
	case reflect.Array:
		for i := range v.Len() {
			x.number(v.Index(i))
		}
	}
}

// compareAddresses orders addresses by their numbers; those that have none are equal.
func (x *execution) compareAddresses(a, b reflect.Value) int {
	m, n := x.naming.keys[a.UnsafePointer()], x.naming.keys[b.UnsafePointer()]
	if a.UnsafePointer() != nil && m == 0 || b.UnsafePointer() != nil && n == 0 {
		return 0
	}
	return cmp.Compare(m, n)
}
