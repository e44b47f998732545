package original

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"mendel/analysis/evidence"
	"mendel/checker"
	"mendel/checker/sched/explore"
	"mendel/fitness"
	"mendel/internal/dossier"
	"mendel/internal/repair/setup"
)

// originalBudget is the time in which the checker must have seen the original
// fail. The others wait for it.
const originalBudget = 3 * time.Second

// deliveries is how many passing schedules of the original, of each test, are
// compared with a fix in what they deliver. Guessed.
const deliveries = 50

// A checkedOriginal is what the checker says of the original.
type checkedOriginal struct {
	Checked   *checker.Report   // nil: the checker takes no part
	Explorer  *Explorer         // nil: it could not be made, or was not wanted
	Off       string            // why the checker takes no part
	schedules []*checker.File   // of the failures, in their order
	Traces    map[string]Traced // executions that show failures, by signature
	Suspects  []dossier.Suspect // where the fault may be, most suspicious first
}

// CheckerFailed reports whether the checker has seen the original fail.
func (o *checkedOriginal) CheckerFailed() bool {
	return o.Checked != nil && o.Checked.Verdict == explore.Failed
}

// disable leaves the checker out, and notes that noise alone decides, and why.
func (o *checkedOriginal) disable(p *setup.Progress, reason string) {
	reason, _, _ = strings.Cut(reason, "\n") // stacks of goroutines may follow
	reason = strings.TrimSuffix(reason, ":")
	p.Note("the checker does not take part, noise alone decides: %s", reason)
	o.Checked, o.Off = nil, "off: "+reason
}

// close gives back what the checker holds.
func (o *checkedOriginal) close(p *setup.Progress) {
	if o.Explorer == nil {
		return
	}
	if err := o.Explorer.Checker.Close(); err != nil {
		p.Note("remove the checker's files: %v", err)
	}
}

// checkOriginal lets the checker look for the failure that is wanted; doubting, time-outs of the program may expire early.
// There is no report when it is not wanted, cannot judge the program, or ctx ended. Nothing depends on it, so what keeps
// it from its work is a note.
func checkOriginal(ctx context.Context, s *setup.Setup, only *WantedFailures, doubting bool) checkedOriginal {
	var o checkedOriginal
	if s.NoChecker {
		return o
	}
	err := o.begin(ctx, s, only, doubting)
	switch {
	case ctx.Err() != nil:
		o.Checked = nil
	case err != nil:
		o.disable(s.Progress, err.Error())
	case o.Checked.Verdict == explore.Inconclusive:
		o.disable(s.Progress, o.Checked.Reason)
	default:
		s.Progress.Step("checker: the original: %s in %d schedules", o.Checked.Verdict, o.Checked.Schedules)
	}
	return o
}

// begin prepares the checker, and lets it look for the failure.
func (o *checkedOriginal) begin(ctx context.Context, s *setup.Setup, only *WantedFailures, doubting bool) error {
	if err := o.open(ctx, s, doubting); err != nil {
		return err
	}
	return o.look(ctx, s, only)
}

// open prepares the checker for the program.
func (o *checkedOriginal) open(ctx context.Context, s *setup.Setup, doubting bool) error {
	patience, trust := patience(doubting)
	c, err := checker.New(ctx, checker.Config{
		Tool: s.Tool, Program: s.Program, Workers: s.Workers, Patience: patience, TrustTests: trust, Incremental: !s.Search.Scratch,
		Builds: &s.Progress.Meter.Building,
	})
	if err != nil {
		return err
	}
	o.Explorer = &Explorer{Checker: c}
	s.Progress.Meter.UseChecker(o.Explorer)
	return nil
}

// look lets the checker look for the failure in the original.
func (o *checkedOriginal) look(ctx context.Context, s *setup.Setup, only *WantedFailures) error {
	o.Explorer.checks.Add(1)
	b, err := o.Explorer.Checker.Obtain(ctx, nil)
	if err != nil {
		return err
	}
	defer b.Close()
	search := fitness.CheckerOptions{Seed: s.Seed, Budget: originalBudget}.Search()
	search.Deliver, search.Standing = deliveries, o.Explorer.leaves()
	if only != nil && only.input.schedule != nil {
		search.First = append(search.First, only.input.schedule.Schedule())
	}
	if o.Checked, err = b.Check(ctx, search); err != nil {
		return err
	}
	o.schedules = nil
	for _, f := range o.Checked.Failures {
		file, err := b.File(f)
		if err != nil {
			return err
		}
		o.schedules = append(o.schedules, file)
	}
	explain(ctx, s, o, b, o.Checked.Failures)
	return nil
}

// believable reports whether a report of the checker alone, with noise never
// failing, is a failure that is due to concurrency: goroutines that are left
// blocked, or a test that fails, whatever the schedule, are not; that is how the
// program is, and that real runs pass is no contradiction (a leak is not seen
// by a test). A race is one in any schedule.
func believable(report *checker.Report) bool {
	if report == nil || report.Verdict != explore.Failed {
		return false
	}
	return slices.ContainsFunc(report.Failures, func(f checker.Failure) bool { return varies(report, f.Failure) })
}

// varies reports whether a failure that a report has is one of some schedules, as far as
// is known: others of its test pass, or it is of a kind that says so itself.
func varies(report *checker.Report, f evidence.Failure) bool {
	return f.Kind == evidence.Race || f.Kind == evidence.Deadlock || passes(report, f.Test)
}

// passes reports whether some sampled schedules of a test pass.
func passes(report *checker.Report, test string) bool {
	return report != nil && slices.ContainsFunc(report.Tests, func(t checker.TestReport) bool {
		return t.Name == topLevel(test) && t.Passed > 0
	})
}

// otherTrouble says why the checker's failures cannot be those to repair: they
// happen whatever the schedule, noise fails too, but never in that way. A
// goroutine that the program leaves behind for good is one, or a test that
// measures time, which is virtual under the checker. Every mutant would fail so.
func (r *reproduction) otherTrouble() string {
	if r.Checked == nil || r.Checked.Verdict != explore.Failed || fitness.Judge(r.Checked, 1, 1).Passes > 0 {
		return ""
	}
	shown := map[evidence.Kind]bool{}
	var hangs []evidence.Failure
	for _, o := range r.Counted() {
		for _, f := range o.Failures {
			if shown[f.Kind] = true; f.Kind.Hangs() {
				hangs = append(hangs, f)
			}
		}
	}
	if len(shown) == 0 {
		return "" // believable judges what the checker alone has seen
	}
	telling := slices.ContainsFunc(r.Checked.Failures, func(f checker.Failure) bool {
		return f.Kind == evidence.Race || f.Kind == evidence.Deadlock
	})
	for _, f := range r.Checked.Failures {
		if slices.ContainsFunc(hangs, func(g evidence.Failure) bool { return f.Kind.Hangs() && waitTogether(f.Failure, g) }) {
			continue // a deadlock of all where others still run leaves some blocked
		}
		if !shown[f.Kind] && (f.Kind == evidence.Blocked || !telling) {
			return fmt.Sprintf("it sees a failure in each schedule that noise never shows (%s)", f.Message)
		}
	}
	return ""
}

// waitTogether reports whether in two failures goroutines wait in the same function in the same way.
func waitTogether(f, g evidence.Failure) bool {
	return slices.ContainsFunc(f.Stacks, func(s evidence.Stack) bool {
		return len(s.Frames) > 0 && slices.ContainsFunc(g.Stacks, func(t evidence.Stack) bool {
			return len(t.Frames) > 0 && s.Role == t.Role && s.Frames[0].Func == t.Frames[0].Func
		})
	})
}
