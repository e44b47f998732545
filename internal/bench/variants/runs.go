package variants

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"mendel/analysis"
	"mendel/fitness/noise"
	"mendel/internal/bench/programs"
	"mendel/internal/gotool"
	"mendel/mutate"
)

const (
	// runTimeout limits a noised run.
	runTimeout = 10 * time.Second
	// doubtRuns is how often both run in addition if they have not shown the same failures. One
	// that the one shows in more than an eighth of these, and the other never, is no chance:
	// that would happen once in two hundred times. Guessed.
	doubtRuns = 40
)

// compareRuns compares how noised mutants fail.
func (o Options) compareRuns(ctx context.Context, tool *gotool.Toolchain, p *analysis.Program, mutants []*mutate.Mutant, one *row) (err error) {
	h, err := noise.New(noise.Config{
		Tool: tool, Program: p, NoRace: tool.RaceErr != nil,
		Narrowing: analysis.NarrowTo(p, func(analysis.FindingKind, string) bool { return true }),
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, h.Close()) }()
	built, err := h.BuildAll(ctx, sets(mutants))
	if err != nil {
		return err
	}
	tests := programs.TestsOf(p)
	for i, together := range built {
		if together == nil {
			continue // it is built alone
		}
		one.NoiseVariants++
		alone, err := h.Build(ctx, noise.Noised, mutants[i].Files)
		if refused := (*gotool.BuildError)(nil); errors.As(err, &refused) {
			one.differ(mutants[i], "noise, build", refused.Error(), "it builds")
			continue
		}
		if err != nil {
			return err
		}
		pair := &runners{harness: h, alone: alone, together: together, seed: o.Seed}
		err = pair.compare(ctx, tests, o.Runs, func(test, want, got string) { one.differ(mutants[i], "noise, "+test, want, got) })
		if err = errors.Join(err, alone.Close(), together.Close()); err != nil {
			return err
		}
	}
	return nil
}

// runners run a mutant in both ways.
type runners struct {
	harness         *noise.Harness
	alone, together *noise.Binary
	seed            uint64
}

// compare runs each test in both ways and tells which failures show in one of them only.
func (r *runners) compare(ctx context.Context, tests []string, runs int, tell func(test, want, got string)) error {
	for _, test := range tests {
		alone, together := tally{}, tally{}
		for _, more := range []int{runs, doubtRuns} {
			if more == doubtRuns && alone.like(together) {
				break
			}
			if err := r.run(ctx, r.alone, test, more, alone); err != nil {
				return err
			}
			if err := r.run(ctx, r.together, test, more, together); err != nil {
				return err
			}
		}
		if alone.refutes(together) || together.refutes(alone) {
			tell(test, alone.String(), together.String())
		}
	}
	return nil
}

// run runs a test so often and counts how it ended.
func (r *runners) run(ctx context.Context, b *noise.Binary, test string, n int, ended tally) error {
	for range n {
		o, err := r.harness.Run(ctx, b, noise.RunOptions{Seed: r.seed<<20 + uint64(ended[allRuns]), Timeout: runTimeout, Run: "^" + test + "$"})
		if err != nil {
			return err
		}
		ended[allRuns]++
		if o.Pass {
			ended[passes]++
		}
		for _, f := range o.Failures {
			ended[f.Signature]++
		}
	}
	return nil
}

// A tally counts runs by the signatures of their failures.
type tally map[string]int

// What is counted besides.
const (
	allRuns = "runs"
	passes  = "passes"
)

// like reports whether the same was seen, however often.
func (t tally) like(other tally) bool {
	return slices.Equal(slices.Sorted(maps.Keys(t)), slices.Sorted(maps.Keys(other)))
}

// refutes reports whether something was seen often, and by the other never.
func (t tally) refutes(other tally) bool {
	for what, n := range t {
		if n > doubtRuns/8 && other[what] == 0 {
			return true
		}
	}
	return false
}

// String lists what was seen, and how often.
func (t tally) String() string {
	var b strings.Builder
	for _, what := range slices.Sorted(maps.Keys(t)) {
		fmt.Fprintf(&b, "%s: %d of %d\n", what, t[what], t[allRuns])
	}
	return b.String()
}
