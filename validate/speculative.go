package validate

import (
	"context"
	"sync"

	"mendel/mutate"
)

// An ahead is a full series of noised runs of a candidate that goes on while
// smaller candidates are judged: most candidates turn out to be the fix, and
// noised runs leave the processors idle half of the time.
type ahead struct {
	hash   string
	cancel context.CancelFunc
	built  chan struct{} // closed when the binary is built, or will not be
	done   chan struct{} // closed when confirmed and err are set

	confirmed Confirmation
	err       error
}

// confirmAhead begins to confirm the present mutant.
func (j *job) confirmAhead(ctx context.Context) {
	if known, ok := j.stood[j.mutant.Hash]; ok && known.Runs >= j.runs() || j.fell[j.mutant.Hash] != nil {
		return
	}
	j.ahead = j.series(ctx, j.mutant)
}

// series begins a full series of runs of a mutant.
func (j *job) series(ctx context.Context, m *mutate.Mutant) *ahead {
	a := &ahead{hash: m.Hash, built: make(chan struct{}), done: make(chan struct{})}
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
func (a *ahead) stop() {
	if a != nil {
		a.cancel()
		<-a.done
	}
}

// stopAhead ends what was begun ahead, because it is not wanted, or because
// time is to be measured.
func (j *job) stopAhead() {
	j.ahead.stop()
	j.ahead = nil
}

// confirmLast confirms the present mutant in full, by the series begun ahead if
// it is this mutant's. begun is called when the runs begin, or are known not to.
func (j *job) confirmLast(ctx context.Context, begun func()) (Confirmation, error) {
	defer begun()
	known, stood := j.stood[j.mutant.Hash]
	if j.o.NoNoise || stood && known.Runs >= j.runs() || j.fell[j.mutant.Hash] != nil {
		return j.stands(ctx, j.mutant, j.runs())
	}
	if j.ahead == nil || j.ahead.hash != j.mutant.Hash {
		j.stopAhead()
		j.ahead = j.series(ctx, j.mutant)
	}
	select {
	case <-j.ahead.built:
	case <-ctx.Done():
	}
	begun()
	select {
	case <-j.ahead.done:
	case <-ctx.Done():
		j.stopAhead()
		return Confirmation{}, ctx.Err()
	}
	return j.ahead.confirmed, j.remember(j.mutant, j.ahead.confirmed, j.ahead.err)
}
