package original

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"mendel/analysis/evidence"
	"mendel/checker"
	"mendel/fitness/noise"
	"mendel/internal/repair/setup"
	"mendel/internal/result"
)

// failedRun is a run that failed in one way.
func failedRun(kind evidence.Kind, signature string) noise.Outcome {
	return noise.Outcome{Failures: []evidence.Failure{{Kind: kind, Signature: signature, Message: signature}}, Tests: 1}
}

// What happened decides: a failure is refused only if nothing is seen of a second
// goroutine in it.
func TestSequentialFailure(t *testing.T) {
	wrong := failedRun(evidence.TestFailure, "wrong answer")
	closed := failedRun(evidence.Panic, "panic: send on closed channel")
	started := failedRun(evidence.Panic, "panic: index out of range")
	started.Failures[0].Stacks = []evidence.Stack{{Created: []evidence.Frame{{Func: "example.com/zoo.(*Cage).Open"}}}}
	tested := failedRun(evidence.Panic, "panic: index out of range")
	tested.Failures[0].Stacks = []evidence.Stack{{Created: []evidence.Frame{{Func: "testing.(*T).Run"}}}}
	pass := noise.Outcome{Pass: true, Tests: 1}
	for _, tt := range []struct {
		name          string
		plain, noised []noise.Outcome
		checked       *checker.Report
		want          string // part of the reason; "": it is a matter of concurrency
	}{
		{"same assertion always", []noise.Outcome{wrong, wrong}, []noise.Outcome{wrong}, nil, "one goroutine"},
		{"and in each schedule", []noise.Outcome{wrong, wrong}, []noise.Outcome{wrong}, seen(30, 0, evidence.TestFailure), "one goroutine"},
		{"but not in each schedule", []noise.Outcome{wrong, wrong}, []noise.Outcome{wrong}, seen(30, 9, evidence.TestFailure), ""},
		{"nor under noise", []noise.Outcome{wrong, wrong}, []noise.Outcome{wrong, pass}, nil, ""},
		{"never under noise", []noise.Outcome{wrong, wrong}, []noise.Outcome{pass}, seen(30, 0, evidence.TestFailure), ""},
		{"passes alone", []noise.Outcome{wrong, pass}, []noise.Outcome{wrong}, nil, ""},
		{"other assertion each time", []noise.Outcome{wrong, failedRun(evidence.TestFailure, "other")}, []noise.Outcome{wrong}, nil, ""},
		{"race behind the assertion", []noise.Outcome{wrong, wrong}, []noise.Outcome{wrong, failedRun(evidence.Race, "race")}, nil, ""},
		{"deadlock even alone", []noise.Outcome{failedRun(evidence.Deadlock, "d")}, []noise.Outcome{wrong}, nil, ""},
		{"blocked under noise", []noise.Outcome{wrong}, []noise.Outcome{failedRun(evidence.Blocked, "b")}, nil, ""},
		{"panic of a channel", []noise.Outcome{closed}, []noise.Outcome{closed}, nil, ""},
		{"panic in a goroutine", []noise.Outcome{started}, []noise.Outcome{started}, nil, ""},
		{"panic in the test", []noise.Outcome{tested}, []noise.Outcome{tested}, nil, "one goroutine"},
		{"no plain run", nil, []noise.Outcome{wrong}, nil, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := &Baseline{Noised: tt.noised, checkedOriginal: checkedOriginal{Checked: tt.checked}}
			b.summarise()
			if got := reproducing(b).sequentialFailure(tt.plain); tt.want == "" && got != "" || !strings.Contains(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// A slow test that always fails is not run more often than the floor; others are.
func TestCertain(t *testing.T) {
	took := func(d time.Duration, o noise.Outcome) noise.Outcome {
		o.Elapsed = d
		return o
	}
	slow, fast := took(slowRun, failedRun(evidence.Race, "race")), took(slowRun/10, failedRun(evidence.Race, "race"))
	passed := took(slowRun, noise.Outcome{Pass: true, Tests: 1})
	var whatever *WantedFailures
	for _, tt := range []struct {
		name  string
		first []noise.Outcome
		want  bool
	}{
		{"none", nil, false},
		{"all", slices.Repeat([]noise.Outcome{slow}, certainRuns), true},
		{"fast ones", slices.Repeat([]noise.Outcome{fast}, certainRuns), false},
		{"too few", slices.Repeat([]noise.Outcome{slow}, certainRuns-1), false},
		{"one passed", append(slices.Repeat([]noise.Outcome{slow}, certainRuns-1), passed), false},
	} {
		if got := whatever.certain(tt.first); got != tt.want {
			t.Errorf("%s: %t", tt.name, got)
		}
	}
}

// How many runs it takes depends on what they and the checker show.
func TestSettled(t *testing.T) {
	failed, passed := failedRun(evidence.TestFailure, "test-failure"), noise.Outcome{Pass: true, Tests: 1}
	other := failedRun(evidence.TestFailure, "other")
	for _, tt := range []struct {
		name       string
		checked    *checker.Report
		run        noise.Outcome
		atTen, all bool // settled after ten runs, after baselineRuns
	}{
		{"nothing", nil, passed, false, false},
		{"no checker", nil, failed, false, true},
		{"a schedule that fails, and others", seen(30, 9, evidence.TestFailure), failed, true, true},
		{"that noise does not show", seen(30, 9, evidence.TestFailure), passed, false, true},
		{"every schedule fails, as the runs do", seen(30, 0, evidence.TestFailure), failed, true, true},
		{"in another way", seen(30, 0, evidence.TestFailure), other, false, true},
		{"and no run does", seen(30, 0, evidence.TestFailure), passed, false, false},
		{"left blocked, no run fails", seen(30, 0, evidence.Blocked), passed, false, true},
	} {
		for n, want := range map[int]bool{10: tt.atTen, baselineRuns: tt.all} {
			b := &Baseline{Noised: slices.Repeat([]noise.Outcome{tt.run}, n), checkedOriginal: checkedOriginal{Checked: tt.checked}}
			if got := reproducing(b).settled(); got != want {
				t.Errorf("%s, %d runs: %t", tt.name, n, got)
			}
		}
	}
}

// What the checker sees in every schedule counts when a plain run shows it.
func TestConfirmed(t *testing.T) {
	report := seen(30, 0, evidence.TestFailure)
	for _, tt := range []struct {
		name   string
		report *checker.Report
		plain  noise.Outcome
		want   bool
	}{
		{"the same", report, failedRun(evidence.TestFailure, "test-failure"), true},
		{"another", report, failedRun(evidence.TestFailure, "other"), false},
		{"passes", report, noise.Outcome{Pass: true}, false},
		{"no checker", nil, failedRun(evidence.TestFailure, "test-failure"), false},
	} {
		if got := confirmed(tt.report, []noise.Outcome{{Pass: true}, tt.plain}); got != tt.want {
			t.Errorf("%s: %t", tt.name, got)
		}
	}
}

// The failures are counted by signature, races first, and the kind is that of
// most runs.
func TestSummarise(t *testing.T) {
	race, wrong := failedRun(evidence.Race, "race"), failedRun(evidence.TestFailure, "wrong")
	both := race
	both.Failures = append(both.Failures[:1:1], wrong.Failures...)
	b := &Baseline{Noised: []noise.Outcome{wrong, both, {Pass: true}, race, wrong}}
	b.summarise()
	if b.Failed != 4 {
		t.Errorf("%d runs failed, want 4", b.Failed)
	}
	if b.Kind != evidence.Race { // two of each: the race explains more
		t.Errorf("kind %s, want race", b.Kind)
	}
	var got []string
	for _, f := range b.Failures {
		got = append(got, f.Signature)
		if f.runs != 5 {
			t.Errorf("%s: of %d runs, want 5", f.Signature, f.runs)
		}
	}
	if strings.Join(got, " ") != "race wrong" || b.Failures[0].seen != 2 || b.Failures[1].seen != 3 {
		t.Errorf("failures %+v", b.Failures)
	}
}

// One fault shows in dozens of races: a few are told in a line each, the others counted.
func TestPrintIsShort(t *testing.T) {
	b := baselineFor(result.Wanted{})
	b.Failures = []Failure{{Failure: evidence.Failure{Kind: evidence.Deadlock, Message: "stuck"}, seen: 1, runs: 1}}
	for i := range mostPrinted + 3 {
		b.Failures = append(b.Failures, Failure{Failure: evidence.Failure{Kind: evidence.Race, Message: fmt.Sprintf("race %d", i)}, seen: 1, runs: 1})
	}
	for _, verbose := range []bool{false, true} {
		var l listener
		b.setup.Progress = setup.NewProgress(&l, verbose, nil)
		b.Print()
		text := strings.Join(l.lines, "\n")
		if lines, want := strings.Count(text, "noised runs: race"), mostPrinted+3; verbose && lines != want {
			t.Errorf("%d lines of races, want %d", lines, want)
		} else if !verbose && (lines != mostPrinted || !strings.Contains(text, "and 3 more failures of the kind race")) {
			t.Errorf("%s", text)
		}
		if !strings.Contains(text, "stuck") {
			t.Errorf("no deadlock: %s", text)
		}
	}
}
