package instrument

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"mendel/analysis"
	"mendel/checker/instrument/effects"
	"mendel/internal/gotool"
)

// The cost of a mutant: the time from a changed source to the instrumented test
// binary, and that of a plain go test -c in the same rounds. Caches are warm.
func BenchmarkMutant(b *testing.B) {
	dir := copyTree(b, "../../subjects/account")
	tool, err := gotool.Open(b.Context(), dir)
	if err != nil {
		b.Fatal(err)
	}
	p, err := analysis.Load(b.Context(), tool, analysis.Target{Dir: dir, Package: "."})
	if err != nil {
		b.Fatal(err)
	}
	in, err := New(p, tool.GOROOT, os.DirFS(".."), Options{Library: effects.Nearest(tool.Version)})
	if err != nil {
		b.Fatal(err)
	}
	file := p.File("account.go")
	var plain, rewriting, building time.Duration
	round := func(n int) {
		text := fmt.Appendf(nil, "%s\nconst round = %d + %d\n", file.Source, n, time.Now().UnixNano())
		build := func(o gotool.Overlay) {
			err := tool.BuildTest(b.Context(), gotool.BuildOptions{Package: ".", Overlay: o, Output: filepath.Join(b.TempDir(), "x.test")})
			if err != nil {
				b.Fatal(err)
			}
		}
		start := time.Now()
		build(gotool.Overlay{file.Name: text})
		plain += time.Since(start)
		start = time.Now()
		r, err := in.Rewrite(map[string][]byte{file.Name: text})
		if err != nil {
			b.Fatal(err)
		}
		rewriting += time.Since(start)
		build(r.Overlay)
		building += time.Since(start)
	}
	round(0) // fills the caches
	plain, rewriting, building = 0, 0, 0
	for n := 1; b.Loop(); n++ {
		round(n)
	}
	b.ReportMetric(float64(plain.Milliseconds())/float64(b.N), "plain-ms/op")
	b.ReportMetric(float64(rewriting.Milliseconds())/float64(b.N), "rewriting-ms/op")
	b.ReportMetric(float64(building.Milliseconds())/float64(b.N), "instrumented-ms/op")
	b.ReportMetric(building.Seconds()/plain.Seconds(), "ratio")
}
