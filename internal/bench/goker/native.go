package goker

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"path/filepath"

	"mendel/analysis/evidence"
	"mendel/internal/bench/exposure"
	"mendel/internal/bench/identity"
	"mendel/internal/bench/kernel"
	"mendel/internal/bench/tables"
	"mendel/internal/cover"
	"mendel/internal/gotool"
)

// A native is the outcome of running kernels with the real scheduler, as saved in
// goker-native.json.
type native struct {
	tables.Machine
	Mendel  string          `json:"mendel"`
	Seeds   int             `json:"seeds"`
	Limit   string          `json:"limit"` // for one kernel and strategy with one seed
	Runs    int             `json:"runs"`  // the same
	Kernels []*kernelNative `json:"kernels"`
}

// A kernelNative is in how many runs each strategy exposes one kernel's bug.
type kernelNative struct {
	Name  string         `json:"name"`
	Type  string         `json:"type"` // as kernelCheck has it
	Maple exposure.Tries `json:"maple"`
	Noise exposure.Tries `json:"noise"`
}

// exposeKernels forces interleavings of the kernels in their directories, runs them with
// noise beside that, and prints the table.
func exposeKernels(ctx context.Context, kernels []kernel.Kernel, tool *gotool.Toolchain, o Options, stdout, stderr io.Writer) error {
	known, err := readDocumentation(tool.GOROOT)
	if err != nil {
		return err
	}
	version, err := identity.Mendel()
	if err != nil {
		return err
	}
	n := &native{Machine: tables.ThisMachine(tool), Mendel: version, Seeds: o.Seeds, Limit: o.Limit.String(), Runs: o.Runs}
	var broken error
	for _, k := range kernels {
		c := &kernelNative{Name: k.Name, Type: cmp.Or(known.types[k.Name], "unknown")}
		if broken = c.expose(ctx, filepath.Join(o.Modules, k.Name), o); broken != nil {
			broken = fmt.Errorf("%s: %w", k.Name, broken)
			break
		}
		n.Kernels = append(n.Kernels, c)
		fmt.Fprintf(stderr, "%s: maple %s, noise %s\n", k.Name, c.Maple.Words(), c.Noise.Words())
	}
	return tables.Finish(n, stdout, tables.Files{Dir: o.Out, Name: "goker-native", Command: o.Command}, broken)
}

// expose measures both strategies. What counts is that goroutines stay blocked, the sort
// of bug that all kernels have.
func (c *kernelNative) expose(ctx context.Context, dir string, o Options) error {
	for strategy, tries := range map[string]*exposure.Tries{cover.Maple: &c.Maple, cover.Noise: &c.Noise} {
		all, err := exposure.Measure(ctx, cover.TrialOptions{
			Options: cover.Options{
				Dir: dir, Strategy: strategy, Runs: o.Runs, Budget: o.Limit, Seed: o.Seed, Workers: 1,
			},
			Seeds: o.Seeds, LeakProfile: o.Leaks,
			Wanted: func(f evidence.Failure) bool {
				return f.Kind == evidence.Blocked || f.Kind == evidence.Deadlock || f.Kind == evidence.Timeout
			},
		})
		if err != nil {
			return fmt.Errorf("%s: %w", strategy, err)
		}
		*tries = all
	}
	return nil
}

// tells reports whether the kernel tells the strategies apart: at once is not the median
// of both.
func (c *kernelNative) tells() bool { return c.Maple.Median() != 1 || c.Noise.Median() != 1 }

// medians are those of the strategies' runs over the kernels that tell them apart, and
// how many these are.
func (n *native) medians() (maple, noise, kernels int) {
	var one, other []int
	for _, c := range n.Kernels {
		if c.tells() {
			one, other = append(one, c.Maple.Median()), append(other, c.Noise.Median())
		}
	}
	return exposure.Median(one), exposure.Median(other), len(one)
}

// exposed counts the kernels that each strategy exposes with most seeds.
func (n *native) exposed() (maple, noise int) {
	for _, c := range n.Kernels {
		if c.Maple.Median() > 0 {
			maple++
		}
		if c.Noise.Median() > 0 {
			noise++
		}
	}
	return maple, noise
}

// Failures implements document.
func (n *native) Failures() []string {
	var failures []string
	exposed, _ := n.exposed()
	if need := int(math.Ceil(foundShare * float64(len(n.Kernels)))); exposed < need {
		failures = append(failures, fmt.Sprintf("exposed %d of %d kernels, want %d", exposed, len(n.Kernels), need))
	}
	if maple, noise, kernels := n.medians(); kernels > 0 && !exposure.Fewer(maple, noise) {
		failures = append(failures, fmt.Sprintf("%s runs in the median over %d kernels, noise needs %s", runWords(maple), kernels, runWords(noise)))
	}
	return failures
}

// runWords is a median of runs; "-" where the bug stays hidden.
func runWords(n int) string {
	if n == 0 {
		return "-"
	}
	return fmt.Sprint(n)
}

// Write implements document.
func (n *native) Write(w io.Writer, markdown bool) error {
	fmt.Fprintf(w, "%s; medians of the runs over %d seeds, of which each has %s and %d runs at most; Mendel's source %s.\n\n",
		n.Machine, n.Seeds, n.Limit, n.Runs, n.Mendel)
	t := &tables.Table{Header: []string{"kernel", "bug", "maple", "idiom forced", "noise", "seconds maple", "seconds noise"}}
	for _, c := range n.Kernels {
		t.Add(c.Name, c.Type, c.Maple.Words(), c.Maple.Idioms(), c.Noise.Words(), fmt.Sprintf("%.2f", c.Maple.Seconds()), fmt.Sprintf("%.2f", c.Noise.Seconds()))
	}
	if err := t.Render(w, markdown); err != nil {
		return err
	}
	maple, noise := n.exposed()
	runs, noised, kernels := n.medians()
	_, err := fmt.Fprintf(w, "\nWith most seeds maple exposes %d of %d, noise %d. Of %d kernels not both do in the first run; over these the median is %s runs, and %s with noise.\n",
		maple, len(n.Kernels), noise, kernels, runWords(runs), runWords(noised))
	return err
}
