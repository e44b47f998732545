package original

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"mendel/analysis"
	"mendel/analysis/evidence"
	"mendel/checker"
	"mendel/checker/sched/explore"
	"mendel/fitness"
	"mendel/internal/dossier"
	"mendel/internal/repair/setup"
)

// byChecker is where findings come from that the checker's failures name.
const ByChecker analysis.Source = "checker"

// originalBudget is the time in which the checker must have seen the original
// fail. The others wait for it.
const originalBudget = 3 * time.Second

// deliveries is how many passing schedules of the original, of each test, are
// compared with a fix in what they deliver. Guessed.
const deliveries = 50

// An explorer is the checker of a repair.
type Explorer struct {
	Checker  *checker.Checker
	checks   atomic.Int64
	standing atomic.Pointer[[]string]         // what is left blocked and does not count; see setAside
	apart    atomic.Pointer[[]evidence.Apart] // how tests fail for reasons of their own; see keepApart
}

// Counts are the programs built and the schedules followed.
func (e *Explorer) Counts() (builds, schedules int) { return e.Checker.Counts() }

// Carried is as [checker.Checker.Carried].
func (e *Explorer) Carried() int { return e.Checker.Carried() }

// Repeated is as [checker.Checker.Repeated].
func (e *Explorer) Repeated() int { return e.Checker.Repeated() }

// Checks is how many programs were explored.
func (e *Explorer) Checks() int { return int(e.checks.Load()) }

// leaves are the goroutines that are left blocked and do not count.
func (e *Explorer) leaves() []string {
	if names := e.standing.Load(); names != nil {
		return *names
	}
	return nil
}

// explore explores a binary as the repair wants it.
func (e *Explorer) Explore(ctx context.Context, b *checker.Binary, s checker.Search) (*checker.Report, error) {
	s.Standing = e.leaves()
	if ways := e.apart.Load(); ways != nil {
		s.Without = evidence.Skipped(*ways)
	}
	report, err := b.Check(ctx, s)
	if err != nil {
		return nil, err
	}
	if ways := e.apart.Load(); ways != nil {
		report = report.KeepApart(*ways)
	}
	return report, nil
}

var _ fitness.Checker = (*Explorer)(nil)

// Check builds and explores a program.
func (e *Explorer) Check(ctx context.Context, files map[string][]byte, s checker.Search) (*checker.Report, error) {
	e.checks.Add(1)
	b, err := e.Checker.Obtain(ctx, files)
	if err != nil {
		return nil, err
	}
	defer b.Close()
	return e.Explore(ctx, b, s)
}

// BuildAll builds several programs together. One that cannot share an executable is built
// when it is explored, so that the others need not wait.
func (e *Explorer) BuildAll(ctx context.Context, sets []map[string][]byte) ([]fitness.Built, error) {
	binaries, err := e.Checker.BuildTogether(ctx, sets)
	built := make([]fitness.Built, len(binaries))
	for i, b := range binaries {
		switch built[i].Err = b.Err; {
		case b.Binary != nil:
			built[i].Program = counted{b.Binary, e}
		case b.Err == nil:
			built[i].Program = &later{explorer: e, files: sets[i]}
		}
	}
	return built, err
}

// later is a program that is built when it is explored for the first time.
type later struct {
	explorer *Explorer
	files    map[string][]byte

	mu     sync.Mutex      // held while it is built
	binary *checker.Binary // nil: it is not built
}

// Check implements [fitness.Program].
func (l *later) Check(ctx context.Context, s checker.Search) (*checker.Report, error) {
	b, err := l.built(ctx)
	if err != nil {
		return nil, err
	}
	return counted{b, l.explorer}.Check(ctx, s)
}

// built is the program's binary.
func (l *later) built(ctx context.Context) (*checker.Binary, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.binary != nil {
		return l.binary, nil
	}
	b, err := l.explorer.Checker.Obtain(ctx, l.files)
	if err != nil {
		return nil, err
	}
	l.binary = b
	return b, nil
}

// Close removes the binary, if there is one.
func (l *later) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.binary == nil {
		return nil
	}
	return l.binary.Close()
}

// counted is a binary whose searches are counted.
type counted struct {
	*checker.Binary
	explorer *Explorer
}

func (c counted) Check(ctx context.Context, s checker.Search) (*checker.Report, error) {
	c.explorer.checks.Add(1)
	return c.explorer.Explore(ctx, c.Binary, s)
}

// A checkedOriginal is what the checker says of the original.
type checkedOriginal struct {
	Checked   *checker.Report   // nil: the checker takes no part
	Explorer  *Explorer         // nil: it could not be made, or was not wanted
	Off       string            // why the checker takes no part
	schedules []*checker.File   // of the failures, in their order
	Traces    map[string]Traced // executions that show failures, by signature
	Suspects  []dossier.Suspect // where the fault may be, most suspicious first
}

// checkerFailed reports whether the checker has seen the original fail.
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

// checkOriginal lets the checker look for the failure; doubting, time-outs of the program may expire early. There is no
// report when it is not wanted, cannot judge the program, or ctx ended. Nothing depends on
// it, so what keeps it from its work is a note. It changes nothing of the baseline.
func (b *Baseline) checkOriginal(ctx context.Context, doubting bool) checkedOriginal {
	var o checkedOriginal
	if b.setup.NoChecker {
		return o
	}
	err := b.tryChecker(ctx, &o, doubting)
	switch {
	case ctx.Err() != nil:
		o.Checked = nil
	case err != nil:
		o.disable(b.setup.Progress, err.Error())
	case o.Checked.Verdict == explore.Inconclusive:
		o.disable(b.setup.Progress, o.Checked.Reason)
	default:
		b.setup.Progress.Step("checker: the original: %s in %d schedules", o.Checked.Verdict, o.Checked.Schedules)
	}
	return o
}

// newExplorer prepares the checker for the program.
func (b *Baseline) newExplorer(ctx context.Context, doubting bool) (*Explorer, error) {
	s := b.setup
	patience, trust := patience(doubting)
	c, err := checker.New(ctx, checker.Config{
		Tool: s.Tool, Program: s.Program, Workers: s.Workers, Patience: patience, TrustTests: trust, Incremental: !s.Search.Scratch,
		Builds: &s.Progress.Meter.Building,
	})
	if err != nil {
		return nil, err
	}
	e := &Explorer{Checker: c}
	s.Progress.Meter.UseChecker(e)
	return e, nil
}

// explore lets the checker alone find out how the original fails.
func (b *Baseline) Explore(ctx context.Context) error {
	err := b.tryChecker(ctx, &b.checkedOriginal, false)
	b.summarise()
	return err
}

func (b *Baseline) tryChecker(ctx context.Context, o *checkedOriginal, doubting bool) (err error) {
	if o.Explorer, err = b.newExplorer(ctx, doubting); err != nil {
		return err
	}
	return b.exploreInto(ctx, o)
}

// exploreInto lets the checker look for the failure in the original.
func (b *Baseline) exploreInto(ctx context.Context, o *checkedOriginal) error {
	o.Explorer.checks.Add(1)
	binary, err := o.Explorer.Checker.Obtain(ctx, nil)
	if err != nil {
		return err
	}
	defer binary.Close()
	search := fitness.CheckerOptions{Seed: b.setup.Seed, Budget: originalBudget}.Search()
	search.Deliver, search.Standing = deliveries, o.Explorer.leaves()
	if b.only != nil && b.only.input.schedule != nil {
		search.First = append(search.First, b.only.input.schedule.Schedule())
	}
	if o.Checked, err = binary.Check(ctx, search); err != nil {
		return err
	}
	o.schedules = nil
	for _, f := range o.Checked.Failures {
		file, err := binary.File(f)
		if err != nil {
			return err
		}
		o.schedules = append(o.schedules, file)
	}
	explain(ctx, b.setup, o, binary, o.Checked.Failures)
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
func (b *Baseline) otherTrouble() string {
	if b.Checked == nil || b.Checked.Verdict != explore.Failed || fitness.Judge(b.Checked, 1, 1).Passes > 0 {
		return ""
	}
	shown := map[evidence.Kind]bool{}
	var hangs []evidence.Failure
	for _, o := range b.Counted() {
		for _, f := range o.Failures {
			if shown[f.Kind] = true; f.Kind.Hangs() {
				hangs = append(hangs, f)
			}
		}
	}
	if len(shown) == 0 {
		return "" // believable judges what the checker alone has seen
	}
	telling := slices.ContainsFunc(b.Checked.Failures, func(f checker.Failure) bool {
		return f.Kind == evidence.Race || f.Kind == evidence.Deadlock
	})
	for _, f := range b.Checked.Failures {
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
