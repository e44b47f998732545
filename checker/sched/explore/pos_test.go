package explore

import (
	"testing"

	"mendel/checker/sched"
)

// A goroutine that yields until another has done something does not keep that
// one from it, though it has yielded, too.
func TestPOSDoesNotStarveWhoYielded(t *testing.T) {
	for seed := range uint64(50) {
		s := newPOS(seed)
		s.Begin()
		x := sched.Run(s, sched.Options{Steps: 2000}, func() {
			var o sched.Object
			done := false
			sched.Go(func() {
				for range 3 {
					sched.Yield()
				}
				sched.Do(sched.Op{Kind: sched.KindStore, Obj: &o})
				done = true
			})
			for ended := false; !ended; {
				sched.Yield()
				sched.Do(sched.Op{Kind: sched.KindLoad, Obj: &o, Read: true})
				ended = done
			}
		})
		if x.Failure != nil {
			t.Fatalf("seed %d: %s after %d steps", seed, x.Failure.Kind, x.Steps)
		}
	}
}
