package check

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"time"

	"mendel/analysis"
	"mendel/analysis/evidence"
	"mendel/checker"
	"mendel/internal/cover"
	"mendel/internal/report"
	"mendel/internal/result"
)

// isNative reports whether the strategy is no schedules' under the checker's control
// (explore.Kinds), but runs the tests with the real scheduler.
func (o Options) isNative() bool { return slices.Contains(cover.Strategies, o.Strategy) }

// A Forced is what is known of a failure that was found with the real scheduler.
type Forced struct {
	Idiom       int         `json:"idiom,omitempty"` // of the iRoot that was forced; 0: none was
	Text        string      `json:"text,omitempty"`
	Ends        []cover.End `json:"ends,omitempty"`
	Exposed     bool        `json:"exposed,omitempty"` // it came about
	Seed        uint64      `json:"seed"`
	Late        bool        `json:"late,omitempty"` // goroutines began late
	Repeated    int         `json:"repeated,omitempty"`
	FailedAgain int         `json:"failedAgain,omitempty"` // of these runs
	File        string      `json:"file,omitempty"`        // in the output directory, for replay
}

// native checks with the real scheduler. A failure that the checker finds too, under
// its control, is kept as a schedule.
func (c *checking) native(ctx context.Context) error {
	o := c.o
	budget := o.Budget
	follow := o.Strategy == cover.Maple && !o.Native
	if follow {
		budget = budget * 3 / 4
	}
	res := c.result
	covered, err := cover.Run(ctx, cover.Options{
		Dir: o.Dir, Package: o.Package, Run: o.Run, Tags: o.Tags, Flags: o.Flags, Strategy: o.Strategy, Runs: o.Schedules,
		Budget: budget, Seed: o.Seed, Workers: o.Workers, First: !o.All, Rest: true, Fresh: o.Fresh, Out: o.Out, Observer: o.Observer,
	})
	res.covered = covered
	res.Verdict, res.Reason, res.Target = Verdict(covered.Verdict), covered.Reason, covered.Target
	for _, t := range covered.Tests {
		res.Tests = append(res.Tests, nativeTest(t, covered))
		res.Schedules += t.Profiled + t.Forced
	}
	for _, t := range res.Tests {
		res.Counts.Tests++
		if t.Verdict == Failed {
			res.Counts.Failed++
		} else {
			res.Counts.Passed++
		}
	}
	for _, f := range covered.Failures {
		res.Failures = append(res.Failures, nativeFailure(f, o.Strategy))
	}
	if err == nil && follow && len(res.Failures) > 0 {
		err = c.follow(ctx)
	}
	return err
}

func nativeTest(t cover.Test, r *cover.Result) Test {
	n := Test{Name: t.Name, Verdict: Passed, Schedules: t.Profiled + t.Forced}
	if slices.ContainsFunc(r.Failures, func(f cover.Failure) bool { return f.Test == t.Name }) {
		n.Verdict = Failed
	}
	return n
}

func nativeFailure(f cover.Failure, strategy string) Failure {
	forced := &Forced{
		Exposed: f.Exposed, Seed: f.Seed, Late: f.Late, Repeated: f.Repeated, FailedAgain: f.FailedAgain, File: f.File,
	}
	if f.Forced != nil {
		forced.Idiom, forced.Text, forced.Ends = f.Forced.Idiom, f.Forced.Text, f.Forced.Ends
	}
	seen := f.Failure
	seen.Test = f.Test
	return Failure{
		Failure: seen, Strategy: strategy, Nth: f.Run, Places: []Place{}, Goroutines: []string{}, Trace: []Step{}, Forced: forced,
	}
}

// leastFollow is how long the checker looks for a failure at least.
const leastFollow = 5 * time.Second

// follow looks for the failures under the checker's control. What it cannot follow is
// no error: the failure stands with its iRoot and seed.
func (c *checking) follow(ctx context.Context) error {
	c.o.Observer.Phase("looking for the failure under control")
	p, err := prepare(ctx, analysis.Target{
		Dir: c.o.Dir, Package: c.o.Package, Run: c.o.Run, Flags: result.BuildFlags(c.o.Tags, c.o.Flags),
	}, c.o.Instrument, c.o.Workers, 0, result.Silent{})
	if err != nil {
		return ctx.Err()
	}
	defer p.close()
	res := c.result
	res.program, res.Uncontrolled = p.program, p.binary.Uncontrolled()
	looked := map[string]*checker.Report{}
	for i := range res.Failures {
		f := &res.Failures[i]
		if looked[f.Test] == nil {
			looked[f.Test], err = p.binary.Check(ctx, checker.Search{
				Strategy: "auto", Budget: max(c.o.Budget/4, leastFollow), Preemptions: c.o.Preemptions, Steps: c.o.Steps,
				Seed: c.o.Seed, Patience: c.o.Patience, Guards: !c.o.Impatient, All: c.o.All, Explain: true, Tests: []string{f.Test},
			})
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if err != nil || looked[f.Test] == nil {
				looked[f.Test] = &checker.Report{}
			}
		}
		if err := c.adopt(i, looked[f.Test], p.binary); err != nil {
			return err
		}
	}
	return nil
}

// adopt keeps the schedule of the checker's failure that is failure i.
func (c *checking) adopt(i int, r *checker.Report, b *checker.Binary) error {
	f := &c.result.Failures[i]
	for _, g := range r.Failures {
		if !alike(f.Failure, g.Failure) {
			continue
		}
		file, err := b.File(g)
		if err != nil {
			return fmt.Errorf("keep a failure's schedule: %w", err)
		}
		followed := checkFailure(g)
		followed.Forced, followed.Strategy, followed.Nth = f.Forced, f.Strategy, f.Nth
		*f = followed
		c.result.files = append(c.result.files, file)
		c.result.fileOf = append(c.result.fileOf, i)
		c.result.followed = append(c.result.followed, g)
		return nil
	}
	return nil
}

// alike reports whether the checker's failure may be taken for one of a real run: it is
// the same one, or of the same kind in the same test. That goroutines hang may be seen as
// a deadlock, as goroutines that stay blocked, or as a time-out.
func alike(real, checked evidence.Failure) bool {
	return real.Signature == checked.Signature || real.Kind == checked.Kind || real.Kind.Hangs() && checked.Kind.Hangs()
}

// printNative writes the result of a check with the real scheduler for people.
func (res *Result) printNative(w io.Writer, how PrintOptions) error {
	if err := res.covered.Print(w, cover.PrintOptions{Verbose: how.Verbose, Brief: true, Out: how.Out}); err != nil {
		return err
	}
	for k, i := range res.fileOf {
		f := res.Failures[i]
		fmt.Fprintf(w, "\n%s also fails under control: %s\n", f.Test, f.Message)
		if f.Schedule != "" {
			fmt.Fprintf(w, "  again: mendel replay %s\n", filepath.Join(how.Out, f.Schedule))
		}
		g := res.followed[k]
		err := report.Interleaving(w, report.InterleavingOptions{
			Kind: g.Kind, Goroutines: g.Goroutines, Trace: g.Trace, Places: g.Places,
			Source: SourceOf(res.program), Width: how.Width, Color: how.Color,
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// force forces again what a file says.
func (res *ReplayResult) force(ctx context.Context, o ReplayOptions, file *cover.File) error {
	res.Test = file.Test
	res.Recorded = evidence.Failure{Kind: file.Kind, Signature: file.Signature, Message: file.Message, Test: file.Test}
	res.Target = result.Target{Module: file.Dir, Package: file.Package, Run: file.Run}
	r, err := cover.Replay(ctx, file, o.Dir, max(o.Count, 1), o.Observer)
	if r == nil || r.Runs == 0 {
		return errors.Join(err, ctx.Err())
	}
	res.Forced = &ReplayForced{Text: file.Text, Exposed: r.Exposed, Failed: r.Failed, Same: r.Same}
	res.Count, res.Changed, res.Same = r.Runs, r.Changed, r.Same > 0
	res.Verdict = ReplayPassed
	if r.Failed > 0 {
		res.Verdict = ReplayFailed
	}
	if len(r.Failure) > 0 {
		res.Failure = &Failure{Failure: r.Failure[0], Places: []Place{}, Goroutines: []string{}, Trace: []Step{}}
	}
	return err
}

// A ReplayForced is what forcing something again showed.
type ReplayForced struct {
	Text    string `json:"text,omitempty"` // what was forced; "": nothing
	Exposed int    `json:"exposed"`        // runs in which it came about
	Failed  int    `json:"failed"`         // runs
	Same    int    `json:"same"`           // runs that failed as recorded
}

// printForced writes for people what came of forcing something again.
func (res *ReplayResult) printForced(w io.Writer) error {
	f := res.Forced
	text := fmt.Sprintf("%s: %s failed in %d of %s", res.Verdict, res.Test, f.Failed, report.Count(res.Count, "run"))
	if f.Failed > 0 {
		text += fmt.Sprintf(", %d of them as recorded", f.Same)
	}
	text += "\n"
	if f.Text != "" {
		text += fmt.Sprintf("  forced: %s\n  It came about in %d.\n", f.Text, f.Exposed)
	}
	if res.Failure != nil {
		text += fmt.Sprintf("  %s: %s\n", res.Failure.Kind, res.Failure.Message)
	}
	if !res.Same {
		text += fmt.Sprintf("  Recorded: %s\n", res.Recorded.Message)
	}
	if res.Changed {
		text += "  The source has changed since the failure was recorded.\n"
	}
	_, err := io.WriteString(w, text)
	return err
}
