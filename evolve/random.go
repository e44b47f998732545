package evolve

import "math/rand" // eaopt's generators are of this package, not of math/rand/v2

// Slots whose streams serve the generation as a whole.
const (
	everybody = -1
	remainder = -2 // what is left to try after it
)

// stream is the source of chance for one slot of this generation. It depends
// on nothing else, so neither the number of workers nor what the other members
// do with their streams can change it.
func (s *search) stream(slot int) *rand.Rand {
	seed := mix(mix(mix(s.Seed)+uint64(s.generation)) + uint64(slot))
	return rand.New(rand.NewSource(int64(seed)))
}

// mix is the output function of SplitMix64 (Steele, Lea, Flood, Fast
// Splittable Pseudorandom Number Generators, 2014): neighbouring numbers
// become unrelated ones.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// A sampler draws indices by weight (roulette-wheel selection), each at most once.
type sampler struct {
	weights []float64
	left    int
}

// newSampler takes over the weights; what is not positive is never drawn.
func newSampler(weights []float64) *sampler {
	s := &sampler{weights: weights}
	for _, w := range weights {
		if w > 0 {
			s.left++
		}
	}
	return s
}

// draw returns an index not drawn before, with a chance proportional to its
// weight among those left. ok is false when none is left.
func (s *sampler) draw(rng *rand.Rand) (index int, ok bool) {
	if index, ok = pick(s.weights, rng); ok {
		s.drop(index)
	}
	return index, ok
}

// drop takes an index out.
func (s *sampler) drop(index int) {
	if s.weights[index] > 0 {
		s.weights[index] = 0
		s.left--
	}
}

// pick draws an index with a chance proportional to its weight; ok is false
// when no weight is positive.
func pick(weights []float64, rng *rand.Rand) (index int, ok bool) {
	total := 0.0
	for _, w := range weights {
		total += max(w, 0)
	}
	at := rng.Float64() * total
	for i, w := range weights {
		if w <= 0 {
			continue
		}
		index, ok = i, true // the last one stands if rounding leaves something of at
		if at -= w; at < 0 {
			break
		}
	}
	return index, ok
}
