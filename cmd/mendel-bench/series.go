package main

import (
	"os"
	"time"

	"github.com/spf13/cobra"

	"mendel/internal/bench/series"
)

func newSeriesCommand() *cobra.Command {
	var o series.Options
	c := &cobra.Command{
		Use:   "series [flags]",
		Short: "repair a module of several broken packages within one budget, and a package with two bugs",
		Long: `Series makes a module of five broken subjects and the corrected copy of a sixth,
and repairs it as "mendel repair ./..." does: five fixes and one "not
reproduced" are to come of it within one budget. Git applies all patches to one
untouched copy, which must build, pass go vet and its tests under the race
detector; applying the fixes as --write does must leave just that tree.

Then a package with two bugs in two tests is repaired: one patch must mend both.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			o.Command = commandLine(os.Args[1:])
			return series.Run(c.Context(), o, c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	fs := c.Flags()
	fs.SortFlags = false
	fs.StringSliceVar(&o.Broken, "only", []string{"account", "deadlock", "linkedlist", "mailer", "stringbuffer"}, "the broken subjects, comma-separated")
	fs.StringVar(&o.Sound, "sound", "lottery", "the `subject` whose corrected copy is the sound package")
	fs.DurationVar(&o.Budget, "budget", 5*time.Minute, "time for all repairs of the module together")
	fs.Uint64Var(&o.Seed, "seed", 1, "seed of every random choice")
	fs.IntVar(&o.Workers, "workers", 0, "builds and runs at a time (default: the number of CPUs)")
	fs.IntVar(&o.Runs, "runs", 100, "runs of the patched module's tests under the race detector")
	fs.StringVar(&o.Dir, "subjects", "subjects", "`directory` of the subjects")
	fs.StringVarP(&o.Out, "out", "o", "", "write series.json and series.md to `directory`")
	return c
}
