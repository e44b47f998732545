package original

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
func (r *reproduction) doubtTimeouts(ctx context.Context) {
	if r.Failed > 0 || r.Checked == nil || r.Checked.Verdict == explore.Failed {
		return
	}
	o := checkOriginal(ctx, r.setup, r.only, true)
	if !needTimeouts(o.Checked) || !believable(o.Checked) {
		o.close(r.setup.Progress)
		return
	}
	r.setup.Progress.Note("the failure needs a time-out to expire while a goroutine could go on")
	r.checkedOriginal.close(r.setup.Progress)
	r.checkedOriginal, r.doubting = o, true
}

// needTimeouts reports whether failures need time-outs to expire early.
func needTimeouts(report *checker.Report) bool {
	return report != nil && slices.ContainsFunc(report.Failures, func(f checker.Failure) bool { return len(f.TimeOuts) > 0 })
}

// patience is that of the checker, and whether it believes the tests' time-outs; those of the program may expire early
// where they are doubted.
func patience(doubting bool) (patience time.Duration, trustTests bool) {
	if doubting {
		return doubted, true
	}
	return believing, false
}
