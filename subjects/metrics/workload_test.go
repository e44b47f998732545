package metrics

import (
	"crypto/sha256"
	"fmt"
	"sync"
	"testing"
)

// BenchmarkWorkload has clients that check what they get, which takes most of
// their time; only the counts are common to them.
func BenchmarkWorkload(b *testing.B) {
	const clients, requests = 8, 500
	for b.Loop() {
		s := NewServer(map[string]string{"/": "welcome"})
		var wg sync.WaitGroup
		for client := range clients {
			wg.Go(func() {
				sum := sha256.New()
				for i := range requests {
					page, err := s.Get("/")
					fmt.Fprintln(sum, client, i, page, err)
				}
			})
		}
		wg.Wait()
		if got := s.Metrics().Requests(); got != clients*requests {
			b.Fatalf("%d requests, want %d", got, clients*requests)
		}
	}
}
