package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"mendel/analysis/evidence"
	"mendel/fitness/noise"
	"mendel/internal/gotool"
)

// gokerOptions are the flags of the goker command.
type gokerOptions struct {
	effort
	only    []string
	noise   bool
	repair  bool
	seed    uint64
	replays int
	check   time.Duration
	modules string
	out     string
	command string
}

// Budgets for a kernel unless --budget says otherwise.
const (
	checkBudget  = 20 * time.Second
	repairBudget = 90 * time.Second
)

// Noised runs unless --runs says otherwise.
const (
	noisedRunsOf = 20
	verifyRuns   = 200
)

// runGoker checks, runs or repairs the kernels and prints what came of each.
func runGoker(ctx context.Context, o gokerOptions, stdout, stderr io.Writer) (err error) {
	if o.Limit == 0 {
		o.Limit = checkBudget
		if o.repair {
			o.Limit = repairBudget
		}
	}
	if o.Runs == 0 {
		o.Runs = noisedRunsOf
		if o.repair {
			o.Runs = verifyRuns
		}
	}
	if o.Runs < 1 || o.Limit < 0 || o.replays < 1 || o.check <= 0 {
		return errors.New("--runs, --budget, --check-budget and --replays must be positive")
	}
	tool, err := gotool.Open(ctx, ".")
	if err != nil {
		return err
	}
	kernels, err := readKernels(filepath.Join(tool.GOROOT, filepath.FromSlash(kernelDir)), o.only, !o.noise)
	if err != nil {
		return err
	}
	if o.modules == "" {
		dir, remove, failed := gotool.TempDir()
		if failed != nil {
			return failed
		}
		defer func() { err = errors.Join(err, remove()) }()
		o.modules = dir
	}
	for _, k := range kernels {
		if err := k.WriteModule(filepath.Join(o.modules, k.Name)); err != nil {
			return err
		}
	}
	if o.noise {
		return runKernels(ctx, kernels, o, stdout)
	}
	if err := makeOut(o.out); err != nil {
		return err
	}
	if o.repair {
		return repairKernels(ctx, kernels, tool, o, stdout, stderr)
	}
	return checkKernels(ctx, kernels, tool, o, stdout, stderr)
}

// runKernels runs the kernels in their directories with noise.
func runKernels(ctx context.Context, kernels []kernel, o gokerOptions, w io.Writer) error {
	failed := 0
	for _, k := range kernels {
		ok, err := runKernel(ctx, k, filepath.Join(o.modules, k.Name), o, w)
		if err != nil {
			return fmt.Errorf("%s: %w", k.Name, err)
		}
		if ok {
			failed++
		}
	}
	fmt.Fprintf(w, "%d of %d kernels failed under noise\n", failed, len(kernels))
	return nil
}

// runKernel runs a kernel with noise and prints what was found; ok means that
// a run failed.
func runKernel(ctx context.Context, k kernel, dir string, o gokerOptions, w io.Writer) (ok bool, err error) {
	outcomes, err := runNoised(ctx, dir, o.Runs, o.seed, o.effort, nil)
	if err != nil {
		return false, err
	}
	kinds, failed, sample := tally(outcomes)
	fmt.Fprintf(w, "%s: %d of %d noised runs failed%s\n", k.Name, failed, len(outcomes), kinds)
	if sample != "" {
		fmt.Fprintln(w, "\t"+sample)
	}
	return failed > 0, nil
}

// tally counts failed runs by kind and picks a message.
func tally(outcomes []noise.Outcome) (kinds string, failed int, sample string) {
	count := map[evidence.Kind]int{}
	for _, o := range outcomes {
		if o.Pass {
			continue
		}
		failed++
		count[o.Kind()]++
		if sample == "" {
			sample = describe(o)
		}
	}
	var words []string
	for _, kind := range slices.Sorted(maps.Keys(count)) {
		words = append(words, fmt.Sprintf("%s %d", kind, count[kind]))
	}
	if len(words) > 0 {
		kinds = " (" + strings.Join(words, ", ") + ")"
	}
	return kinds, failed, sample
}
