package causal

import (
	"testing"

	"mendel/checker"
	"mendel/checker/sched/explore"
	"mendel/internal/bench/programs"
)

// The archive lists the thesis's nine subjects, and has a module.
func TestArchive(t *testing.T) {
	all, err := list(archive)
	if err != nil || len(all) != 9 {
		t.Fatalf("%d programs, %v", len(all), err)
	}
	if p := all[1]; p != (program{"Account", counts{196, 14, 4}, counts{0, 819, 5}}) {
		t.Errorf("%+v", p)
	}
	if err := programs.Unpack(t.TempDir(), archive); err != nil {
		t.Error(err)
	}
	if _, err := list([]byte("a: b c\n")); err == nil {
		t.Error("a line without numbers is taken")
	}
}

func TestAttempt(t *testing.T) {
	chess := method{preemptions: 2}
	failed := &checker.Report{Verdict: explore.Failed, Schedules: 9, Failures: []checker.Failure{{Nth: 4}}}
	for _, c := range []struct {
		r    *checker.Report
		want attempt
	}{
		{failed, attempt{Schedules: 3, Failed: true}},
		{&checker.Report{Verdict: explore.Covered, Schedules: 9, Classes: 7}, attempt{Schedules: 8, Complete: true, Classes: 7}},
		{&checker.Report{Verdict: explore.Exhausted, Schedules: 9, Bound: -1}, attempt{Schedules: 8, Complete: true}},
		{&checker.Report{Verdict: explore.Exhausted, Schedules: 9, Bound: 2}, attempt{Schedules: 8, Complete: true}},
		{&checker.Report{Verdict: explore.Exhausted, Schedules: 9, Bound: 1}, attempt{Schedules: 8}},
		{&checker.Report{Verdict: explore.Passed, Schedules: 1}, attempt{Schedules: 1}},
	} {
		got := attemptOf(c.r, chess)
		if got.Verdict = ""; got != c.want {
			t.Errorf("%v: %+v, want %+v", c.r, got, c.want)
		}
	}
}

// More schedules than in the thesis, or a failure of the mended program, do not meet the
// criteria; a time-out where the thesis has one does.
func TestFailures(t *testing.T) {
	p := program{Name: "p", Find: counts{RVCausal: 3}, Exhaust: counts{RVCausal: 5}}
	endless := program{Name: "p", Find: counts{RVCausal: 3}}
	at := func(a attempt) []attempt { return append(make([]attempt, len(methods)-1), a) }
	for _, c := range []struct {
		p                program
		found, exhausted attempt
		want             int
	}{
		{p, attempt{Failed: true, Schedules: 3}, attempt{Complete: true, Schedules: 5}, 0},
		{p, attempt{Failed: true, Schedules: 4}, attempt{Complete: true, Schedules: 5}, 1},
		{p, attempt{Schedules: 2}, attempt{Complete: true, Schedules: 6}, 2},
		{p, attempt{Failed: true, Schedules: 3}, attempt{Schedules: 2}, 1},
		{endless, attempt{Failed: true, Schedules: 3}, attempt{Schedules: 7}, 0},
		{endless, attempt{Failed: true, Schedules: 3}, attempt{Failed: true}, 2},
	} {
		r := &report{}
		for range 9 {
			r.Programs = append(r.Programs, &outcome{program: c.p, Found: at(c.found), Exhausted: at(c.exhausted)})
		}
		kinds := map[string]bool{}
		for _, f := range r.Failures() {
			kinds[f] = true
		}
		if len(kinds) != c.want {
			t.Errorf("%+v, %+v: %q", c.found, c.exhausted, r.Failures())
		}
	}
	if got := (&report{Programs: []*outcome{{program: p}}}).Failures(); len(got) != 1 {
		t.Errorf("nothing was measured: %q", got)
	}
}
