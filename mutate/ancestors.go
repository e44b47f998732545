package mutate

import (
	"go/types"
	"iter"
	"math/bits"
	"sync"
)

// ancestors knows which functions call which by name, directly or not. It is safe
// for concurrent use.
type ancestors struct {
	functions []*types.Func       // all that may be in a set
	number    map[*types.Func]int // index in functions
	callers   [][]int             // by number

	mu    sync.Mutex
	known map[int]functionSet // guarded by mu; see of
}

// A functionSet is a set of functions of the program. The zero set is empty.
type functionSet struct {
	of   *ancestors
	bits []uint64
}

// newAncestors takes the callers of functions as an index has them.
func newAncestors(callers map[*types.Func][]caller, declared []*types.Func) *ancestors {
	a := &ancestors{number: make(map[*types.Func]int), known: make(map[int]functionSet)}
	for _, f := range declared {
		a.number[f] = len(a.functions)
		a.functions = append(a.functions, f)
	}
	a.callers = make([][]int, len(a.functions))
	for i, f := range a.functions {
		for _, c := range callers[f] {
			if from, ok := a.number[c.function]; ok {
				a.callers[i] = append(a.callers[i], from)
			}
		}
	}
	return a
}

// callersOf is some functions and all that call one of them by name, directly or not.
func (a *ancestors) callersOf(functions ...*types.Func) functionSet {
	var all functionSet
	for _, f := range functions {
		i, ok := a.number[f]
		if !ok {
			continue
		}
		one := a.of(i)
		if all.bits == nil {
			all = one
			continue
		}
		union := functionSet{a, make([]uint64, len(one.bits))}
		for w := range union.bits {
			union.bits[w] = all.bits[w] | one.bits[w]
		}
		all = union
	}
	return all
}

// of is callersOf of the function with a number.
func (a *ancestors) of(number int) functionSet {
	a.mu.Lock()
	defer a.mu.Unlock()
	if s, ok := a.known[number]; ok {
		return s
	}
	s := functionSet{a, make([]uint64, (len(a.functions)+63)/64)}
	work := []int{number}
	for len(work) > 0 {
		i := work[len(work)-1]
		work = work[:len(work)-1]
		if s.bits[i/64]&(1<<(i%64)) != 0 {
			continue
		}
		s.bits[i/64] |= 1 << (i % 64)
		work = append(work, a.callers[i]...)
	}
	a.known[number] = s
	return s
}

// has reports whether a function is in the set.
func (s functionSet) has(f *types.Func) bool {
	if s.of == nil || f == nil {
		return false
	}
	i, ok := s.of.number[f]
	return ok && s.bits[i/64]&(1<<(i%64)) != 0
}

// all are the functions of the set.
func (s functionSet) all() iter.Seq[*types.Func] {
	return func(yield func(*types.Func) bool) {
		for w, word := range s.bits {
			for ; word != 0; word &= word - 1 {
				if !yield(s.of.functions[w*64+bits.TrailingZeros64(word)]) {
					return
				}
			}
		}
	}
}
