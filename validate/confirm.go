package validate

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"time"

	"mendel/fitness/noise"
	"mendel/internal/gotool"
	"mendel/mutate"
)

const (
	defaultRuns = 15 * 10 // CORE's scoring runs times its safety factor (Kelk 2015, section 4.2.6)

	// A failure as frequent as before is missed by the confirming runs with
	// less than this probability, unless that takes more than maxFactor times
	// the usual number of runs. Both are guesses.
	missChance = 1e-3
	maxFactor  = 4

	// seriesBits is the width of the seeds that one series of runs may use up.
	seriesBits = 20
)

// Confirm runs a mutant under fresh noise until the first failure, which is a
// *Rejected error, or until all runs passed.
func (v *Validator) Confirm(ctx context.Context, m *mutate.Mutant) (Confirmation, error) {
	v.turn.Lock()
	defer v.turn.Unlock()
	return v.confirm(ctx, m, v.runs())
}

// confirmOnce confirms a mutant by at least n runs, once for each source: what
// was refuted before is refuted again. Without noise it is confirmed by no run.
func (v *Validator) confirmOnce(ctx context.Context, m *mutate.Mutant, n int) (Confirmation, error) {
	if v.o.NoNoise {
		return Confirmation{}, nil
	}
	if c, known := v.confirmations[m.Hash]; known && c.Runs >= n {
		return c, nil
	}
	if rejected, known := v.refuted[m.Hash]; known {
		return Confirmation{}, rejected
	}
	return v.confirm(ctx, m, n)
}

// confirm runs a mutant n times and remembers the result.
func (v *Validator) confirm(ctx context.Context, m *mutate.Mutant, n int) (Confirmation, error) {
	c, err := v.runSeries(ctx, m, n, v.seeds(m), nil)
	return c, v.remember(m, c, err)
}

// remember records the result of a series of runs; the error is the series'.
func (v *Validator) remember(m *mutate.Mutant, c Confirmation, err error) error {
	var rejected *Rejected
	switch {
	case errors.As(err, &rejected):
		v.refuted[m.Hash] = rejected
		delete(v.confirmations, m.Hash)
	case err == nil:
		v.confirmations[m.Hash] = c
	}
	return err
}

// runSeries builds a mutant and runs it n times with seeds from first on. It
// calls built when the build is done, if built is not nil, and uses no field of
// the validator that changes.
func (v *Validator) runSeries(ctx context.Context, m *mutate.Mutant, n int, first uint64, built func()) (Confirmation, error) {
	bin, err := v.o.Runner.Build(ctx, noise.Noised, m.Files)
	if built != nil {
		built()
	}
	var broken *gotool.BuildError
	switch {
	case errors.As(err, &broken):
		return Confirmation{}, &Rejected{Mutant: m, Stage: StageConfirm, Reason: "does not build: " + err.Error()}
	case err != nil:
		return Confirmation{}, fmt.Errorf("building a candidate: %w", err)
	}
	defer bin.Close()

	outcomes, err := bin.RunMany(ctx, n, noise.RunOptions{Seed: first, Timeout: v.o.Timeout}, func(o noise.Outcome) bool { return !o.Pass })
	for i, o := range outcomes {
		if !o.Pass {
			return Confirmation{}, refutation(m, o, i, n)
		}
	}
	if err != nil {
		return Confirmation{}, fmt.Errorf("confirming a candidate: %w", err)
	}
	if len(outcomes) < n {
		return Confirmation{}, fmt.Errorf("confirming a candidate: %d of %d runs came back", len(outcomes), n)
	}
	return summarise(outcomes, first), nil
}

// refutation makes a rejection of the first failing run.
func refutation(m *mutate.Mutant, o noise.Outcome, passed, n int) *Rejected {
	r := &Rejected{Mutant: m, Stage: StageConfirm, Seed: o.Seed, Passed: passed}
	what := "it failed and did not say how"
	switch {
	case len(o.Failures) > 0:
		r.Failure = &o.Failures[0]
		what = fmt.Sprintf("%s: %s", r.Failure.Kind, r.Failure.Message)
	case o.Tests == 0:
		what = "no test was run"
	}
	r.Reason = fmt.Sprintf("run %d of %d (seed %d): %s", passed+1, n, o.Seed, what)
	return r
}

// summarise makes a confirmation of runs that all passed.
func summarise(outcomes []noise.Outcome, first uint64) Confirmation {
	var elapsed time.Duration
	var switches int64
	for _, o := range outcomes {
		elapsed += o.Elapsed
		switches += o.Switches
	}
	n := len(outcomes)
	return Confirmation{
		Runs:      n,
		FirstSeed: first,
		Elapsed:   elapsed / time.Duration(n),
		Switches:  float64(switches) / float64(n),
	}
}

// runs is how often a candidate is run to be confirmed.
func (v *Validator) runs() int {
	n := v.o.Runs
	if v.o.Before.Runs == 0 || v.o.Before.Passes >= v.o.Before.Runs || v.o.Before.Passes == 0 {
		return n
	}
	passes := float64(v.o.Before.Passes) / float64(v.o.Before.Runs)
	need := int(math.Ceil(math.Log(missChance) / math.Log(passes)))
	return min(max(n, need), maxFactor*n)
}

// seeds begins a new series of seeds for a mutant. A series is a block of
// 2^seriesBits seeds with the top bit set, so two series are disjoint or, with
// a chance of 2^-43, the same. Scoring draws its seeds from all 2^64, where a
// block is hit as seldom.
func (v *Validator) seeds(m *mutate.Mutant) uint64 {
	h := fnv.New64a()
	h.Write(binary.BigEndian.AppendUint64(nil, v.o.Seed))
	h.Write([]byte(m.Hash))
	h.Write(binary.BigEndian.AppendUint64(nil, v.series[m.Hash]))
	v.series[m.Hash]++
	const within = 1<<seriesBits - 1
	return (h.Sum64() | 1<<63) &^ within
}
