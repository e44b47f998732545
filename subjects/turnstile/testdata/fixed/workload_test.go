package turnstile

import (
	"crypto/sha256"
	"fmt"
	"testing"
)

// BenchmarkWorkload is a day with many visitors, who look at the pictures side
// by side.
func BenchmarkWorkload(b *testing.B) {
	const limit, visitors, pictures = 20, 60, 60
	for b.Loop() {
		m := NewMuseum(limit)
		in := m.Day(visitors, func() {
			seen := sha256.New()
			for i := range pictures {
				fmt.Fprintln(seen, "picture", i)
			}
		})
		inside, sold, turned := m.Gate.Counts()
		if inside != 0 || sold != in || sold+turned != visitors || m.Room.Most() > limit {
			b.Fatalf("%d inside, %d sold, %d turned away of %d, %d at a time", inside, sold, turned, visitors, m.Room.Most())
		}
	}
}
