package repair

import (
	"context"

	"mendel/fitness/noise"
	"mendel/internal/journal"
	"mendel/internal/store"
)

// save enters how the original behaves.
func (b *baseline) save() error {
	s := b.setup
	if s.Journal == nil {
		return nil
	}
	saved := journal.SavedBaseline{
		Noised: b.noised, Plain: b.plain, Checked: b.checked, Schedules: b.schedules,
		Leaks: b.leaks, Checker: b.off, Notes: s.Progress.Noted(),
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
	s.Progress.Save()
	return s.Journal.SaveBaseline(saved, failures)
}

// restore makes the baseline what reproducing made of it before.
func (b *baseline) restore(ctx context.Context, saved *journal.SavedBaseline) error {
	b.noised, b.plain, b.checked, b.leaks = saved.Noised, saved.Plain, saved.Checked, saved.Leaks
	b.schedules, b.off, b.testdata = saved.Schedules, saved.Checker, saved.Testdata
	b.suspects, b.standing, b.apart = saved.Suspects, saved.Standing, saved.Apart
	b.traces = map[string]traced{}
	for signature, t := range saved.Traces {
		b.traces[signature] = traced{t.Schedule, t.Trace, t.Locks}
	}
	if saved.Leaks {
		c := b.setup.NoiseConfig(b.narrowing)
		c.LeakProfile = true
		h, err := noise.New(c)
		if err != nil {
			return err
		}
		if err := b.exchange(h); err != nil {
			return err
		}
	}
	b.harness.Calibrate(b.plain)
	b.harness.Calibrate(b.noised)
	if b.checked != nil {
		b.checked.Delivered = saved.Delivered
		var err error
		b.doubting = needTimeouts(b.checked)
		if b.explorer, err = b.newExplorer(ctx, b.doubting); err != nil {
			return err
		}
		b.explorer.standing.Store(&b.standing)
	}
	if err := b.restoreForced(saved.Forced); err != nil {
		return err
	}
	if len(b.standing) > 0 {
		b.harness.Overlook(b.standing)
	}
	b.leaveApart(b.apart)
	b.summarise()
	err := b.keepWanted()
	b.setup.Progress.RestoreNotes(saved.Notes) // those noted again since among them
	return err
}
