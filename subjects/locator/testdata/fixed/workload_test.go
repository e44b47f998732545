package locator

import (
	"fmt"
	"strings"
	"sync"
	"testing"
)

// BenchmarkWorkload asks for many cities at once; only the first has to wait
// for the index.
func BenchmarkWorkload(b *testing.B) {
	const cities, ranges, askers = 64, 20, 8
	var text strings.Builder
	for i := range cities * ranges {
		fmt.Fprintf(&text, "10.%d.%d.0 10.%d.%d.255 City %d\n", i/256, i%256, i/256, i%256, i%cities)
	}
	for b.Loop() {
		l, err := New(text.String())
		if err != nil {
			b.Fatal(err)
		}
		var wg sync.WaitGroup
		for asker := range askers {
			wg.Go(func() {
				for i := range cities * 50 {
					city := fmt.Sprintf("City %d", (i+asker)%cities)
					if got := len(l.Ranges(city)); got != ranges {
						b.Errorf("%s has %d ranges, want %d", city, got, ranges)
					}
				}
			})
		}
		wg.Wait()
	}
}
