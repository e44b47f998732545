package fitness

import (
	"slices"

	"mendel/checker"
	"mendel/checker/sched"
	"mendel/checker/sched/explore"
	"mendel/fitness/noise"
)

// Believe returns the report of a mutant as far as it can be believed. Goroutines
// that every schedule leaves blocked after the test may be how a program is: a
// worker that waits for work, and that nobody stops. Where each schedule of the
// original ends early, by a race, nobody knows whether it leaves them too. Then the
// checker cannot tell. Goroutines that wait for a lock, a wait group or a receiver
// are another matter (see noise.Idle). Nor can it tell where a mutant leaves what
// each run of the original is known to leave (see noise.Left).
func Believe(report, original *checker.Report, left []string) *checker.Report {
	if original == nil || report.Verdict != explore.Failed {
		return report
	}
	hidden := report.Passed == 0 && original.Passed == 0 && original.Sampled > 0 &&
		original.Kinds[sched.Blocked]+original.Kinds[sched.Deadlock] == 0 && !slices.ContainsFunc(report.Failures, tells)
	known := len(left) > 0 && !slices.ContainsFunc(report.Failures, func(f checker.Failure) bool {
		names := noise.Left(f.Failure)
		return len(names) == 0 || slices.ContainsFunc(names, func(n string) bool { return !slices.Contains(left, n) })
	})
	if !hidden && !known {
		return report
	}
	unsure := *report
	unsure.Verdict = explore.Inconclusive
	unsure.Reason = "goroutines are left blocked after the test, as the original leaves them, or may: " + report.Failures[0].Message
	unsure.Failures = nil
	return &unsure
}

// tells reports whether a failure is more than goroutines that wait for work.
func tells(f checker.Failure) bool { return !noise.Idle(f.Failure) }
