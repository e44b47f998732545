package main

import (
	"os"

	"github.com/spf13/cobra"

	"mendel/internal/bench/objections"
)

func newObjectionsCommand() *cobra.Command {
	var o objections.Options
	c := &cobra.Command{
		Use:   "objections --modules DIR [flags]",
		Short: "tell what the sources alone say against right and wrong patches",
		Long: `Objections reads patches of which it is known whether they are right, and runs nothing:
it shows which rules and flags the sources give each. DIR has a module in each directory,
and in the module's directory truth the right patches fix.patch and alt/*.patch and the
wrong ones wrong/*.patch. No right patch may be refused.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			o.Command = commandLine(os.Args[1:])
			return objections.Run(c.Context(), o, c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	fs := c.Flags()
	fs.SortFlags = false
	fs.StringVar(&o.Dir, "modules", "", "`directory` of the modules")
	fs.StringSliceVar(&o.Only, "only", nil, "modules, comma-separated (default: all)")
	fs.StringVarP(&o.Out, "out", "o", "", "write objections.json and objections.md to `directory`")
	return c
}
