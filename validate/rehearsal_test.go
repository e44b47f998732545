package validate

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"mendel/analysis/evidence"
	"mendel/internal/gotool"
)

const allOthers = "^(ExampleAccount|TestOther|TestThird)$"

// rehearsed is a tester whose original has been rehearsed.
func rehearsed(t *testing.T, s *suite) *tester {
	t.Helper()
	tester, remove := newSuite(t, s, nil)
	stop := tester.Rehearse(t.Context())
	r := tester.rehearsal
	<-r.ended
	tester.original = r.program(tester.o.Runner)
	t.Cleanup(func() {
		stop()
		if err := remove(); err != nil {
			t.Error(err)
		}
	})
	return tester
}

// What the original fails is known before there is a candidate: the patched program
// runs no test in vain, and the original only those again that have failed.
func TestRehearsalSparesRuns(t *testing.T) {
	s := &suite{result: func(_, race bool, test string, _ int) string {
		if race && test == "TestThird" {
			return "RACE"
		}
		return "PASS"
	}}
	tester := rehearsed(t, s)
	trials, err := tester.beginBoth(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	got, err := tester.finish(t.Context(), trials, nil)
	if err != nil || !slices.Equal(got.Ignored, []string{"TestThird"}) || got.Tests != 4 {
		t.Errorf("check %+v, error %v", got, err)
	}
	for key, want := range map[string]int{
		"original.test " + allOthers: 3, "original-race.test " + allOthers: 3, "original-race.test ^(TestThird)$": 1,
		"patched.test " + allOthers: 3, "patched-race.test ^(ExampleAccount|TestOther)$": 3, "patched-race.test " + allOthers: 0,
	} {
		if n := s.runs[key]; n != want {
			t.Errorf("%s: %d runs, want %d; all: %v", key, n, want, s.runs)
		}
	}
}

// A panic ends the process of the original's tests: those behind it are run by
// another one, and do not become suspects.
func TestRehearsalGoesOnBehindPanic(t *testing.T) {
	s := &suite{result: func(_, _ bool, test string, _ int) string {
		if test == "TestOther" {
			return "PANIC"
		}
		return "PASS"
	}}
	tester := rehearsed(t, s)
	b := tester.rehearsal.baseline(false, []string{"ExampleAccount", "TestOther", "TestThird"})
	if b == nil || !slices.Equal(b.passing, []string{"ExampleAccount", "TestThird"}) || !slices.Equal(b.suspects, []string{"TestOther"}) || b.clean {
		t.Errorf("baseline %+v", b)
	}
	for key, want := range map[string]int{"original.test " + allOthers: 3, "original.test ^(ExampleAccount|TestThird)$": 3} {
		if n := s.runs[key]; n != want {
			t.Errorf("%s: %d runs, want %d; all: %v", key, n, want, s.runs)
		}
	}
}

// A test that fails on the original only while other things go on has to pass with
// the patch, and so has its process.
func TestSuspectsAreNotIgnored(t *testing.T) {
	for patchedResult, test := range map[string]string{"FAIL": "TestThird", "EXIT": ""} {
		beside := true
		s := &suite{result: func(patched, _ bool, test string, run int) string {
			switch {
			case test != "TestThird":
				return "PASS"
			case patched:
				return patchedResult
			case beside:
				return "FAIL"
			}
			return "PASS"
		}}
		tester := rehearsed(t, s)
		beside = false
		trials, err := tester.beginBoth(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		_, err = tester.finish(t.Context(), trials, nil)
		var rejected *Rejected
		if !errors.As(err, &rejected) || rejected.Failure.Test != test {
			t.Errorf("%s: error %v", patchedResult, err)
		}
	}
}

// Other tests that pass while other checks go on are not run again. One that fails
// then may only have been disturbed.
func TestEarlyRunsCount(t *testing.T) {
	for _, disturbed := range []bool{false, true} {
		early := true
		s := &suite{result: func(_, race bool, test string, _ int) string {
			if race && test == "TestThird" && early && disturbed {
				return "FAIL"
			}
			return "PASS"
		}}
		tester, remove := newSuite(t, s, nil)
		trials, err := tester.beginBoth(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, tr := range trials {
			if err := tester.early(t.Context(), tr); err != nil {
				t.Fatal(err)
			}
		}
		early = false
		got, err := tester.finish(t.Context(), trials, nil)
		if err != nil || got.Tests != 4 || len(got.Ignored) > 0 {
			t.Errorf("disturbed %v: check %+v, error %v", disturbed, got, err)
		}
		want := 3
		if disturbed {
			want = 4
		}
		if plain, race := s.runs["patched.test "+allOthers], s.runs["patched-race.test "+allOthers]; plain != 3 || race != want {
			t.Errorf("disturbed %v: %d and %d runs", disturbed, plain, race)
		}
		if err := remove(); err != nil {
			t.Error(err)
		}
	}
}

// A data race that the patch brings to another test is told at once: no load makes one.
func TestEarlyRaceRefutes(t *testing.T) {
	for _, original := range []bool{false, true} {
		for _, slow := range []time.Duration{0, testsEnough + time.Second} {
			s := &suite{elapsed: slow, result: func(patched, race bool, test string, _ int) string {
				if race && test == "TestThird" && (patched || original) {
					return "REPORT"
				}
				return "PASS"
			}}
			tester, remove := newSuite(t, s, nil)
			trials, err := tester.beginBoth(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			err = tester.early(t.Context(), trials[1])
			var rejected *Rejected
			if errors.As(err, &rejected) == original || !original && (rejected.Failure.Kind != evidence.Race || rejected.Failure.Test != "TestThird") {
				t.Errorf("the original races too: %t, %v a run: error %v", original, slow, err)
			}
			if err := remove(); err != nil {
				t.Error(err)
			}
		}
	}
}

// A step of the rehearsal ends when somebody wants to be alone, and is made again
// afterwards.
func TestRehearsalYields(t *testing.T) {
	s := &suite{runs: map[string]int{}}
	w := loadBank(t)
	v := w.validator(t, &fakeRunner{}, func(o *Options) { o.Tool, o.NoRace = &fakeTool{}, true })
	began, alone, interrupted := make(chan struct{}), false, 0
	v.run = func(ctx context.Context, o gotool.RunOptions) (gotool.RunResult, error) {
		if alone {
			t.Error("a step goes on beside who is alone")
		}
		if interrupted == 0 && !slices.Contains(o.Args, "-test.list=.") {
			close(began)
			<-ctx.Done()
			interrupted++
			return gotool.RunResult{Stop: gotool.Cancelled}, nil
		}
		return s.run(ctx, o)
	}
	stop := v.Rehearse(t.Context())
	defer stop()
	<-began
	resume := v.rehearsal.pause(true)
	alone = true
	if b := v.rehearsal.baseline(false, []string{"ExampleAccount", "TestOther", "TestThird"}); b != nil {
		t.Errorf("it has learnt %+v", b)
	}
	alone = false
	resume()
	<-v.rehearsal.ended
	b := v.rehearsal.baseline(false, []string{"TestThird", "TestOther", "ExampleAccount"})
	if b == nil || len(b.passing) != 3 || !b.clean || interrupted != 1 {
		t.Errorf("it has learnt %+v", b)
	}
	if b := v.rehearsal.baseline(false, []string{"TestThird"}); b != nil {
		t.Errorf("other tests: %+v", b)
	}
}

// The tests to be repaired are not rehearsed, whatever their subtests.
func TestRehearsalLeavesTargets(t *testing.T) {
	w := loadBank(t)
	v := w.validator(t, &fakeRunner{}, nil)
	program := *v.o.Program
	v.o.Program = &program // others have the same
	for run, want := range map[string]*regexp.Regexp{"^TestA$": regexp.MustCompile("^TestA$"), "^TestA$/^b$": regexp.MustCompile("^TestA$"), "": regexp.MustCompile("")} {
		v.o.Program.Target.Run = run
		if got, err := v.targetNames(); err != nil || got.String() != want.String() {
			t.Errorf("%q: %v, error %v", run, got, err)
		}
	}
	v.o.Program.Target.Run = "("
	if _, err := v.targetNames(); err == nil || !strings.Contains(err.Error(), "missing") {
		t.Errorf("error %v", err)
	}
}

// Tests that have passed in a run that was stopped stay together; the others are
// spread over processes.
func TestDivide(t *testing.T) {
	names := []string{"TestA", "TestB", "TestC", "TestD"}
	early := testRun{tests: map[string]string{"TestA": "PASS", "TestC": "SKIP", "TestD": ""}}
	if got, want := divide(names, early), [][]string{{"TestB"}, {"TestD"}, {"TestA", "TestC"}}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	var many []string
	for i := range 3*parts + 1 {
		many = append(many, fmt.Sprint("Test", i))
	}
	got := divide(many, testRun{})
	if len(got) != parts || len(got[0]) != 4 || len(got[1]) != 3 || len(slices.Concat(got...)) != len(many) {
		t.Errorf("%d tests become %v", len(many), got)
	}
}
