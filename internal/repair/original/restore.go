package original

import (
	"context"

	"mendel/fitness/noise"
	"mendel/internal/journal"
	"mendel/internal/store"
)

// save enters how the original behaves.
func (b *Baseline) save() error {
	s := b.setup
	if s.Journal == nil {
		return nil
	}
	saved := journal.SavedBaseline{
		Noised: b.Noised, Plain: b.plain, Checked: b.Checked, Schedules: b.schedules,
		Leaks: b.Leaks, Checker: b.Off, Notes: s.Progress.Noted(),
		Testdata: b.Testdata, Traces: map[string]journal.SavedTrace{}, Suspects: b.Suspects,
		Standing: b.Standing, Apart: b.apart,
	}
	var err error
	if saved.Forced, err = b.saved(); err != nil {
		return err
	}
	if b.Checked != nil {
		saved.Delivered = b.Checked.Delivered
	}
	for signature, t := range b.Traces {
		saved.Traces[signature] = journal.SavedTrace{Schedule: t.Schedule, Trace: t.Trace, Locks: t.Locks}
	}
	var failures []store.FailureRow
	for _, f := range b.Failures {
		failures = append(failures, store.FailureRow{
			Kind: string(f.Kind), Message: f.Message, Test: f.Test, Signature: f.Signature, Seen: f.seen, Runs: f.runs,
		})
	}
	s.Progress.Save()
	return s.Journal.SaveBaseline(saved, failures)
}

// restore makes the baseline what reproducing made of it before.
func (b *Baseline) restore(ctx context.Context, saved *journal.SavedBaseline) error {
	b.Noised, b.plain, b.Checked, b.Leaks = saved.Noised, saved.Plain, saved.Checked, saved.Leaks
	b.schedules, b.Off, b.Testdata = saved.Schedules, saved.Checker, saved.Testdata
	b.Suspects, b.Standing, b.apart = saved.Suspects, saved.Standing, saved.Apart
	b.Traces = map[string]Traced{}
	for signature, t := range saved.Traces {
		b.Traces[signature] = Traced{t.Schedule, t.Trace, t.Locks}
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
	b.Harness.Calibrate(b.plain)
	b.Harness.Calibrate(b.Noised)
	if b.Checked != nil {
		b.Checked.Delivered = saved.Delivered
		b.doubting = needTimeouts(b.Checked)
		if err := b.open(ctx, b.setup, b.doubting); err != nil {
			return err
		}
		b.Explorer.standing.Store(&b.Standing)
	}
	if err := b.restoreForced(saved.Forced); err != nil {
		return err
	}
	if len(b.Standing) > 0 {
		b.Harness.Overlook(b.Standing)
	}
	b.leaveApart(b.apart)
	b.summarise()
	err := b.keepWanted()
	b.setup.Progress.RestoreNotes(saved.Notes) // those noted again since among them
	return err
}
