package main

import (
	"os"

	"github.com/spf13/cobra"

	"mendel/internal/bench/variants"
)

func newVariantsCommand() *cobra.Command {
	var o variants.Options
	c := &cobra.Command{
		Use:   "variants [flags]",
		Short: "compare mutants that are built together with the same mutants built alone",
		Long: `Variants draws mutants of the subjects, of the kernels of the Go installation, and of
the golden archives of the operators. It builds those of a program as variants of
functions in one executable, as a search does, and each by itself. What the checker
reports of them must be the same, word for word, with files and replays of the
failures; and noised runs must fail in the same ways.

An archive's functions are called by tests that are made up for it. What differs is
printed as a difference from alone to together. Runs of all programs take hours;
with --out the results so far are saved after each program.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			o.Command = commandLine(os.Args[1:])
			return variants.Run(c.Context(), o, c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	fs := c.Flags()
	fs.SortFlags = false
	fs.StringSliceVar(&o.Only, "only", nil, "parts of the programs' names, comma-separated, e.g. subjects/account,kernels/ (default all)")
	fs.IntVar(&o.Mutants, "mutants", 6, "mutants of each program")
	fs.IntVar(&o.Schedules, "schedules", 40, "schedules of each test of a mutant")
	fs.IntVar(&o.Runs, "runs", 3, "noised runs of each test of a mutant; 0: the checker alone compares")
	fs.BoolVar(&o.NoInline, "no-inline", false, "build without inlining, which shows in the names of closures and in lines")
	fs.Uint64Var(&o.Seed, "seed", 1, "seed of every random choice")
	fs.StringVar(&o.Subjects, "subjects", "subjects", "`directory` of the subjects")
	fs.StringVar(&o.Operators, "operators", "mutate", "`directory` of the operators, with their golden archives")
	fs.StringVarP(&o.Out, "out", "o", "", "write variants.json and variants.md to `directory`")
	return c
}
