package hook

import "unsafe"

// word is an address as an event has it. It keeps nothing alive.
//
//go:norace
func word(p unsafe.Pointer) uint64 { return uint64(uintptr(p)) }

// touch is the moment before an access that is recorded before it happens. That it
// has happened shows at the goroutine's next hook.
//
//go:norace
func touch(k Kind, site uint32, object uint64) {
	if recorder.on {
		arrive(site, object)
		write(k, site, object, 0)
	}
}

// R is the moment before a read of a variable: x becomes *R(site, &x).
//
//go:norace
func R[T any](site uint32, p *T) *T {
	touch(Read, site, word(unsafe.Pointer(p)))
	return p
}

// W is the moment before a write to a variable, as part of an assignment of
// several values.
//
//go:norace
func W[T any](site uint32, p *T) *T {
	touch(Write, site, word(unsafe.Pointer(p)))
	return p
}

// A Place is a location that is about to be written.
type Place[T any] struct {
	site   uint32
	object uint64
}

// At begins an assignment: x = v becomes x = At(site, &x).V(v).
//
//go:norace
func At[T any](site uint32, p *T) Place[T] { return Place[T]{site, word(unsafe.Pointer(p))} }

// V is the moment before the write, after the value was computed.
//
//go:norace
func (p Place[T]) V(v T) T {
	touch(Write, p.site, p.object)
	return v
}

// A map is one location, whatever the key.
//
//go:norace
func identity[M ~map[K]V, K comparable, V any](m M) uint64 {
	return word(*(*unsafe.Pointer)(unsafe.Pointer(&m)))
}

// MapR is the moment before a read of a map.
//
//go:norace
func MapR[M ~map[K]V, K comparable, V any](site uint32, m M) M {
	touch(Read, site, identity(m))
	return m
}

// MapW is the moment before a change of a map.
//
//go:norace
func MapW[M ~map[K]V, K comparable, V any](site uint32, m M) M {
	touch(Write, site, identity(m))
	return m
}

// MapAt begins an assignment to an element: m[k] = v becomes
// m[k] = MapAt(site, m).V(v).
//
//go:norace
func MapAt[M ~map[K]V, K comparable, V any](site uint32, m M) Place[V] {
	return Place[V]{site, identity(m)}
}

// AR is the moment before an atomic read.
//
//go:norace
func AR[T any](site uint32, p *T) *T {
	touch(AtomicRead, site, word(unsafe.Pointer(p)))
	return p
}

// AW is the moment before an atomic operation that may write.
//
//go:norace
func AW[T any](site uint32, p *T) *T {
	touch(AtomicWrite, site, word(unsafe.Pointer(p)))
	return p
}
