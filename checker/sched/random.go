package sched

import "math/rand/v2"

// random chooses uniformly among the enabled goroutines at each step: a random
// walk, whose chance of two goroutines deadlocking over two locks has a closed
// form (Bijlsma 2014, section 6). It never ends of itself. A goroutine that
// asks to be passed over is, if another can go on.
type random struct{ rng *rand.Rand }

func newRandom(seed uint64) *random { return &random{stream(seed, 'r')} }

// stream returns the generator of one strategy.
func stream(seed, strategy uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, strategy)) }

func (r *random) Begin() bool { return true }

func (r *random) Next(enabled []Pending, current int, yielding bool) int {
	skip := -1
	if yielding && len(enabled) > 1 {
		skip = index(enabled, current)
	}
	if skip < 0 {
		return r.Choose(len(enabled))
	}
	i := r.Choose(len(enabled) - 1)
	if i >= skip {
		i++
	}
	return i
}

func (r *random) Choose(n int) int {
	if n < 2 {
		return 0
	}
	return r.rng.IntN(n)
}

func (r *random) End(*Execution) {}
