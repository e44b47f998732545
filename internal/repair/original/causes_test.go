package original

import (
	"slices"
	"strings"
	"testing"

	"mendel/analysis"
	"mendel/analysis/analysistest"
	"mendel/analysis/evidence"
	"mendel/checker"
	"mendel/checker/sched/explore"
	"mendel/fitness/noise"
	"mendel/internal/gotool"
	"mendel/internal/repair/setup"
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
	b := &Baseline{
		Noised: []noise.Outcome{
			{Failures: []evidence.Failure{f("TestA/sub"), {Signature: "unknown"}}},
			{Failures: []evidence.Failure{f("TestA")}},
		},
		checkedOriginal: checkedOriginal{Checked: &checker.Report{Failures: []checker.Failure{{Failure: f("TestB")}}}},
	}
	got := b.testsBySignature()
	if r := got["race"]; len(r) != 2 || !r["TestA"] || !r["TestB"] {
		t.Errorf("the race is seen in %v, want TestA and TestB", r)
	}
	if u, ok := got["unknown"]; !ok || len(u) != 0 {
		t.Errorf("the other one is seen in %v, want no test", u)
	}
}

// A test that noise delays is no cause of its own, but what it shows beside another
// cause is one; and a goroutine that waits in another test belongs to that test.
func TestDelayIsNoCause(t *testing.T) {
	s := sleepySetup(t)
	assertion := func(test string) evidence.Failure {
		return evidence.Failure{Kind: evidence.TestFailure, Signature: "assertion " + test, Test: test}
	}
	race := evidence.Failure{Kind: evidence.Race, Signature: "race", Test: "TestRace"}
	waits := evidence.Failure{
		Kind: evidence.Blocked, Signature: "blocked", Test: "TestQuick",
		Stacks: []evidence.Stack{{Frames: []evidence.Frame{{Func: "example.com/sleepy.TestRace.func1", File: s.Program.Packages[0].Dir + "/sleepy_test.go", Line: 8}}}},
	}
	for _, tt := range []struct {
		name     string
		failures []evidence.Failure
		want     []string
	}{
		{"delayed beside a race", []evidence.Failure{race, assertion("TestSleepy")}, []string{"TestRace"}},
		{"fails beside a race", []evidence.Failure{race, assertion("TestQuick")}, []string{"TestRace", "TestQuick"}},
		{"delayed alone", []evidence.Failure{assertion("TestSleepy")}, []string{"TestSleepy"}},
		{"waits in the other test", []evidence.Failure{race, waits}, []string{"TestQuick TestRace"}},
	} {
		narrowing, err := analysis.Narrow(t.Context(), s.Program)
		if err != nil {
			t.Fatal(err)
		}
		b := New(s, nil, narrowing)
		b.Noised = []noise.Outcome{{Failures: tt.failures}}
		if tt.name != "delayed alone" {
			b.Checked = &checker.Report{Verdict: explore.Failed, Failures: []checker.Failure{{Failure: race}}}
		}
		b.summarise()
		var got []string
		for _, c := range b.Causes() {
			got = append(got, strings.Join(c.Tests, " "))
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// sleepySetup is a setup with a program of tests, one of which sleeps.
func sleepySetup(t *testing.T) *setup.Setup {
	t.Helper()
	dir := t.TempDir()
	writeTree(t, dir, map[string]string{
		"go.mod":    "module example.com/sleepy\n\ngo 1.24\n",
		"sleepy.go": "package sleepy\n",
		"sleepy_test.go": `package sleepy

import (
	"testing"
	"time"
)

func TestRace(t *testing.T) { go func() {}() }

func TestQuick(t *testing.T) {}

func TestSleepy(t *testing.T) { time.Sleep(time.Millisecond) }
`,
	})
	tool, err := gotool.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	s := setupFor(result.Wanted{})
	if s.Program, err = analysistest.Load(t.Context(), tool, analysis.Target{Dir: tool.Dir, Package: "."}); err != nil {
		t.Fatal(err)
	}
	return s
}
