package sessions

import (
	"fmt"
	"sync"
	"testing"
)

// BenchmarkWorkload has many users, whose requests come while reports are made:
// to sort and write them takes most of the time and needs no lock.
func BenchmarkWorkload(b *testing.B) {
	const users, requests, reports = 2000, 20, 20
	for b.Loop() {
		r := New()
		m := NewMonitor(r, requests)
		var wg sync.WaitGroup
		for part := range 4 {
			wg.Go(func() {
				for now := range requests {
					for u := part; u < users; u += 4 {
						r.Touch(fmt.Sprint("user ", u), now)
					}
				}
			})
		}
		for range reports {
			wg.Go(func() { m.Report() })
		}
		wg.Wait()
		if got := len(r.Active()); got != users {
			b.Fatalf("%d sessions, want %d", got, users)
		}
	}
}
