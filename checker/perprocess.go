package checker

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"mendel/checker/sched"
	"mendel/checker/sched/explore"
	"mendel/checker/wire"
)

// A perProcess has the results of executions in processes of their own.
type perProcess struct {
	executions, steps int
	sampled, passed   int
	kinds             map[string]int
	skipped           bool
	broken            string // why nothing can be concluded
	hung              bool
	unordered         int           // executions in which the order of the test cannot be kept
	disorder          *wire.Failure // one of them
}

// inOwnProcesses explores the tests that need a process for each execution, one
// after the other, with the rest of the budget.
func (k *check) inOwnProcesses(ctx context.Context) error {
	var tests []*tested
	for _, t := range k.tests {
		if t.stateful != "" && t.noAnswer == "" {
			tests = append(tests, t)
		}
	}
	for i, t := range tests {
		if ctx.Err() != nil || k.isOver() {
			return nil
		}
		until := time.Now().Add(k.left() / time.Duration(len(tests)-i))
		if err := k.known(ctx, t, until); err != nil {
			return err
		}
		if err := k.sample(ctx, t, until); err != nil {
			return err
		}
	}
	return nil
}

// known follows the schedules that the search begins with.
func (k *check) known(ctx context.Context, t *tested, until time.Time) error {
	for _, s := range k.s.First {
		if s.Test != t.name || !k.goesOn(t, until) {
			continue
		}
		a, err := k.one(ctx, t, wire.Request{Mode: wire.Replay, First: of([]string{t.name}, []Schedule{s})})
		// One that is not possible in this program says nothing.
		if err == nil && a != nil && (a.Diverged == "" || len(a.Failures) > 0) {
			err = k.judge(ctx, t, a, k.s.Seed)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// sample makes executions until the time is over or one has failed, several at
// a time.
func (k *check) sample(ctx context.Context, t *tested, until time.Time) error {
	var next atomic.Int64
	var workers sync.WaitGroup
	errs := make([]error, k.workers)
	for w := range errs {
		workers.Go(func() {
			for k.goesOn(t, until) && ctx.Err() == nil && errs[w] == nil {
				i := int(next.Add(1)) - 1
				if k.s.Schedules > 0 && i >= k.s.Schedules {
					return
				}
				errs[w] = k.nth(ctx, t, i, time.Until(until))
			}
		})
	}
	workers.Wait()
	return errors.Join(errs...)
}

// nth makes one execution, the i-th from 0.
func (k *check) nth(ctx context.Context, t *tested, i int, budget time.Duration) error {
	search := k.search(budget)
	search.Sample, search.Executions = 0, 1
	search.Seed = k.s.Seed + uint64(i)
	a, err := k.one(ctx, t, wire.Request{Mode: wire.Check, Search: search})
	if err != nil || a == nil {
		return err
	}
	for n := range a.Failures {
		a.Failures[n].Nth = i + 1
	}
	if i < k.s.Sample && a.Disorder == nil {
		k.sampled(t, a)
	}
	return k.judge(ctx, t, a, search.Seed)
}

// atLeast is the time that a process for one execution needs.
const atLeast = 100 * time.Millisecond

// one runs a process for one execution of a test; nil: there was no answer, or
// no time is left.
func (k *check) one(ctx context.Context, t *tested, r wire.Request) (*wire.Test, error) {
	r.Tests = []string{t.name}
	r.Search.OwnProcess = true
	r.Search.StepTime = k.s.wire(0).StepTime
	r.Search.Steps = k.s.Steps
	r.Search.Start = wire.At(k.b.checker.start)
	end := k.deadline.Add(overtime)
	wait, cancel := context.WithDeadline(ctx, end.Add(-atLeast))
	defer cancel()
	release, err := k.b.checker.acquire(wait)
	if err != nil {
		return nil, nil
	}
	defer release()
	got, result, err := k.ask(ctx, t, r, end)
	if err != nil || ctx.Err() != nil {
		return nil, err
	}
	if got == nil {
		why, hung := k.b.checker.exitReason(&result)
		k.spoil(t, why, hung)
	}
	return got, nil
}

// ask runs a process, for which there is a place, until end at the latest. It returns its
// answer about a test, nil if there is none, and how the process ended.
func (k *check) ask(ctx context.Context, t *tested, r wire.Request, end time.Time) (got *wire.Test, how process, err error) {
	k.mu.Lock()
	k.processes++
	k.mu.Unlock()
	how, err = k.b.start(ctx, r, end, func(a wire.Answer) {
		switch {
		case a.Ready != nil:
			k.mu.Lock()
			k.checked(a.Ready)
			k.mu.Unlock()
		case a.Test != nil && a.Test.Name == t.name && got == nil:
			got = a.Test
		}
	})
	return got, how, err
}

// judge adds the result of an execution. Its failures are replayed, each in
// another process, before they count.
func (k *check) judge(ctx context.Context, t *tested, a *wire.Test, seed uint64) error {
	k.b.checker.schedules.Add(int64(max(1, a.Executions)))
	k.mu.Lock()
	if a.Disorder != nil {
		t.perProcess.note(a)
		k.mu.Unlock()
		return nil
	}
	t.perProcess.executions += max(1, a.Executions)
	t.perProcess.steps += a.Steps
	t.perProcess.skipped = a.Skipped
	k.mu.Unlock()
	failed := false
	for _, f := range a.Failures {
		if f.Failure.Kind == sched.Uncontrolled {
			k.spoil(t, f.Failure.Message, isHung(f.Failure.Message))
			continue
		}
		failed = true
		if err := k.confirm(ctx, t, f, seed); err != nil {
			return err
		}
	}
	if !failed && a.Verdict == explore.Inconclusive {
		k.spoil(t, a.Reason, isHung(a.Reason))
	}
	return nil
}

// confirm replays a failure and adds it if it is the same again.
func (k *check) confirm(ctx context.Context, t *tested, f wire.Failure, seed uint64) error {
	a, err := k.one(ctx, t, wire.Request{Mode: wire.Replay, First: []wire.Schedule{{Test: t.name, Choices: f.Choices, Start: f.Start}}})
	if err != nil {
		return err
	}
	if a == nil {
		k.spoil(t, fmt.Sprintf("a %s was seen, but no time was left to replay it in another process", f.Failure.Kind), false)
		return nil
	}
	what := "success"
	if len(a.Failures) > 0 {
		again := a.Failures[0]
		if a.Diverged == "" && alike(&f.Failure, &again.Failure) {
			// The replay is traced, and knows all places.
			f.Failure, f.Trace, f.Goroutines = again.Failure, again.Trace, again.Goroutines
			k.mu.Lock()
			defer k.mu.Unlock()
			if k.add(t, f, seed) && k.enough() {
				k.over = true
			}
			return nil
		}
		what = again.Failure.Kind
	}
	reason := fmt.Sprintf("a %s was seen, but its schedule ends with %s when replayed in another process", f.Failure.Kind, what)
	if a.Diverged != "" {
		reason = fmt.Sprintf("a %s was seen, but its schedule does not replay in another process: %s", f.Failure.Kind, a.Diverged)
	}
	k.spoil(t, reason, false)
	return nil
}

// alike reports whether a failure came again: the same kind at the same places.
// Without a trace the earlier access of a race is not known.
func alike(first, again *sched.Failure) bool {
	if first.Kind != again.Kind {
		return false
	}
	for _, p := range first.Places {
		if p.File != "" && !slices.ContainsFunc(again.Places, func(q sched.Place) bool { return p.File == q.File && p.Line == q.Line }) {
			return false
		}
	}
	return true
}

// sampled counts an execution that is one of Search.Sample.
func (k *check) sampled(t *tested, a *wire.Test) {
	k.mu.Lock()
	defer k.mu.Unlock()
	t.perProcess.sampled++
	switch {
	case len(a.Failures) > 0:
		if t.perProcess.kinds == nil {
			t.perProcess.kinds = map[string]int{}
		}
		t.perProcess.kinds[a.Failures[0].Failure.Kind]++
	case a.Verdict != explore.Inconclusive:
		t.perProcess.passed++
	}
}

// spoil notes why nothing can be concluded about a test.
func (k *check) spoil(t *tested, why string, hung bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if t.perProcess.broken == "" {
		t.perProcess.broken, t.perProcess.hung = why, hung
	}
}

// goesOn reports whether another execution of a test is to be made.
func (k *check) goesOn(t *tested, until time.Time) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	sampling := t.perProcess.sampled < k.s.Sample
	return !k.over && t.perProcess.broken == "" && time.Now().Before(until) &&
		(sampling || k.s.All && k.s.Most == 0 || len(t.failures) == 0)
}
