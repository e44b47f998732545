package repair

import (
	"slices"
	"strings"
	"testing"

	"mendel/analysis/evidence"
	"mendel/checker"
	"mendel/fitness/noise"
	"mendel/internal/result"
)

// Failures belong together that share a test, a place or a variable, also by
// way of others.
func TestJoinGroups(t *testing.T) {
	set := func(keys ...any) map[any]bool {
		m := map[any]bool{}
		for _, k := range keys {
			m[k] = true
		}
		return m
	}
	for _, tt := range []struct {
		name string
		keys []map[any]bool // of each failure
		want [][]int
	}{
		{"apart", []map[any]bool{set("test A", "f"), set("test B", "g")}, [][]int{{0}, {1}}},
		{"one test", []map[any]bool{set("test A", "f"), set("test A", "g")}, [][]int{{0, 1}}},
		{"one variable", []map[any]bool{set("test A", 1), set("test B", 2), set("test C", 1)}, [][]int{{0, 2}, {1}}},
		{"by way of another", []map[any]bool{set("test A", "f"), set("test B", "g"), set("f", "g")}, [][]int{{0, 1, 2}}},
	} {
		var groups []group
		for i, keys := range tt.keys {
			groups = join(groups, group{failures: []int{i}, keys: keys, tests: map[string]bool{}})
		}
		var got [][]int
		for _, g := range groups {
			got = append(got, g.failures)
		}
		if !slices.EqualFunc(got, tt.want, slices.Equal) {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestTestsBySignature(t *testing.T) {
	f := func(test string) evidence.Failure { return evidence.Failure{Signature: "race", Test: test} }
	b := &baseline{
		noised: []noise.Outcome{
			{Failures: []evidence.Failure{f("TestA/sub"), {Signature: "unknown"}}},
			{Failures: []evidence.Failure{f("TestA")}},
		},
		checkedOriginal: checkedOriginal{checked: &checker.Report{Failures: []checker.Failure{{Failure: f("TestB")}}}},
	}
	got := b.testsBySignature()
	if r := got["race"]; len(r) != 2 || !r["TestA"] || !r["TestB"] {
		t.Errorf("the race is seen in %v, want TestA and TestB", r)
	}
	if u, ok := got["unknown"]; !ok || len(u) != 0 {
		t.Errorf("the other one is seen in %v, want no test", u)
	}
}

// Without a test known for each failure, or with a pattern of subtests, nothing
// is taken apart.
func TestClustersAreNotGuessed(t *testing.T) {
	races := func(second string) *baseline {
		b := &baseline{noised: []noise.Outcome{{Failures: []evidence.Failure{
			{Kind: evidence.Race, Signature: "first", Test: "TestA"}, {Kind: evidence.Race, Signature: "second", Test: second},
		}}}}
		b.summarise()
		return b
	}
	for _, tt := range []struct {
		name string
		o    result.Wanted
		b    *baseline
		want int
	}{
		{"two tests", result.Wanted{}, races("TestB"), 2},
		{"one test", result.Wanted{}, races("TestA"), 1},
		{"no test", result.Wanted{}, races(""), 0},
		{"subtests", result.Wanted{Run: "TestA/sub|TestB"}, races("TestB"), 0},
		{"the search alone", result.Wanted{UntilCandidate: true}, races("TestB"), 0},
	} {
		if clusters := envFor(tt.o).clusters(nil, tt.b); len(clusters) != tt.want {
			t.Errorf("%s: %+v, want %d", tt.name, clusters, tt.want)
		}
	}
	if p := (cluster{Cluster: result.Cluster{Tests: []string{"TestA", "TestB"}}}).pattern(); !strings.HasPrefix(p, "^") || !strings.HasSuffix(p, "$") {
		t.Errorf("the pattern %s matches more than whole names", p)
	}
}
