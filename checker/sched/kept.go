package sched

import (
	"bufio"
	"bytes"
	"reflect"
	"unsafe"
)

// Objects of the library that hold memory or another object which they were given, or
// which they have given away: bytes.NewBuffer(b), buf.Bytes(), bufio.NewWriter(w). A call
// uses only part of it, or only in some states of the object. So the object itself is
// asked.

// Holds is Uses of a pointer to such an object. It costs little where there is one
// goroutine.
func Holds[T any](words string, p *T) *T {
	if g := current(); g != nil && p != nil && g.scheduled() && !(g.alone() && len(g.x.options.Watch) == 0) {
		g.use(words, reflect.ValueOf(p))
	}
	return p
}

// held is what a call does to what its receiver holds, by a word about it without the
// letter K:
//
//	read   reads the bytes that are left
//	add    writes behind them
//	write  writes to the underlying writers
//	flush  writes to the underlying writer, if something is buffered
//	fill   reads from the underlying reader, if nothing is buffered
//	header writes to the header of a response that is recorded
//
// Words about flags and loggers are in flags.go. Of a reflect.Value, what it leads to is held: a map,
// or the elements of a slice.
//
//	map       reads a map
//	elements  reads elements
//	write     writes to a map, or elements
//	add       writes the element behind the last one
//	call      reads the receiver, if it is a method of a value that is called by pointer
func (g *goroutine) held(word string, v reflect.Value, depth int) {
	if g.flags(word, v) || g.shows(word, v, depth) {
		return
	}
	v = dynamic(v)
	if v.Kind() == reflect.Struct && v.CanInterface() {
		if r, ok := v.Interface().(reflect.Value); ok {
			reflectedUse(word, r)
		}
		return
	}
	if v.Kind() != reflect.Pointer || v.IsNil() || !v.CanInterface() || depth > 4 {
		return
	}
	if word == "header" {
		if h := v.Elem(); h.Kind() == reflect.Struct && standard(h.Type()) {
			accessTo("w", h.FieldByName("HeaderMap"))
		}
		return
	}
	switch o := v.Interface().(type) {
	case *bytes.Buffer:
		heldBytes(word, v.Elem().FieldByName("buf"), v.Elem().FieldByName("off"))
	case *bytes.Reader:
		heldBytes(word, v.Elem().FieldByName("s"), v.Elem().FieldByName("i"))
	case *bufio.Writer:
		if o.Buffered() > 0 || word == "write" {
			g.dispatch("Write", exposed(v.Elem().FieldByName("wr")), depth+1)
		}
	case *bufio.Reader:
		if o.Buffered() == 0 {
			g.dispatch("Read", exposed(v.Elem().FieldByName("rd")), depth+1)
		}
	case *bufio.Scanner:
		if !scanned(v.Elem()) {
			g.dispatch("Read", exposed(v.Elem().FieldByName("r")), depth+1)
		}
	default:
		if v.Elem().Kind() == reflect.Struct {
			g.heldBehind(word, v.Elem(), depth+1)
		}
	}
}

// heldBehind is what is done to what the fields of an object have that writes or reads
// for it: "w" of a csv.Writer, "p.w" of an xml.Encoder, "writers" of an io.MultiWriter,
// "commonHandler.w" of a slog.TextHandler, "s.rd" of a jsontext.Decoder.
func (g *goroutine) heldBehind(word string, v reflect.Value, depth int) {
	method, names := "Write", []string{"w", "writers", "p", "commonHandler"}
	if word == "fill" {
		method, names = "Read", []string{"r", "readers", "rd", "s"}
	}
	for _, name := range names {
		f := exposed(v.FieldByName(name))
		if !f.IsValid() {
			continue
		}
		switch f.Kind() {
		case reflect.Struct:
			g.heldBehind(word, f, depth)
		case reflect.Slice:
			for i := range f.Len() {
				g.dispatch(method, f.Index(i), depth)
				if word == "fill" {
					break // the next one comes later
				}
			}
		default:
			d := dynamic(f)
			if !d.IsValid() {
				continue
			}
			if d.Kind() == reflect.Pointer && name == "commonHandler" {
				g.heldBehind(word, d.Elem(), depth)
			} else if d.Type() == reflect.TypeFor[*bufio.Writer]() || d.Type() == reflect.TypeFor[*bufio.Reader]() {
				g.held(word, d, depth)
			} else if f.Kind() == reflect.Interface {
				g.dispatch(method, d, depth)
			}
		}
	}
}

// reflectedUse is what package reflect does to what a Value leads to.
func reflectedUse(word string, v reflect.Value) {
	switch k := v.Kind(); {
	case word == "write" && (k == reflect.Map || k == reflect.Slice):
		accessTo("w", v)
	case word == "map" && k == reflect.Map, word == "elements" && k == reflect.Slice:
		accessTo("r", v)
	case word == "add" && k == reflect.Slice:
		accessTo("a", v)
	case word == "call" && k == reflect.Func:
		copiedReceiver(v)
	}
}

// A methodValue is the form of a reflect.Value that is a method bound to a receiver:
// its type and its address are the receiver's.
type methodValue struct {
	t, at unsafe.Pointer
	flag  uintptr
}

// What flag has, from package reflect: that it is a method, its index, and the receiver's
// kind when there is no method.
const (
	flagKind       = 1<<5 - 1
	flagMethod     = 1 << 9
	flagMethodFrom = 10
)

// copiedReceiver reads the receiver of a method of a value that is about to be called by
// a pointer to it, which copies it.
func copiedReceiver(method reflect.Value) {
	m := *(*methodValue)(unsafe.Pointer(&method))
	if m.flag&flagMethod == 0 {
		return
	}
	index := int(m.flag >> flagMethodFrom)
	m.flag = m.flag&(flagMethod-1)&^flagKind | uintptr(reflect.Pointer)
	r := *(*reflect.Value)(unsafe.Pointer(&m))
	t := r.Type()
	if t.Kind() != reflect.Pointer || r.IsNil() || index >= t.NumMethod() {
		return
	}
	name := t.Method(index).Name
	if _, byValue := t.Elem().MethodByName(name); byValue && !promotes(t.Elem(), name) {
		accessTo("r", r)
	}
}

// promotes reports whether a struct type may have a method from a field that it embeds.
func promotes(t reflect.Type, name string) bool {
	if t.Kind() != reflect.Struct {
		return false
	}
	for i := range t.NumField() {
		if f := t.Field(i); f.Anonymous {
			if _, ok := f.Type.MethodByName(name); ok {
				return true
			}
		}
	}
	return false
}

// heldBytes is what is done to the bytes of a buffer from an index on.
func heldBytes(word string, buf, index reflect.Value) {
	if !buf.IsValid() || !index.IsValid() {
		return
	}
	from, to := int(index.Int()), buf.Len()
	do := Read
	if word == "add" {
		from, to, do = to, min(to+1, buf.Cap()), Write
	}
	if from < to {
		do(unsafe.Add(buf.UnsafePointer(), from), uintptr(to-from))
	}
}

// scanned reports whether a bufio.Scanner has the next line in its buffer, or has met the
// end.
func scanned(s reflect.Value) bool {
	buf, start, end, err := s.FieldByName("buf"), s.FieldByName("start"), s.FieldByName("end"), s.FieldByName("err")
	if !buf.IsValid() || !start.IsValid() || !end.IsValid() || !err.IsValid() {
		return true
	}
	from, to := start.Int(), end.Int()
	return !err.IsNil() || from < to && bytes.IndexByte(buf.Bytes()[from:to], '\n') >= 0
}

// exposed is a field that may not be exported, as a value that may be used.
func exposed(f reflect.Value) reflect.Value {
	if !f.IsValid() {
		return f
	}
	return reflect.NewAt(f.Type(), f.Addr().UnsafePointer()).Elem()
}
