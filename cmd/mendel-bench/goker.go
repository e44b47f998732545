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

	"github.com/spf13/cobra"

	"mendel"
	"mendel/analysis/evidence"
	"mendel/fitness/noise"
	"mendel/internal/gotool"
	"mendel/mutate"
)

// gokerOptions are the flags of the goker command.
type gokerOptions struct {
	effort
	only    []string
	noise   bool
	repair  bool
	seed    uint64
	replays int
	modules string
	out     string
}

// Budgets for a kernel unless --budget says otherwise.
const (
	checkBudget  = 20 * time.Second
	repairBudget = 5 * time.Minute
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

With --noise it runs them with noise instead; with --repair it repairs them and
checks the best patch with noised runs and the runtime's leak profile.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return runGoker(c.Context(), o, c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	fs := c.Flags()
	fs.SortFlags = false
	fs.StringSliceVar(&o.only, "only", nil, "kernels, comma-separated, e.g. cockroach10214 (default all)")
	fs.BoolVar(&o.noise, "noise", false, "run the kernels with noise")
	fs.BoolVar(&o.repair, "repair", false, "repair the kernels")
	fs.IntVar(&o.Runs, "runs", 20, "noised runs of each kernel, or of a patched one")
	fs.DurationVar(&o.Limit, "budget", 0, "time for one check, building included, or for one repair (default 20s, with --repair 5m)")
	fs.Uint64Var(&o.seed, "seed", 1, "seed of every random choice")
	fs.IntVar(&o.Workers, "workers", 0, "processes at a time (default: the number of CPUs)")
	fs.IntVar(&o.replays, "replays", 20, "replays of each failure that a check finds")
	fs.BoolVar(&o.NoRace, "no-race", false, "run and repair without the race detector")
	fs.BoolVar(&o.Leaks, "leak-profile", true, "ask the runtime which goroutines are blocked for ever")
	fs.StringVar(&o.modules, "modules", "", "keep the adapted modules in `directory`")
	fs.StringVarP(&o.out, "out", "o", "", "write goker.json and goker.md of a check to `directory`")
	c.MarkFlagsMutuallyExclusive("noise", "repair")
	c.MarkFlagsMutuallyExclusive("noise", "out")
	c.MarkFlagsMutuallyExclusive("repair", "out")
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
	if o.Runs < 1 || o.Limit < 0 || o.replays < 1 {
		return fmt.Errorf("--runs, --budget and --replays must be positive")
	}
	tool, err := gotool.Open(ctx, ".")
	if err != nil {
		return err
	}
	checking := !o.noise && !o.repair
	kernels, err := readKernels(filepath.Join(tool.GOROOT, filepath.FromSlash(kernelDir)), o.only, checking)
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
	if !checking {
		return tryKernels(ctx, kernels, o, stdout)
	}
	if err := makeOut(o.out); err != nil {
		return err
	}
	return checkKernels(ctx, kernels, tool, o, stdout, stderr)
}

// tryKernels runs or repairs the kernels in their directories.
func tryKernels(ctx context.Context, kernels []kernel, o gokerOptions, w io.Writer) error {
	visit, word := runKernel, "failed under noise"
	if o.repair {
		visit, word = repairKernel, "repaired, all checks passed"
	}
	met := 0
	for _, k := range kernels {
		ok, err := visit(ctx, k, filepath.Join(o.modules, k.Name), o, w)
		if err != nil {
			return fmt.Errorf("%s: %w", k.Name, err)
		}
		if ok {
			met++
		}
	}
	fmt.Fprintf(w, "%d of %d kernels %s\n", met, len(kernels), word)
	if o.repair && met < len(kernels) {
		return errNotMet
	}
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

// repairKernel repairs a kernel and prints the patch and what checking it
// showed; ok means that it withstood the checks and drops no guard of data.
func repairKernel(ctx context.Context, k kernel, dir string, o gokerOptions, w io.Writer) (ok bool, err error) {
	t, err := tryRepair(ctx, dir, o.seed, Arm{Name: defaultArm}, o.effort)
	if err != nil {
		return false, err
	}
	if err := checkKernelPatches(ctx, &t, dir, o); err != nil {
		return false, err
	}
	if t.Status == mendel.Fixed && slices.Contains(t.Flags, mutate.DropsGuard) {
		t.problem("the fix drops a lock that guards data")
	}
	fmt.Fprintf(w, "%s: %s\n", k.Name, t.line())
	if len(t.patches) > 0 {
		fmt.Fprintf(w, "\n%s\n", t.patches[0])
	}
	if t.OK() {
		fmt.Fprintf(w, "%s: the patch applies with git apply; %d noised runs passed%s\n", k.Name, o.Runs, leakWords(o.Leaks))
	}
	return t.OK(), nil
}

// checkKernelPatches applies the patches of a repair to copies, looks for
// serialised goroutines and runs the best patch with noise. Plain runs would
// show nothing: a kernel's test ends before its goroutines do.
func checkKernelPatches(ctx context.Context, t *Trial, source string, o gokerOptions) (err error) {
	dir, remove, err := gotool.TempDir()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, remove()) }()
	for i, patch := range t.patches {
		name := fmt.Sprintf("fix-%d", i+1)
		patched := filepath.Join(dir, name)
		said, err := patchedCopy(ctx, patched, source, patch)
		if err != nil {
			return err
		}
		if said != "" {
			t.problem("%s: git apply: %s", name, said)
			continue
		}
		serialised, err := newlySerialised(source, patched)
		if err != nil {
			return err
		}
		for _, where := range serialised {
			t.problem("%s: a goroutine's whole body is one critical section: %s", name, where)
		}
		if i > 0 {
			continue // only the best patch is worth the time
		}
		_, problem, err := noisedRuns(ctx, check{patched: patched, seed: o.seed, effort: o.effort})
		if err != nil {
			return err
		}
		if problem != "" {
			t.problem("%s: %s", name, problem)
		}
	}
	return nil
}

func leakWords(leaks bool) string {
	if leaks {
		return ", the runtime's leak profile found no goroutine blocked for ever"
	}
	return ""
}
