package checker

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"mendel/checker/sched"
	"mendel/checker/sched/explore"
)

// Search.Suite: the tests of a package are explored in rounds. In the first each gets an
// equal part of most of the budget. What is left then goes to those of which two
// executions did not fit into that, the shortest first, to those that did not end within the
// engine's bound on steps, and to those that need a process for each execution. What these
// leave goes to those that passed and have more schedules.

// reserved is the part of the budget for rounds after the first. Guessed.
const reserved = 0.25

// firstRound is when the first round ends.
func (k *check) firstRound(tests []*tested) time.Time {
	if !k.s.Suite || k.s.Sample > 0 || k.s.Strategy == explore.Predict || len(tests) <= k.workers {
		return k.deadline
	}
	return k.deadline.Add(-time.Duration(reserved * float64(k.left())))
}

// heavyRound explores the tests again that had no time in the first round, and then those
// that did not end.
func (k *check) heavyRound(ctx context.Context) error {
	heavy, long, rest := k.unexplored(), k.unended(), 0
	for _, t := range k.tests {
		if t.stateful != "" && t.noAnswer == "" {
			rest++
		}
	}
	if err := k.again(ctx, heavy, len(long)+rest); err != nil {
		return err
	}
	told := map[*tested]int{}
	for _, t := range long {
		t.long, told[t] = true, len(t.answers)
	}
	if err := k.again(ctx, long, rest); err != nil {
		return err
	}
	for _, t := range long {
		if n := told[t]; len(t.answers) > n {
			t.answers = t.answers[n:] // they had a bound that is too small
		}
	}
	return nil
}

// again explores tests again, in a part of what is left of the budget: others follow.
func (k *check) again(ctx context.Context, tests []*tested, others int) error {
	if len(tests) == 0 || ctx.Err() != nil || k.isOver() || k.left() < atLeast {
		return nil
	}
	until := time.Now().Add(k.left() * time.Duration(len(tests)) / time.Duration(len(tests)+others))
	return k.spread(tests, func(tests []*tested) error { return k.explore(ctx, tests, until) })
}

// longSteps bounds an execution of a test that does not end within the engine's bound: one
// whose loops are long. Some seconds of an execution. Guessed.
const longSteps = 2_000_000

// unended are the tests that did not end within the engine's bound in any schedule.
func (k *check) unended() (tests []*tested) {
	if !k.s.Suite || k.s.Steps > 0 {
		return nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, t := range k.tests {
		ended := slices.ContainsFunc(t.answers, func(a answer) bool {
			var n, all int
			_, err := fmt.Sscanf(a.Reason, unended+" in %d of %d", &n, &all)
			return a.Verdict != explore.Inconclusive || err != nil || n < all
		})
		if t.noAnswer == "" && t.stateful == "" && len(t.failures) == 0 && len(t.answers) > 0 && !ended {
			tests = append(tests, t)
		}
	}
	return tests
}

// unended begins the reason of a test that did not end within the bound on steps.
const unended = "the test did not end within the step bound"

// unexplored are the tests that had no time, those whose executions take the least first.
func (k *check) unexplored() (tests []*tested) {
	if !k.s.Suite {
		return nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	cost := map[*tested]int{}
	for _, t := range k.tests {
		slow := !slices.ContainsFunc(t.answers, func(a answer) bool { return !a.Slow })
		if t.noAnswer != "" || t.stateful != "" || len(t.failures) > 0 || !slow {
			continue
		}
		for _, a := range t.answers {
			cost[t] = max(cost[t], a.Steps)
		}
		tests = append(tests, t)
	}
	slices.SortStableFunc(tests, func(a, b *tested) int { return cost[a] - cost[b] })
	return tests
}

// lastRound looks for failures of tests that passed and have more schedules, at random.
func (k *check) lastRound(ctx context.Context) error {
	if !k.s.Suite || k.s.Strategy != explore.Auto || k.s.Schedules > 0 || k.s.Sample > 0 || len(k.tests) == 1 {
		return nil
	}
	for round := 0; round < len(helperStrategies) && k.left() > lastAtLeast && ctx.Err() == nil && !k.isOver(); round++ {
		open := k.open()
		if len(open) == 0 {
			return nil
		}
		share := k.left() / time.Duration(len(helperStrategies)-round)
		err := k.spread(open, func(tests []*tested) error {
			return k.run(ctx, &part{tests: tests, strategy: helperStrategies[round], seed: k.s.Seed + uint64(round) + 1, helper: true, waits: true}, share)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// lastAtLeast is what has to be left for the last round.
const lastAtLeast = time.Second

// open are the tests that passed and have more schedules.
func (k *check) open() (tests []*tested) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, t := range k.tests {
		if r := k.verdict(t); r.Verdict == explore.Passed && !r.Skipped && t.stateful == "" && !t.long && !t.exhausted() {
			tests = append(tests, t)
		}
	}
	return tests
}

// spread does something with the tests, a part of them for each worker.
func (k *check) spread(tests []*tested, do func([]*tested) error) error {
	n := 1
	if k.s.Sample == 0 {
		n = min(k.workers, len(tests))
	}
	parts := make([][]*tested, n)
	for i, t := range tests {
		parts[i%n] = append(parts[i%n], t)
	}
	errs := make(chan error, n)
	for _, tests := range parts {
		go func() { errs <- do(tests) }()
	}
	var err error
	for range parts {
		err = errors.Join(err, <-errs)
	}
	return err
}

// A Cause is why nothing can be said about a test, in a word.
type Cause string

// Causes.
const (
	TooLong Cause = "too long"             // two of its schedules take longer than what it got of the budget
	Endless Cause = "it does not end"      // within the bound on steps
	Outside Cause = "not under control"    // it waits for code that is not
	Ended   Cause = "the search had ended" // by another failure, or a signal
	Other   Cause = "see there"            // its Reason says it
)

// cause is why nothing is said about a test.
func (k *check) cause(t *tested, r *TestReport) Cause {
	late := len(t.answers) == 0 || slices.ContainsFunc(t.answers, func(a answer) bool { return a.Slow })
	switch {
	case r.Verdict != explore.Inconclusive:
		return ""
	case t.noAnswer == "" && t.stateful == "" && len(t.answers) == 0 && (k.interrupted || k.over):
		return Ended
	case strings.Contains(r.Reason, unended), strings.Contains(r.Reason, "without ever waiting"):
		return Endless
	case t.hung, t.perProcess.hung, isHung(r.Reason), strings.HasPrefix(r.Reason, dependsOn):
		return Outside
	case t.noAnswer == "" && late, t.perProcess.executions == 0 && t.perProcess.broken == "" && t.stateful != "":
		return TooLong
	}
	return Other
}

// dependsOn begins the reason of a test that depends on what is not under control.
var dependsOn = sched.Depends(nil)

// Flaky is the verdict of a test whose failures are all Failure.Flaky, or Failure.Left.
const Flaky explore.Verdict = "flaky"

// judgeSuite is the verdict of tests that each have their own: nothing can be said only if
// nothing can be said of any.
func (r *Report) judgeSuite() {
	said, worst := 0, explore.Passed
	for _, t := range r.Tests {
		if t.Verdict == explore.Inconclusive {
			continue
		}
		if said++; slices.Index(severity, t.Verdict) < slices.Index(severity, worst) {
			worst = t.Verdict
		}
	}
	if r.Verdict != explore.Inconclusive || said == 0 {
		return
	}
	r.Verdict = worst
	r.Reason = fmt.Sprintf("of %d of %d tests nothing can be said", len(r.Tests)-said, len(r.Tests))
}

// telling leaves out answers that there was no time for, if there are others.
func telling(answers []answer) []answer {
	late := func(a answer) bool { return a.Slow && a.Verdict == explore.Inconclusive }
	if !slices.ContainsFunc(answers, func(a answer) bool { return !late(a) }) {
		return answers
	}
	return slices.DeleteFunc(slices.Clone(answers), late)
}
