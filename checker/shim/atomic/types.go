package atomic

import "sync/atomic"

// The types hold the real ones, so that size and alignment are theirs.

// noCopy makes vet complain of copies.
type noCopy struct{}

func (*noCopy) Lock()   {}
func (*noCopy) Unlock() {}

// An Int32 is an int32 for atomic use.
type Int32 struct {
	_ noCopy
	v atomic.Int32
}

// Load returns the value.
func (x *Int32) Load() int32 { return load(&x.v, "Int32.Load", (*atomic.Int32).Load) }

// Store sets the value.
func (x *Int32) Store(val int32) { store(&x.v, val, "Int32.Store", (*atomic.Int32).Store) }

// Swap sets the value and returns what it was.
func (x *Int32) Swap(new int32) (old int32) {
	return update(&x.v, new, "Int32.Swap", (*atomic.Int32).Swap)
}

// CompareAndSwap sets the value to new if it is old, and reports whether it did.
func (x *Int32) CompareAndSwap(old, new int32) (swapped bool) {
	return swapIf(&x.v, old, new, "Int32.CompareAndSwap", (*atomic.Int32).CompareAndSwap)
}

// Add adds delta and returns the sum.
func (x *Int32) Add(delta int32) (new int32) {
	return update(&x.v, delta, "Int32.Add", (*atomic.Int32).Add)
}

// And sets the value to its bitwise and with mask and returns what it was.
func (x *Int32) And(mask int32) (old int32) {
	return update(&x.v, mask, "Int32.And", (*atomic.Int32).And)
}

// Or sets the value to its bitwise or with mask and returns what it was.
func (x *Int32) Or(mask int32) (old int32) {
	return update(&x.v, mask, "Int32.Or", (*atomic.Int32).Or)
}

// An Int64 is an int64 for atomic use.
type Int64 struct {
	_ noCopy
	v atomic.Int64
}

// Load returns the value.
func (x *Int64) Load() int64 { return load(&x.v, "Int64.Load", (*atomic.Int64).Load) }

// Store sets the value.
func (x *Int64) Store(val int64) { store(&x.v, val, "Int64.Store", (*atomic.Int64).Store) }

// Swap sets the value and returns what it was.
func (x *Int64) Swap(new int64) (old int64) {
	return update(&x.v, new, "Int64.Swap", (*atomic.Int64).Swap)
}

// CompareAndSwap sets the value to new if it is old, and reports whether it did.
func (x *Int64) CompareAndSwap(old, new int64) (swapped bool) {
	return swapIf(&x.v, old, new, "Int64.CompareAndSwap", (*atomic.Int64).CompareAndSwap)
}

// Add adds delta and returns the sum.
func (x *Int64) Add(delta int64) (new int64) {
	return update(&x.v, delta, "Int64.Add", (*atomic.Int64).Add)
}

// And sets the value to its bitwise and with mask and returns what it was.
func (x *Int64) And(mask int64) (old int64) {
	return update(&x.v, mask, "Int64.And", (*atomic.Int64).And)
}

// Or sets the value to its bitwise or with mask and returns what it was.
func (x *Int64) Or(mask int64) (old int64) {
	return update(&x.v, mask, "Int64.Or", (*atomic.Int64).Or)
}

// A Uint32 is a uint32 for atomic use.
type Uint32 struct {
	_ noCopy
	v atomic.Uint32
}

// Load returns the value.
func (x *Uint32) Load() uint32 { return load(&x.v, "Uint32.Load", (*atomic.Uint32).Load) }

// Store sets the value.
func (x *Uint32) Store(val uint32) { store(&x.v, val, "Uint32.Store", (*atomic.Uint32).Store) }

// Swap sets the value and returns what it was.
func (x *Uint32) Swap(new uint32) (old uint32) {
	return update(&x.v, new, "Uint32.Swap", (*atomic.Uint32).Swap)
}

// CompareAndSwap sets the value to new if it is old, and reports whether it did.
func (x *Uint32) CompareAndSwap(old, new uint32) (swapped bool) {
	return swapIf(&x.v, old, new, "Uint32.CompareAndSwap", (*atomic.Uint32).CompareAndSwap)
}

// Add adds delta and returns the sum.
func (x *Uint32) Add(delta uint32) (new uint32) {
	return update(&x.v, delta, "Uint32.Add", (*atomic.Uint32).Add)
}

// And sets the value to its bitwise and with mask and returns what it was.
func (x *Uint32) And(mask uint32) (old uint32) {
	return update(&x.v, mask, "Uint32.And", (*atomic.Uint32).And)
}

// Or sets the value to its bitwise or with mask and returns what it was.
func (x *Uint32) Or(mask uint32) (old uint32) {
	return update(&x.v, mask, "Uint32.Or", (*atomic.Uint32).Or)
}

// A Uint64 is a uint64 for atomic use.
type Uint64 struct {
	_ noCopy
	v atomic.Uint64
}

// Load returns the value.
func (x *Uint64) Load() uint64 { return load(&x.v, "Uint64.Load", (*atomic.Uint64).Load) }

// Store sets the value.
func (x *Uint64) Store(val uint64) { store(&x.v, val, "Uint64.Store", (*atomic.Uint64).Store) }

// Swap sets the value and returns what it was.
func (x *Uint64) Swap(new uint64) (old uint64) {
	return update(&x.v, new, "Uint64.Swap", (*atomic.Uint64).Swap)
}

// CompareAndSwap sets the value to new if it is old, and reports whether it did.
func (x *Uint64) CompareAndSwap(old, new uint64) (swapped bool) {
	return swapIf(&x.v, old, new, "Uint64.CompareAndSwap", (*atomic.Uint64).CompareAndSwap)
}

// Add adds delta and returns the sum.
func (x *Uint64) Add(delta uint64) (new uint64) {
	return update(&x.v, delta, "Uint64.Add", (*atomic.Uint64).Add)
}

// And sets the value to its bitwise and with mask and returns what it was.
func (x *Uint64) And(mask uint64) (old uint64) {
	return update(&x.v, mask, "Uint64.And", (*atomic.Uint64).And)
}

// Or sets the value to its bitwise or with mask and returns what it was.
func (x *Uint64) Or(mask uint64) (old uint64) {
	return update(&x.v, mask, "Uint64.Or", (*atomic.Uint64).Or)
}

// A Uintptr is a uintptr for atomic use.
type Uintptr struct {
	_ noCopy
	v atomic.Uintptr
}

// Load returns the value.
func (x *Uintptr) Load() uintptr { return load(&x.v, "Uintptr.Load", (*atomic.Uintptr).Load) }

// Store sets the value.
func (x *Uintptr) Store(val uintptr) { store(&x.v, val, "Uintptr.Store", (*atomic.Uintptr).Store) }

// Swap sets the value and returns what it was.
func (x *Uintptr) Swap(new uintptr) (old uintptr) {
	return update(&x.v, new, "Uintptr.Swap", (*atomic.Uintptr).Swap)
}

// CompareAndSwap sets the value to new if it is old, and reports whether it did.
func (x *Uintptr) CompareAndSwap(old, new uintptr) (swapped bool) {
	return swapIf(&x.v, old, new, "Uintptr.CompareAndSwap", (*atomic.Uintptr).CompareAndSwap)
}

// Add adds delta and returns the sum.
func (x *Uintptr) Add(delta uintptr) (new uintptr) {
	return update(&x.v, delta, "Uintptr.Add", (*atomic.Uintptr).Add)
}

// And sets the value to its bitwise and with mask and returns what it was.
func (x *Uintptr) And(mask uintptr) (old uintptr) {
	return update(&x.v, mask, "Uintptr.And", (*atomic.Uintptr).And)
}

// Or sets the value to its bitwise or with mask and returns what it was.
func (x *Uintptr) Or(mask uintptr) (old uintptr) {
	return update(&x.v, mask, "Uintptr.Or", (*atomic.Uintptr).Or)
}

// A Bool is a bool for atomic use.
type Bool struct {
	_ noCopy
	v atomic.Bool
}

// Load returns the value.
func (x *Bool) Load() bool { return load(&x.v, "Bool.Load", (*atomic.Bool).Load) }

// Store sets the value.
func (x *Bool) Store(val bool) { store(&x.v, val, "Bool.Store", (*atomic.Bool).Store) }

// Swap sets the value and returns what it was.
func (x *Bool) Swap(new bool) (old bool) {
	return update(&x.v, new, "Bool.Swap", (*atomic.Bool).Swap)
}

// CompareAndSwap sets the value to new if it is old, and reports whether it did.
func (x *Bool) CompareAndSwap(old, new bool) (swapped bool) {
	return swapIf(&x.v, old, new, "Bool.CompareAndSwap", (*atomic.Bool).CompareAndSwap)
}

// A Pointer is a *T for atomic use.
type Pointer[T any] struct {
	v atomic.Pointer[T]
}

// Load returns the value.
func (x *Pointer[T]) Load() *T { return load(&x.v, "Pointer.Load", (*atomic.Pointer[T]).Load) }

// Store sets the value.
func (x *Pointer[T]) Store(val *T) { store(&x.v, val, "Pointer.Store", (*atomic.Pointer[T]).Store) }

// Swap sets the value and returns what it was.
func (x *Pointer[T]) Swap(new *T) (old *T) {
	return update(&x.v, new, "Pointer.Swap", (*atomic.Pointer[T]).Swap)
}

// CompareAndSwap sets the value to new if it is old, and reports whether it did.
func (x *Pointer[T]) CompareAndSwap(old, new *T) (swapped bool) {
	return swapIf(&x.v, old, new, "Pointer.CompareAndSwap", (*atomic.Pointer[T]).CompareAndSwap)
}

// A Value is a value of any one type for atomic use.
type Value struct {
	v atomic.Value
}

// Load returns the value set last, nil if there is none.
func (v *Value) Load() (val any) { return load(&v.v, "Value.Load", (*atomic.Value).Load) }

// Store sets the value. It panics for nil and for a value of another type than
// the first.
func (v *Value) Store(val any) { store(&v.v, val, "Value.Store", (*atomic.Value).Store) }

// Swap is Store and returns what was there before, nil for nothing.
func (v *Value) Swap(new any) (old any) {
	return update(&v.v, new, "Value.Swap", (*atomic.Value).Swap)
}

// CompareAndSwap sets the value to new if it is old, and reports whether it
// did. It panics where Store does, and when old cannot be compared.
func (v *Value) CompareAndSwap(old, new any) (swapped bool) {
	return swapIf(&v.v, old, new, "Value.CompareAndSwap", (*atomic.Value).CompareAndSwap)
}
