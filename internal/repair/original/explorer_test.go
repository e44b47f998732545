package original

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mendel/analysis/evidence"
	"mendel/checker"
	"mendel/checker/sched"
	"mendel/checker/sched/explore"
	"mendel/fitness/noise"
	"mendel/internal/result"
)

// seen is a report of the checker.
func seen(sampled, passed int, kinds ...evidence.Kind) *checker.Report {
	r := &checker.Report{
		Verdict: explore.Passed, Sampled: sampled, Passed: passed,
		Tests: []checker.TestReport{{Name: "TestX", Sampled: sampled, Passed: passed}},
	}
	for i, kind := range kinds {
		r.Verdict = explore.Failed
		r.Failures = append(r.Failures, checker.Failure{
			Failure:  evidence.Failure{Kind: kind, Test: "TestX", Signature: string(kind), Message: "by the checker"},
			Schedule: checker.Schedule{Test: "TestX", Choices: "0"}, Nth: i + 1, Strategy: "random",
		})
	}
	return r
}

// waiting has the goroutines of a report's failures wait in a function.
func waiting(r *checker.Report, function string) *checker.Report {
	for i := range r.Failures {
		r.Failures[i].Stacks = []evidence.Stack{{Role: "blocked: chan receive", Frames: []evidence.Frame{{Func: function}}}}
	}
	return r
}

func TestBelievable(t *testing.T) {
	for _, c := range []struct {
		name   string
		report *checker.Report
		want   bool
	}{
		{"none", nil, false},
		{"passed", seen(30, 30), false},
		{"a race in every schedule", seen(30, 0, evidence.Race), true},
		{"a deadlock in every schedule", seen(30, 0, evidence.Deadlock), true},
		{"a goroutine left in every schedule", seen(30, 0, evidence.Blocked), false},
		{"a goroutine left in some", seen(30, 20, evidence.Blocked), true},
		{"a test that always fails", seen(30, 0, evidence.TestFailure, evidence.Blocked), false},
		{"a test that fails now and then", seen(30, 29, evidence.TestFailure), true},
	} {
		if got := believable(c.report); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// A reader is told what the checker saw, and why that is not taken up.
func TestNothingSeen(t *testing.T) {
	passed := []noise.Outcome{{Pass: true, Tests: 1}}
	for _, c := range []struct {
		name   string
		plain  []noise.Outcome
		report *checker.Report
		want   string
		not    string
	}{
		{"no checker", passed, nil, "no failure in 7 noised runs", "checker"},
		{"nothing", passed, seen(30, 30), "no failure in 7 noised runs", "checker"},
		{"a goroutine left in every schedule", passed, seen(30, 0, evidence.Blocked), "no real run shows it (by the checker)", "one processor"},
		{"a plain run", []noise.Outcome{failedRun(evidence.TestFailure, "plain")}, seen(30, 30), "without noise failed (", "--budget"},
	} {
		reason := nothingSeen(c.plain, 7, c.report).Error()
		if !strings.Contains(reason, c.want) || strings.Contains(reason, c.not) {
			t.Errorf("%s: %q", c.name, reason)
		}
	}
}

// What the checker sees in every schedule, and noise never, is not what is to
// be repaired.
func TestOtherTrouble(t *testing.T) {
	races := []noise.Outcome{failedRun(evidence.Race, "race")}
	leaks := []noise.Outcome{failedRun(evidence.Blocked, "leak"), failedRun(evidence.Race, "race")}
	for _, c := range []struct {
		name   string
		report *checker.Report
		noised []noise.Outcome
		want   bool
	}{
		{"the same", seen(30, 0, evidence.Race), races, false},
		{"leaks besides", seen(30, 0, evidence.Race, evidence.Blocked), races, true},
		{"leaks besides, in noise too", seen(30, 0, evidence.Race, evidence.Blocked), leaks, false},
		{"leaks now and then", seen(30, 10, evidence.Race, evidence.Blocked), races, false},
		{"a race that fails the test too", seen(30, 0, evidence.Race, evidence.TestFailure), races, false},
		{"a test of time", seen(30, 0, evidence.TestFailure), races, true},
		{"a deadlock that noise may call a time-out", seen(30, 0, evidence.Deadlock), races, false},
		{"one blocked in the same wait as in a deadlock", waiting(seen(30, 0, evidence.Blocked), "work"), []noise.Outcome{{Failures: []evidence.Failure{waiting(seen(1, 0, evidence.Deadlock), "work").Failures[0].Failure}}}, false},
		{"one blocked elsewhere than in a deadlock", waiting(seen(30, 0, evidence.Blocked), "other"), []noise.Outcome{{Failures: []evidence.Failure{waiting(seen(1, 0, evidence.Deadlock), "work").Failures[0].Failure}}}, true},
		{"noise passes", seen(30, 0, evidence.Race), []noise.Outcome{{Pass: true, Tests: 1}}, false},
		{"nothing", seen(30, 30), races, false},
		{"no checker", nil, races, false},
	} {
		if why := reproducing(&Baseline{checkedOriginal: checkedOriginal{Checked: c.report}, Noised: c.noised}).otherTrouble(); (why != "") != c.want {
			t.Errorf("%s: %q", c.name, why)
		}
	}
}

// The checker's failures join those of noise: the same one gets its schedule,
// others stand beside it.
func TestSummariseChecked(t *testing.T) {
	b := &Baseline{
		Noised:          []noise.Outcome{failedRun(evidence.Race, "race"), {Pass: true, Tests: 1}},
		checkedOriginal: checkedOriginal{Checked: seen(30, 3, evidence.Race, evidence.Deadlock)},
	}
	b.summarise()
	if len(b.Failures) != 2 || b.Kind != evidence.Race || b.Failed != 1 {
		t.Fatalf("%+v", b)
	}
	both, alone := b.Failures[0], b.Failures[1]
	if both.seen != 1 || both.runs != 2 || both.Message != "race" || both.Found == nil {
		t.Errorf("seen by both: %+v", both)
	}
	if alone.Kind != evidence.Deadlock || alone.runs != 0 || alone.Found == nil {
		t.Errorf("seen by the checker: %+v", alone)
	}

	blind := &Baseline{Noised: []noise.Outcome{{Pass: true, Tests: 1}}, checkedOriginal: checkedOriginal{Checked: seen(30, 3, evidence.Blocked)}}
	blind.summarise()
	if blind.Failed != 0 || blind.Kind != evidence.Blocked || len(blind.Failures) != 1 {
		t.Errorf("seen by the checker alone: %+v", blind)
	}
	if !blind.concurrent() {
		t.Error("a blocked goroutine is taken for no matter of concurrency")
	}
}

// A failure that the checker has found names the file with its schedule, which
// is written beside result.json; an earlier run's files are gone.
func TestSaveSchedules(t *testing.T) {
	dir := t.TempDir()
	old := filepath.Join(dir, result.ScheduleName(6))
	if err := os.WriteFile(old, []byte("old"), 0o666); err != nil {
		t.Fatal(err)
	}
	b := &Baseline{Noised: []noise.Outcome{failedRun(evidence.Panic, "noise alone")}}
	b.Checked = seen(30, 3, evidence.Deadlock)
	b.schedules = []*checker.File{{
		Dir: dir, Package: "example.com/x", Test: "TestX", Kind: evidence.Deadlock, Signature: "deadlock",
		Choices: []sched.Choice{{N: 0}, {N: 1}},
	}}
	b.summarise()
	r := &result.Result{Failures: b.Results()}
	result.Attach(r, result.Live{Out: dir})
	if r.Failures[0].Schedule != "failure-1.schedule" || r.Failures[1].Schedule != "" {
		t.Fatalf("failures %+v", r.Failures)
	}
	if err := r.Save(dir, b.Schedules()); err != nil {
		t.Fatal(err)
	}
	file, err := checker.ReadSchedule(filepath.Join(dir, "failure-1.schedule"))
	if err != nil || file.Test != "TestX" || len(file.Choices) != 2 {
		t.Errorf("read back %+v, %v", file, err)
	}
	if _, err := os.Stat(old); err == nil {
		t.Error("an earlier run's schedule is still there")
	}
	data, err := os.ReadFile(filepath.Join(dir, result.Name))
	if err != nil || strings.Count(string(data), `"schedule": "failure-1.schedule"`) != 1 {
		t.Errorf("result.json: %v\n%s", err, data)
	}
	var text strings.Builder
	if err := r.Print(&text, false); err != nil || !strings.Contains(text.String(), "mendel replay "+filepath.Join(dir, "failure-1.schedule")) {
		t.Errorf("%v; it is not said how to replay:\n%s", err, &text)
	}
}

// Who does not want the checker has none.
func TestNoChecker(t *testing.T) {
	if o := checkOriginal(t.Context(), setupFor(result.Wanted{NoChecker: true}), nil, false); o.Checked != nil || o.Explorer != nil {
		t.Errorf("with NoChecker: %+v", o)
	}
}
