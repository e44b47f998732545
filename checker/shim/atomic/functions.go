package atomic

import (
	"sync/atomic"
	"unsafe"
)

// LoadInt32 returns *addr.
func LoadInt32(addr *int32) (val int32) {
	return load(addr, "atomic.LoadInt32", atomic.LoadInt32)
}

// StoreInt32 sets *addr to val.
func StoreInt32(addr *int32, val int32) {
	store(addr, val, "atomic.StoreInt32", atomic.StoreInt32)
}

// SwapInt32 sets *addr to new and returns what it was.
func SwapInt32(addr *int32, new int32) (old int32) {
	return update(addr, new, "atomic.SwapInt32", atomic.SwapInt32)
}

// CompareAndSwapInt32 sets *addr to new if it is old, and reports whether it did.
func CompareAndSwapInt32(addr *int32, old, new int32) (swapped bool) {
	return swapIf(addr, old, new, "atomic.CompareAndSwapInt32", atomic.CompareAndSwapInt32)
}

// AddInt32 adds delta to *addr and returns the sum.
func AddInt32(addr *int32, delta int32) (new int32) {
	return update(addr, delta, "atomic.AddInt32", atomic.AddInt32)
}

// AndInt32 sets *addr to its bitwise and with mask and returns what it was.
func AndInt32(addr *int32, mask int32) (old int32) {
	return update(addr, mask, "atomic.AndInt32", atomic.AndInt32)
}

// OrInt32 sets *addr to its bitwise or with mask and returns what it was.
func OrInt32(addr *int32, mask int32) (old int32) {
	return update(addr, mask, "atomic.OrInt32", atomic.OrInt32)
}

// LoadInt64 returns *addr.
func LoadInt64(addr *int64) (val int64) {
	return load(addr, "atomic.LoadInt64", atomic.LoadInt64)
}

// StoreInt64 sets *addr to val.
func StoreInt64(addr *int64, val int64) {
	store(addr, val, "atomic.StoreInt64", atomic.StoreInt64)
}

// SwapInt64 sets *addr to new and returns what it was.
func SwapInt64(addr *int64, new int64) (old int64) {
	return update(addr, new, "atomic.SwapInt64", atomic.SwapInt64)
}

// CompareAndSwapInt64 sets *addr to new if it is old, and reports whether it did.
func CompareAndSwapInt64(addr *int64, old, new int64) (swapped bool) {
	return swapIf(addr, old, new, "atomic.CompareAndSwapInt64", atomic.CompareAndSwapInt64)
}

// AddInt64 adds delta to *addr and returns the sum.
func AddInt64(addr *int64, delta int64) (new int64) {
	return update(addr, delta, "atomic.AddInt64", atomic.AddInt64)
}

// AndInt64 sets *addr to its bitwise and with mask and returns what it was.
func AndInt64(addr *int64, mask int64) (old int64) {
	return update(addr, mask, "atomic.AndInt64", atomic.AndInt64)
}

// OrInt64 sets *addr to its bitwise or with mask and returns what it was.
func OrInt64(addr *int64, mask int64) (old int64) {
	return update(addr, mask, "atomic.OrInt64", atomic.OrInt64)
}

// LoadUint32 returns *addr.
func LoadUint32(addr *uint32) (val uint32) {
	return load(addr, "atomic.LoadUint32", atomic.LoadUint32)
}

// StoreUint32 sets *addr to val.
func StoreUint32(addr *uint32, val uint32) {
	store(addr, val, "atomic.StoreUint32", atomic.StoreUint32)
}

// SwapUint32 sets *addr to new and returns what it was.
func SwapUint32(addr *uint32, new uint32) (old uint32) {
	return update(addr, new, "atomic.SwapUint32", atomic.SwapUint32)
}

// CompareAndSwapUint32 sets *addr to new if it is old, and reports whether it did.
func CompareAndSwapUint32(addr *uint32, old, new uint32) (swapped bool) {
	return swapIf(addr, old, new, "atomic.CompareAndSwapUint32", atomic.CompareAndSwapUint32)
}

// AddUint32 adds delta to *addr and returns the sum.
func AddUint32(addr *uint32, delta uint32) (new uint32) {
	return update(addr, delta, "atomic.AddUint32", atomic.AddUint32)
}

// AndUint32 sets *addr to its bitwise and with mask and returns what it was.
func AndUint32(addr *uint32, mask uint32) (old uint32) {
	return update(addr, mask, "atomic.AndUint32", atomic.AndUint32)
}

// OrUint32 sets *addr to its bitwise or with mask and returns what it was.
func OrUint32(addr *uint32, mask uint32) (old uint32) {
	return update(addr, mask, "atomic.OrUint32", atomic.OrUint32)
}

// LoadUint64 returns *addr.
func LoadUint64(addr *uint64) (val uint64) {
	return load(addr, "atomic.LoadUint64", atomic.LoadUint64)
}

// StoreUint64 sets *addr to val.
func StoreUint64(addr *uint64, val uint64) {
	store(addr, val, "atomic.StoreUint64", atomic.StoreUint64)
}

// SwapUint64 sets *addr to new and returns what it was.
func SwapUint64(addr *uint64, new uint64) (old uint64) {
	return update(addr, new, "atomic.SwapUint64", atomic.SwapUint64)
}

// CompareAndSwapUint64 sets *addr to new if it is old, and reports whether it did.
func CompareAndSwapUint64(addr *uint64, old, new uint64) (swapped bool) {
	return swapIf(addr, old, new, "atomic.CompareAndSwapUint64", atomic.CompareAndSwapUint64)
}

// AddUint64 adds delta to *addr and returns the sum.
func AddUint64(addr *uint64, delta uint64) (new uint64) {
	return update(addr, delta, "atomic.AddUint64", atomic.AddUint64)
}

// AndUint64 sets *addr to its bitwise and with mask and returns what it was.
func AndUint64(addr *uint64, mask uint64) (old uint64) {
	return update(addr, mask, "atomic.AndUint64", atomic.AndUint64)
}

// OrUint64 sets *addr to its bitwise or with mask and returns what it was.
func OrUint64(addr *uint64, mask uint64) (old uint64) {
	return update(addr, mask, "atomic.OrUint64", atomic.OrUint64)
}

// LoadUintptr returns *addr.
func LoadUintptr(addr *uintptr) (val uintptr) {
	return load(addr, "atomic.LoadUintptr", atomic.LoadUintptr)
}

// StoreUintptr sets *addr to val.
func StoreUintptr(addr *uintptr, val uintptr) {
	store(addr, val, "atomic.StoreUintptr", atomic.StoreUintptr)
}

// SwapUintptr sets *addr to new and returns what it was.
func SwapUintptr(addr *uintptr, new uintptr) (old uintptr) {
	return update(addr, new, "atomic.SwapUintptr", atomic.SwapUintptr)
}

// CompareAndSwapUintptr sets *addr to new if it is old, and reports whether it did.
func CompareAndSwapUintptr(addr *uintptr, old, new uintptr) (swapped bool) {
	return swapIf(addr, old, new, "atomic.CompareAndSwapUintptr", atomic.CompareAndSwapUintptr)
}

// AddUintptr adds delta to *addr and returns the sum.
func AddUintptr(addr *uintptr, delta uintptr) (new uintptr) {
	return update(addr, delta, "atomic.AddUintptr", atomic.AddUintptr)
}

// AndUintptr sets *addr to its bitwise and with mask and returns what it was.
func AndUintptr(addr *uintptr, mask uintptr) (old uintptr) {
	return update(addr, mask, "atomic.AndUintptr", atomic.AndUintptr)
}

// OrUintptr sets *addr to its bitwise or with mask and returns what it was.
func OrUintptr(addr *uintptr, mask uintptr) (old uintptr) {
	return update(addr, mask, "atomic.OrUintptr", atomic.OrUintptr)
}

// LoadPointer returns *addr.
func LoadPointer(addr *unsafe.Pointer) (val unsafe.Pointer) {
	return load(addr, "atomic.LoadPointer", atomic.LoadPointer)
}

// StorePointer sets *addr to val.
func StorePointer(addr *unsafe.Pointer, val unsafe.Pointer) {
	store(addr, val, "atomic.StorePointer", atomic.StorePointer)
}

// SwapPointer sets *addr to new and returns what it was.
func SwapPointer(addr *unsafe.Pointer, new unsafe.Pointer) (old unsafe.Pointer) {
	return update(addr, new, "atomic.SwapPointer", atomic.SwapPointer)
}

// CompareAndSwapPointer sets *addr to new if it is old, and reports whether it did.
func CompareAndSwapPointer(addr *unsafe.Pointer, old, new unsafe.Pointer) (swapped bool) {
	return swapIf(addr, old, new, "atomic.CompareAndSwapPointer", atomic.CompareAndSwapPointer)
}
