package rand

import (
	"math/rand/v2"
	"sync"

	"mendel/checker/sched"
)

const (
	seeds = 4 // of the stream, in different executions
	few   = 4 // possible results that are all tried
)

// stream is what the top-level functions draw from under control. Its lock is
// held for moments only, never at a scheduling point.
var stream struct {
	sync.Mutex
	object sched.Object
	rand   *rand.Rand
}

// draw is a step in which f draws from the stream. Outside control it gets nil
// and the result does not count.
func draw[T any](what string, f func(*rand.Rand) T) (v T, ok bool) {
	op := sched.Op{Kind: sched.KindStore, What: what}
	if !sched.Active() {
		sched.Do(op)
		return v, false
	}
	op.Obj = &stream.object
	if stream.object.Fresh() { // Do would make it known
		stream.rand = nil
	}
	sched.Do(op)
	stream.Lock()
	defer stream.Unlock()
	if stream.rand == nil {
		stream.rand = rand.New(rand.NewPCG(uint64(sched.Choose(seeds)), 0))
	}
	return f(stream.rand), true
}

// either draws by the method drawn under control and calls real outside.
func either[T any](what string, drawn func(*rand.Rand) T, real func() T) T {
	if v, ok := draw(what, drawn); ok {
		return v
	}
	return real()
}

// below draws a number below n, which is positive.
func below(what string, n uint64) uint64 {
	v, ok := draw(what, func(r *rand.Rand) uint64 { return pick(r, n) })
	if !ok {
		return rand.Uint64N(n)
	}
	return v
}

// pick draws a number below n, any when there are few.
func pick(r *rand.Rand, n uint64) uint64 {
	v := r.Uint64N(n)
	if n <= few {
		v = (v + uint64(sched.Choose(int(n)))) % n
	}
	return v
}

// order draws a permutation of n elements: what each, from the last down to the
// second, is exchanged with (Fisher and Yates). Any when there are few.
func order(what string, n int) (exchange []int, ok bool) {
	return draw(what, func(r *rand.Rand) []int {
		for i := n - 1; i > 0; i-- {
			j := r.IntN(i + 1)
			if n <= few {
				j = (j + sched.Choose(i+1)) % (i + 1)
			}
			exchange = append(exchange, j)
		}
		return exchange
	})
}

// perm draws a permutation of [0, n), any when n is small.
func perm(r *rand.Rand, n int) []int {
	p := r.Perm(n)
	for i := n - 1; i > 0 && n <= few; i-- {
		j := i - sched.Choose(i+1)
		p[i], p[j] = p[j], p[i]
	}
	return p
}
