package main

import (
	"os"
	"time"

	"github.com/spf13/cobra"

	"mendel/internal/bench/judged"
)

func newJudgedCommand() *cobra.Command {
	var o judged.Options
	c := &cobra.Command{
		Use:   "judged [flags]",
		Short: "repair modules with one bug each, and judge the patches by tests that the repair has not seen",
		Long: `Judged repairs programs that are embedded in it, as "mendel repair ./..." does, and
judges what comes of it by wider tests than the programs' own, in many processes under
the race detector: what is called fixed must be sound.

With --check nothing is repaired: the judge is judged by the right and the wrong patches
that each program has.

With --as each program is written in other ways, with the same behaviour and the same bug:
what is mended as it is and not in another way was learned by heart.

With --out the report is saved after each program, with the patches; the same command
again goes on there.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			o.Command = commandLine(os.Args[1:])
			return judged.Run(c.Context(), o, c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	fs := c.Flags()
	fs.SortFlags = false
	fs.StringSliceVar(&o.Sets, "sets", nil, "the `sets` of programs, comma-separated (default: all)")
	fs.StringSliceVar(&o.Only, "only", nil, "the `programs`, comma-separated (default: all)")
	fs.StringSliceVar(&o.As, "as", nil, "the `ways` in which each program is written, comma-separated: plain, accessors, embedded, generic, names, nested, rwmutex, wrapped (default: plain)")
	fs.DurationVar(&o.Budget, "budget", 2*time.Minute, "time for each program")
	fs.Uint64Var(&o.Seed, "seed", 1, "seed of every random choice")
	fs.IntVar(&o.Workers, "workers", 0, "builds and runs at a time (default: the number of CPUs)")
	fs.IntVar(&o.Runs, "runs", 12, "processes of the judge's tests, for each patch")
	fs.BoolVar(&o.Check, "check", false, "judge the patches that are known; nothing is repaired")
	fs.StringVarP(&o.Out, "out", "o", "", "write judged.json, judged.md and the patches to `directory`")
	return c
}
