package lottery

import (
	"runtime/debug"
	"testing"
)

// BenchmarkWorkload runs lotteries with many users. They draw one after the
// other, since all use the lottery's one number, but a slip belongs to its user
// alone and can be written while others draw.
func BenchmarkWorkload(b *testing.B) {
	const lotteries, users, max = 10, 400, 100_000
	defer debug.SetGCPercent(debug.SetGCPercent(800)) // the collector is not what is measured
	for b.Loop() {
		for i := range lotteries {
			l := New(users, max, uint64(i))
			for _, s := range l.Run() {
				if s.Generated != s.Presented || s.Presented != s.Record {
					b.Fatalf("%v", s)
				}
			}
		}
	}
}
