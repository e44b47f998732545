package explore

import (
	"math/rand/v2"

	"mendel/checker/sched"
)

// random chooses uniformly among the enabled goroutines at each step: a random
// walk, whose chance of two goroutines deadlocking over two locks has a closed
// form (Bijlsma 2014, section 6). It never ends of itself. A goroutine that
// asks to be passed over is, if another can go on.
type random struct {
	rng *rand.Rand
	timePolicy
}

func newRandom(seed uint64) *random { return &random{rng: stream(seed, 'r')} }

func sampleRandom(s Search) sched.Strategy {
	t := newRandom(s.Seed)
	t.number(s.Numbered, s.Seed, 'r')
	return t
}

// A timePolicy decides how often time passes although goroutines can go on: in
// every other execution once in 16, 2 or 128 decisions where it could, and in
// the rest not at all.
type timePolicy struct {
	executions int
	rate       int                       // 0: never
	fresh      func(n uint64) *rand.Rand // with Search.Numbered: the generator of an execution; else nil
}

// begin begins an execution. It returns the generator that it has of its own, or the
// one of them all.
func (h *timePolicy) begin(all *rand.Rand) *rand.Rand {
	h.rate = [...]int{16, 0, 2, 0, 128, 0}[h.executions%6] // guessed
	h.executions++
	if h.fresh != nil {
		return h.fresh(uint64(h.executions))
	}
	return all
}

// expires is Expire of a Timekeeper.
func (h *timePolicy) expires(rng *rand.Rand, n int, idle bool) int {
	switch {
	case !idle && (h.rate == 0 || rng.IntN(h.rate) > 0):
		return -1
	case n > 1:
		return rng.IntN(n)
	}
	return 0
}

// stream returns the generator of one strategy.
func stream(seed, strategy uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, strategy)) }

func (r *random) Begin() bool {
	r.rng = r.begin(r.rng)
	return true
}

func (r *random) Next(enabled []sched.Pending, current int, yielding bool) int {
	skip := -1
	if yielding && len(enabled) > 1 {
		skip = sched.Index(enabled, current)
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

// Expire implements [sched.Timekeeper].
func (r *random) Expire(n int, idle bool) int { return r.expires(r.rng, n, idle) }

func (r *random) Choose(n int) int {
	if n < 2 {
		return 0
	}
	return r.rng.IntN(n)
}

func (r *random) End(*sched.Execution) {}
