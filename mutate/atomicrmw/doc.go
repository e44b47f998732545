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
//	if s.used.Load()+n > s.limit {    for {
//		return errFull        →       used := s.used.Load()
//	}                                 if used+n > s.limit {
//	s.used.Add(n)                         return errFull
//	                                  }
//	                                  if s.used.CompareAndSwap(used, used+n) {
//	                                      break
//	                                  }
//	                              }
//
//	if a, ok := s.m.Load(key); ok {
//		return a.(*account)
//	}
//	a := newAccount(key)          a := newAccount(key)
//	s.m.Store(key, a)         →   got, _ := s.m.LoadOrStore(key, a)
//	return a                      return got.(*account)
//
// It mends atomicity violations on atomic variables: each access is atomic, but
// another goroutine comes in between, so that an increment gets lost or two
// goroutines pass the same check. There is no data race for a detector to report.
// Lu et al. (Learning from Mistakes, ASPLOS 2008) find atomicity violations to be
// the most frequent of concurrency bugs; Tu et al. (ASPLOS 2019, section 6) find
// them in Go.
//
// It knows the types and the functions of sync/atomic, except atomic.Value, and sync.Map.
//
// Left out is a pair
//   - with another use of the variable in between, or a way out, or an assignment to what was loaded,
//   - with a store in a branch, or of a value that is only known later than the load.
//
// A check with && or ||, or that compares otherwise than with ==, becomes a loop. That needs a check which
// leaves, and nothing with effects before the change. The check in a loop may call nothing but loads.
//
// In a sync.Map what came first stays. If something is found instead of what was made, the code does what it does where the
// first question finds something, or goes on with what is found. Left out is what would have to be undone or ended:
// something that is counted or started on the way, or has a method Close.
//
// All loops and maps of a package also go together, as one composite edit: a maintainer mends all of them.
package atomicrmw
