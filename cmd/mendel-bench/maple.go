package main

import (
	"os"
	"time"

	"github.com/spf13/cobra"

	"mendel/internal/bench/maple"
)

func newMapleCommand() *cobra.Command {
	var o maple.Options
	c := &cobra.Command{
		Use:   "maple [flags]",
		Short: "measure in how many runs mendel cover exposes the bugs of Maple's evaluation",
		Long: `Maple does what mendel cover does on small programs with the bug patterns of Maple's
evaluation, with several seeds, until the first failure. Beside that it counts the runs
that random noise and random delays need, the schedules that the checker's strategies
pct, pctlarge and dfs need, and the plain runs that pass. Each method builds a program
once for all seeds.

--repair repairs the programs instead, without the checker, as where it cannot follow a
program. It counts the runs that validate the best patch, with what is forced and if
nothing is, and runs each patch with noise of other seeds.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			o.Command = commandLine(os.Args[1:])
			return maple.Run(c.Context(), o, c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	fs := c.Flags()
	fs.SortFlags = false
	fs.StringSliceVar(&o.Only, "only", nil, "programs, comma-separated (default all)")
	fs.IntVar(&o.Seeds, "seeds", 20, "seeds of everything that is random")
	fs.DurationVar(&o.Limit, "budget", time.Minute, "time for the runs, or schedules, of one method with one seed")
	fs.IntVar(&o.Runs, "runs", 200, "runs with noise, or delays, for each seed, at most")
	fs.IntVar(&o.Plain, "plain", 1000, "plain runs of each program, until one fails")
	fs.BoolVar(&o.Repair, "repair", false, "repair the programs without the checker, and count the runs that validate patches")
	fs.IntVar(&o.Hidden, "hidden", 1000, "with --repair: noised runs of each patch")
	fs.StringVarP(&o.Out, "out", "o", "", "write maple.json and maple.md, or the same of maple-repair, to `directory`")
	return c
}
