package airline

import (
	"fmt"
	"runtime/debug"
	"testing"
)

// BenchmarkWorkload sells the seats of several flights, each at several counters
// with more passengers than there are seats. The counters meet when they take a
// seat; what they print for a passenger they can print side by side.
func BenchmarkWorkload(b *testing.B) {
	const flights, counters, each, capacity = 2, 4, 600, 2000
	queues := make([][]string, counters)
	for i := range queues {
		for j := range each {
			queues[i] = append(queues[i], fmt.Sprintf("passenger %d of counter %d", j, i))
		}
	}
	defer debug.SetGCPercent(debug.SetGCPercent(800)) // the collector is not what is measured
	for b.Loop() {
		for i := range flights {
			o := NewOffice(NewFlight(fmt.Sprintf("MD %d", i), capacity), queues...)
			o.Open()
			if sold, away := len(o.Tickets()), len(o.TurnedAway()); sold != capacity || away != counters*each-capacity {
				b.Fatalf("%d tickets for %d seats, %d passengers turned away", sold, capacity, away)
			}
		}
	}
}
