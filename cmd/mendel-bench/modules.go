package main

import (
	"os"
	"time"

	"github.com/spf13/cobra"

	"mendel/internal/bench/modules"
)

func newModulesCommand() *cobra.Command {
	var o modules.Options
	c := &cobra.Command{
		Use:   "modules [flags]",
		Short: "check the tests of correct libraries: nothing may be found",
		Long: `Modules looks for false alarms. It copies packages of the standard library from
GOROOT to modules of their own, and libraries at exact versions from the module
cache (the go command downloads what is missing). It checks each of their own
tests by itself, and those of the corrected copies of the subjects. What fails
only if a time-out expires early is listed apart. Whatever else fails is to be
looked at: a bug of that code, or a false alarm.

--profile checks nothing. It measures what it costs to profile the libraries' tests, as
mendel cover does, beside plain runs with -race.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			o.Command = commandLine(os.Args[1:])
			return modules.Run(c.Context(), o, c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	fs := c.Flags()
	fs.SortFlags = false
	fs.StringSliceVar(&o.Only, "only", nil, "packages whose import path contains one of these, comma-separated (default all)")
	fs.StringVar(&o.Run, "run", "", "tests whose name matches `regexp` (default all)")
	fs.DurationVar(&o.Limit, "budget", 5*time.Second, "time for one test")
	fs.Uint64Var(&o.Seed, "seed", 1, "seed of every random choice")
	fs.IntVar(&o.Workers, "workers", 0, "processes at a time (default: the number of CPUs)")
	fs.StringVar(&o.Subjects, "subjects", "subjects", "`directory` of the subjects; \"\": none")
	fs.BoolVar(&o.Profile, "profile", false, "check nothing: measure what profiling costs")
	fs.IntVar(&o.Rounds, "rounds", 5, "with --profile: runs of each sort")
	fs.StringVarP(&o.Out, "out", "o", "", "write modules.json and modules.md, or the same of modules-profiling, to `directory`")
	return c
}
