package main

import (
	"os"
	"time"

	"github.com/spf13/cobra"

	"mendel/internal/bench/regress"
)

func newRegressCommand() *cobra.Command {
	var o regress.Options
	c := &cobra.Command{
		Use:   "regress [flags]",
		Short: "make regression tests of programs with one bug each, and judge them by right and wrong patches",
		Long: `Regress looks for a failing schedule of each program, asks for a regression test as
"mendel reproduce --fixed" does, with the right fix that is known, and says by which means
one came, or why none did. Then the go command runs the test with the other patches that are
known: it must pass with those that are right, and fail with wrong ones in which the checker
still finds the failure.

With --out the report is saved after each program, with the tests; the same command again
goes on there.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			o.Command = commandLine(os.Args[1:])
			return regress.Run(c.Context(), o, c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	fs := c.Flags()
	fs.SortFlags = false
	fs.StringSliceVar(&o.Sets, "sets", nil, "the `sets` of programs, comma-separated: small, modules, libraries, subjects (default: all)")
	fs.StringSliceVar(&o.Only, "only", nil, "the `programs`, comma-separated (default: all)")
	fs.StringVar(&o.Subjects, "subjects", "subjects", "`directory` of the subjects")
	fs.DurationVar(&o.Check, "check", 20*time.Second, "time for a failing schedule of each program")
	fs.DurationVar(&o.Budget, "budget", 2*time.Minute, "time for each test")
	fs.Uint64Var(&o.Seed, "seed", 1, "seed of every random choice")
	fs.StringVarP(&o.Out, "out", "o", "", "write regress.json, regress.md and the tests to `directory`")
	return c
}
