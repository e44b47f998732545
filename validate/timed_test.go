package validate

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"mendel/analysis/evidence"
	"mendel/checker"
	"mendel/checker/sched/explore"
	"mendel/fitness/noise"
)

// failedBy is a report of the checker that has seen failures of a kind in a test.
func failedBy(kind evidence.Kind, test string) *checker.Report {
	return &checker.Report{Verdict: explore.Failed, Failures: []checker.Failure{{Failure: evidence.Failure{Kind: kind, Test: test}}}}
}

// Only assertions of tests that use time, and that are not what the checker sees fail
// in the original, depend on time.
func TestOnlyTimed(t *testing.T) {
	assertion := func(test string) evidence.Failure {
		return evidence.Failure{Kind: evidence.TestFailure, Test: test}
	}
	race := failedBy(evidence.Race, "TestDeposit")
	for _, c := range []struct {
		name     string
		original *checker.Report
		failures []evidence.Failure
		want     string
	}{
		{"sleeps", race, []evidence.Failure{assertion("TestOther/sub"), assertion("TestOther")}, "TestOther"},
		{"does not sleep", race, []evidence.Failure{assertion("TestThird")}, ""},
		{"one of two does not sleep", race, []evidence.Failure{assertion("TestOther"), assertion("TestThird")}, ""},
		{"race", race, []evidence.Failure{{Kind: evidence.Race, Test: "TestOther"}}, ""},
		{"no failure", race, nil, ""},
		{"no checker", nil, []evidence.Failure{assertion("TestOther")}, ""},
		{"the checker sees nothing", &checker.Report{Verdict: explore.Passed}, []evidence.Failure{assertion("TestOther")}, ""},
		{"what is to be repaired", failedBy(evidence.TestFailure, "TestOther/sub"), []evidence.Failure{assertion("TestOther")}, ""},
		{"a race in it is to be repaired", failedBy(evidence.Race, "TestOther"), []evidence.Failure{assertion("TestOther")}, "TestOther"},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := loadBank(t).validator(t, &fakeRunner{}, func(o *Options) { o.Original = c.original })
			if got := strings.Join(v.onlyTimed(noise.Outcome{Failures: c.failures}), " "); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// Noised runs that fail by such a test alone pass, and are told. Without the
// checker's word on the fix the validation is not complete.
func TestDelayedRunsPass(t *testing.T) {
	w := loadBank(t)
	r := &fakeRunner{test: "TestOther", fail: func(_ string, run int) bool { return run%2 == 1 }}
	v := w.validator(t, r, func(o *Options) { o.Original = failedBy(evidence.Race, "TestDeposit") })
	fix := validate(t, v, w.mutant(t, w.edit(t, "guard", "(*Account).Deposit", "amount", 1)))
	if got := fix.Confirmed; got.Runs != defaultRuns || got.Delayed["TestOther"] == 0 || got.Delayed["TestOther"] >= got.Runs {
		t.Errorf("%+v, want %d runs, some of which failed by TestOther", got, defaultRuns)
	}
	if !slices.ContainsFunc(fix.Incomplete, func(s string) bool { return strings.HasPrefix(s, "TestOther failed under noise") }) {
		t.Errorf("missing is %q", fix.Incomplete)
	}
	r.test = "TestThird"
	other := rejection(t, v, w.mutant(t, w.edit(t, "guard", "(*Account).Deposit", "amount", 2)))
	if other.Stage != StageConfirm {
		t.Errorf("%v", other)
	}
}

// By itself a test that depends on time has to pass, unless the original fails it in
// the same way.
func TestAlone(t *testing.T) {
	for _, c := range []struct {
		name            string
		patched, before string // how the third run of each ends
		ignored         bool
		want            string // reason of the rejection; "": none
	}{
		{"passes", "PASS", "FAIL", false, ""},
		{"fails", "FAIL", "PASS", false, "without noise, run 3: TestOther fails"},
		{"fails on the original, too", "FAIL", "FAIL", true, ""},
		{"races", "RACE", "FAIL", false, "without noise, run 3: "},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := &suite{result: func(patched, _ bool, _ string, run int) string {
				switch {
				case run != 2:
					return "PASS"
				case patched:
					return c.patched
				}
				return c.before
			}}
			tester, remove := newSuite(t, s, func(o *Options) { o.Original = failedBy(evidence.Race, "TestDeposit") })
			defer remove()
			ignored, err := tester.alone(t.Context(), "patched.test", []string{"TestOther", "TestOther"})
			var rejected *Rejected
			switch {
			case c.want == "" && err != nil, c.want != "" && (!errors.As(err, &rejected) || !strings.HasPrefix(rejected.Reason, c.want)):
				t.Errorf("%v, want %q", err, c.want)
			case slices.Contains(ignored, "TestOther") != c.ignored:
				t.Errorf("ignored %v", ignored)
			}
			if n := s.count("patched.test ^(TestOther)$"); c.patched == "PASS" && n != timedRuns {
				t.Errorf("%d runs, want %d", n, timedRuns)
			}
		})
	}
}
