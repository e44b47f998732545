package deadlock

import (
	"runtime/debug"
	"strings"
	"sync"
	"testing"
)

// BenchmarkWorkload has several goroutines that copy files of their own to and
// fro, and now and then to a common one. Copies of different files can go on
// side by side.
func BenchmarkWorkload(b *testing.B) {
	const workers, size, rounds, each = 4, 2048, 3000, 500
	defer debug.SetGCPercent(debug.SetGCPercent(800)) // the collector is not what is measured
	for b.Loop() {
		common := NewFile("common", "")
		var wg sync.WaitGroup
		for range workers {
			wg.Go(func() {
				original, backup := NewFile("original", strings.Repeat("a", size)), NewFile("backup", "")
				for i := range rounds {
					Copy(backup, original)
					Copy(original, backup)
					if i%each == 0 {
						Copy(common, original)
					}
				}
			})
		}
		wg.Wait()
		if got, want := common.Writes(), workers*rounds/each; got != want || len(common.Contents()) != size {
			b.Fatalf("the common file was written %d times, want %d; it has %d bytes", got, want, len(common.Contents()))
		}
	}
}
