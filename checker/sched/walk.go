package sched

import (
	"reflect"
	"strings"
	"unsafe"

	"mendel/checker/sched/effects"
)

// A walk reads a value as the library does that prints, encodes or compares it.
type walk struct {
	kind byte // 'R': exported fields, by an encoder; 'D': all; 'F': as package fmt prints
	seen map[unsafe.Pointer]bool
	left int // how many more values are visited
	cut  bool
}

// walkBound is how many values a walk visits at most. Guessed.
const walkBound = 20_000

// operand walks an operand of a call: a value, or a list of them.
func (w *walk) operand(v reflect.Value) {
	w.seen, w.left = map[unsafe.Pointer]bool{}, walkBound
	if v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Interface && w.kind == 'F' && v.Type().Elem().NumMethod() == 0 {
		accessTo("r", v)
		for i := range v.Len() {
			w.value(dynamic(v.Index(i)), 0)
		}
		return
	}
	w.content(dynamic(v), 0)
}

// value visits a value where it lies, if it lies somewhere that can be shared.
func (w *walk) value(v reflect.Value, depth int) {
	if !v.IsValid() || skipped(v.Type()) {
		return
	}
	if w.left--; w.left < 0 {
		w.cut = true
		return
	}
	if v.CanAddr() && v.Kind() != reflect.Struct && v.Kind() != reflect.Array {
		readAt(v, v.Type().Size())
	}
	w.content(v, depth)
}

func readAt(v reflect.Value, size uintptr) {
	if size > 0 {
		Read(v.Addr().UnsafePointer(), size)
	}
}

// content visits what a value leads to.
func (w *walk) content(v reflect.Value, depth int) {
	if !v.IsValid() || skipped(v.Type()) || w.byMethod(v) {
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		w.pointer(v, depth)
	case reflect.Interface:
		w.content(v.Elem(), depth+1)
	case reflect.Slice:
		w.slice(v, depth)
	case reflect.Array:
		if v.CanAddr() && leaf(v.Type().Elem()) {
			readAt(v, v.Type().Size())
			return
		}
		for i := range v.Len() {
			w.value(v.Index(i), depth+1)
		}
	case reflect.Map:
		w.table(v, depth)
	case reflect.Struct:
		w.structure(v, depth)
	}
}

func (w *walk) pointer(v reflect.Value, depth int) {
	if v.IsNil() || w.seen[v.UnsafePointer()] {
		return
	}
	w.seen[v.UnsafePointer()] = true
	if w.kind == 'F' {
		// fmt follows a pointer only where it is an operand itself.
		switch v.Elem().Kind() {
		case reflect.Struct, reflect.Slice, reflect.Array, reflect.Map:
		default:
			return
		}
		if depth > 0 {
			return
		}
	}
	w.value(v.Elem(), depth+1)
}

func (w *walk) slice(v reflect.Value, depth int) {
	if leaf(v.Type().Elem()) {
		accessTo("r", v)
		return
	}
	for i := range v.Len() {
		if w.cut {
			return
		}
		w.value(v.Index(i), depth+1)
	}
}

func (w *walk) table(v reflect.Value, depth int) {
	if v.IsNil() || w.seen[v.UnsafePointer()] {
		return
	}
	w.seen[v.UnsafePointer()] = true
	accessTo("r", v)
	if leaf(v.Type().Key()) && leaf(v.Type().Elem()) {
		return
	}
	for i := v.MapRange(); i.Next() && !w.cut; {
		w.content(i.Key(), depth+1)
		w.content(i.Value(), depth+1)
	}
}

func (w *walk) structure(v reflect.Value, depth int) {
	t := v.Type()
	if standard(t) && opaque(t) {
		if v.CanAddr() {
			readAt(v, min(t.Size(), firstWord))
		}
		return
	}
	for i := range t.NumField() {
		f := t.Field(i)
		if w.kind == 'R' && !f.IsExported() && !f.Anonymous || f.Tag.Get("json") == "-" && w.kind == 'R' {
			continue
		}
		w.value(v.Field(i), depth+1)
	}
}

// The methods that the library calls instead of looking at a value itself.
var ownMethods = map[byte][]string{
	'F': {"Format", "Error", "String"},
	'R': {"MarshalJSON", "MarshalText", "MarshalXML", "MarshalBinary", "GobEncode"},
}

// hasMethod reports whether a type has a method that the library looks for. The names
// are constants where they are used: for a name that it does not know the linker keeps
// the methods of all types, which makes each test binary half as large again.
func hasMethod(t reflect.Type, name string) (ok bool) {
	switch name {
	case "Format":
		_, ok = t.MethodByName("Format")
	case "Error":
		_, ok = t.MethodByName("Error")
	case "String":
		_, ok = t.MethodByName("String")
	case "MarshalJSON":
		_, ok = t.MethodByName("MarshalJSON")
	case "MarshalText":
		_, ok = t.MethodByName("MarshalText")
	case "MarshalXML":
		_, ok = t.MethodByName("MarshalXML")
	case "MarshalBinary":
		_, ok = t.MethodByName("MarshalBinary")
	case "GobEncode":
		_, ok = t.MethodByName("GobEncode")
	case "UnmarshalJSON":
		_, ok = t.MethodByName("UnmarshalJSON")
	case "UnmarshalText":
		_, ok = t.MethodByName("UnmarshalText")
	case "UnmarshalXML":
		_, ok = t.MethodByName("UnmarshalXML")
	case "GobDecode":
		_, ok = t.MethodByName("GobDecode")
	case "Scan":
		_, ok = t.MethodByName("Scan")
	default:
		panic("sched: the library does not look for a method " + name)
	}
	return ok
}

// byMethod reports whether the library calls a method of a value instead of looking at
// it. A method under control tells what it does.
func (w *walk) byMethod(v reflect.Value) bool {
	if !v.CanInterface() {
		return false
	}
	t := v.Type()
	for _, name := range ownMethods[w.kind] {
		if !hasMethod(t, name) {
			if w.kind == 'F' || !v.CanAddr() {
				continue
			}
			if !hasMethod(reflect.PointerTo(t), name) {
				continue
			}
			v = v.Addr()
		}
		if v.Kind() == reflect.Pointer && !v.IsNil() && !standard(v.Type().Elem()) && copiedBy(v.Type().Elem(), name) {
			readTarget(v)
		}
		if words := wordsOf(v, name); words != "" {
			for word := range strings.FieldsSeq(effects.Param(words, 0)) {
				if word[0] == 'r' || word[0] == 'w' {
					accessTo(word, v)
				}
			}
		}
		return true
	}
	return false
}

// skipped reports whether values of a type synchronise themselves.
func skipped(t reflect.Type) bool {
	pkg := t.PkgPath()
	return pkg == "sync" || pkg == "sync/atomic" || strings.HasPrefix(pkg, home)
}

// leaf reports whether values of a type lead to nothing else, and have no methods.
func leaf(t reflect.Type) bool {
	switch k := t.Kind(); {
	case t.NumMethod() > 0:
		return false
	case k <= reflect.Complex128, k == reflect.String:
		return true
	}
	return false
}

// decoded is the write of what the library decodes into.
func decoded(v reflect.Value) {
	if v = dynamic(v); v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Interface {
		for i := range v.Len() { // operands of a variadic function
			decoded(v.Index(i))
		}
		return
	}
	if v.Kind() == reflect.Map {
		accessTo("w", v)
	}
	if v.Kind() != reflect.Pointer || v.IsNil() {
		return
	}
	for _, name := range []string{"UnmarshalJSON", "UnmarshalText", "UnmarshalXML", "GobDecode", "Scan"} {
		if hasMethod(v.Type(), name) && !standard(v.Type().Elem()) {
			return
		}
	}
	filled(v.Elem())
}

// filled is the write of a value in place.
func filled(v reflect.Value) {
	t := v.Type()
	if skipped(t) {
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		if standard(t) {
			break
		}
		for i := range t.NumField() {
			if t.Field(i).IsExported() {
				filled(v.Field(i))
			}
		}
		return
	case reflect.Map:
		accessTo("w", v)
	case reflect.Slice:
		accessTo("w", v)
	}
	if t.Size() > 0 {
		Write(v.Addr().UnsafePointer(), t.Size())
	}
}
