package checker

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"mendel/analysis"
)

// The cost of a mutant of a batch, and of one that is built by itself in the same
// rounds: from changed sources to binaries. Caches are warm.
func BenchmarkBatch(b *testing.B) {
	for _, name := range []string{"account", "airline", "cache4j"} {
		for _, size := range []int{4, 8, 16, 30} {
			b.Run(fmt.Sprintf("%s/%d", name, size), func(b *testing.B) { benchmarkBatch(b, name, size) })
		}
	}
}

func benchmarkBatch(b *testing.B, name string, size int) {
	c := load(b, filepath.Join("..", "subjects", name), analysis.Target{}, Config{})
	var alone, together time.Duration
	round := func() {
		start := time.Now()
		single, err := c.Build(b.Context(), changed(c, 0))
		if err != nil {
			b.Fatal(err)
		}
		alone += time.Since(start)
		sets := make([]map[string][]byte, size)
		for i := range sets {
			sets[i] = changed(c, i)
		}
		start = time.Now()
		built, err := c.BuildAll(b.Context(), sets)
		if err != nil {
			b.Fatal(err)
		}
		together += time.Since(start)
		built = append(built, Built{Binary: single})
		for _, one := range built {
			if one.Err != nil {
				b.Fatal(one.Err)
			}
			if err := one.Binary.Close(); err != nil {
				b.Fatal(err)
			}
		}
	}
	round() // fills the caches
	alone, together = 0, 0
	before := c.Builds()
	for b.Loop() {
		round()
	}
	if n := c.Builds().Executables - before.Executables; n != 2*b.N {
		b.Fatalf("%d executables in %d rounds of one single build and one batch", n, b.N)
	}
	n := float64(b.N)
	b.ReportMetric(float64(alone.Milliseconds())/n, "single-ms/op")
	b.ReportMetric(float64(together.Milliseconds())/n/float64(size), "mutant-ms/op")
	b.ReportMetric(together.Seconds()/float64(size)/alone.Seconds(), "ratio")
}

// changed is a new source of the first file of a checker's program that is no test.
func changed(c *Checker, nth int) map[string][]byte {
	for _, f := range c.c.Program.Packages[0].Files {
		if !f.Test {
			return map[string][]byte{f.Name: fmt.Appendf(nil, "%s\nconst round = %d + %d\n", f.Source, nth, time.Now().UnixNano())}
		}
	}
	return nil
}
