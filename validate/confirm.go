package validate

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"slices"
	"strings"
	"time"

	"mendel/analysis/evidence"
	"mendel/fitness/noise"
	"mendel/internal/gotool"
	"mendel/mutate"
)

const (
	defaultRuns = 15 * 10 // CORE's scoring runs times its safety factor (Kelk 2015, section 4.2.6)

	// If the failure was rare, more runs may be made: as many as miss it with
	// less than this probability, but at most maxFactor times the usual number.
	// Both are guesses.
	missChance = 1e-3
	maxFactor  = 4

	// A run that reaches the time limit is made once more, alone, with a limit so
	// many times as large, but no larger than a minute unless it was that before.
	againFactor = 4
	maxAgain    = time.Minute

	// Where it is known which tests fail in the original, one run of so many makes all tests, the others
	// these alone: what is left of the bug shows in them, and the others may take many times as
	// long. A guess.
	wholeOf = 3

	// seriesBits is the width of the seeds that one series of runs may use up.
	seriesBits = 20
)

// Confirm runs a mutant under fresh noise until the first failure, which is a
// *Rejected error, or until enough runs have passed. If ctx ends before, those that
// have passed come with the error, unless they are too few to mean anything.
func (v *Validator) Confirm(ctx context.Context, m *mutate.Mutant) (Confirmation, error) {
	v.turn.Lock()
	defer v.turn.Unlock()
	return v.confirm(ctx, m, v.full(false))
}

// confirmOnce confirms a mutant, once for each source: what was refuted before is
// refuted again. Without noise it is confirmed by no run.
func (v *Validator) confirmOnce(ctx context.Context, m *mutate.Mutant, q quota) (Confirmation, error) {
	if v.o.NoNoise {
		return Confirmation{}, nil
	}
	if c, known := v.confirmations[m.Hash]; known && q.confirms(c) {
		return c, nil
	}
	if rejected, known := v.refuted[m.Hash]; known {
		return Confirmation{}, rejected
	}
	return v.confirm(ctx, m, q)
}

// confirm runs a mutant until it is confirmed and remembers the result.
func (v *Validator) confirm(ctx context.Context, m *mutate.Mutant, q quota) (Confirmation, error) {
	c, err := v.runSeries(ctx, m, q, v.seeds(m))
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

// runSeries builds a mutant and runs it with seeds from first on until it is
// confirmed. It uses no field of the validator that changes.
func (v *Validator) runSeries(ctx context.Context, m *mutate.Mutant, q quota, first uint64) (Confirmation, error) {
	forced, err := v.force(ctx, m)
	if err != nil {
		return Confirmation{}, err
	}
	bin, err := v.o.Runner.Build(ctx, noise.Noised, m.Files)
	var broken *gotool.BuildError
	switch {
	case errors.As(err, &broken):
		return Confirmation{}, &Rejected{Mutant: m, Stage: StageConfirm, Reason: "does not build: " + err.Error()}
	case err != nil:
		return Confirmation{}, fmt.Errorf("building a candidate: %w", err)
	}
	defer bin.Close()

	s := series{Validator: v, mutant: m, bin: bin, quota: q.after(forced), first: first, limit: v.o.Timeout, forced: forced}
	err = s.run(ctx)
	var rejected *Rejected
	switch {
	case errors.As(err, &rejected):
		return Confirmation{}, err
	case err == nil:
		return s.summarise(), nil
	}
	err = fmt.Errorf("confirming a candidate: %w", err)
	if len(s.passed) < slowFloor {
		return Confirmation{}, err
	}
	c := s.summarise()
	c.Wanted = q.wanted()
	return c, err
}

// A series of noised runs confirms a mutant.
type series struct {
	*Validator
	mutant *mutate.Mutant
	bin    Binary
	quota  quota
	first  uint64        // seed of the first run; those of the others follow
	limit  time.Duration // of a run; 0: the runner's

	passed  []noise.Outcome
	elapsed time.Duration  // of these, added up
	again   int            // of these, runs that reached their limit first
	delayed map[string]int // runs that failed by a test alone that depends on time
	still   []string       // what was kept apart in them
	forced  int            // runs before, under interleavings that failed the original
	alone   int            // of passed, runs of the failing tests alone
}

// runOf is the pattern of the tests that the run with a seed makes; "": all.
func (s *series) runOf(seed uint64) string {
	if (seed-s.first)%wholeOf == wholeOf-1 {
		return ""
	}
	return noise.Only(s.o.Failing)
}

// run makes runs until they are enough. The first that fails is a *Rejected error.
func (s *series) run(ctx context.Context) error {
	for !s.enough() {
		before := len(s.passed)
		o := noise.RunOptions{Seed: s.first + uint64(before), Timeout: s.limit, RunOf: s.runOf}
		var failed *noise.Outcome
		_, err := s.bin.RunMany(ctx, s.quota.most-before, o, func(o noise.Outcome) bool {
			if !o.Pass {
				failed = &o
				return true
			}
			s.pass(o)
			return s.enough()
		})
		switch {
		case failed != nil:
			if err := s.judge(ctx, *failed); err != nil {
				return err
			}
		case err != nil:
			return err
		case len(s.passed) == before:
			return fmt.Errorf("none of %d runs came back", s.quota.most-before)
		}
	}
	return nil
}

// pass takes down a run that passed.
func (s *series) pass(o noise.Outcome) {
	s.passed = append(s.passed, o)
	s.elapsed += o.Elapsed
	if s.runOf(o.Seed) != "" {
		s.alone++
	}
	for _, f := range o.Apart {
		if name := topLevel(f.Test); s.timed(name) {
			s.delay(o, name)
		} else if !slices.Contains(s.still, f.Message) {
			s.still = append(s.still, f.Message)
		}
	}
}

// delay takes down tests that depend on time, by which alone a run has failed.
func (s *series) delay(o noise.Outcome, tests ...string) {
	if s.delayed == nil {
		s.delayed = map[string]int{}
	}
	for _, name := range tests {
		if s.delayed[name] == 0 {
			s.o.Log("run %d (seed %d): %s fails and depends on time: it is to be run by itself", len(s.passed)+1, o.Seed, name)
		}
		s.delayed[name]++
	}
}

// enough reports whether enough runs have passed.
func (s *series) enough() bool { return s.quota.enough(len(s.passed), s.elapsed) }

// judge decides on a run that failed. One that was only slow is made again, with
// none of the series beside it: the machine may be busier than it was when the
// limit was measured.
func (s *series) judge(ctx context.Context, o noise.Outcome) error {
	if !onlySlow(o) {
		if tests := s.onlyTimed(o); len(tests) > 0 {
			s.delay(o, tests...)
			s.pass(o)
			return nil
		}
		if s.excuse(ctx, o.Failures, nil) {
			o.Apart = o.Failures
			s.pass(o)
			return nil
		}
		return s.refutation(o)
	}
	limit := min(againFactor*o.Elapsed, max(maxAgain, o.Elapsed))
	s.o.Log("run %d (seed %d) did not end within %.1f s: once more, alone, with %.1f s",
		len(s.passed)+1, o.Seed, o.Elapsed.Seconds(), limit.Seconds())
	outcomes, err := s.bin.RunMany(ctx, 1, noise.RunOptions{Seed: o.Seed, Timeout: limit, RunOf: s.runOf}, nil)
	switch {
	case err != nil:
		return err
	case len(outcomes) != 1:
		return fmt.Errorf("%d outcomes of one run", len(outcomes))
	case !outcomes[0].Pass:
		return s.refutation(outcomes[0])
	}
	s.pass(outcomes[0])
	s.again++
	s.limit = limit
	return nil
}

// onlySlow reports whether all that is known of a failed run is that it did not
// end in time. If its goroutines' dump shows that none can run any more, it is a
// deadlock or blocked, and no time would help.
func onlySlow(o noise.Outcome) bool {
	for _, f := range o.Failures {
		if f.Kind != evidence.Timeout && !(o.Hung() && contends(f)) {
			return false
		}
	}
	return len(o.Failures) > 0
}

// contends reports whether the goroutines that a failure says are blocked wait for
// locks, or for those that do. Others could run when the dump was made, or it would
// show a deadlock, and may have the locks: in a busy program most goroutines wait for
// one at any time.
func contends(f evidence.Failure) bool {
	locks := false
	for _, s := range f.Stacks {
		lock := strings.HasSuffix(s.Role, "Lock")
		if !lock && !strings.HasSuffix(s.Role, "WaitGroup.Wait") {
			return false
		}
		locks = locks || lock
	}
	return f.Kind == evidence.Blocked && locks
}

// refutation makes a rejection of the first failing run.
func (s *series) refutation(o noise.Outcome) *Rejected {
	r := &Rejected{Mutant: s.mutant, Stage: StageConfirm, Seed: o.Seed, Passed: len(s.passed)}
	what := "it failed and did not say how"
	switch {
	case len(o.Failures) > 0:
		r.Failure = &o.Failures[0]
		what = fmt.Sprintf("%s: %s", r.Failure.Kind, r.Failure.Message)
	case o.Tests == 0:
		what = "no test was run"
	}
	r.Reason = fmt.Sprintf("run %d of %d (seed %d): %s", r.Passed+1, max(s.quota.wanted(), r.Passed+1), o.Seed, what)
	return r
}

// summarise makes a confirmation of the runs.
func (s *series) summarise() Confirmation {
	var switches int64
	for _, o := range s.passed {
		switches += o.Switches
	}
	n := len(s.passed)
	for _, name := range s.leftOut() {
		s.still = append(s.still, name+" was left out of these runs: it fails for another reason without the patch, too")
	}
	return Confirmation{
		Runs:      n,
		FirstSeed: s.first,
		Elapsed:   s.elapsed / time.Duration(n),
		Switches:  float64(switches) / float64(n),
		Again:     s.again,
		Forced:    s.forced,
		Alone:     s.alone,
		Delayed:   s.delayed,
		Still:     s.still,
	}
}

// runs is how often a candidate is run at most to be confirmed.
func (v *Validator) runs() int {
	n := cmp.Or(v.o.Runs, v.o.MostRuns)
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
