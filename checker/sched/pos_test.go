package sched

import "testing"

// A goroutine that yields until another has done something does not keep that
// one from it, though it has yielded, too.
func TestPOSDoesNotStarveWhoYielded(t *testing.T) {
	for seed := range uint64(50) {
		s := newPOS(seed)
		s.Begin()
		x := Run(s, Options{Steps: 2000}, func() {
			var o Object
			done := false
			Go(func() {
				for range 3 {
					Yield()
				}
				Do(Op{Kind: KindStore, Obj: &o})
				done = true
			})
			for ended := false; !ended; {
				Yield()
				Do(Op{Kind: KindLoad, Obj: &o, Read: true})
				ended = done
			}
		})
		if x.Failure != nil {
			t.Fatalf("seed %d: %s after %d steps", seed, x.Failure.Kind, x.Steps)
		}
	}
}
