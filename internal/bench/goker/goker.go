package goker

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
	"mendel/internal/bench/kernel"
	"mendel/internal/bench/programs"
	"mendel/internal/bench/tables"
	"mendel/internal/gotool"
)

// Options say which kernels, and what to do with them: to check them, unless
// Noise, Repair or Native is set.
type Options struct {
	programs.Effort          // Limit and Runs of 0: defaults of what is done
	Only            []string // kernels; none: all
	Noise           bool     // run them with noise
	Repair          bool     // repair them, and verify the patches
	Native          bool     // force interleavings with the real scheduler, beside noise
	Seeds           int      // with Native, positive
	Arm             string   // to repair in, as trial.ParseArms reads it
	Seed            uint64
	Replays         int           // of each failure that a check finds, positive
	Check           time.Duration // for the checker on each patched kernel, positive
	Modules         string        // directory that keeps the adapted kernels; "": none
	Out             string        // directory of the report; "": print only
	Command         string        // to type, for the report
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
	nativeRuns   = 100
)

// Run checks, runs or repairs the kernels and prints what came of each.
func Run(ctx context.Context, o Options, stdout, stderr io.Writer) (err error) {
	if o.Limit == 0 {
		o.Limit = checkBudget
		if o.Repair {
			o.Limit = repairBudget
		}
	}
	if o.Runs == 0 {
		o.Runs = noisedRunsOf
		switch {
		case o.Repair:
			o.Runs = verifyRuns
		case o.Native:
			o.Runs = nativeRuns
		}
	}
	if o.Runs < 1 || o.Limit < 0 || o.Replays < 1 || o.Check <= 0 {
		return errors.New("--runs, --budget, --check-budget and --replays must be positive")
	}
	if o.Native && o.Seeds < 1 {
		return errors.New("--seeds must be positive")
	}
	tool, err := gotool.Open(ctx, ".")
	if err != nil {
		return err
	}
	kernels, err := kernel.Read(filepath.Join(tool.GOROOT, filepath.FromSlash(kernel.Dir)), o.Only, !o.Noise)
	if err != nil {
		return err
	}
	if o.Modules == "" {
		dir, remove, failed := gotool.TempDir()
		if failed != nil {
			return failed
		}
		defer func() { err = errors.Join(err, remove()) }()
		o.Modules = dir
	}
	for _, k := range kernels {
		if err := k.WriteModule(filepath.Join(o.Modules, k.Name)); err != nil {
			return err
		}
	}
	if o.Noise {
		return runKernels(ctx, kernels, o, stdout)
	}
	if err := tables.MakeOut(o.Out); err != nil {
		return err
	}
	if o.Repair {
		return repairKernels(ctx, kernels, tool, o, stdout, stderr)
	}
	if o.Native {
		return exposeKernels(ctx, kernels, tool, o, stdout, stderr)
	}
	return checkKernels(ctx, kernels, tool, o, stdout, stderr)
}

// runKernels runs the kernels in their directories with noise.
func runKernels(ctx context.Context, kernels []kernel.Kernel, o Options, w io.Writer) error {
	failed := 0
	for _, k := range kernels {
		ok, err := runKernel(ctx, k, filepath.Join(o.Modules, k.Name), o, w)
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
func runKernel(ctx context.Context, k kernel.Kernel, dir string, o Options, w io.Writer) (ok bool, err error) {
	outcomes, err := programs.RunNoised(ctx, dir, o.Runs, o.Seed, o.Effort, nil)
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
			sample = programs.Describe(o)
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
