package stringbuffer

import (
	"strings"
	"sync"
	"testing"
)

// BenchmarkWorkload has editors that change a buffer each, and readers that
// collect the texts of all of them now and then. Whoever uses different buffers
// can do so side by side.
func BenchmarkWorkload(b *testing.B) {
	const editors, readers, length, edits, rounds = 8, 2, 8192, 150, 5
	text := strings.Repeat("abcdefgh", length/8)
	for b.Loop() {
		var sources [editors]*Buffer
		for i := range sources {
			sources[i] = New(text)
		}
		var wg sync.WaitGroup
		for _, source := range sources {
			wg.Go(func() {
				for range edits {
					source.Append(text)
					source.Reverse()
					source.Insert(length, "and so on")
					source.Delete(length, source.Len())
				}
			})
		}
		for range readers {
			wg.Go(func() {
				for range rounds {
					target := New("")
					for _, source := range sources {
						target.AppendBuffer(source)
					}
					if n := target.Len(); n < editors*length || n > editors*(2*length+9) {
						b.Errorf("%d texts have %d bytes", editors, n)
					}
				}
			})
		}
		wg.Wait()
	}
}
