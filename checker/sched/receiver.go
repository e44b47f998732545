package sched

import (
	"reflect"
	"sync"
	"unsafe"
)

// Via is the receiver of a method that is called through an interface of type I.
// If it holds a pointer and the method has a value receiver, the call copies what
// the pointer points to: all of it or, of a promoted method, an embedded field.
// What cannot be told is not reported: an interface some of whose methods have
// pointer receivers, or come from elsewhere than others.
func Via[I any](i I) I {
	g := current()
	words := *(*struct{ table, data unsafe.Pointer })(unsafe.Pointer(&i))
	if words.table == nil || words.data == nil || g == nil || !g.scheduled() {
		return i
	}
	receivers.Lock()
	steps, known := receivers.ways[words.table]
	if !known {
		if receivers.ways == nil {
			receivers.ways = map[unsafe.Pointer][]hop{}
		}
		if t := reflect.TypeOf(i); t.Kind() == reflect.Pointer {
			steps = wayTo(t.Elem(), reflect.TypeFor[I]())
		}
		receivers.ways[words.table] = steps
	}
	receivers.Unlock()
	p := words.data
	for _, h := range steps {
		p = unsafe.Add(p, h.offset)
		Read(p, h.size)
		if h.pointer {
			if p = *(*unsafe.Pointer)(p); p == nil {
				break // the call panics
			}
		}
	}
	return i
}

// receivers are what calls through interfaces copy, by the table of methods that
// an interface value has in its first word.
var receivers struct {
	sync.Mutex
	ways map[unsafe.Pointer][]hop
}

// A hop is a read on the way to a receiver, relative to where the one before
// leads: of a pointer, or at last of the receiver.
type hop struct {
	offset, size uintptr
	pointer      bool
}

// wayTo is what a call of a method of an interface reads of a variable of type t
// when a pointer to that is in the interface; nil if that cannot be told.
func wayTo(t, methods reflect.Type) []hop {
	if !t.Implements(methods) || t.Size() == 0 {
		return nil
	}
	if t.Kind() != reflect.Struct {
		return []hop{{0, t.Size(), false}}
	}
	embeds := false
	for i := range t.NumField() {
		f := t.Field(i)
		if !f.Anonymous {
			continue
		}
		e, isPointer := f.Type, f.Type.Kind() == reflect.Pointer
		if isPointer {
			e = e.Elem()
		}
		switch {
		case e.Kind() == reflect.Interface && e.Implements(methods):
			return []hop{{f.Offset, f.Type.Size(), false}} // what it holds is another matter
		case e.Kind() == reflect.Interface:
			embeds = true
		case isPointer && f.Type.Implements(methods):
			rest := wayTo(e, methods)
			return append([]hop{{f.Offset, f.Type.Size(), true}}, rest...)
		case e.Implements(methods):
			rest := wayTo(e, methods)
			for k := range rest[:min(1, len(rest))] {
				rest[k].offset += f.Offset
			}
			return rest
		case f.Type.NumMethod() > 0 || e.NumMethod() > 0:
			embeds = true
		}
	}
	if embeds {
		return nil
	}
	return []hop{{0, t.Size(), false}}
}

// ViaParameter is the receiver of a method that is called on a value whose type is a type
// argument. If that is a pointer and the method has a value receiver, the call copies what
// the pointer points to.
// I is an interface that has the method.
func ViaParameter[I, T any](v T) T {
	if i, ok := any(v).(I); ok {
		Via(i)
	}
	return v
}

// copiedBy reports whether a method that is called on a pointer to a type copies all of
// what that points to: it is declared with a value receiver, and not promoted.
func copiedBy(t reflect.Type, method string) bool {
	if !hasMethod(t, method) || t.Kind() == reflect.Interface {
		return false
	}
	if t.Kind() != reflect.Struct {
		return true
	}
	for i := range t.NumField() {
		f := t.Field(i)
		if !f.Anonymous {
			continue
		}
		if hasMethod(f.Type, method) {
			return false
		}
	}
	return true
}

// readTarget reads what a pointer points to.
func readTarget(p reflect.Value) {
	if size := p.Type().Elem().Size(); !p.IsNil() && size > 0 {
		Read(p.UnsafePointer(), size)
	}
}

// Copying is a method expression (*T).Method whose method has a value receiver: who calls
// it copies what its first argument points to.
func Copying[F any](f F) F {
	v := reflect.ValueOf(f)
	return reflect.MakeFunc(v.Type(), func(args []reflect.Value) []reflect.Value {
		readTarget(args[0])
		if v.Type().IsVariadic() {
			return v.CallSlice(args)
		}
		return v.Call(args)
	}).Interface().(F)
}
