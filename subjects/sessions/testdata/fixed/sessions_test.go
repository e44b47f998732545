package sessions

import (
	"slices"
	"sync"
	"testing"
)

// Who is idle is logged out while others go on.
func TestSweep(t *testing.T) {
	r := New()
	m := NewMonitor(r, 10)
	r.Touch("ann", 1)
	r.Touch("bob", 95)

	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		r.Touch("cyd", 99)
		r.Touch("bob", 100)
	}()
	if got := m.Sweep(100); !slices.Equal(got, []string{"ann"}) {
		t.Errorf("logged out are %v, want ann", got)
	}
	wg.Wait()
	active := r.Active()
	if len(active) != 2 || active["bob"].Hits != 2 || active["cyd"].Hits != 1 {
		t.Errorf("there are left %v, want bob with two requests and cyd with one", active)
	}
}

// A report can be made at any time.
func TestReport(t *testing.T) {
	r := New()
	m := NewMonitor(r, 10)
	r.Touch("bob", 1)
	r.Touch("ann", 2)
	done := make(chan struct{})
	go func() {
		defer close(done)
		r.Logout("bob")
	}()
	const ann, bob = "ann: 1 requests, seen at 2\n", "bob: 1 requests, seen at 1\n"
	if got := m.Report(); got != ann && got != ann+bob {
		t.Errorf("the report is %q", got)
	}
	<-done
}

func TestLogout(t *testing.T) {
	r := New()
	r.Touch("ann", 1)
	if !r.Logout("ann") || r.Logout("ann") {
		t.Error("ann is logged out once")
	}
}
