package validate

import (
	"context"
	"errors"

	"mendel/mutate"
)

// A speculativeRun is a full series of noised runs of a candidate that goes on
// while smaller candidates are judged. Most candidates turn out to be the fix,
// and noised runs leave the processors idle half of the time.
type speculativeRun struct {
	hash   string
	cancel context.CancelFunc
	done   chan struct{} // closed when confirmed and err are set

	confirmed Confirmation
	err       error
}

// speculate begins to confirm the present mutant in full.
func (j *job) speculate(ctx context.Context) {
	q := j.full(j.believed())
	if known, ok := j.confirmations[j.mutant.Hash]; ok && q.confirms(known) || j.refuted[j.mutant.Hash] != nil {
		return
	}
	j.speculative = j.ahead(ctx, j.mutant, q)
}

// beside begins the short series of runs of a step, to go on beside the checker; nil if
// the runs are known, or are not to be made so.
func (j *job) beside(ctx context.Context, m *mutate.Mutant) *speculativeRun {
	if j.o.Checker == nil || j.o.NoNoise || !j.o.AtOnce || !j.quick {
		return nil
	}
	q := j.brief()
	if known, ok := j.confirmations[m.Hash]; ok && q.confirms(known) || j.refuted[m.Hash] != nil || j.failed[m.Hash] != nil {
		return nil
	}
	return j.ahead(ctx, m, q)
}

// ahead begins to confirm a mutant.
func (j *job) ahead(ctx context.Context, m *mutate.Mutant, q quota) *speculativeRun {
	a := &speculativeRun{hash: m.Hash, done: make(chan struct{})}
	ctx, a.cancel = context.WithCancel(ctx)
	first := j.seeds(m)
	go func() {
		defer close(a.done)
		a.confirmed, a.err = j.runSeries(ctx, m, q, first)
	}()
	return a
}

// stop ends the series and waits until it has ended. It may be called on nil, and twice.
func (a *speculativeRun) stop() {
	if a != nil {
		a.cancel()
		<-a.done
	}
}

// stopSpeculating ends the speculative run, because it is not wanted, or because
// time is to be measured.
func (j *job) stopSpeculating() {
	j.speculative.stop()
	j.speculative = nil
}

// refutedMeanwhile is why the speculative run has refuted the candidate by now, if
// it failed as the original does: then the candidate mends nothing, and neither do
// fewer edits. Where it fails in another way, one of its edits may be to blame.
func (j *job) refutedMeanwhile() error {
	s := j.speculative
	if s == nil {
		return nil
	}
	select {
	case <-s.done:
	default:
		return nil
	}
	var rejected *Rejected
	if !errors.As(s.err, &rejected) || rejected.Failure == nil || j.o.Before.Failures[rejected.Failure.Kind] == 0 {
		return nil
	}
	return j.remember(rejected.Mutant, s.confirmed, s.err)
}

// confirmLast confirms the present mutant in full, by the speculative run if it
// is this mutant's.
// Runs that have passed when ctx ends come with the error, as those of Confirm.
func (j *job) confirmLast(ctx context.Context, q quota) (Confirmation, error) {
	known, confirmed := j.confirmations[j.mutant.Hash]
	if j.o.NoNoise || confirmed && q.confirms(known) || j.refuted[j.mutant.Hash] != nil {
		return j.confirmOnce(ctx, j.mutant, q)
	}
	if j.speculative == nil || j.speculative.hash != j.mutant.Hash {
		j.stopSpeculating()
		j.speculative = j.ahead(ctx, j.mutant, q)
	}
	last := j.speculative
	select {
	case <-last.done:
	case <-ctx.Done():
		j.stopSpeculating()
	}
	return last.confirmed, j.remember(j.mutant, last.confirmed, last.err)
}
