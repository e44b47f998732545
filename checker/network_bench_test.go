package checker

import (
	"path/filepath"
	"testing"
	"time"

	"mendel/analysis"
)

// How many schedules a second of tests with a network are made: two requests through
// httptest at once, and a line that is sent over TCP and comes back. Steps of a schedule
// say what is due to the test, and what to the engine.
func BenchmarkNetwork(b *testing.B) {
	for _, test := range []struct{ archive, name string }{
		{"network", "TestCounterLocked"},
		{"network", "TestEchoLocked"},
		{"connections", "TestPing"},
	} {
		b.Run(test.name, func(b *testing.B) {
			file := filepath.Join("testdata", "verdicts", test.archive+".txtar")
			instrument := instrumentedIn(b, file)
			binary := build(b, load(b, unpack(b, file), analysis.Target{Unedited: true, Instrument: instrument}, Config{Workers: 1, Instrument: instrument}))
			var schedules, steps int
			var seconds float64
			for seed := uint64(1); b.Loop(); seed++ {
				r := mustCheck(b, binary, Search{Tests: []string{test.name}, Strategy: "random", Seed: seed, Schedules: 3000, Budget: time.Minute})
				schedules, steps, seconds = schedules+r.Schedules, steps+r.Steps, seconds+r.Seconds
			}
			b.ReportMetric(float64(schedules)/seconds, "schedules/s")
			b.ReportMetric(float64(steps)/float64(schedules), "steps/schedule")
		})
	}
}
