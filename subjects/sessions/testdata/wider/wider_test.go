package sessions

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
)

// Everybody who asks who is active goes over the answer while users come and go,
// two sweeps and a report among them. It fails if only the monitor's loops hold the
// lock, or only one of them, and if the map that Active hands over is still shared.
func TestWiderActive(t *testing.T) {
	const users = 20
	r := New()
	m := NewMonitor(r, 10)
	for i := range users {
		r.Touch(fmt.Sprintf("idle %d", i), 1)
	}
	var wg sync.WaitGroup
	var swept atomic.Int64
	for range 2 {
		wg.Go(func() { swept.Add(int64(len(m.Sweep(100)))) })
	}
	wg.Go(func() {
		for i := range users {
			r.Touch(fmt.Sprintf("busy %d", i), 100)
			r.Touch("steady", 100+i)
		}
	})
	wg.Go(func() {
		for range users {
			if m.Report() == "" && len(r.Active()) > users+1 {
				t.Error("the report is empty")
			}
		}
	})
	wg.Go(func() {
		for range users {
			for user, s := range r.Active() {
				if s.User != user || s.Hits < 1 {
					t.Errorf("the session of %s is %+v", user, s)
				}
			}
		}
	})
	wg.Wait()
	if swept.Load() != users {
		t.Errorf("%d users were logged out by one of two sweeps, want %d", swept.Load(), users)
	}
	if active := r.Active(); len(active) != users+1 || active["steady"].Hits != users || active["steady"].Seen != 100+users-1 {
		t.Errorf("there are left %v", active)
	}
	if r.Logout("nobody") {
		t.Error("somebody was logged out who was not there")
	}
}
