package main

import (
	"os"

	"github.com/spf13/cobra"

	"mendel/internal/bench/localize"
	faults "mendel/internal/localize"
)

func newLocalizeCommand() *cobra.Command {
	var o localize.Options
	c := &cobra.Command{
		Use:   "localize [flags]",
		Short: "measure how near mendel localize comes to known faults",
		Long: `Localize has mendel localize look for faults that are known, and counts the
statements between the first place that it reports and the fault. The sets are

  cflash  the five programs that CFLASH was evaluated with (Rojas Garcia 2020) and
          their nine faulty variants, written anew in Go; CFLASH's distances stand
          beside ours
  core    the subjects that CORE was evaluated with, where the fault is what the
          corrected copy changes

In three other sets, small, modules and libraries, each program has one bug. There it is
counted in how many the right name, in a function that a right patch edits, is among the
first two diagnoses.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			o.Command = commandLine(os.Args[1:])
			return localize.Run(c.Context(), o, c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	fs := c.Flags()
	fs.SortFlags = false
	fs.StringVar(&o.Set, "set", localize.AllSets, "which programs: cflash, core, all (of these two), small, modules or libraries")
	fs.StringSliceVar(&o.Only, "only", nil, "programs, comma-separated (default all)")
	fs.DurationVar(&o.Budget, "budget", faults.DefaultBudget, "time for each")
	fs.Uint64Var(&o.Seed, "seed", 1, "seed of the random strategies")
	fs.IntVar(&o.Workers, "workers", 0, "processes at a time (default: the number of CPUs)")
	fs.StringVar(&o.Subjects, "subjects", "subjects", "`directory` of the subjects")
	fs.BoolVar(&o.FailingOnly, "failing-only", false, "compare no executions that pass (small, modules and libraries only)")
	fs.StringVarP(&o.Out, "out", "o", "", "write localize.json and localize.md, or the same of diagnoses, to `directory`")
	return c
}
