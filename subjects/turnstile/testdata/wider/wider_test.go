package turnstile

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
)

// The counts are read while visitors come, are turned away and leave. It fails if
// only those that get in are counted under the lock, or if the check and the count
// are apart.
func TestWiderDay(t *testing.T) {
	const limit, visitors = 2, 8
	for range 50 {
		m := NewMuseum(limit)
		var wg sync.WaitGroup
		var in atomic.Int64
		for range 2 {
			wg.Go(func() { in.Add(int64(m.Day(visitors, runtime.Gosched))) })
			wg.Go(func() {
				for range visitors {
					if inside, sold, turned := m.Gate.Counts(); inside < 0 || inside > limit || sold+turned > 2*visitors {
						t.Errorf("%d inside, %d sold, %d turned away", inside, sold, turned)
					}
				}
			})
		}
		wg.Wait()
		inside, sold, turned := m.Gate.Counts()
		if inside != 0 || sold != int(in.Load()) || sold+turned != 2*visitors || m.Room.Most() > limit {
			t.Fatalf("%d inside, %d sold, %d turned away, %d got in, %d at a time", inside, sold, turned, in.Load(), m.Room.Most())
		}
	}
}

// Nobody gets in where there is no room, and the gate still works. It fails if the
// early return leaves a lock behind.
func TestWiderFull(t *testing.T) {
	g := New(0)
	if g.Enter() || g.Enter() {
		t.Error("there is no room")
	}
	if inside, sold, turned := g.Counts(); inside != 0 || sold != 0 || turned != 2 {
		t.Errorf("%d inside, %d sold, %d turned away", inside, sold, turned)
	}
}
