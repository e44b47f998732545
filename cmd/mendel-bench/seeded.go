package main

import (
	"os"
	"time"

	"github.com/spf13/cobra"

	"mendel/internal/bench/seeded"
)

func newSeededCommand() *cobra.Command {
	var o seeded.Options
	c := &cobra.Command{
		Use:   "seeded [flags]",
		Short: "seed faults into libraries, and find and repair them",
		Long: `Seeded copies golang.org/x/sync, github.com/sourcegraph/conc and
github.com/hashicorp/golang-lru/v2 from the module cache, seeds faults into their
packages, and chooses some of each among those that the library's own tests notice.
With --localize it ranks the places of each by the test that notices it, and says
where the fault is in that ranking. With --repair it repairs each by all tests, or with
--noticing by that one, and verifies the best patch with all: git applies it to another
copy of the variant, noised runs and the checker must not fail, and the source is
compared with that before the fault was seeded.

With --out everything is saved after each step, and the same command goes on where
it was stopped.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			o.Command = commandLine(os.Args[1:])
			return seeded.Run(c.Context(), o, c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	fs := c.Flags()
	fs.SortFlags = false
	fs.StringSliceVar(&o.Only, "only", nil, "libraries whose path contains one of these, comma-separated (default all)")
	fs.IntVar(&o.Count, "count", 10, "variants of each library")
	fs.DurationVar(&o.Seeding, "seed-budget", 2*time.Minute, "time for seeding one package")
	fs.BoolVar(&o.Localize, "localize", false, "rank the places of the variants")
	fs.BoolVar(&o.Repair, "repair", false, "repair the variants and verify the patches")
	fs.BoolVar(&o.Noticing, "noticing", false, "repair by the test that notices the fault alone: quicker, but a fix may be incomplete")
	fs.DurationVar(&o.Limit, "budget", time.Minute, "time for one repair, from beginning to end")
	fs.IntVar(&o.Runs, "runs", 200, "noised runs of each patched variant")
	fs.DurationVar(&o.Check, "check-budget", 20*time.Second, "time for the checker on each patched variant")
	fs.Uint64Var(&o.Seed, "seed", 1, "chooses the faults, and of every other random choice")
	fs.IntVar(&o.Workers, "workers", 0, "processes at a time (default: the number of CPUs)")
	fs.StringVarP(&o.Out, "out", "o", "", "write seeded.json and seeded.md to `directory`, and go on with what is there")
	return c
}
