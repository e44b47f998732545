package pingpong

import (
	"sync"
	"testing"
)

// BenchmarkWorkload plays several games at the same time. A single game is
// sequential by nature: it has one player, who is away for each stroke.
func BenchmarkWorkload(b *testing.B) {
	const games, callers, rounds = 4, 3, 5
	for b.Loop() {
		var wg sync.WaitGroup
		for range games {
			wg.Go(func() {
				g := NewGame("Anna")
				g.Run(callers, rounds)
				if got := g.Player().Strokes(); got != callers*rounds {
					b.Errorf("%d strokes, want %d", got, callers*rounds)
				}
			})
		}
		wg.Wait()
	}
}
