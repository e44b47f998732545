package main

import (
	"os"

	"github.com/spf13/cobra"

	"mendel/internal/bench/hostile"
)

func newHostileCommand() *cobra.Command {
	var o hostile.Options
	c := &cobra.Command{
		Use:   "hostile [flags]",
		Short: "run tests that fork, fill the disk, allocate without end: nothing may be left of them",
		Long: `Hostile runs tests that behave as badly as a mutant may, on the ways by which
Mendel runs mutants: noised runs, the checker, builds. Each has to end within its
limit and leave no process and no file behind; meanwhile the machine stays usable.
Last, Mendel itself is killed in the middle of a run, by the test and from outside.
It takes some gigabytes of disk for a moment, and may make the machine slow
for seconds.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			o.Command = commandLine(os.Args[1:])
			return hostile.Run(c.Context(), o, c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	fs := c.Flags()
	fs.SortFlags = false
	fs.StringSliceVar(&o.Only, "only", nil, "tests whose name contains one of these, comma-separated (default all)")
	fs.StringSliceVar(&o.Ways, "path", hostile.Ways, "ways to run them, comma-separated")
	fs.Int64Var(&o.Memory, "memory", 512, "limit of memory, in `MiB`")
	fs.Int64Var(&o.Disk, "disk", 256, "limit of temporary files, in `MiB`")
	fs.StringVar(&o.Victim, "victim", "", "be the one that is killed, in `directory`")
	fs.StringVarP(&o.Out, "out", "o", "", "write hostile.json and hostile.md to `directory`")
	_ = fs.MarkHidden("victim") // there is such a flag
	return c
}
