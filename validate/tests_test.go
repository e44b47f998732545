package validate

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"mendel/analysis/evidence"
	"mendel/fitness"
	"mendel/internal/gotool"
)

// A suite is a fake test binary: its tests and how they end.
type suite struct {
	// result of a test in the given run of that binary with that pattern: "PASS", "FAIL",
	// "SKIP", "RACE", "REPORT", "EXIT", "KILL" or, which ends the process, "PANIC", "HANG".
	result  func(patched, race bool, test string, run int) string
	elapsed time.Duration
	cpu     time.Duration
	mu      sync.Mutex
	runs    map[string]int // by binary and pattern
}

var suiteTests = []string{"TestDeposit", "TestOther", "TestThird", "ExampleAccount", "BenchmarkX"}

// run plays a test binary.
func (s *suite) run(_ context.Context, o gotool.RunOptions) (gotool.RunResult, error) {
	if slices.Contains(o.Args, "-test.list=.") {
		return gotool.RunResult{Output: []byte(strings.Join(suiteTests, "\n") + "\nnoise of TestMain\n")}, nil
	}
	pattern := ""
	for _, arg := range o.Args {
		if p, ok := strings.CutPrefix(arg, "-test.run="); ok {
			pattern = p
		}
	}
	if filepath.Base(o.Path) == "nice" {
		o.Path = o.Args[2]
	}
	name := filepath.Base(o.Path)
	key := name + " " + pattern
	s.mu.Lock()
	run := s.runs[key]
	s.runs[key]++
	s.mu.Unlock()
	if s.elapsed > o.Timeout {
		return gotool.RunResult{Stop: gotool.TimedOut, ExitCode: -1, Elapsed: o.Timeout}, nil
	}
	r := gotool.RunResult{Elapsed: s.elapsed, CPU: s.cpu}
	var out strings.Builder
	for _, test := range suiteTests[:4] {
		if !regexp.MustCompile(pattern).MatchString(test) {
			continue
		}
		fmt.Fprintf(&out, "\x16=== RUN   %s\ngarbage without newline", test)
		result := "PASS"
		if s.result != nil {
			result = s.result(strings.HasPrefix(name, "patched"), strings.Contains(name, "race"), test, run)
		}
		switch result {
		case "PANIC":
			fmt.Fprint(&out, "\npanic: oops\n")
			r.ExitCode = 2
		case "HANG":
			r.Stop, r.ExitCode = gotool.TimedOut, -1
		case "RACE":
			fmt.Fprint(&out, "\nWARNING: DATA RACE\n")
			r.ExitCode = 66
			result = "FAIL"
		case "REPORT": // as the race detector tells it
			fmt.Fprintf(&out, "\n==================\nWARNING: DATA RACE\nWrite at 0x01 by goroutine 7:\n  bank.%[1]s()\n      /bank/bank_test.go:9 +0x1\n\nPrevious write at 0x01 by goroutine 8:\n  bank.%[1]s.func1()\n      /bank/bank_test.go:8 +0x1\n==================\n", test)
			r.ExitCode = 66
			result = "FAIL"
		case "FAIL":
			r.ExitCode = 1
		case "EXIT": // the test passes, the process does not: a race after its end
			r.ExitCode = 66
			result = "PASS"
		case "KILL": // the test passes, somebody kills the process
			r.ExitCode, r.Killed = -1, true
			result = "PASS"
		}
		if result == "PANIC" || result == "HANG" {
			break
		}
		fmt.Fprintf(&out, "\x16=== RUN   %s/sub\n    \x16--- FAIL: %s/sub (0.00s)\n", test, test)
		fmt.Fprintf(&out, "\x16--- %s: %s (0.01s)\n", result, test)
	}
	r.Output = []byte(out.String())
	return r, nil
}

// count is how many runs of a binary and pattern have begun. A result that asks needs it:
// the processes of a suite run side by side.
func (s *suite) count(key string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.runs[key]
}

// checkTests runs only the tests' check.
func checkTests(t *testing.T, s *suite, change func(*Options)) (TestCheck, error) {
	t.Helper()
	tester, remove := newSuite(t, s, change)
	defer remove()
	trials, err := tester.beginBoth(t.Context())
	if err != nil {
		return TestCheck{}, err
	}
	return tester.finish(t.Context(), trials, nil)
}

// newSuite makes a tester of a suite.
func newSuite(t *testing.T, s *suite, change func(*Options)) (*tester, func() error) {
	t.Helper()
	w := loadBank(t)
	s.runs = map[string]int{}
	v := w.validator(t, &fakeRunner{}, func(o *Options) {
		o.Tool = &fakeTool{}
		if change != nil {
			change(o)
		}
	})
	v.run = s.run
	m := w.mutant(t, w.edit(t, "guard", "(*Account).Deposit", "amount", 1))
	j := &job{Validator: v}
	original, patched := &program{runner: v.o.Runner}, &program{runner: v.o.Runner, files: m.Files}
	t.Cleanup(original.close)
	t.Cleanup(patched.close)
	tester, remove, err := j.newTester(m, original, patched)
	if err != nil {
		t.Fatal(err)
	}
	return tester, remove
}

func TestTestsPass(t *testing.T) {
	s := &suite{}
	got, err := checkTests(t, s, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got.Verdict != Passed || got.Plain != 3 || got.Race != 3 || got.Tests != 4 || len(got.Ignored) != 0 {
		t.Errorf("check %+v", got)
	}
	if n := s.runs["patched-race.test TestDeposit"]; n != 3 {
		t.Errorf("the target ran %d times: %v", n, sortedKeys(s.runs))
	}
}

// A process that somebody kills says nothing of the mutant. One that is killed
// again does.
func TestTestsKilled(t *testing.T) {
	for _, again := range []bool{false, true} {
		s := &suite{result: func(_, _ bool, _ string, run int) string {
			if run == 0 || again {
				return "KILL"
			}
			return "PASS"
		}}
		got, err := checkTests(t, s, nil)
		if rejected := new(Rejected); errors.As(err, &rejected) != again {
			t.Errorf("killed again %t: %v", again, err)
		}
		if !again && (got.Verdict != Passed || got.Plain != 3 || got.Race != 3 || s.runs["patched.test TestDeposit"] != 4) {
			t.Errorf("check %+v, runs %v", got, s.runs)
		}
	}
}

func TestTestsWithoutRaceDetector(t *testing.T) {
	got, err := checkTests(t, &suite{}, func(o *Options) { o.NoRace = true })
	if err != nil || got.Race != 0 || got.Plain != 3 || !strings.Contains(got.Detail, "race detector") {
		t.Errorf("check %+v, error %v", got, err)
	}
}

func TestSlowTestsRunOnce(t *testing.T) {
	got, err := checkTests(t, &suite{elapsed: testsEnough + time.Second}, nil)
	if err != nil || got.Plain != 1 || got.Race != 1 {
		t.Errorf("check %+v, error %v", got, err)
	}
}

// As long as the patched program passes, the original is not run.
func TestOtherTestsAreCheap(t *testing.T) {
	s := &suite{}
	if _, err := checkTests(t, s, nil); err != nil {
		t.Fatal(err)
	}
	for key := range s.runs {
		if strings.HasPrefix(key, "original") {
			t.Errorf("%s was run", key)
		}
	}
}

// Slow tests are run under the race detector, too: in parts, once each.
func TestSlowTestsUnderRaceDetector(t *testing.T) {
	s := &suite{elapsed: testsEnough + time.Second}
	got, err := checkTests(t, s, nil)
	if err != nil || got.Tests != 4 || got.Detail != "" || s.runs["patched-race.test ^(TestThird)$"] != 1 {
		t.Errorf("check %+v, error %v, runs %v", got, err, s.runs)
	}
	s = &suite{elapsed: testsEnough + time.Second, result: func(patched, race bool, test string, _ int) string {
		if patched && race && test == "TestThird" {
			return "RACE"
		}
		return "PASS"
	}}
	var rejected *Rejected
	if _, err = checkTests(t, s, nil); !errors.As(err, &rejected) || rejected.Failure.Kind != evidence.Race || rejected.Failure.Test != "TestThird" {
		t.Errorf("a race that the patch brings: error %v", err)
	}
	s.result = func(_, race bool, test string, _ int) string {
		if race && test == "TestThird" {
			return "RACE"
		}
		return "PASS"
	}
	if got, err = checkTests(t, s, nil); err != nil || !slices.Equal(got.Ignored, []string{"TestThird"}) || got.Tests != 4 {
		t.Errorf("a race of the original: check %+v, error %v", got, err)
	}
}

// What does not end under the race detector in the time that there is is told, and rejects nothing.
func TestTooSlowUnderRaceDetector(t *testing.T) {
	s := &suite{elapsed: raceTime + time.Second}
	got, err := checkTests(t, s, nil)
	if err != nil || got.Tests != 4 || got.Verdict != Passed || !strings.Contains(got.Detail, "ExampleAccount, TestOther, TestThird had not ended") {
		t.Errorf("check %+v, error %v", got, err)
	}
}

// Slow tests are shared among processes; where one fails then, all run in one.
func TestSlowTestsAreDivided(t *testing.T) {
	const one, all = "patched.test ^(TestThird)$", "patched.test ^(ExampleAccount|TestOther|TestThird)$"
	s := &suite{elapsed: testsEnough + time.Second}
	got, err := checkTests(t, s, nil)
	if err != nil || got.Tests != 4 || s.runs[one] != 1 || s.runs[all] != 1 {
		t.Errorf("check %+v, error %v, runs %v", got, err, s.runs)
	}
	s = &suite{elapsed: testsEnough + time.Second}
	s.result = func(_, _ bool, test string, _ int) string {
		if test == "TestThird" && s.count(one) == 1 && s.count(all) == 1 {
			return "FAIL" // it needs the tests before it
		}
		return "PASS"
	}
	got, err = checkTests(t, s, nil)
	if err != nil || got.Tests != 4 || s.runs[one] != 1 || s.runs[all] != 2 {
		t.Errorf("dependent tests: check %+v, error %v, runs %v", got, err, s.runs)
	}
}

func TestTestsReject(t *testing.T) {
	for _, test := range []struct {
		name   string
		result func(patched, race bool, test string, run int) string
		kind   evidence.Kind
		who    string
	}{
		{"the target", func(patched, race bool, test string, run int) string {
			if patched && race && test == "TestDeposit" && run == 1 {
				return "RACE"
			}
			return "PASS"
		}, evidence.Race, "TestDeposit"},
		{"the target's process", func(patched, race bool, test string, _ int) string {
			if patched && race && test == "TestDeposit" {
				return "EXIT"
			}
			return "PASS"
		}, evidence.TestFailure, ""},
		{"the others' process", func(patched, _ bool, test string, _ int) string {
			if patched && test == "TestThird" {
				return "EXIT"
			}
			return "PASS"
		}, evidence.TestFailure, ""},
		{"another", func(patched, _ bool, test string, run int) string {
			if patched && test == "TestThird" && run == 2 {
				return "FAIL"
			}
			return "PASS"
		}, evidence.TestFailure, "TestThird"},
		{"a hang that hides the others", func(patched, _ bool, test string, _ int) string {
			if patched && test == "TestOther" {
				return "HANG"
			}
			return "PASS"
		}, evidence.Timeout, "TestOther"},
		{"a panic", func(patched, _ bool, test string, _ int) string {
			if patched && test == "TestOther" {
				return "PANIC"
			}
			return "PASS"
		}, evidence.Panic, "TestOther"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := checkTests(t, &suite{result: test.result}, nil)
			var r *Rejected
			if !errors.As(err, &r) {
				t.Fatalf("error %v", err)
			}
			if r.Stage != StageTests || r.Failure == nil || r.Failure.Kind != test.kind || r.Failure.Test != test.who || !strings.Contains(r.Reason, test.who) {
				t.Errorf("rejected %+v, failure %+v", r, r.Failure)
			}
		})
	}
}

// A test that is known to fail on the original may fail with the patch, even if
// the original's runs happen to pass.
func TestTestsIgnoreKnownFailures(t *testing.T) {
	s := &suite{result: func(patched, _ bool, test string, run int) string {
		if patched && test == "TestThird" && run == 1 {
			return "FAIL"
		}
		return "PASS"
	}}
	got, err := checkTests(t, s, func(o *Options) { o.KnownFailing = []string{"TestThird", "TestDeposit"} })
	if err != nil || got.Verdict != Passed || got.Tests != 3 || !slices.Equal(got.Ignored, []string{"TestThird"}) {
		t.Errorf("check %+v, error %v", got, err)
	}
}

// What fails on the original is no fault of the patch, whether always, with
// the race detector only, or seldom.
func TestTestsIgnoreOldFailures(t *testing.T) {
	for _, test := range []struct {
		name    string
		result  func(patched, race bool, test string, run int) string
		ignored []string
		must    int
	}{
		{"always", func(_, _ bool, test string, _ int) string {
			if test == "TestOther" {
				return "FAIL"
			}
			return "PASS"
		}, []string{"TestOther"}, 3},
		{"with the race detector", func(_, race bool, test string, _ int) string {
			if race && test == "TestOther" {
				return "RACE"
			}
			return "PASS"
		}, []string{"TestOther"}, 4},
		{"a crash hides nothing behind it", func(_, _ bool, test string, _ int) string {
			if test == "TestThird" {
				return "PANIC"
			}
			return "PASS"
		}, []string{"TestThird"}, 3},
		{"mended by the patch, too", func(patched, _ bool, test string, _ int) string {
			if !patched && test == "TestThird" {
				return "PANIC"
			}
			return "PASS"
		}, nil, 4},
		{"seldom", func(patched, _ bool, test string, run int) string {
			if test == "TestThird" && (patched || run == 7) {
				return "FAIL"
			}
			return "PASS"
		}, []string{"TestThird"}, 3},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := checkTests(t, &suite{result: test.result}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got.Ignored, test.ignored) || got.Tests != test.must {
				t.Errorf("check %+v; want %v ignored, %d to pass", got, test.ignored, test.must)
			}
		})
	}
}

func TestTestsDoNotBuild(t *testing.T) {
	broken := func(o *Options) {
		o.Tool = &fakeTool{build: func(gotool.BuildOptions) error { return &gotool.BuildError{Output: "undefined: y"} }}
	}
	_, err := checkTests(t, &suite{}, broken)
	var r *Rejected
	if !errors.As(err, &r) || r.Stage != StageTests || !strings.Contains(r.Reason, "undefined: y") {
		t.Errorf("error %v", err)
	}
}

func TestTestsNeedEnvironment(t *testing.T) {
	full := errors.New("no space left on device")
	_, err := checkTests(t, &suite{}, func(o *Options) {
		o.Tool = &fakeTool{build: func(gotool.BuildOptions) error { return full }}
	})
	var r *Rejected
	if !errors.Is(err, full) || errors.As(err, &r) {
		t.Errorf("error %v", err)
	}
}

func TestParseTests(t *testing.T) {
	out := "\x16=== RUN   TestA\nprinted \x16--- PASS: TestA (0.00s)\n" +
		"--- FAIL: TestB (0.00s)\n=== RUN   TestB\n" + // printed by a test, not by the framework
		"\x16=== RUN   TestC\n\x16=== PAUSE TestC\n\x16=== CONT  TestC\n\x16=== RUN   TestC/sub\n    \x16--- FAIL: TestC/sub (0.00s)\n\x16--- SKIP: TestC (0.00s)\n" +
		"\x16=== RUN   TestD\n\x16=== RUN   TestÄ\n\x16--- FAIL: TestÄ (1.00s)\n\x16=== RUN   Test"
	got := parseTests([]byte(out))
	want := map[string]string{"TestA": "PASS", "TestC": "SKIP", "TestD": "", "TestÄ": "FAIL", "Test": ""}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// The race detector's wait at the end is shortened only where the checker has
// looked at what happens after the tests, and the user does not say otherwise.
func TestRaceWait(t *testing.T) {
	for _, test := range []struct {
		checker fitness.Checker
		gorace  string
		want    string
	}{
		{nil, "", ""},
		{unasked{}, "", "GORACE=atexit_sleep_ms=100"},
		{unasked{}, "history_size=3", "GORACE=history_size=3 atexit_sleep_ms=100"},
		{unasked{}, "atexit_sleep_ms=500", ""},
	} {
		t.Setenv("GORACE", test.gorace)
		x := &tester{Validator: &Validator{o: Options{Checker: test.checker}}}
		if got := strings.Join(x.environment(), " "); got != test.want {
			t.Errorf("GORACE=%q: %q, want %q", test.gorace, got, test.want)
		}
	}
}

// unasked is a checker that is never asked.
type unasked struct{ fitness.Checker }
