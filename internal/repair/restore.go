package repair

import (
	"context"
	"fmt"
	"strings"

	"mendel/analysis"
	"mendel/fitness/noise"
	"mendel/internal/journal"
	"mendel/internal/store"
)

// saveBaseline enters how the original behaves.
func (env *environment) saveBaseline(b *baseline) error {
	if env.journal == nil {
		return nil
	}
	saved := journal.SavedBaseline{
		Noised: b.noised, Plain: b.plain, Checked: b.checked, Schedules: b.schedules,
		Leaks: b.leaks, Checker: b.off, Notes: env.progress.noted(),
		Testdata: b.testdata, Traces: map[string]journal.SavedTrace{}, Suspects: b.suspects,
		Standing: b.standing, Apart: b.apart,
	}
	var err error
	if saved.Forced, err = b.saved(); err != nil {
		return err
	}
	if b.checked != nil {
		saved.Delivered = b.checked.Delivered
	}
	for signature, t := range b.traces {
		saved.Traces[signature] = journal.SavedTrace{Schedule: t.schedule, Trace: t.trace, Locks: t.locks}
	}
	var failures []store.FailureRow
	for _, f := range b.failures {
		failures = append(failures, store.FailureRow{
			Kind: string(f.Kind), Message: f.Message, Test: f.Test, Signature: f.Signature, Seen: f.seen, Runs: f.runs,
		})
	}
	env.progress.save()
	return env.journal.SaveBaseline(saved, failures)
}

// restoreBaseline makes a baseline what reproducing made of it before.
func (env *environment) restoreBaseline(ctx context.Context, n *analysis.Narrowing, b *baseline, saved *journal.SavedBaseline) error {
	b.noised, b.plain, b.checked, b.leaks = saved.Noised, saved.Plain, saved.Checked, saved.Leaks
	b.schedules, b.off, b.testdata = saved.Schedules, saved.Checker, saved.Testdata
	b.suspects, b.standing, b.apart = saved.Suspects, saved.Standing, saved.Apart
	b.traces = map[string]traced{}
	for signature, t := range saved.Traces {
		b.traces[signature] = traced{t.Schedule, t.Trace, t.Locks}
	}
	if saved.Leaks {
		c := env.noiseConfig(n)
		c.LeakProfile = true
		h, err := noise.New(c)
		if err != nil {
			return err
		}
		if err := env.exchange(b, h); err != nil {
			return err
		}
	}
	b.harness.Calibrate(b.plain)
	b.harness.Calibrate(b.noised)
	if b.checked != nil {
		b.checked.Delivered = saved.Delivered
		var err error
		env.doubting = needTimeouts(b.checked)
		if b.explorer, err = env.newExplorer(ctx); err != nil {
			return err
		}
		b.explorer.standing.Store(&b.standing)
	}
	if err := env.restoreForced(n, b, saved.Forced); err != nil {
		return err
	}
	if len(b.standing) > 0 {
		b.harness.Overlook(b.standing)
	}
	b.leaveApart(b.apart)
	b.summarise()
	err := env.keepWanted(b)
	env.progress.restoreNotes(saved.Notes) // those noted again since among them
	return err
}

// saveFindings enters what is used concurrently.
func (env *environment) saveFindings(n *analysis.Narrowing) {
	if env.journal == nil {
		return
	}
	var all []store.Finding
	types, functions, variables := n.Findings()
	for _, list := range [][]analysis.Finding{types, functions, variables} {
		for _, f := range list {
			var reasons []string
			for _, why := range f.Reasons {
				reasons = append(reasons, fmt.Sprintf("%s: %s", why.Source, why.Detail))
			}
			file := f.Pos.Filename
			if known := env.program.File(file); known != nil {
				file = known.Rel
			}
			all = append(all, store.Finding{
				Kind: string(f.Kind), Name: f.Name, Place: fmt.Sprintf("%s:%d", file, f.Pos.Line), Reasons: strings.Join(reasons, "\n"),
			})
		}
	}
	env.journal.SaveFindings(all)
}
