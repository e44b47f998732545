package sched

import "unsafe"

// Expressions for rewritten programs. A read of x becomes *R(&x), and W(&x)
// announces a write. The operand of & is evaluated as in the original, with its
// nil and bounds checks, and the function gets the address.

// R reads *p. It panics here for a nil pointer: the read itself might come
// after other calls of the expression.
func R[T any](p *T) *T {
	_ = *p
	if size := unsafe.Sizeof(*p); size > 0 {
		Read(unsafe.Pointer(p), size)
	}
	return p
}

// W writes *p, and panics for a nil pointer.
func W[T any](p *T) *T {
	_ = *p
	if size := unsafe.Sizeof(*p); size > 0 {
		touch(unsafe.Pointer(p), size, Mode{Write: true, Sure: true})
	}
	return p
}

// Wrote is W where the write has been made already.
func Wrote[T any](p *T) {
	if size := unsafe.Sizeof(*p); size > 0 {
		touch(unsafe.Pointer(p), size, Mode{Write: true, Sure: true, Late: true})
	}
}

// RW reads and then writes *p.
func RW[T any](p *T) *T { return W(R(p)) }

// header is the address that stands for all of a map.
func header[M ~map[K]V, K comparable, V any](m M) unsafe.Pointer {
	return *(*unsafe.Pointer)(unsafe.Pointer(&m))
}

func readMap(p unsafe.Pointer)  { touch(p, 1, Mode{Whole: true}) }
func writeMap(p unsafe.Pointer) { touch(p, 1, Mode{Write: true, Whole: true}) }

// MapR reads a map.
func MapR[M ~map[K]V, K comparable, V any](m M) M {
	if m != nil {
		readMap(header(m))
	}
	return m
}

// MapW writes to a map. For a nil map the statement that follows panics.
func MapW[M ~map[K]V, K comparable, V any](m M) M {
	if m != nil {
		writeMap(header(m))
	}
	return m
}

// MapRW reads a map and writes to it.
func MapRW[M ~map[K]V, K comparable, V any](m M) M { return MapW(MapR(m)) }

// A MapOf is a map whose operand has been evaluated and whose key has not.
type MapOf[K comparable, V any] struct{ m map[K]V }

// Map is the first half of an operation: in Map(m).Get(k) the access comes
// after the evaluation of k, and k needs only be assignable to the key's type.
func Map[M ~map[K]V, K comparable, V any](m M) MapOf[K, V] { return MapOf[K, V]{m} }

// Get is m[k].
func (o MapOf[K, V]) Get(k K) V { return MapR(o.m)[k] }

// Get2 is v, ok := m[k].
func (o MapOf[K, V]) Get2(k K) (V, bool) {
	v, ok := MapR(o.m)[k]
	return v, ok
}

// Delete is delete(m, k).
func (o MapOf[K, V]) Delete(k K) { delete(MapW(o.m), k) }

// Clear is clear(m).
func (o MapOf[K, V]) Clear() { clear(MapW(o.m)) }

// Copy is copy(to, from).
func Copy[T any](to, from []T) int {
	n := min(len(to), len(from))
	elements(Read, from[:n])
	elements(Write, to[:n])
	return copy(to, from)
}

// ClearSlice is clear(s).
func ClearSlice[T any](s []T) {
	elements(Write, s)
	clear(s)
}

func elements[T any](access func(unsafe.Pointer, uintptr), s []T) {
	if size := uintptr(len(s)) * unsafe.Sizeof(*new(T)); size > 0 {
		access(unsafe.Pointer(unsafe.SliceData(s)), size)
	}
}

// Make is make(C, n) for a channel type, its element type inferred.
func Make[C ~chan T, T any](n int) C { return MakeChan[T](n) }

// MakeReceiver is make(C, n) for a type of channels that can only be received from.
func MakeReceiver[C ~<-chan T, T any](n int) C { return C(MakeChan[T](n)) }

// MakeSender is make(C, n) for a type of channels that can only be sent on.
func MakeSender[C ~chan<- T, T any](n int) C { return C(MakeChan[T](n)) }

// Len is len of a channel that can only be sent on.
func (s Sender[T]) Len() int { return Len(both(s.c)) }

// Cap is cap of a channel that can only be sent on.
func (s Sender[T]) Cap() int { return Cap(both(s.c)) }

// both converts a channel to both directions; only its length is used.
func both[T any](c chan<- T) chan T { return *(*chan T)(unsafe.Pointer(&c)) }

// After is a value beside which a variable stands that is read when it has been evaluated.
func After[T, V any](value T, p *V) T {
	R(p)
	return value
}
