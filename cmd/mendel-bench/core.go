package main

import (
	"os"
	"time"

	"github.com/spf13/cobra"

	"mendel/internal/bench/core"
	"mendel/internal/bench/subject"
	"mendel/internal/bench/trial"
)

func newCoreCommand() *cobra.Command {
	var o core.Options
	c := &cobra.Command{
		Use:   "core [flags]",
		Short: "repair the subjects with several seeds, verify the patches, compare arms",
		Long: `Core repairs programs in ./subjects, which are those that CORE (Kelk 2015) was
evaluated on unless --set says otherwise, and prints the figures beside
CORE-IMC's. First all repairs are
made, seed by seed over all subjects and arms, so that a machine that gets slower
slows all of them alike, and beside the first of them builds are timed;
then each distinct patch is verified once, and the corrected copies are tried. A
subject's wider test, which no repair sees, shows whether a patch is complete.

With --out the results are saved after each step, and the same command goes on
where it was stopped. An arm is a way of repairing that differs from the default;
several can be joined, as in --arm default,random+population=2. The arms:

` + trial.ArmsHelp(),
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			o.Command = commandLine(os.Args[1:])
			return core.Run(c.Context(), o, c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	fs := c.Flags()
	fs.SortFlags = false
	fs.IntVar(&o.Seeds, "seeds", 10, "how many seeds to repair each subject with")
	fs.Uint64Var(&o.First, "seed", 1, "first seed")
	fs.StringVar(&o.Set, "set", subject.CoreSet, "which subjects: core, own or all")
	fs.StringSliceVar(&o.Only, "only", nil, "subjects, comma-separated, of whichever set (default all of the set)")
	fs.StringSliceVar(&o.Arms, "arm", []string{trial.DefaultArm}, "arms, comma-separated")
	fs.DurationVar(&o.Limit, "budget", 2*time.Minute, "time for one repair, from beginning to end")
	fs.IntVar(&o.Workers, "workers", 0, "builds and runs at a time (default: the number of CPUs)")
	fs.IntVar(&o.Runs, "runs", 1000, "noised runs of each patched program")
	fs.DurationVar(&o.Check, "check-budget", time.Minute, "time for the checker on each patched program")
	fs.IntVar(&o.Rounds, "rounds", 5, "runs of each workload on one processor and on two")
	fs.IntVar(&o.Wider, "wider", 10, "runs of each subject's wider test, which no repair sees, with GOMAXPROCS of 1, 2 and 4; 0: none")
	fs.StringVar(&o.Until, "until", "", "candidate: a repair ends with its first mutant with a full score, to measure the search alone")
	fs.BoolVar(&o.NoVerify, "no-verify", false, "repair alone: leave verification and the corrected copies for later")
	fs.StringVar(&o.From, "verify-only", "", "repair nothing: verify what `core.json` has, and save it there or to --out")
	fs.BoolVar(&o.Mix, "mix", false, "go on with results of another version of Mendel or another machine")
	fs.StringVar(&o.Dir, "subjects", "subjects", "`directory` of the subjects")
	fs.StringVarP(&o.Out, "out", "o", "", "write core.json and core.md to `directory`, and go on with what is there")
	c.MarkFlagsMutuallyExclusive("no-verify", "verify-only", "until")
	return c
}
