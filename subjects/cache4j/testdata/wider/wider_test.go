package cache4j

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// The interval is changed again and again while rounds are short, so that the
// cleaner wakes by its timer, too, and caches are made and used meanwhile. It
// fails if only the flag is guarded, and the alarm or the interval is not, or only
// before the sleep.
func TestWiderIntervals(t *testing.T) {
	m := NewManager(50 * time.Microsecond)
	var wg sync.WaitGroup
	for i := range 3 {
		wg.Go(func() {
			for n := range 100 {
				m.SetCleanInterval(time.Duration(20+10*((n+i)%5)) * time.Microsecond)
			}
		})
	}
	var expired atomic.Int64
	wg.Go(func() {
		for n := range 20 {
			c, err := m.Create(fmt.Sprint(n), Config{TTL: time.Nanosecond, OnEvict: func(string, any) { expired.Add(1) }})
			if err != nil {
				t.Error(err)
				return
			}
			c.Put("a", n)
			_, _ = c.Get("a")
			_ = m.Cache(fmt.Sprint(n))
		}
	})
	wg.Wait()
	for start := time.Now(); expired.Load() < 20; time.Sleep(time.Millisecond) {
		if time.Since(start) > 20*time.Second {
			t.Fatalf("the cleaner removed %d of 20 entries", expired.Load())
		}
	}
	m.Close()
	m.SetCleanInterval(time.Hour)
	m.SetCleanInterval(time.Minute)
}

// The cleaner is closed while somebody changes the interval. It fails if the
// return of a cleaner that is stopped leaves a lock behind.
func TestWiderCloseMeanwhile(t *testing.T) {
	for range 30 {
		m := NewManager(time.Hour)
		var wg sync.WaitGroup
		wg.Go(func() { m.SetCleanInterval(time.Hour) })
		wg.Go(func() { m.Close() })
		wg.Wait()
		m.SetCleanInterval(time.Minute)
	}
}
