package verify

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mendel/internal/bench/benchtest"
	"mendel/internal/sample"
)

// In each round the two programs stand next to each other, and each is as often
// the first.
func TestTurns(t *testing.T) {
	first, second := turns(0), turns(1)
	if !slices.Equal(first, []turn{{0, 1}, {1, 1}, {1, 2}, {0, 2}}) {
		t.Errorf("first round %v", first)
	}
	for _, round := range [][]turn{first, second} {
		for _, want := range first {
			if !slices.Contains(round, want) {
				t.Errorf("round %v lacks %v", round, want)
			}
		}
		if round[0].processors != round[1].processors || round[2].processors != round[3].processors {
			t.Errorf("round %v: what is compared is apart", round)
		}
	}
	if first[0].program == second[0].program || first[0].processors == second[0].processors {
		t.Errorf("rounds %v and %v begin alike", first, second)
	}
}

func TestParallelismTake(t *testing.T) {
	var p Parallelism
	p.take([2][]float64{{100, 120, 100}, {60, 60, 50}}, [2][]float64{{200, 200, 180}, {100, 100, 100}})
	// Speed-ups 1.67, 2, 2 and 2, 2, 1.8.
	want := Parallelism{Patched: 2, Corrected: 2, Kept: 1, Least: 100.0 / 60 / 2, Most: 2 / 1.8}
	if p != want {
		t.Errorf("got %+v, want %+v", p, want)
	}
	if got := p.String(); got != "1.00 (0.83-1.11)" {
		t.Errorf("in words %q", got)
	}
}

func TestMeasureParallelism(t *testing.T) {
	patched, corrected := benchtest.WriteModule(t), benchtest.WriteModule(t)
	benchtest.WriteFile(t, filepath.Join(patched, "workload_test.go"), benchtest.CountingWorkload)
	p, err := measureParallelism(t.Context(), patched, corrected, 1)
	if err != nil || p.Kept != 0 || !strings.Contains(p.Problem, "no BenchmarkWorkload") {
		t.Errorf("without a workload: %+v, %v", p, err)
	}
	benchtest.WriteFile(t, filepath.Join(corrected, "workload_test.go"), benchtest.CountingWorkload)
	if sample.All() { // TestVerify measures one, too
		p, err = measureParallelism(t.Context(), patched, corrected, 1)
		if err != nil || p.Problem != "" || !(p.Kept > 0 && p.Patched > 0 && p.Corrected > 0) {
			t.Errorf("with one: %+v, %v", p, err)
		}
	}
	benchtest.WriteFile(t, filepath.Join(corrected, "workload_test.go"), strings.ReplaceAll(benchtest.CountingWorkload, "add()", "b.Fatal(n)"))
	p, err = measureParallelism(t.Context(), patched, corrected, 1)
	if err != nil || p.Kept != 0 || !strings.Contains(p.Problem, "exit status 1") {
		t.Errorf("one that fails: %+v, %v", p, err)
	}
	benchtest.WriteFile(t, filepath.Join(patched, "workload_test.go"), "package counter\n\nfunc\n")
	p, err = measureParallelism(t.Context(), patched, corrected, 1)
	if err != nil || p.Kept != 0 || !strings.Contains(p.Problem, "go test -c") {
		t.Errorf("one that does not build: %+v, %v", p, err)
	}
}
