package repair

import (
	"strings"
	"testing"

	"mendel/analysis/evidence"
	"mendel/fitness/noise"
	"mendel/internal/repair/original"
	"mendel/internal/result"
)

// Without a test known for each failure, or with a pattern of subtests, nothing
// is taken apart.
func TestClustersAreNotGuessed(t *testing.T) {
	races := func(second string) *original.Baseline {
		b := baselineFor(result.Wanted{})
		b.Noised = []noise.Outcome{{Failures: []evidence.Failure{
			{Kind: evidence.Race, Signature: "first", Test: "TestA"}, {Kind: evidence.Race, Signature: "second", Test: second},
		}}}
		for _, f := range b.Noised[0].Failures {
			b.Failures = append(b.Failures, original.Failure{Failure: f})
		}
		return b
	}
	for _, tt := range []struct {
		name string
		o    result.Wanted
		b    *original.Baseline
		want int
	}{
		{"two tests", result.Wanted{}, races("TestB"), 2},
		{"one test", result.Wanted{}, races("TestA"), 1},
		{"no test", result.Wanted{}, races(""), 0},
		{"subtests", result.Wanted{Run: "TestA/sub|TestB"}, races("TestB"), 0},
		{"the search alone", result.Wanted{UntilCandidate: true}, races("TestB"), 0},
	} {
		if clusters := envFor(tt.o).clusters(tt.b); len(clusters) != tt.want {
			t.Errorf("%s: %+v, want %d", tt.name, clusters, tt.want)
		}
	}
	if p := (cluster{Cluster: result.Cluster{Tests: []string{"TestA", "TestB"}}}).pattern(); !strings.HasPrefix(p, "^") || !strings.HasSuffix(p, "$") {
		t.Errorf("the pattern %s matches more than whole names", p)
	}
}
