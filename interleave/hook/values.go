package hook

import (
	"sync"
	"unsafe"
)

// Methods and functions that are not called where they stand: values, and those that go
// and defer statements call later.

// Bound is the value of a method that has a hook.
func Bound[P any](hook func(uint32, P), site uint32, p P) func() {
	return func() { hook(site, p) }
}

// BoundFor is Bound for a method with a result, BoundTo for one with a parameter.
func BoundFor[P, R any](hook func(uint32, P) R, site uint32, p P) func() R {
	return func() R { return hook(site, p) }
}

// BoundTo is Bound for a method with a parameter.
func BoundTo[P, A any](hook func(uint32, P, A), site uint32, p P) func(A) {
	return func(a A) { hook(site, p, a) }
}

// variable are the methods of all types of package sync/atomic, number those of integers.
type variable[T any] interface {
	Load() T
	Store(T)
	Swap(T) T
	CompareAndSwap(old, to T) bool
}

type number[T any] interface {
	variable[T]
	Add(T) T
	And(T) T
	Or(T) T
}

// An Atomic is an atomic variable that is used later.
type Atomic[P variable[T], T any] struct {
	site uint32
	p    P
}

// Variable is an atomic variable whose method is a value, or called later.
func Variable[P variable[T], T any](site uint32, p P) Atomic[P, T] { return Atomic[P, T]{site, p} }

// before is the moment before an access to the variable.
//
//go:norace
func (a Atomic[P, T]) before(k Kind) P {
	touch(k, a.site, word(*(*unsafe.Pointer)(unsafe.Pointer(&a.p))))
	return a.p
}

// The methods of the variable.

func (a Atomic[P, T]) Load() T   { return a.before(AtomicRead).Load() }
func (a Atomic[P, T]) Store(v T) { a.before(AtomicWrite).Store(v) }
func (a Atomic[P, T]) Swap(v T) T {
	return a.before(AtomicWrite).Swap(v)
}
func (a Atomic[P, T]) CompareAndSwap(old, to T) bool {
	return a.before(AtomicWrite).CompareAndSwap(old, to)
}

// An Integer is an atomic integer that is used later.
type Integer[P number[T], T any] struct{ Atomic[P, T] }

// Number is Variable for an integer.
func Number[P number[T], T any](site uint32, p P) Integer[P, T] {
	return Integer[P, T]{Atomic[P, T]{site, p}}
}

// The methods that only integers have.

func (a Integer[P, T]) Add(v T) T { return a.before(AtomicWrite).Add(v) }
func (a Integer[P, T]) And(v T) T { return a.before(AtomicWrite).And(v) }
func (a Integer[P, T]) Or(v T) T  { return a.before(AtomicWrite).Or(v) }

// A Synced is a sync.Map that is used later.
type Synced struct {
	site uint32
	m    *sync.Map
}

// Map is a sync.Map whose method is a value, or called later.
func Map(site uint32, m *sync.Map) Synced { return Synced{site, m} }

// before is the moment before an access to the map.
//
//go:norace
func (s Synced) before(k Kind) *sync.Map {
	touch(k, s.site, word(unsafe.Pointer(s.m)))
	return s.m
}

// The methods of the map.

func (s Synced) Load(key any) (any, bool)         { return s.before(AtomicRead).Load(key) }
func (s Synced) Range(f func(key, v any) bool)    { s.before(AtomicRead).Range(f) }
func (s Synced) Store(key, v any)                 { s.before(AtomicWrite).Store(key, v) }
func (s Synced) Swap(key, v any) (any, bool)      { return s.before(AtomicWrite).Swap(key, v) }
func (s Synced) Delete(key any)                   { s.before(AtomicWrite).Delete(key) }
func (s Synced) Clear()                           { s.before(AtomicWrite).Clear() }
func (s Synced) LoadOrStore(k, v any) (any, bool) { return s.before(AtomicWrite).LoadOrStore(k, v) }
func (s Synced) LoadAndDelete(key any) (any, bool) {
	return s.before(AtomicWrite).LoadAndDelete(key)
}
func (s Synced) CompareAndSwap(key, old, v any) bool {
	return s.before(AtomicWrite).CompareAndSwap(key, old, v)
}
func (s Synced) CompareAndDelete(key, old any) bool {
	return s.before(AtomicWrite).CompareAndDelete(key, old)
}

// Loading is a function of package sync/atomic that loads, and is called later; the others
// are those that store, that compare, and that add, swap or mask.
func Loading[T any](site uint32, f func(*T) T) func(*T) T {
	return func(p *T) T { return f(AR(site, p)) }
}

func Storing[T any](site uint32, f func(*T, T)) func(*T, T) {
	return func(p *T, v T) { f(AW(site, p), v) }
}

func Comparing[T any](site uint32, f func(p *T, old, to T) bool) func(p *T, old, to T) bool {
	return func(p *T, old, to T) bool { return f(AW(site, p), old, to) }
}

func Adding[T any](site uint32, f func(*T, T) T) func(*T, T) T {
	return func(p *T, v T) T { return f(AW(site, p), v) }
}
