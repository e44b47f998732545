package repair

import (
	"slices"
	"strings"

	"mendel/analysis/evidence"
	"mendel/fitness/noise"
)

// A worker that waits for work, and that nobody stops, is left blocked by each run,
// with the bug and without it. Where a race is to be repaired, such goroutines are
// how the program is.

// setAside leaves the goroutines out of the failures that each noised run leaves
// waiting for work after the test, if a race is to be repaired, and nobody asked
// for other failures. Runs of mutants do not fail by them either.
func (env *environment) setAside(b *baseline) {
	race := slices.ContainsFunc(b.failures, func(f failure) bool { return f.Kind == evidence.Race })
	if env.only != nil || !race {
		return
	}
	var left []string
	b.failures = slices.DeleteFunc(b.failures, func(f failure) bool {
		if f.runs == 0 || f.seen < f.runs || f.runs < certainRuns || !noise.Idle(f.Failure) || !strings.Contains(f.Message, "for ever") {
			return false
		}
		left = append(left, noise.Left(f.Failure)...)
		return true
	})
	if len(left) == 0 {
		return
	}
	b.standing = left
	b.harness.Overlook(left)
	env.progress.note("not counted as a failure, because each run of the original leaves it: %s", strings.Join(left, "; "))
}

// counted are the noised runs without what was set aside.
func (b *baseline) counted() []noise.Outcome {
	counted := make([]noise.Outcome, len(b.noised))
	for i, o := range b.noised {
		counted[i] = o.Without(b.standing)
	}
	return counted
}
