package main

import (
	"os"

	"github.com/spf13/cobra"

	"mendel/internal/bench/incremental"
)

func newIncrementalCommand() *cobra.Command {
	var o incremental.Options
	c := &cobra.Command{
		Use:   "incremental [flags]",
		Short: "count the schedules that need not be made since other mutants' count for them",
		Long: `Incremental scores mutants of the subjects with the checker, incrementally and from
scratch, and compares schedules, processor time and scores. Half of the mutants have
one edit, those first that a search would try first; the others have two of these edits.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			o.Command = commandLine(os.Args[1:])
			return incremental.Run(c.Context(), o, c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	fs := c.Flags()
	fs.SortFlags = false
	fs.StringSliceVar(&o.Only, "only", nil, "subjects, comma-separated (default: all)")
	fs.IntVar(&o.Mutants, "mutants", 40, "mutants of each subject, at most")
	fs.Uint64Var(&o.Seed, "seed", 1, "seed of the schedules and of the second half of the mutants")
	fs.StringVar(&o.Dir, "subjects", "subjects", "`directory` of the subjects")
	fs.StringVarP(&o.Out, "out", "o", "", "write incremental.json and incremental.md to `directory`")
	return c
}
