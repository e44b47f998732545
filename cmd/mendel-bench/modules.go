package main

import (
	"time"

	"github.com/spf13/cobra"
)

func newModulesCommand() *cobra.Command {
	var o modulesOptions
	c := &cobra.Command{
		Use:   "modules [flags]",
		Short: "check the tests of correct libraries: nothing may be found",
		Long: `Modules looks for false alarms. It copies libraries at exact versions from the
module cache (the go command downloads what is missing), checks each of their
own tests by itself, and those of the corrected copies of the subjects. Whatever
fails is to be looked at: a bug of that code, or a false alarm.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return runModules(c.Context(), o, c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	fs := c.Flags()
	fs.SortFlags = false
	fs.StringSliceVar(&o.only, "only", nil, "packages whose import path contains one of these, comma-separated (default all)")
	fs.StringVar(&o.run, "run", "", "tests whose name matches `regexp` (default all)")
	fs.DurationVar(&o.limit, "budget", 5*time.Second, "time for one test")
	fs.Uint64Var(&o.seed, "seed", 1, "seed of every random choice")
	fs.IntVar(&o.workers, "workers", 0, "processes at a time (default: the number of CPUs)")
	fs.StringVar(&o.subjects, "subjects", "subjects", "`directory` of the subjects; \"\": none")
	fs.StringVarP(&o.out, "out", "o", "", "write modules.json and modules.md to `directory`")
	return c
}
