package publisher

import (
	"fmt"
	"strings"
	"sync"
	"testing"
)

// BenchmarkWorkload lets several authors publish long documents, whose digests
// take a while.
func BenchmarkWorkload(b *testing.B) {
	const authors, documents, rounds = 8, 40, 400
	text := strings.Repeat("All is well. ", 100)
	for b.Loop() {
		trail := NewTrail(authors * documents)
		p := New(new(Store), trail, rounds)
		var wg sync.WaitGroup
		for a := range authors {
			wg.Go(func() {
				for i := range documents {
					if err := p.Publish(Document{fmt.Sprintf("%d/%d", a, i), text}); err != nil {
						b.Error(err)
					}
				}
			})
		}
		wg.Wait()
		if trail.Len() != authors*documents {
			b.Fatalf("the trail has %d entries", trail.Len())
		}
	}
}
