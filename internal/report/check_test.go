package report

import (
	"bytes"
	"strings"
	"testing"

	"mendel/analysis/evidence"
	"mendel/checker"
	"mendel/checker/sched"
	"mendel/checker/sched/explore"
	"mendel/internal/diagnosis"
)

// checked makes a failure of the checker of an interleaving.
func checked(o InterleavingOptions, message string) checker.Failure {
	return checker.Failure{
		Failure:    evidence.Failure{Kind: o.Kind, Test: "TestTransfer", Message: message},
		Strategy:   "pct",
		Nth:        4,
		Goroutines: o.Goroutines, Trace: o.Trace, Places: o.Places,
	}
}

func lockOrder(t *testing.T) checker.Inversion {
	return checker.Inversion{Test: "TestTransfer", Inversion: sched.Inversion{Places: [2][2]sched.Place{
		{stop(t, "account_test.go:5#1", "Mutex.Lock", "account.go:17", 1), stop(t, "account_test.go:5#1", "Mutex.Lock", "account.go:19", 2)},
		{stop(t, "account_test.go:6#1", "Mutex.Lock", "account.go:17", 3), stop(t, "account_test.go:6#1", "Mutex.Lock", "account.go:19", 4)},
	}}}
}

func TestCheckGolden(t *testing.T) {
	racing, waiting := checked(race(t), "data race: write in Transfer account.go:12, read in Deposit account.go:5"),
		checked(deadlock(t), "deadlock: Mutex.Lock in Move account.go:19")
	racing.Preemptions, racing.Proven, racing.Log = 1, true, "transferring\t1\n\x1b[2Jfrom a to b\n"
	wrong := checked(testFailure(t), "TestTransfer: account_test.go:7: want 2")
	for _, tt := range []struct {
		name string
		o    CheckOptions
	}{
		{"failed", CheckOptions{
			Report: &checker.Report{
				Verdict: explore.Failed, Schedules: 1234, Processes: 3, Seconds: 1.5,
				Tests: []checker.TestReport{
					{Name: "TestTransfer", Verdict: explore.Failed, Schedules: 4},
					{Name: "TestOther", Verdict: explore.Exhausted, Bound: 2, Fair: true, Schedules: 1230},
					{Name: "TestSkipped", Verdict: explore.Exhausted, Bound: -1, Skipped: true, Schedules: 1},
				},
				Failures: []checker.Failure{racing, waiting, wrong},
				Warnings: []checker.Inversion{lockOrder(t)},
			},
			Schedules: []string{"mendel-out/failure-1.schedule", "my out/failure-2.schedule", ""},
			Samples:   []Sample{{Schedules: 30, Failed: 12}, {}, {Schedules: 30, Failed: 30, Same: true}},
			Diagnoses: [][]diagnosis.Finding{{
				{Fault: evidence.WrongLock, Says: "account.go:12 uses amount under from.mu", Certainty: diagnosis.Likely},
				{Fault: evidence.LostUpdate, Says: "account.go:12 writes amount", Certainty: diagnosis.Shown},
				{Fault: evidence.DataRace, Says: "no lock guards amount", Certainty: diagnosis.Possible},
			}},
			Uncontrolled: []string{"account.go:3:1: cgo"},
			Seconds:      4.25,
		}},
		{"exhausted", CheckOptions{
			Preemptions: 2,
			Report: &checker.Report{
				Verdict: explore.Exhausted, Bound: 2, Schedules: 35, Processes: 1, Seconds: 0.01,
				Tests:    []checker.TestReport{{Name: "TestTransfer", Verdict: explore.Exhausted, Bound: 2, Schedules: 35}},
				Warnings: []checker.Inversion{lockOrder(t)},
			},
		}},
		{"inconclusive", CheckOptions{
			Report: &checker.Report{
				Verdict: explore.Inconclusive, Schedules: 1, Seconds: 2,
				Reason: "a step took longer than 2s; the goroutine is blocked: goroutine 7 [IO wait]:\n" +
					"internal/poll.runtime_pollWait(0x1, 0x72)\n\t/go/src/runtime/netpoll.go:351 +0x85\n" +
					"example.com/account.Listen()\n\t/m/listen.go:14 +0x1f\n",
				Tests: []checker.TestReport{{Name: "TestListen", Verdict: explore.Inconclusive, Schedules: 1}},
			},
			Uncontrolled: []string{"listen.go:14:9: net.Listen waits for the network"},
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.o.Module, tt.o.Source = "/m", interleavingSource
			var b bytes.Buffer
			if err := Check(&b, tt.o); err != nil {
				t.Fatal(err)
			}
			golden(t, "check-"+tt.name, b.String())
		})
	}
}

// The first line claims no more than was done.
func TestCheckVerdict(t *testing.T) {
	one := []checker.TestReport{{Name: "TestF"}}
	for _, tt := range []struct {
		o    CheckOptions
		want string
	}{
		{CheckOptions{Report: &checker.Report{Verdict: explore.Exhausted, Bound: -1, Schedules: 1, Tests: one}},
			"exhausted: no failure in any schedule (1 schedule of TestF)"},
		{CheckOptions{Report: &checker.Report{Verdict: explore.Exhausted, Bound: 1, Fair: true, Schedules: 9, Tests: append(one, one...)}},
			"exhausted: no failure in any schedule with at most 1 preemption in which no busy wait keeps other goroutines waiting (9 schedules of 2 tests)"},
		{CheckOptions{Report: &checker.Report{Verdict: explore.Exhausted, Bound: 0, Schedules: 3, Tests: one}},
			"exhausted: no failure in any schedule without preemption (3 schedules of TestF)"},
		{CheckOptions{Report: &checker.Report{Verdict: explore.Passed, Schedules: 9, Tests: one}},
			"passed: none of 9 schedules of TestF failed; there are more that were not tried"},
		{CheckOptions{Interrupted: true, Report: &checker.Report{Verdict: explore.Passed, Schedules: 9, Tests: one}},
			"inconclusive: interrupted after 9 schedules of TestF, none of which failed"},
		{CheckOptions{Interrupted: true, Report: &checker.Report{Verdict: explore.Failed, Schedules: 9, Tests: one, Failures: make([]checker.Failure, 1)}},
			"failed: 1 failure in 9 schedules of TestF"},
		{CheckOptions{Report: &checker.Report{Verdict: explore.Inconclusive, Tests: one}},
			"inconclusive: nothing can be said about the tests"},
	} {
		var b bytes.Buffer
		if err := Check(&b, tt.o); err != nil {
			t.Fatal(err)
		}
		if got, _, _ := strings.Cut(b.String(), "\n"); got != tt.want {
			t.Errorf("got  %s\nwant %s", got, tt.want)
		}
	}
}

// Of many places that are not under control some are listed where nothing can be said,
// and all with -v.
func TestCheckUncontrolled(t *testing.T) {
	for _, tt := range []struct {
		verdict explore.Verdict
		verbose bool
		places  int
		listed  int
		told    string
	}{
		{explore.Inconclusive, false, 12, 12, ""},
		{explore.Inconclusive, false, 13, 13, ""},
		{explore.Inconclusive, false, 14, 12, "and 2 places more; -v lists them"},
		{explore.Inconclusive, true, 14, 14, ""},
		{explore.Passed, false, 3, 0, "3 places of the source; -v lists them."},
	} {
		o := CheckOptions{Report: &checker.Report{Verdict: tt.verdict, Tests: []checker.TestReport{{Name: "TestF"}}}, Verbose: tt.verbose}
		for range tt.places {
			o.Uncontrolled = append(o.Uncontrolled, "a.go:1: cgo")
		}
		var b bytes.Buffer
		if err := Check(&b, o); err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(b.String(), "a.go:1: cgo"); n != tt.listed || !strings.Contains(b.String(), tt.told) {
			t.Errorf("%+v:\n%s", tt, &b)
		}
	}
}

func TestShellWord(t *testing.T) {
	for in, want := range map[string]string{
		"mendel-out/failure-1.schedule": "mendel-out/failure-1.schedule",
		"my out/f":                      "'my out/f'",
		"it's":                          `'it'\''s'`,
		"größe":                         "'größe'",
	} {
		if got := shellWord(in); got != want {
			t.Errorf("shellWord(%q) = %s, want %s", in, got, want)
		}
	}
}

// A bound that was not reached is told.
func TestCheckUnreached(t *testing.T) {
	for _, tt := range []struct {
		bound, wanted int
		told          bool
	}{{2, 2, false}, {-1, 2, false}, {-1, -1, false}, {1, 2, true}, {0, 2, true}, {2, -1, true}} {
		var b bytes.Buffer
		r := &checker.Report{Verdict: explore.Exhausted, Bound: tt.bound, Tests: []checker.TestReport{{Name: "TestF"}}}
		if err := Check(&b, CheckOptions{Report: r, Preemptions: tt.wanted}); err != nil {
			t.Fatal(err)
		}
		if told := strings.Contains(b.String(), "The search ended before"); told != tt.told {
			t.Errorf("bound %d of %d:\n%s", tt.bound, tt.wanted, &b)
		}
	}
}

// A schedule that is too long needs more steps; more time alone changes nothing.
func TestWayOutOfStepBound(t *testing.T) {
	report := &checker.Report{
		Verdict: explore.Inconclusive, Reason: "the test did not end within the step bound in 3 of 3 schedules", Schedules: 3,
		Tests: []checker.TestReport{{Name: "TestLong", Verdict: explore.Inconclusive, Schedules: 3}},
	}
	var out bytes.Buffer
	if err := Check(&out, CheckOptions{Report: report}); err != nil || !strings.Contains(out.String(), "--steps") {
		t.Errorf("%v, printed %q", err, out.String())
	}
}
