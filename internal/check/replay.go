package check

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"mendel/analysis"
	"mendel/analysis/evidence"
	"mendel/checker"
	"mendel/checker/sched"
	"mendel/internal/cover"
	"mendel/internal/report"
	"mendel/internal/result"
)

// ReplayOptions say which schedule to follow. Zero values are defaults.
type ReplayOptions struct {
	File     string          // a schedule that Check or Repair wrote, or what Check or Cover forced
	Dir      string          // directory of the module, or in it; "": the one that the file names
	Count    int             // how often to follow it; 0: once
	Observer result.Observer // nil: nobody
}

// ReplayVerdict is what following a schedule showed.
type ReplayVerdict string

// Verdicts of a replay. The command's exit codes are 1, 0, 2, 2 and 2 in this order.
const (
	ReplayFailed       ReplayVerdict = "failed"       // it failed; Recorded reports whether as recorded
	ReplayPassed       ReplayVerdict = "passed"       // the schedule was followed and nothing failed
	ReplayDiverged     ReplayVerdict = "diverged"     // nothing failed, but the schedule could not be followed
	ReplayInconclusive ReplayVerdict = "inconclusive" // it could not be told: see the reason
	ReplayError        ReplayVerdict = "error"        // bad usage, does not build, broken environment
)

// A ReplayResult is what following a schedule showed.
type ReplayResult struct {
	Verdict   ReplayVerdict    `json:"verdict"` // of the first time
	Reason    string           `json:"reason,omitempty"`
	File      string           `json:"file"` // of the schedule
	Target    result.Target    `json:"target"`
	Test      string           `json:"test"`
	Recorded  evidence.Failure `json:"recorded"`           // kind, signature and message of the failure when the schedule was made
	Same      bool             `json:"same"`               // it fails as recorded: with the same signature, without diverging
	Diverged  string           `json:"diverged,omitempty"` // how the execution differed from the schedule
	Changed   bool             `json:"changed"`            // the source is another than that which the schedule was made with
	Count     int              `json:"count"`              // times that it was followed
	Identical int              `json:"identical"`          // of them gave the failure and the steps of the first time
	Failure   *Failure         `json:"failure,omitempty"`
	Forced    *ReplayForced    `json:"forced,omitempty"` // the file is of a failure that was found with the real scheduler
	Seconds   float64          `json:"seconds"`

	first   *checker.Replayed
	program *analysis.Program
}

// Replay builds the program of a schedule again and follows the schedule. The
// result is never nil; errors are for what could not be followed at all: a
// file that is no schedule, a package that is gone or does not build, a test
// that is no longer there, and ctx's.
func Replay(ctx context.Context, o ReplayOptions) (*ReplayResult, error) {
	began := time.Now()
	res := &ReplayResult{Verdict: ReplayError, File: o.File}
	err := res.replay(ctx, o)
	res.Seconds = time.Since(began).Seconds()
	if err != nil && ctx.Err() != nil && res.Count > 0 {
		err = ctx.Err() // what was followed until then stands
	}
	if err != nil && res.Count == 0 {
		res.Reason = err.Error()
	}
	return res, err
}

func (res *ReplayResult) replay(ctx context.Context, o ReplayOptions) error {
	if o.Count < 0 {
		return fmt.Errorf("--count %d is negative", o.Count)
	}
	if o.Observer == nil {
		o.Observer = result.Silent{}
	}
	if filepath.Ext(o.File) == cover.Extension {
		file, err := cover.ReadFile(o.File)
		if err != nil {
			return err
		}
		return res.force(ctx, o, file)
	}
	file, err := checker.ReadSchedule(o.File)
	if err != nil {
		return fmt.Errorf("%w; name a failure-N.schedule or failure-N.iroot that mendel check wrote", err)
	}
	res.Test = file.Test
	res.Recorded = evidence.Failure{Kind: file.Kind, Signature: file.Signature, Message: file.Message, Test: file.Test}
	target, err := targetOf(file, o.Dir)
	if err != nil {
		return err
	}
	res.Target = result.Target{Module: target.Dir, Package: target.Package, Run: target.Run}
	o.Observer.Phase("loading %s", file.Package)
	p, err := prepare(ctx, target, file.Instrument, 1, file.Scale, o.Observer)
	if none := (*analysis.NoTests)(nil); errors.As(err, &none) {
		return fmt.Errorf("%s has no test %s", file.Package, file.Test)
	}
	if err != nil {
		return err
	}
	defer p.close()
	res.program = p.program
	res.Target.Module = p.tool.ModuleDir
	res.Changed = !file.Same(p.program, p.files)
	o.Observer.Phase("following the schedule of %s", file.Test)
	for range max(o.Count, 1) {
		r, err := p.binary.Replay(ctx, file.Schedule())
		if err != nil {
			if res.Changed && ctx.Err() == nil {
				err = fmt.Errorf("%w; the source has changed since the schedule was made", err)
			}
			return err
		}
		res.add(r)
	}
	return nil
}

// targetOf is what to load for a schedule, in its own directory or another.
func targetOf(file *checker.File, dir string) (analysis.Target, error) {
	target := file.Target()
	if dir != "" {
		target.Dir = dir
	}
	info, err := os.Stat(target.Dir)
	switch {
	case err != nil && dir == "":
		return target, fmt.Errorf("the module that the schedule was made in is not there: %w; name its directory with -C", err)
	case err != nil:
		return target, fmt.Errorf("module directory: %w", err)
	case !info.IsDir():
		return target, fmt.Errorf("%s is not a directory", target.Dir)
	}
	return target, nil
}

// add counts one more replay; the first gives the verdict.
func (res *ReplayResult) add(r *checker.Replayed) {
	res.Count++
	if res.first == nil {
		res.first = r
		res.judge()
	}
	if identical(res.first, r) {
		res.Identical++
	}
}

// judge words the first replay.
func (res *ReplayResult) judge() {
	r := res.first
	res.Diverged = r.Diverged
	switch {
	case r.Failure != nil:
		res.Verdict = ReplayFailed
		res.Same = r.Diverged == "" && r.Failure.Signature == res.Recorded.Signature
		f := checkFailure(*r.Failure)
		res.Failure = &f
	case r.Diverged != "":
		res.Verdict, res.Reason = ReplayDiverged, r.Diverged
	case r.Reason != "":
		res.Verdict, res.Reason = ReplayInconclusive, r.Reason
	default:
		res.Verdict = ReplayPassed
	}
}

// identical reports whether two replays went the same way.
func identical(a, b *checker.Replayed) bool {
	if a.Diverged != b.Diverged || a.Reason != b.Reason || (a.Failure == nil) != (b.Failure == nil) {
		return false
	}
	if a.Failure == nil {
		return a.Reason == ""
	}
	return a.Failure.Signature == b.Failure.Signature && a.Failure.Schedule == b.Failure.Schedule &&
		slices.EqualFunc(a.Failure.Trace, b.Failure.Trace, func(x, y sched.Event) bool {
			return x.G == y.G && x.Kind == y.Kind && x.Obj == y.Obj && x.Place.File == y.Place.File && x.Place.Line == y.Place.Line
		})
}

// JSON is the result for machines.
func (res *ReplayResult) JSON() ([]byte, error) { return result.Indent(res) }

// Print writes the result for people.
func (res *ReplayResult) Print(w io.Writer, how PrintOptions) error {
	if res.Forced != nil {
		return res.printForced(w)
	}
	if res.first == nil {
		_, err := fmt.Fprintf(w, "%s: %s\n", res.Verdict, res.Reason)
		return err
	}
	return report.Replay(w, report.ReplayOptions{
		Replayed: res.first, Recorded: res.Recorded, Same: res.Same, Changed: res.Changed,
		Count: res.Count, Identical: res.Identical,
		Source: SourceOf(res.program), Width: how.Width, Color: how.Color,
	})
}
