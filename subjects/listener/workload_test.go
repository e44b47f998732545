package listener

import (
	"fmt"
	"hash/crc32"
	"testing"
)

// BenchmarkWorkload has handlers that compute something for each connection.
func BenchmarkWorkload(b *testing.B) {
	const handlers, conns = 4, 200
	data := make([]byte, 1<<16)
	for b.Loop() {
		var stats Stats
		l := Start(handlers, stats.Count(func(conn int) error {
			sum := uint32(0)
			for i := range 20 {
				sum += crc32.ChecksumIEEE(data[conn+i:])
			}
			if sum == 0 {
				return fmt.Errorf("connection %d sums up to nothing", conn)
			}
			return nil
		}))
		for conn := range conns {
			if err := l.Deliver(conn); err != nil {
				b.Fatal(err)
			}
		}
		l.Stop()
		l.Wait()
		if got, want := stats.String(), fmt.Sprintf("%d served, 0 failed", conns); got != want {
			b.Fatalf("%s, want %s", got, want)
		}
	}
}
