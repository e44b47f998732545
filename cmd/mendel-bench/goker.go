package main

import (
	"os"
	"time"

	"github.com/spf13/cobra"

	"mendel/internal/bench/goker"
)

func newGokerCommand() *cobra.Command {
	var o goker.Options
	c := &cobra.Command{
		Use:   "goker [flags]",
		Short: "check, run, force or repair kernels of real blocking bugs",
		Long: `Goker adapts the kernels of real blocking bugs in the Go installation's
src/runtime/testdata/testgoroutineleakprofile/goker to tests, each in a module
of its own, and checks them: it looks for a schedule that leaves goroutines
blocked for ever and replays it. Where a kernel starts many copies of itself,
one is checked.

With --native it leaves them to the real scheduler, and counts in how many runs what
mendel check --strategy maple --native does exposes each, beside random noise.

With --noise it runs them with noise instead. With --repair it repairs them and
verifies the best patch of each: git applies it to an untouched copy, the checker
explores the patched kernel, and the kernel with as many copies of itself as it
comes with runs with noise and the runtime's leak profile. With --out, a repair
goes on where it was stopped.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			o.Command = commandLine(os.Args[1:])
			return goker.Run(c.Context(), o, c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	fs := c.Flags()
	fs.SortFlags = false
	fs.StringSliceVar(&o.Only, "only", nil, "kernels, comma-separated, e.g. cockroach10214 (default all)")
	fs.BoolVar(&o.Noise, "noise", false, "run the kernels with noise")
	fs.BoolVar(&o.Repair, "repair", false, "repair the kernels")
	fs.BoolVar(&o.Native, "native", false, "force interleavings with the real scheduler, beside noise")
	fs.IntVar(&o.Seeds, "seeds", 5, "with --native: seeds of every random choice")
	fs.StringVar(&o.Arm, "arm", "", "with --repair: the `arm` to repair in, as of core (default \"default\")")
	fs.IntVar(&o.Runs, "runs", 0, "noised runs of each kernel (default 20), of a patched one (default 200), or with --native at most (default 100)")
	fs.DurationVar(&o.Limit, "budget", 0, "time for one check, building included, for one repair, or with --native for the runs with one seed (default 20s, with --repair 90s)")
	fs.DurationVar(&o.Check, "check-budget", 20*time.Second, "time for the checker on each patched kernel")
	fs.Uint64Var(&o.Seed, "seed", 1, "seed of every random choice")
	fs.IntVar(&o.Workers, "workers", 0, "processes at a time (default: the number of CPUs)")
	fs.IntVar(&o.Replays, "replays", 20, "replays of each failure that a check finds")
	fs.BoolVar(&o.NoRace, "no-race", false, "run and repair without the race detector")
	fs.BoolVar(&o.Leaks, "leak-profile", true, "ask the runtime which goroutines are blocked for ever")
	fs.StringVar(&o.Modules, "modules", "", "keep the adapted modules in `directory`")
	fs.StringVarP(&o.Out, "out", "o", "", "write goker.json and goker.md, or the same of goker-repair or goker-native, to `directory`")
	c.MarkFlagsMutuallyExclusive("noise", "repair", "native")
	c.MarkFlagsMutuallyExclusive("noise", "out")
	return c
}
