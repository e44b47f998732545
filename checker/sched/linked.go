package sched

import (
	"hash/maphash"
	"math/rand/v2"
	"time"
	"unsafe"
)

// What programs link of the runtime, and seeds of hashes. Under control the numbers depend on
// nothing but the goroutine and how many it has drawn: so executions of one schedule are the
// same, and drawing is no step that others can notice. Other numbers are not tried.

// Rand64 stands for runtime.rand and runtime.fastrand64.
func Rand64() uint64 {
	g := current()
	if g == nil {
		return rand.Uint64()
	}
	g.drawn++
	return scramble(uint64(g.id+2)<<32 + g.drawn)
}

// Rand32 stands for runtime.fastrand and runtime.cheaprand.
func Rand32() uint32 { return uint32(Rand64() >> 32) }

// Rand63 stands for runtime.cheaprand64.
func Rand63() int64 { return int64(Rand64() >> 1) }

// Rand32n stands for runtime.fastrandn and runtime.cheaprandn: a number below n, or 0.
func Rand32n(n uint32) uint32 { return uint32(uint64(Rand32()) * uint64(n) >> 32) }

// scramble is the finaliser of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
func scramble(z uint64) uint64 {
	z *= 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// MakeSeed is maphash.MakeSeed. What is hashed with it is the same in all executions of a
// process; in another process it is not, because the runtime hashes with a key of its own.
func MakeSeed() maphash.Seed {
	seed := maphash.MakeSeed()
	if current() != nil && unsafe.Sizeof(seed) == unsafe.Sizeof(uint64(0)) {
		*(*uint64)(unsafe.Pointer(&seed)) = Rand64() | 1 // 0 is no seed
	}
	return seed
}

// Nanotime stands for runtime.nanotime.
func Nanotime() int64 {
	if current() == nil {
		return int64(time.Since(processStart)) + 1
	}
	return int64(Moment()) + 1 // code may take 0 for none
}

var processStart = time.Now()

// Self is the number of the calling goroutine, the same in each execution with the same
// prefix: 0 for the test. Outside control it is 0, too.
func Self() int {
	if g := current(); g != nil {
		return g.id
	}
	return 0
}
