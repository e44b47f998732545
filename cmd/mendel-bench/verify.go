package main

import (
	"os"
	"time"

	"github.com/spf13/cobra"

	"mendel/internal/bench/patches"
)

func newVerifyCommand() *cobra.Command {
	var o patches.Options
	c := &cobra.Command{
		Use:   "verify [flags]",
		Short: "verify right and wrong patches of the subjects",
		Long: `Verify judges patches of the subjects as "mendel verify" does: of each the one that
leads to its corrected copy, and the wrong ones in internal/bench/patches/testdata/wrong,
which hide the symptom, lock too little, take the wrong lock or drop work. Every right
patch has to be validated, and at least 95 % of the wrong ones have to be refused with a
reason.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			o.Command = commandLine(os.Args[1:])
			return patches.Run(c.Context(), o, c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	fs := c.Flags()
	fs.SortFlags = false
	fs.StringSliceVar(&o.Only, "only", nil, "subjects, comma-separated (default: all)")
	fs.DurationVar(&o.Budget, "budget", 2*time.Minute, "time for one patch")
	fs.Uint64Var(&o.Seed, "seed", 1, "seed of every random choice")
	fs.IntVar(&o.Workers, "workers", 0, "builds and runs at a time (default: the number of CPUs)")
	fs.StringVar(&o.Dir, "subjects", "subjects", "`directory` of the subjects")
	fs.StringVarP(&o.Out, "out", "o", "", "write verify.json and verify.md to `directory`")
	return c
}
