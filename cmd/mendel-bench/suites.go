package main

import (
	"os"
	"time"

	"github.com/spf13/cobra"

	"mendel/internal/bench/suites"
)

func newSuitesCommand() *cobra.Command {
	var o suites.Options
	c := &cobra.Command{
		Use:   "suites [flags]",
		Short: "check the whole test suites of well-known libraries",
		Long: `Suites checks all tests of twenty libraries at exact versions (the go command
downloads what is missing) as "mendel check ./..." does, each within a budget. It
counts the verdicts and lists the failures with what the manifest makes of them: a bug,
a flake, left by the test, or false. What has a result of the same Mendel is left out.
It runs in Mendel's source.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			o.Command = commandLine(os.Args[1:])
			return suites.Run(c.Context(), o, c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	fs := c.Flags()
	fs.SortFlags = false
	fs.StringSliceVar(&o.Only, "only", nil, "libraries whose name contains one of these, comma-separated (default all)")
	fs.DurationVar(&o.Budget, "budget", 10*time.Minute, "time for each library, builds included")
	fs.IntVar(&o.Workers, "workers", 0, "processes at a time (default: the number of CPUs)")
	fs.BoolVar(&o.Again, "again", false, "check what has a result, too")
	fs.BoolVar(&o.Show, "show", false, "check nothing: judge what is there by the manifest, and make the tables")
	fs.StringVarP(&o.Out, "out", "o", "mendel-suites", "keep results, copies and what was written in `directory`")
	return c
}
