// Package atomicvar gives a flag, counter or pointer a type of package
// sync/atomic, in its declaration and in all its uses, whichever file they are in:
//
//	type Stats struct {           type Stats struct {
//		hits int                      hits atomic.Int64
//	}                             }
//
//	s.hits++                  →   s.hits.Add(1)
//	s.hits += n                   s.hits.Add(int64(n))
//	s.hits = 0                    s.hits.Store(0)
//	return s.hits                 return int(s.hits.Load())
//
// It mends data races on single values, and increments that get lost. The types
// came with Go 1.19 and, unlike the functions, leave no access that is not
// atomic; calls of these functions, as in a program that mixes them with plain
// accesses, become method calls, too. Atomics are among the usual fixes of races
// (Tu et al., Understanding Real-World Concurrency Bugs in Go, ASPLOS 2019,
// section 6). An int becomes an atomic.Int64, with conversions, and so does a type
// with a name: state State, an int32, becomes an atomic.Int32 that is read as
// State(s.state.Load()). Of several variables declared together, hits, misses int,
// one gets a declaration of its own.
//
// A composite edit has all such fields of a struct, or variables of a function
// or file, up to six.
//
// Two uses one after the other are still two steps. Package atomicrmw makes them
// one where that is possible; elsewhere they need a lock.
//
// Left out is a variable
//   - of another type than bool, int, int32, int64, uint, uint32, uint64, one with a name that is one of these, or a pointer,
//   - that is declared with a value other than zero, or as parameter or result,
//   - of a type with a name that a file with a use of it does not import, or a method of which wants its address,
//   - that a test or generated file uses, since these are not edited,
//   - whose address is taken, or that is assigned along with others, by range or by an operator other than += and -=,
//   - of a struct that is copied, or has a value other than zero for it in a literal, or of a field with a tag or an exported one that may be encoded,
//   - that is written under a lock wherever it is used.
package atomicvar
