package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"mendel/analysis"
	"mendel/fitness/noise"
	"mendel/internal/gotool"
)

// runTimeout limits one noised run of a patched program.
const runTimeout = 30 * time.Second

// A check is a patched program to be run.
type check struct {
	patched string // directory
	seed    uint64 // of the repair; the check's own seeds differ
	effort
}

// plainRuns runs a patched program n times as its user would: go test.
func plainRuns(ctx context.Context, c check, n int) (problem string, err error) {
	args := []string{"test", "-count=" + strconv.Itoa(n), "-timeout=9m"}
	if !c.NoRace {
		args = append(args, "-race")
	}
	_, problem, err = goSays(ctx, c.patched, append(args, ".")...)
	return problem, err
}

// noisedRuns runs a patched program with noise from seeds of its own until a
// run fails; done counts the runs.
func noisedRuns(ctx context.Context, c check) (done int, problem string, err error) {
	first := 1<<40 + c.seed<<20 // far from those a repair draws from a small seed
	outcomes, err := runNoised(ctx, c.patched, c.Runs, first, c.effort, func(o noise.Outcome) bool { return !o.Pass })
	if err != nil {
		return 0, "", fmt.Errorf("run the patched program with noise: %w", err)
	}
	for i, o := range outcomes {
		if !o.Pass {
			return len(outcomes), fmt.Sprintf("noised run %d (seed %d) failed: %s", i+1, o.Seed, describe(o)), nil
		}
	}
	if len(outcomes) < c.Runs {
		return len(outcomes), "", fmt.Errorf("only %d of %d noised runs were done", len(outcomes), c.Runs)
	}
	return len(outcomes), "", nil
}

// runNoised builds the module in a directory with noise and runs its tests n
// times, or until stop returns true.
func runNoised(ctx context.Context, dir string, n int, seed uint64, e effort, stop func(noise.Outcome) bool) (outcomes []noise.Outcome, err error) {
	tool, err := gotool.Open(ctx, dir)
	if err != nil {
		return nil, err
	}
	program, err := analysis.Load(ctx, tool, analysis.Target{Dir: tool.Dir, Package: "."})
	if err != nil {
		return nil, err
	}
	narrowing, err := analysis.Narrow(ctx, program)
	if err != nil {
		return nil, err
	}
	h, err := noise.New(noise.Config{
		Tool: tool, Program: program, Narrowing: narrowing,
		Workers: e.Workers, NoRace: e.NoRace || tool.RaceErr != nil, LeakProfile: e.Leaks,
	})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, h.Close()) }()
	binary, err := h.Build(ctx, noise.Noised, nil)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, binary.Close()) }()
	return h.RunMany(ctx, binary, n, noise.RunOptions{Seed: seed, Timeout: runTimeout}, stop)
}

// describe says in a line how a run failed.
func describe(o noise.Outcome) string {
	if len(o.Failures) == 0 {
		return head(o.Output)
	}
	return fmt.Sprintf("%s: %s", o.Failures[0].Kind, o.Failures[0].Message)
}
