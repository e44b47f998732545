package main

import (
	"time"

	"github.com/spf13/cobra"
)

func newSeriesCommand() *cobra.Command {
	var o seriesOptions
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
			return runSeries(c.Context(), o, c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	fs := c.Flags()
	fs.SortFlags = false
	fs.StringSliceVar(&o.broken, "only", []string{"account", "deadlock", "linkedlist", "mailer", "stringbuffer"}, "the broken subjects, comma-separated")
	fs.StringVar(&o.sound, "sound", "lottery", "the `subject` whose corrected copy is the sound package")
	fs.DurationVar(&o.budget, "budget", 5*time.Minute, "time for all repairs of the module together")
	fs.Uint64Var(&o.seed, "seed", 1, "seed of every random choice")
	fs.IntVar(&o.workers, "workers", 0, "builds and runs at a time (default: the number of CPUs)")
	fs.IntVar(&o.runs, "runs", 100, "runs of the patched module's tests under the race detector")
	fs.StringVar(&o.dir, "subjects", "subjects", "`directory` of the subjects")
	fs.StringVarP(&o.out, "out", "o", "", "write series.json and series.md to `directory`")
	return c
}
