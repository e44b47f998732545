package validate

import (
	"context"
	"sync"

	"mendel/mutate"
)

// A speculativeRun is a full series of noised runs of a candidate that goes on
// while smaller candidates are judged. Most candidates turn out to be the fix,
// and noised runs leave the processors idle half of the time.
type speculativeRun struct {
	hash   string
	cancel context.CancelFunc
	built  chan struct{} // closed when the binary is built, or will not be
	done   chan struct{} // closed when confirmed and err are set

	confirmed Confirmation
	err       error
}

// speculate begins to confirm the present mutant in full.
func (j *job) speculate(ctx context.Context) {
	if known, ok := j.confirmations[j.mutant.Hash]; ok && known.Runs >= j.runs() || j.refuted[j.mutant.Hash] != nil {
		return
	}
	j.speculative = j.series(ctx, j.mutant)
}

// series begins a full series of runs of a mutant.
func (j *job) series(ctx context.Context, m *mutate.Mutant) *speculativeRun {
	a := &speculativeRun{hash: m.Hash, built: make(chan struct{}), done: make(chan struct{})}
	ctx, a.cancel = context.WithCancel(ctx)
	first, runs := j.seeds(m), j.runs()
	built := sync.OnceFunc(func() { close(a.built) })
	go func() {
		defer close(a.done)
		defer built()
		a.confirmed, a.err = j.runSeries(ctx, m, runs, first, built)
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

// confirmLast confirms the present mutant in full, by the speculative run if it
// is this mutant's. begun is called when the runs begin, or are known not to.
func (j *job) confirmLast(ctx context.Context, begun func()) (Confirmation, error) {
	defer begun()
	known, confirmed := j.confirmations[j.mutant.Hash]
	if j.o.NoNoise || confirmed && known.Runs >= j.runs() || j.refuted[j.mutant.Hash] != nil {
		return j.confirmOnce(ctx, j.mutant, j.runs())
	}
	if j.speculative == nil || j.speculative.hash != j.mutant.Hash {
		j.stopSpeculating()
		j.speculative = j.series(ctx, j.mutant)
	}
	select {
	case <-j.speculative.built:
	case <-ctx.Done():
	}
	begun()
	select {
	case <-j.speculative.done:
	case <-ctx.Done():
		j.stopSpeculating()
		return Confirmation{}, ctx.Err()
	}
	return j.speculative.confirmed, j.remember(j.mutant, j.speculative.confirmed, j.speculative.err)
}
