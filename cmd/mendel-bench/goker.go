package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

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

func newGokerCommand() *cobra.Command {
	var o gokerOptions
	c := &cobra.Command{
		Use:   "goker [flags]",
		Short: "check, run or repair kernels of real blocking bugs",
		Long: `Goker adapts the kernels of real blocking bugs in the Go installation's
src/runtime/testdata/testgoroutineleakprofile/goker to tests, each in a module
of its own, and checks them: it looks for a schedule that leaves goroutines
blocked for ever and replays it. Where a kernel starts many copies of itself,
one is checked.

With --noise it runs them with noise instead. With --repair it repairs them and
verifies the best patch of each: git applies it to an untouched copy, the checker
explores the patched kernel, and the kernel with as many copies of itself as it
comes with runs with noise and the runtime's leak profile. With --out, a repair
goes on where it was stopped.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			o.command = commandLine(os.Args[1:])
			return runGoker(c.Context(), o, c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	fs := c.Flags()
	fs.SortFlags = false
	fs.StringSliceVar(&o.only, "only", nil, "kernels, comma-separated, e.g. cockroach10214 (default all)")
	fs.BoolVar(&o.noise, "noise", false, "run the kernels with noise")
	fs.BoolVar(&o.repair, "repair", false, "repair the kernels")
	fs.IntVar(&o.Runs, "runs", 0, "noised runs of each kernel (default 20), or of a patched one (default 200)")
	fs.DurationVar(&o.Limit, "budget", 0, "time for one check, building included, or for one repair (default 20s, with --repair 90s)")
	fs.DurationVar(&o.check, "check-budget", 20*time.Second, "time for the checker on each patched kernel")
	fs.Uint64Var(&o.seed, "seed", 1, "seed of every random choice")
	fs.IntVar(&o.Workers, "workers", 0, "processes at a time (default: the number of CPUs)")
	fs.IntVar(&o.replays, "replays", 20, "replays of each failure that a check finds")
	fs.BoolVar(&o.NoRace, "no-race", false, "run and repair without the race detector")
	fs.BoolVar(&o.Leaks, "leak-profile", true, "ask the runtime which goroutines are blocked for ever")
	fs.StringVar(&o.modules, "modules", "", "keep the adapted modules in `directory`")
	fs.StringVarP(&o.out, "out", "o", "", "write goker.json and goker.md, or goker-repair.json and goker-repair.md, to `directory`")
	c.MarkFlagsMutuallyExclusive("noise", "repair")
	c.MarkFlagsMutuallyExclusive("noise", "out")
	return c
}

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
