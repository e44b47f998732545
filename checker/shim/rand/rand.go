package rand

import "math/rand"

// The real types.
type (
	Rand     = rand.Rand
	Source   = rand.Source
	Source64 = rand.Source64
	Zipf     = rand.Zipf
)

// New is the real function.
func New(src Source) *Rand { return rand.New(src) }

// NewSource is the real function.
func NewSource(seed int64) Source { return rand.NewSource(seed) }

// NewZipf is the real function.
func NewZipf(r *Rand, s float64, v float64, imax uint64) *Zipf { return rand.NewZipf(r, s, v, imax) }

// Seed makes the values those of the real package for that seed.
//
// Deprecated: as the real one.
func Seed(seed int64) {
	if !reseed(seed) {
		rand.Seed(seed)
	}
}

// Int returns a number that is not negative.
func Int() int { return either("rand.Int", (*rand.Rand).Int, rand.Int) }

// Int31 returns a number that is not negative.
func Int31() int32 { return either("rand.Int31", (*rand.Rand).Int31, rand.Int31) }

// Int63 returns a number that is not negative.
func Int63() int64 { return either("rand.Int63", (*rand.Rand).Int63, rand.Int63) }

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

// Intn returns a number in [0, n). It panics if n is not positive.
func Intn(n int) int { return below("rand.Intn", n, (*rand.Rand).Intn, rand.Intn) }

// Int31n returns a number in [0, n). It panics if n is not positive.
func Int31n(n int32) int32 { return below("rand.Int31n", n, (*rand.Rand).Int31n, rand.Int31n) }

// Int63n returns a number in [0, n). It panics if n is not positive.
func Int63n(n int64) int64 { return below("rand.Int63n", n, (*rand.Rand).Int63n, rand.Int63n) }

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

// Read fills p with random bytes; it never fails.
func Read(p []byte) (n int, err error) {
	if n, ok := draw("rand.Read", func(r *rand.Rand) int {
		n, _ := r.Read(p)
		return n
	}); ok {
		return n, nil
	}
	//lint:ignore SA1019 it is what is asked for
	return rand.Read(p)
}
