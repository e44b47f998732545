package main

import (
	"os"
	"time"

	"github.com/spf13/cobra"

	"mendel/internal/bench/winners"
)

func newOperatorsCommand() *cobra.Command {
	var o winners.Options
	c := &cobra.Command{
		Use:   "operators [flags] [results.json...]",
		Short: "show which operators win where",
		Long: `Operators repairs small programs, each with a bug whose natural fix is an edit of
one operator, and prints which operators the best fixes are of. With --without each
program is repaired a second time without the operators that should win, to show
whether only they mend it.

From saved results of other evaluations (core.json, goker-repair.json and real.json)
it counts the bugs that each operator won, and names those that won nowhere.

With --out the results are saved after each repair, and the same command goes on
where it was stopped.`,
		RunE: func(c *cobra.Command, args []string) error {
			o.Saved, o.Command = args, commandLine(os.Args[1:])
			return winners.Run(c.Context(), o, c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	fs := c.Flags()
	fs.SortFlags = false
	fs.StringSliceVar(&o.Only, "only", nil, "programs, comma-separated (default all)")
	fs.BoolVar(&o.Without, "without", false, "repair each a second time, without the operators that should win")
	fs.DurationVar(&o.Limit, "budget", time.Minute, "time for one repair, from beginning to end")
	fs.Uint64Var(&o.Seed, "seed", 1, "seed of every random choice")
	fs.IntVar(&o.Workers, "workers", 0, "builds and runs at a time (default: the number of CPUs)")
	fs.StringVarP(&o.Out, "out", "o", "", "write operators.json and operators.md to `directory`, and go on with what is there")
	return c
}
