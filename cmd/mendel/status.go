package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"mendel"
)

func newStatusCommand() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "status [flags] [directory]",
		Short: "show how far a repair is, or how it ended",
		Long: `Status reads the output directory of a repair, mendel-out if none is named. It
also works while the repair runs. It shows what the repair does now, the best
score, the fixes so far, the time spent and left, and the last lines of the log.
Of a repair of several packages it shows a table.

Exit codes:
  0  there is a repair
  2  there is none, or it cannot be read`,
		Example: `  mendel status
  mendel status --json mendel-out`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			dir := "mendel-out"
			if len(args) == 1 {
				dir = args[0]
			}
			return runStatus(c.Context(), dir, asJSON, c.OutOrStdout())
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON instead of text")
	return c
}

// runStatus prints the state of the repair in an output directory.
func runStatus(ctx context.Context, dir string, asJSON bool, w io.Writer) error {
	state, err := mendel.ReadState(dir)
	if err != nil {
		if !mendel.HoldsSeries(dir) {
			return err
		}
		series, err := mendel.ReadSeries(dir)
		if err != nil {
			return err
		}
		return printFound(ctx, w, series, asJSON, func() error { return series.Print(w) })
	}
	if err := printFound(ctx, w, state, asJSON, func() error { return state.Print(w) }); err != nil {
		return fmt.Errorf("print the state: %w", err)
	}
	return nil
}
