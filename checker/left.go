package checker

import (
	"context"
	"slices"
	"strings"
	"time"

	"mendel/analysis/evidence"
	"mendel/analysis/left"
	"mendel/checker/sched/explore"
)

// Left is the verdict of a test whose failures are goroutines that it leaves itself
// (Failure.Left), or Failure.Flaky.
const Left explore.Verdict = "left"

// Missing are the calls that a test leaves out by which all goroutines of a failure would
// end, as Failure.Left has them; "" if one of them would not.
func (c *Checker) Missing(f *Failure) string {
	if f.Kind != evidence.Blocked {
		return ""
	}
	var calls []string
	for _, s := range f.Stacks {
		call := left.Missing(c.c.Program, f.Test, left.Goroutine{Stack: s.Frames, Created: s.Created})
		if call == "" {
			return ""
		}
		if !slices.Contains(calls, call) {
			calls = append(calls, call)
		}
	}
	slices.Sort(calls)
	return strings.Join(calls, ", ")
}

// waiters are the goroutines that a test leaves, as Search.Standing has them; nil if
// it fails otherwise.
func (t *tested) waiters() (names []string) {
	for _, f := range t.failures {
		if f.Left == "" {
			return nil
		}
		for _, s := range f.Stacks {
			if len(s.Frames) > 0 {
				names = append(names, s.Role+" in "+s.Frames[0].Func)
			}
		}
	}
	return names
}

// leftRound explores the tests again that leave goroutines: whether something else fails,
// where these are no failure.
func (k *check) leftRound(ctx context.Context) error {
	if !k.s.Left {
		return nil
	}
	var tests []*tested
	k.mu.Lock()
	for _, t := range k.tests {
		if len(t.waiters()) > 0 && t.stateful == "" {
			tests = append(tests, t)
		}
	}
	k.mu.Unlock()
	if len(tests) == 0 || ctx.Err() != nil || k.isOver() {
		return nil
	}
	share := k.left() / 2 * time.Duration(min(k.workers, len(tests))) / time.Duration(len(tests))
	return k.spread(tests, func(tests []*tested) error {
		for _, t := range tests {
			k.mu.Lock()
			standing := t.waiters()
			k.mu.Unlock()
			p := &part{tests: []*tested{t}, strategy: k.s.Strategy, seed: k.s.Seed, waits: true, standing: standing}
			if err := k.run(ctx, p, share); err != nil {
				return err
			}
		}
		return nil
	})
}
