package check

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"mendel/analysis/evidence"
	"mendel/checker"
	"mendel/checker/sched"
	"mendel/internal/result"
)

func TestCheckErrors(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name string
		o    Options
		want string
	}{
		{"strategy", Options{Strategy: "magic"}, "--strategy magic"},
		{"out below a file", Options{Out: filepath.Join(file, "out")}, "--out"},
		{"no directory", Options{Dir: filepath.Join(file, "missing")}, "missing"},
		{"negative depth", Options{Depth: -1}, "--depth -1"},
		{"negative budget", Options{Budget: -1}, "--budget"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			result, err := Run(context.Background(), tt.o)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want one with %q", err, tt.want)
			}
			if result == nil || result.Verdict != Error {
				t.Errorf("result %+v, want verdict %s", result, Error)
			}
		})
	}
}

// Building takes nothing from the budget: however little it is, there is a verdict.
func TestBuildingIsNotInBudget(t *testing.T) {
	result, err := Run(t.Context(), Options{Dir: filepath.Join("..", "..", "subjects", "account"), Budget: 1})
	if err != nil || result.Verdict != Failed || result.Schedules == 0 {
		t.Errorf("%s after %d schedules: %v", result.Verdict, result.Schedules, err)
	}
}

// A search ends before its context does, if it would not by its own budget: after a long build.
func TestLeast(t *testing.T) { synctest.Test(t, testLeast) }

func testLeast(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for budget, want := range map[time.Duration]time.Duration{time.Hour: time.Minute, 7 * time.Second: 7 * time.Second} {
		if got := least(ctx, budget); got != want {
			t.Errorf("%v becomes %v, want %v", budget, got, want)
		}
	}
	if got := least(t.Context(), time.Hour); got != time.Hour {
		t.Errorf("without a deadline: %v", got)
	}
	time.Sleep(2 * time.Minute)
	if got := least(ctx, time.Hour); got != time.Second {
		t.Errorf("of nothing: %v, want a second", got)
	}
}

// An ended context gives a result, its file and the context's error.
func TestCheckCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	out := t.TempDir()
	result, err := Run(ctx, Options{Dir: filepath.Join("..", "..", "subjects", "account"), Out: out})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want context.Canceled", err)
	}
	if result.Verdict != Inconclusive || !result.Interrupted || !strings.Contains(result.Reason, "interrupted") {
		t.Errorf("%s: %s", result.Verdict, result.Reason)
	}
	data, err := os.ReadFile(filepath.Join(out, Name))
	if err != nil || !bytes.Contains(data, []byte(`"failures": []`)) {
		t.Errorf("check.json: %v\n%s", err, data)
	}
	var text bytes.Buffer
	if err := result.Print(&text, PrintOptions{}); err != nil || !strings.HasPrefix(text.String(), "inconclusive: interrupted") {
		t.Errorf("%v, printed %q", err, text.String())
	}
}

// An interrupt takes nothing from what was found, and makes a pass of nothing.
func TestCheckInterrupted(t *testing.T) {
	for _, tt := range []struct {
		before Verdict
		want   Verdict
	}{{Failed, Failed}, {Passed, Inconclusive}, {Exhausted, Inconclusive}} {
		res := &Result{Verdict: tt.before, Schedules: 7, report: &checker.Report{}}
		res.interrupted()
		if res.Verdict != tt.want || !res.Interrupted {
			t.Errorf("%s becomes %s", tt.before, res.Verdict)
		}
		if tt.want == Inconclusive && !strings.Contains(res.Reason, "7 schedules") {
			t.Errorf("reason %q", res.Reason)
		}
	}
}

// raceFailure is a failure of the checker with all that it can have.
func raceFailure() checker.Failure {
	place := sched.Place{Goroutine: "main", What: "write", Function: "p.F", File: "/m/p.go", Line: 7, Step: 1}
	return checker.Failure{
		Failure:     evidence.Failure{Kind: evidence.Race, Signature: "race: p.F p.go:7", Message: "data race", Test: "TestF"},
		Schedule:    checker.Schedule{Test: "TestF", Choices: "0*2 1"},
		Preemptions: 1, Proven: true, Strategy: "dfs", Nth: 3, Seed: 1, Log: "logged",
		Goroutines: []string{"main", "p.go:5#1"},
		Places:     []sched.Place{place, place},
		Trace:      []sched.Event{{G: 1, Kind: sched.KindAcquire, Obj: 4, What: "Mutex.Lock", With: -1, Place: place}},
	}
}

// Keys of check.json are a promise to whoever reads it.
func TestCheckKeys(t *testing.T) {
	told := checkFailure(raceFailure())
	told.Schedule, told.Sample = result.ScheduleName(0), &Sample{Schedules: 30, Failed: 2, Same: true}
	res := &Result{
		Verdict: Failed, Reason: "why", Target: result.Target{Run: "F"}, Fair: true, PerProcess: true, Interrupted: true,
		Tests:    []Test{{Reason: "why", Fair: true, Skipped: true}},
		Failures: []Failure{told}, Warnings: []LockOrder{{}}, Uncontrolled: []string{"p.go:1:1: cgo"},
	}
	data, err := res.JSON()
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	keys := func(v any, path ...string) string {
		for _, p := range path {
			if list, ok := v.([]any); ok {
				v = list[0]
			}
			v = v.(map[string]any)[p]
		}
		if list, ok := v.([]any); ok {
			v = list[0]
		}
		return strings.Join(slices.Sorted(maps.Keys(v.(map[string]any))), " ")
	}
	for _, tt := range []struct{ path, want string }{
		{"", "bound counts failures fair interrupted perProcess preemptions processes reason schedules seconds seed steps strategy target tests uncontrolled verdict warnings"},
		{"target", "module package run"},
		{"counts", "complete failed flaky inconclusive left passed skipped tests"},
		{"tests", "bound fair name reason schedules skipped verdict"},
		{"failures", "choices fewest goroutines kind log message nth places preemptions sample schedule signature strategy test trace"},
		{"failures sample", "failed same schedules"},
		{"failures places", "file function goroutine line operation step"},
		{"failures trace", "file function goroutine kind line object operation with"},
		{"warnings", "orders test"},
	} {
		if d := cmp.Diff(tt.want, keys(got, strings.Fields(tt.path)...)); d != "" {
			t.Errorf("keys of %q: -want +got:\n%s", tt.path, d)
		}
	}
}

// A later check's files replace an earlier one's; other files stay.
func TestCheckSave(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"failure-1.schedule", "failure-2.schedule", "fix-1.patch"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("old"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	file := &checker.File{Dir: "/m", Package: "example.com/p", Test: "TestF", Kind: evidence.Race, Choices: []sched.Choice{{N: 0}}}
	res := &Result{Verdict: Failed, Failures: []Failure{checkFailure(raceFailure())}, files: []*checker.File{file}}
	if err := res.save(dir); err != nil {
		t.Fatal(err)
	}
	read, err := checker.ReadSchedule(filepath.Join(dir, "failure-1.schedule"))
	if err != nil || read.Test != "TestF" || len(read.Choices) != 1 {
		t.Errorf("read back %+v, %v", read, err)
	}
	if _, err := os.Stat(filepath.Join(dir, "failure-2.schedule")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("failure-2.schedule is still there: %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "fix-1.patch")); err != nil {
		t.Error(err)
	}
	data, err := os.ReadFile(filepath.Join(dir, Name))
	if err != nil || !strings.Contains(string(data), `"schedule": "failure-1.schedule"`) {
		t.Errorf("check.json: %v\n%s", err, data)
	}
}

// What cannot be a pattern is refused before anything is built.
func TestRunPatternIsRefused(t *testing.T) {
	dir := t.TempDir() // nothing to load
	_, err := Run(t.Context(), Options{Dir: dir, Run: "("})
	if err == nil || !strings.Contains(err.Error(), "--run (") {
		t.Error(err)
	}
}
