package rand

import (
	"math/rand"
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
	seeded bool // by the program
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
		stream.rand, stream.seeded = rand.New(rand.NewSource(int64(sched.Choose(seeds)))), false
	}
	return f(stream.rand), true
}

// reseed is a step that sets the stream.
func reseed(value int64) (ok bool) {
	_, ok = draw("rand.Seed", func(*rand.Rand) struct{} {
		stream.rand, stream.seeded = rand.New(rand.NewSource(value)), true
		return struct{}{}
	})
	return ok
}

// either draws by the method drawn under control and calls real outside.
func either[T any](what string, drawn func(*rand.Rand) T, real func() T) T {
	if v, ok := draw(what, drawn); ok {
		return v
	}
	return real()
}

// below draws a number below n by the method drawn, any when there are few.
func below[T int | int32 | int64](what string, n T, drawn func(*rand.Rand, T) T, real func(T) T) T {
	if n <= 0 {
		panic("invalid argument to " + what[len("rand."):])
	}
	v, ok := draw(what, func(r *rand.Rand) T {
		v := drawn(r, n)
		if n <= few && !stream.seeded {
			v = (v + T(sched.Choose(int(n)))) % n
		}
		return v
	})
	if !ok {
		return real(n)
	}
	return v
}

// order draws what each element, from the last down to the second, is to be
// exchanged with (Fisher and Yates). Any when there are few.
func order(what string, n int) (exchange []int, ok bool) {
	return draw(what, func(r *rand.Rand) []int {
		r.Shuffle(n, func(i, j int) {
			if n <= few && !stream.seeded {
				j = (j + sched.Choose(i+1)) % (i + 1)
			}
			exchange = append(exchange, j)
		})
		return exchange
	})
}

// perm draws a permutation of [0, n), any when n is small.
func perm(r *rand.Rand, n int) []int {
	p := r.Perm(n)
	for i := n - 1; i > 0 && n <= few && !stream.seeded; i-- {
		j := i - sched.Choose(i+1)
		p[i], p[j] = p[j], p[i]
	}
	return p
}
