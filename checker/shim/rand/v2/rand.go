package rand

import "math/rand/v2"

// The real types.
type (
	ChaCha8 = rand.ChaCha8
	PCG     = rand.PCG
	Rand    = rand.Rand
	Source  = rand.Source
	Zipf    = rand.Zipf
)

// New is the real function.
func New(src Source) *Rand { return rand.New(src) }

// NewChaCha8 is the real function.
func NewChaCha8(seed [32]byte) *ChaCha8 { return rand.NewChaCha8(seed) }

// NewPCG is the real function.
func NewPCG(seed1, seed2 uint64) *PCG { return rand.NewPCG(seed1, seed2) }

// NewZipf is the real function.
func NewZipf(r *Rand, s float64, v float64, imax uint64) *Zipf { return rand.NewZipf(r, s, v, imax) }

// Int returns a number that is not negative.
func Int() int { return either("rand.Int", (*rand.Rand).Int, rand.Int) }

// Int32 returns a number that is not negative.
func Int32() int32 { return either("rand.Int32", (*rand.Rand).Int32, rand.Int32) }

// Int64 returns a number that is not negative.
func Int64() int64 { return either("rand.Int64", (*rand.Rand).Int64, rand.Int64) }

// Uint returns a number.
func Uint() uint { return either("rand.Uint", (*rand.Rand).Uint, rand.Uint) }

// Uint32 returns a number.
func Uint32() uint32 { return either("rand.Uint32", (*rand.Rand).Uint32, rand.Uint32) }

// Uint64 returns a number.
func Uint64() uint64 { return either("rand.Uint64", (*rand.Rand).Uint64, rand.Uint64) }

// Float32 returns a number in [0, 1).
func Float32() float32 { return either("rand.Float32", (*rand.Rand).Float32, rand.Float32) }

// Float64 returns a number in [0, 1).
func Float64() float64 { return either("rand.Float64", (*rand.Rand).Float64, rand.Float64) }

// NormFloat64 returns a normally distributed number.
func NormFloat64() float64 {
	return either("rand.NormFloat64", (*rand.Rand).NormFloat64, rand.NormFloat64)
}

// ExpFloat64 returns an exponentially distributed number.
func ExpFloat64() float64 {
	return either("rand.ExpFloat64", (*rand.Rand).ExpFloat64, rand.ExpFloat64)
}

// IntN returns a number in [0, n). It panics if n is not positive.
func IntN(n int) int { return int(positive("rand.IntN", int64(n))) }

// Int32N returns a number in [0, n). It panics if n is not positive.
func Int32N(n int32) int32 { return int32(positive("rand.Int32N", int64(n))) }

// Int64N returns a number in [0, n). It panics if n is not positive.
func Int64N(n int64) int64 { return positive("rand.Int64N", n) }

// UintN returns a number in [0, n). It panics if n is 0.
func UintN(n uint) uint { return uint(unsigned("rand.UintN", uint64(n))) }

// Uint32N returns a number in [0, n). It panics if n is 0.
func Uint32N(n uint32) uint32 { return uint32(unsigned("rand.Uint32N", uint64(n))) }

// Uint64N returns a number in [0, n). It panics if n is 0.
func Uint64N(n uint64) uint64 { return unsigned("rand.Uint64N", n) }

// positive and unsigned are named in the panics of the real functions:
// "invalid argument to IntN".
func positive(what string, n int64) int64 {
	if n <= 0 {
		panic("invalid argument to " + what[len("rand."):])
	}
	return int64(below(what, uint64(n)))
}

func unsigned(what string, n uint64) uint64 {
	if n == 0 {
		panic("invalid argument to " + what[len("rand."):])
	}
	return below(what, n)
}

type intType interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 |
		~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
}

// N returns a number in [0, n). It panics if n is not positive.
func N[Int intType](n Int) Int {
	if n <= 0 {
		panic("invalid argument to N")
	}
	return Int(below("rand.N", uint64(n)))
}

// Perm returns a permutation of [0, n).
func Perm(n int) []int {
	return either("rand.Perm", func(r *rand.Rand) []int { return perm(r, n) },
		func() []int { return rand.Perm(n) })
}

// Shuffle brings n elements into another order. It panics if n is negative.
func Shuffle(n int, swap func(i, j int)) {
	if n < 0 {
		panic("invalid argument to Shuffle")
	}
	exchange, ok := order("rand.Shuffle", n)
	if !ok {
		rand.Shuffle(n, swap)
		return
	}
	for k, j := range exchange {
		swap(n-1-k, j)
	}
}
