package main

import (
	"os"

	"github.com/spf13/cobra"

	"mendel/internal/bench/objections"
)

func newObjectionsCommand() *cobra.Command {
	var o objections.Options
	c := &cobra.Command{
		Use:   "objections [flags]",
		Short: "tell what the sources alone say against right and wrong patches",
		Long: `Objections reads the right and wrong patches of the programs that judged repairs, and
runs nothing: it shows which rules and flags the sources give each. No right patch may be
refused. With --scenarios 4s it also tries each patch, for so long, with calls side by side
that are made from the program's tests.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			o.Command = commandLine(os.Args[1:])
			return objections.Run(c.Context(), o, c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	fs := c.Flags()
	fs.SortFlags = false
	fs.StringSliceVar(&o.Sets, "sets", nil, "the `sets` of programs, comma-separated (default: all)")
	fs.StringSliceVar(&o.Only, "only", nil, "the `programs`, comma-separated (default: all)")
	fs.DurationVar(&o.Scenarios, "scenarios", 0, "try each patch with scenarios too, for so long (default: not)")
	fs.StringVarP(&o.Out, "out", "o", "", "write objections.json and objections.md to `directory`")
	return c
}
