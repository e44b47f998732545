package main

import (
	"os"

	"github.com/spf13/cobra"

	"mendel/internal/bench/verdicts"
)

func newVerdictsCommand() *cobra.Command {
	var o verdicts.Options
	c := &cobra.Command{
		Use:   "verdicts [flags]",
		Short: "compare the checker with an enumerator on random programs",
		Long: `Verdicts draws random programs of a few goroutines over all primitives, enumerates
how each can end, and has the checker explore it without a bound on preemptions.
Both must agree. Programs that the checker calls exhausted run under noise and
the race detector besides: no run may fail.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			o.Command = commandLine(os.Args[1:])
			return verdicts.Run(c.Context(), o, c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	fs := c.Flags()
	fs.SortFlags = false
	fs.IntVarP(&o.Programs, "programs", "n", 1000, "programs to compare")
	fs.Uint64Var(&o.Seed, "seed", 1, "seed of the programs")
	fs.StringVar(&o.Strategy, "strategy", "", "`strategy` of the checker, as of mendel check (default auto)")
	fs.IntVar(&o.Runs, "runs", 3, "noised runs of each exhausted program")
	fs.StringVarP(&o.Out, "out", "o", "", "write verdicts.json and verdicts.md to `directory`")
	return c
}
