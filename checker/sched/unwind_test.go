package sched

import "testing"

// Steps of deferred functions while a goroutine panics say so, and no others; after
// a panic that was recovered they do no longer.
func TestUnwinds(t *testing.T) {
	for _, recovered := range []bool{false, true} {
		x := Run(first{}, Options{Trace: true}, func() {
			var count mutex
			func() {
				defer func() {
					if recovered {
						_ = recover()
					}
				}()
				defer count.unlock()
				count.lock()
				panic("enough")
			}()
			count.lock()
		})
		got := ""
		for _, e := range x.Trace {
			if e.Unwinds {
				got += e.What + " "
			}
		}
		if got != "mu.Unlock " {
			t.Errorf("recovered %t: %q unwinds, of %+v", recovered, got, x.Trace)
		}
	}
}
