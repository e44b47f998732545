// Package atomicrmw makes one atomic step of a load and a store that depends
// on it:
//
//	n := s.next.Load()        →   n := s.next.Add(1) - 1
//	s.next.Store(n + 1)
//
//	s.hits.Store(s.hits.Load() + n)   →   s.hits.Add(n)
//
//	old := s.conf.Load()      →   old := s.conf.Swap(c)
//	s.conf.Store(c)
//
//	if !s.closed.Load() {         // only one may find it so
//		close(s.done)         →   if s.closed.CompareAndSwap(false, true) {
//		s.closed.Store(true)          close(s.done)
//	}                             }
//
//	if s.state.Load() != idle {       if !s.state.CompareAndSwap(idle, busy) {
//		return errBusy        →       return errBusy
//	}                             }
//	s.state.Store(busy)
//
// It mends atomicity violations on atomic variables: each access is atomic, but
// another goroutine comes in between, so that an increment gets lost or two
// goroutines pass the same check. There is no data race for a detector to report.
// Lu et al. (Learning from Mistakes, ASPLOS 2008) find atomicity violations to be
// the most frequent of concurrency bugs; Tu et al. (ASPLOS 2019, section 6) find
// them in Go.
//
// It knows the types and the functions of sync/atomic, except atomic.Value.
//
// Left out is a pair
//   - with another use of the variable in between, or a way out, or an assignment to what was loaded,
//   - in a condition with && or ||,
//   - with a store in a branch, or of a value that is only known later than the load.
package atomicrmw
