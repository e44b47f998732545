package original

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"mendel/analysis/evidence"
	"mendel/analysis/evidence/symbol"
	"mendel/checker"
	"mendel/fitness/noise"
)

// Whether a failure is a matter of concurrency is decided by what happened, not by
// how often it happens: a race, goroutines that are blocked, an outcome that varies
// with the schedule, or more than one goroutine in the causal past of the failing
// assertion. Refused is a failure in which a single goroutine takes part.

// concurrent reports whether a failure is one that only concurrent programs have.
func (b *Baseline) concurrent() bool {
	return len(b.Forced) > 0 || slices.ContainsFunc(b.Failures, func(f Failure) bool {
		return f.Kind.Concurrent() || f.Kind == evidence.Panic && (misuses(f.Message) || inGoroutine(f.Stacks))
	})
}

// misuses reports whether a panic is that of an operation that synchronises, or
// the runtime's own report of accesses that nothing orders.
func misuses(message string) bool {
	return slices.ContainsFunc([]string{
		"on closed channel", "close of closed channel", "close of nil channel",
		"sync: ", "concurrent map", "goroutines are asleep",
	}, func(text string) bool { return strings.Contains(message, text) })
}

// inGoroutine reports whether the goroutine that panicked is one that the program
// started, and not package testing.
func inGoroutine(stacks []evidence.Stack) bool {
	return len(stacks) > 0 && len(stacks[0].Created) > 0 && symbol.PackageOf(stacks[0].Created[0].Func) != "testing"
}

// confirmed reports whether a plain run shows a failure that the checker sees.
func confirmed(report *checker.Report, plain []noise.Outcome) bool {
	return report != nil && slices.ContainsFunc(report.Failures, func(f checker.Failure) bool {
		return slices.ContainsFunc(plain, func(o noise.Outcome) bool {
			return slices.ContainsFunc(o.Failures, func(g evidence.Failure) bool { return f.Signature == g.Signature })
		})
	})
}

// sequentialFailure says why a failure seems to be no matter of concurrency: the
// tests fail in the same way in whatever run and schedule, and nothing is seen of
// goroutines. It is "" otherwise. What is in the failure's causal past may still
// speak against it.
func (r *reproduction) sequentialFailure(plain []noise.Outcome) string {
	if r.concurrent() || len(plain) == 0 || r.varies() {
		return ""
	}
	first := plain[0]
	for _, o := range plain {
		if o.Pass || len(o.Failures) == 0 || !alike(o, first) {
			return ""
		}
		if o.Kind().Concurrent() {
			return ""
		}
	}
	message := first.Failures[0].Message
	if first.Hung() {
		return fmt.Sprintf("the test does not end within its limits even without noise on one processor (%s), and nothing in it waits for a lock or channel; if it is only slow, give it more time with --timeout", message)
	}
	return "only one goroutine takes part in the failure, which is the same in each run: " + message
}

// varies reports whether some run or schedule passes, and another fails. What hangs
// in real time may pass in virtual time: a schedule in which a sleep of an hour is
// over at once says nothing of a time-out.
func (r *reproduction) varies() bool {
	failed := r.Failed > 0 || r.CheckerFailed()
	passed := r.Failed < len(r.Noised)
	if r.Checked != nil && r.Checked.Passed > 0 && !slices.ContainsFunc(r.Noised, noise.Outcome.Hung) {
		passed = true
	}
	return failed && passed
}

// alike reports whether two failed runs failed in the same way: by the same
// failure, or because both had to be stopped, wherever they were then.
func alike(a, b noise.Outcome) bool {
	return a.Failures[0].Signature == b.Failures[0].Signature || a.Hung() && b.Hung()
}

// inPast runs the original once to see whether goroutines beside the test's own are
// in the causal past of its failure.
func (r *reproduction) inPast(ctx context.Context) (bool, error) {
	n, _, err := r.Harness.Past(ctx, r.binary, noise.RunOptions{Timeout: r.setup.FirstTimeout()})
	if err != nil {
		return false, fmt.Errorf("find the causal past of the failure: %w", err)
	}
	return n > 0, nil
}
