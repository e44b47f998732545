package programs

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"mendel/analysis"
	"mendel/analysis/evidence"
	"mendel/fitness/noise"
	"mendel/internal/bench/commands"
	"mendel/internal/gotool"
)

// runTimeout limits one noised run of a patched program.
const runTimeout = 30 * time.Second

// A Patched is a patched program to be run.
type Patched struct {
	Dir  string // directory
	Run  string // -run pattern of its tests; "": all
	Seed uint64 // of the repair; the check's own seeds differ
	// Delayed are tests whose assertions do not count, because noise delays the
	// program by more than they allow; see DelayedTests.
	Delayed []string
	Effort
}

// PlainRuns runs a patched program n times as its user would: go test.
func PlainRuns(ctx context.Context, c Patched, n int) (problem string, err error) {
	args := []string{"test", "-count=" + strconv.Itoa(n), "-timeout=9m"}
	if !c.NoRace {
		args = append(args, "-race")
	}
	_, problem, err = commands.GoSays(ctx, c.Dir, append(args, ".")...)
	return problem, err
}

// NoisedRuns runs a patched program with noise, with seeds that no repair uses,
// until a run fails. done counts the runs.
func NoisedRuns(ctx context.Context, c Patched) (done int, problem string, err error) {
	first := 1<<40 + c.Seed<<20 // far from those a repair draws from a small seed
	fails := func(o noise.Outcome) bool { return !o.Pass && !c.onlyDelayed(o) }
	outcomes, err := runNoised(ctx, analysis.Target{Dir: c.Dir, Package: ".", Run: c.Run}, c.Runs, first, c.Effort, fails)
	if err != nil {
		return 0, "", fmt.Errorf("run the patched program with noise: %w", err)
	}
	for i, o := range outcomes {
		if fails(o) {
			return len(outcomes), fmt.Sprintf("noised run %d (seed %d) failed: %s", i+1, o.Seed, Describe(o)), nil
		}
	}
	if len(outcomes) < c.Runs {
		return len(outcomes), "", fmt.Errorf("only %d of %d noised runs were done", len(outcomes), c.Runs)
	}
	return len(outcomes), "", nil
}

// DelayedTests runs a correct program with noise and returns the tests that fail by
// an assertion, and that no fault is to blame for.
func DelayedTests(ctx context.Context, c Patched) ([]string, error) {
	outcomes, err := runNoised(ctx, analysis.Target{Dir: c.Dir, Package: ".", Run: c.Run}, c.Runs, 1<<41+c.Seed<<20, c.Effort, nil)
	if err != nil {
		return nil, fmt.Errorf("run the correct program with noise: %w", err)
	}
	var tests []string
	for _, o := range outcomes {
		for _, f := range o.Failures {
			if f.Kind == evidence.TestFailure && f.Test != "" {
				tests = append(tests, topLevel(f.Test))
			}
		}
	}
	slices.Sort(tests)
	return slices.Compact(tests), nil
}

// onlyDelayed reports whether a run failed by assertions of delayed tests alone.
func (c Patched) onlyDelayed(o noise.Outcome) bool {
	return len(o.Failures) > 0 && !slices.ContainsFunc(o.Failures, func(f evidence.Failure) bool {
		return f.Kind != evidence.TestFailure || !slices.Contains(c.Delayed, topLevel(f.Test))
	})
}

// topLevel is the test of a subtest.
func topLevel(test string) string {
	name, _, _ := strings.Cut(test, "/")
	return name
}

// RunNoised builds the module in a directory with noise and runs its tests n
// times, or until stop returns true.
func RunNoised(ctx context.Context, dir string, n int, seed uint64, e Effort, stop func(noise.Outcome) bool) (outcomes []noise.Outcome, err error) {
	return runNoised(ctx, analysis.Target{Dir: dir, Package: "."}, n, seed, e, stop)
}

func runNoised(ctx context.Context, target analysis.Target, n int, seed uint64, e Effort, stop func(noise.Outcome) bool) (outcomes []noise.Outcome, err error) {
	tool, err := gotool.Open(ctx, target.Dir)
	if err != nil {
		return nil, err
	}
	target.Dir = tool.Dir
	program, err := analysis.Load(ctx, tool, target)
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

// Describe says in a line how a run failed.
func Describe(o noise.Outcome) string {
	if len(o.Failures) == 0 {
		return commands.Head(o.Output)
	}
	return fmt.Sprintf("%s: %s", o.Failures[0].Kind, o.Failures[0].Message)
}
