package noise

import (
	"fmt"
	"path/filepath"
	"testing"

	"mendel/analysis"
	"mendel/internal/gotool"
)

// BenchmarkMutant measures what it takes to put hooks into a mutant of a package of some
// size, checker/sched: one whose types the space of edits has found, and one that nobody
// has asked about.
func BenchmarkMutant(b *testing.B) {
	dir, err := filepath.Abs("../../checker/sched")
	if err != nil {
		b.Fatal(err)
	}
	tool, err := gotool.Open(b.Context(), dir)
	if err != nil {
		b.Fatal(err)
	}
	p, err := analysis.Load(b.Context(), tool, analysis.Target{Dir: dir})
	if err != nil {
		b.Fatal(err)
	}
	h, err := New(Config{Tool: tool, Program: p, NoRace: true})
	if err != nil {
		b.Fatal(err)
	}
	defer h.Close()
	name := filepath.Join(dir, "goroutine.go")
	n := 0
	for _, known := range []bool{true, false} {
		b.Run(fmt.Sprintf("known=%v", known), func(b *testing.B) {
			for b.Loop() {
				n++
				files := map[string][]byte{name: fmt.Appendf(nil, "%s\nvar zz%d int\n", p.File(name).Source, n)}
				if known {
					b.StopTimer()
					if _, _, err := p.Recheck(files); err != nil {
						b.Fatal(err)
					}
					b.StartTimer()
				}
				if h.source.program(files) == nil {
					b.Fatal("it does not fit")
				}
			}
		})
	}
}
