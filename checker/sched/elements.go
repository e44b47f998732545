package sched

import (
	"reflect"
	"unsafe"
)

// What predeclared functions and conversions read and write behind a slice, for
// rewritten programs.

// Elements reads all elements of s, as string(s) does, and returns s.
func Elements[S ~[]E, E any](s S) S {
	elements(Read, s)
	return s
}

// First reads the first n elements of s, as a conversion to an array does, and
// returns s. The conversion panics if there are fewer.
func First[S ~[]E, E any](s S, n int) S {
	elements(Read, s[:min(n, len(s))])
	return s
}

// Contents is Elements of a value that is a slice or a string, depending on a
// type argument.
func Contents[T any](v T) T {
	if r := reflect.ValueOf(&v).Elem(); r.Kind() == reflect.Slice {
		readSlice(r, 0, r.Len())
	}
	return v
}

// Element reads v[i] of a value that is a slice, a pointer to an array or something that
// is not shared, depending on a type argument, and returns v. The expression v[i] panics
// if there is no such element.
func Element[T any](v T, i int) T {
	r := reflect.ValueOf(&v).Elem()
	if r.Kind() == reflect.Pointer && !r.IsNil() && r.Elem().Kind() == reflect.Array {
		r = r.Elem().Slice(0, r.Elem().Len())
	}
	if r.Kind() == reflect.Slice && 0 <= i && i < r.Len() {
		readSlice(r, i, i+1)
	}
	return v
}

// Sized is a value whose length is asked for and that is a map or something else,
// depending on a type argument.
func Sized[T any](v T) T {
	if r := reflect.ValueOf(&v).Elem(); r.Kind() == reflect.Map {
		accessTo("r", r)
	}
	return v
}

// SharedString is a string that unsafe.String made: who writes to its bytes is not seen to
// race with who reads it.
func SharedString(s string) string {
	if g := current(); g != nil {
		g.unwatched("unsafe.String makes a string of memory that may be written")
	}
	return s
}

// readSlice reads the elements of a slice from one index to another.
func readSlice(s reflect.Value, from, to int) {
	size := s.Type().Elem().Size()
	if n := uintptr(to-from) * size; n > 0 {
		Read(unsafe.Add(s.UnsafePointer(), uintptr(from)*size), n)
	}
}

// An Appender is the first half of an append: in Append(s).Values(v) the element
// type comes from s alone, and v needs only be assignable to it.
type Appender[S ~[]E, E any] struct{ s S }

// Append begins to append to s.
func Append[S ~[]E, E any](s S) Appender[S, E] { return Appender[S, E]{s} }

// Values is append(s, v...) for values that nobody shares.
func (a Appender[S, E]) Values(v ...E) S {
	grow(a.s, len(v))
	return append(a.s, v...)
}

// Slice is append(s, v...), which reads the elements of v.
func (a Appender[S, E]) Slice(v []E) S {
	elements(Read, v)
	grow(a.s, len(v))
	return append(a.s, v...)
}

// AppendString is append(s, t...) for the bytes of a string.
func AppendString[S ~[]byte, T ~string](s S, t T) S {
	grow(s, len(t))
	return append(s, t...)
}

// grow is what append does to the array behind s: it writes elements after
// those of s, if there is room, or else reads those of s to copy them.
func grow[S ~[]E, E any](s S, more int) {
	switch n := len(s); {
	case more == 0:
	case more <= cap(s)-n:
		elements(Write, s[n:n+more])
	default:
		elements(Read, s)
	}
}

// CopyString is copy(to, from) for the bytes of a string.
func CopyString[S ~[]byte, T ~string](to S, from T) int {
	elements(Write, to[:min(len(to), len(from))])
	return copy(to, from)
}

// A Carried is the variable of a three-clause loop whose iterations have their own:
// the next one begins with a copy, which is made before the post statement.
type Carried struct {
	p    unsafe.Pointer
	size uintptr
}

// Carry notes the variable of the iteration that begins.
func Carry[T any](c *Carried, p *T) { *c = Carried{unsafe.Pointer(p), unsafe.Sizeof(*p)} }

// Read reads the variable of the iteration that has ended.
func (c *Carried) Read() {
	if c.size > 0 {
		Read(c.p, c.size)
	}
}

// Result reads a result that has a name, when its function returns. It is
// deferred before all else.
func Result[T any](p *T) {
	if size := unsafe.Sizeof(*p); size > 0 {
		Read(unsafe.Pointer(p), size)
	}
}
