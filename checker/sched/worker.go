package sched

import (
	"reflect"
	"slices"
	"unsafe"
)

// A goroutine that is left waiting for its next piece of work, at a channel that a
// package-level variable holds, is the worker of a pool or a registry that lives as
// long as the process: the next test may send it something. It counts as blocked for
// ever no more than in the goroutine leak profile of the Go runtime, which looks at
// what can be reached. But nobody can tell it from one that was forgotten, so a search
// that met one is not Exhausted.

// workers leaves out those of blocked, by ascending ID, that are such workers. If the
// test itself is blocked, nobody will send anything.
func (x *execution) workers(blocked []*goroutine) []*goroutine {
	if len(x.options.Roots) == 0 || len(blocked) == 0 || blocked[0].id == 0 || !slices.ContainsFunc(blocked, (*goroutine).works) {
		return blocked
	}
	held := channelsFrom(x.options.Roots)
	var others []*goroutine
	for _, g := range blocked {
		if !g.works() || !slices.ContainsFunc(g.waiters, func(p waiter) bool { return p.c != nil && held[p.c.real] && g.serves(p.c) }) {
			others = append(others, g)
		} else if x.result.Worker == "" {
			x.result.Worker = g.site
		}
	}
	return others
}

// works reports whether a blocked goroutine waits for nothing but messages. Residents
// are judged by where they wait.
func (g *goroutine) works() bool {
	return g.waiting && !g.resident && !slices.ContainsFunc(g.waiters, func(p waiter) bool { return p.send })
}

// serves reports whether g receives from a channel again and again: it ranges over it,
// or has received from it before.
func (g *goroutine) serves(c *channel) bool { return g.ranging || slices.Contains(g.served, c) }

// maxServed is how many channels are remembered that a goroutine received from.
const maxServed = 8

// serve notes that g has received from a channel.
func (g *goroutine) serve(c *channel) {
	if len(g.served) < maxServed && !slices.Contains(g.served, c) {
		g.served = append(g.served, c)
	}
}

// maxReached bounds the values that are looked at. Guessed: some 20 ms.
const maxReached = 1 << 17

// channelsFrom are the channels that can be reached from pointers, other than through
// functions and channels. Nothing may run meanwhile.
func channelsFrom(roots []any) map[unsafe.Pointer]bool {
	type place struct {
		at unsafe.Pointer
		t  reflect.Type
	}
	found, seen := map[unsafe.Pointer]bool{}, map[place]bool{}
	var todo []reflect.Value
	for _, p := range roots {
		todo = append(todo, reflect.ValueOf(p))
	}
	for n := 0; len(todo) > 0 && n < maxReached; n++ {
		v := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		switch v.Kind() {
		case reflect.Chan:
			found[v.UnsafePointer()] = true
		case reflect.Interface:
			todo = append(todo, v.Elem())
		case reflect.Pointer, reflect.Map:
			at := place{v.UnsafePointer(), v.Type()}
			if v.IsNil() || seen[at] {
				continue
			}
			seen[at] = true
			if v.Kind() == reflect.Pointer {
				todo = append(todo, v.Elem())
				continue
			}
			for i := v.MapRange(); i.Next(); {
				todo = append(todo, i.Key(), i.Value())
			}
		case reflect.Struct:
			for i := range v.NumField() {
				todo = append(todo, v.Field(i))
			}
		case reflect.Array, reflect.Slice:
			if leads(v.Type().Elem()) {
				for i := range v.Len() {
					todo = append(todo, v.Index(i))
				}
			}
		}
	}
	return found
}

// leads reports whether values of a type may refer to others.
func leads(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Chan, reflect.Interface, reflect.Pointer, reflect.Map, reflect.Struct, reflect.Array, reflect.Slice:
		return true
	}
	return false
}
