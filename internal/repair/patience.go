package repair

import (
	"context"
	"slices"
	"time"

	"mendel/checker"
	"mendel/checker/sched/explore"
)

// believing is the patience of the checker in a repair: all time-outs are believed.
// A failure that needs a goroutine to be slower than a time-out is often by design,
// and no edit would mend it.
const believing time.Duration = -1

// doubted is from which duration on a time-out is believed in any case, as mendel check does it.
const doubted = time.Minute

// doubtTimeouts lets the checker look again, where neither it nor noise has seen a
// failure: time-outs that the program sets, not its tests, may expire although
// goroutines could go on. If that shows a failure, mutants are judged in this way too.
func (env *environment) doubtTimeouts(ctx context.Context, b *baseline) {
	if b.failed > 0 || b.checked == nil || b.checked.Verdict == explore.Failed {
		return
	}
	env.doubting = true
	o := env.checkOriginal(ctx)
	if !needTimeouts(o.checked) || !believable(o.checked) {
		env.doubting = false
		(&baseline{checkedOriginal: o}).close(env.progress)
		return
	}
	env.progress.note("the failure needs a time-out to expire while a goroutine could go on")
	(&baseline{checkedOriginal: b.checkedOriginal}).close(env.progress)
	b.checkedOriginal = o
}

// needTimeouts reports whether failures need time-outs to expire early.
func needTimeouts(report *checker.Report) bool {
	return report != nil && slices.ContainsFunc(report.Failures, func(f checker.Failure) bool { return len(f.TimeOuts) > 0 })
}

// patience is that of the checker, and whether it believes the tests' time-outs.
func (env *environment) patience() (patience time.Duration, trustTests bool) {
	if env.doubting {
		return doubted, true
	}
	return believing, false
}
