package main

import (
	"os"
	"time"

	"github.com/spf13/cobra"

	"mendel/internal/bench/predict"
)

func newPredictCommand() *cobra.Command {
	var o predict.Options
	c := &cobra.Command{
		Use:   "predict [flags]",
		Short: "ask the model of one passing run of each subject's tests",
		Long: `Predict asks the model of one schedule of each test of the subjects what may go wrong
in others, as "mendel check --predict" does, and tries only that. It tells how many of
the bugs that the schedule itself does not show are foretold. Of the corrected copies
nothing may fail.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			o.Command = commandLine(os.Args[1:])
			return predict.Run(c.Context(), o, c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	fs := c.Flags()
	fs.SortFlags = false
	fs.StringSliceVar(&o.Only, "only", nil, "subjects, comma-separated (default: all)")
	fs.DurationVar(&o.Limit, "budget", 20*time.Second, "time of each package")
	fs.StringVar(&o.Dir, "subjects", "subjects", "`directory` of the subjects")
	fs.StringVarP(&o.Out, "out", "o", "", "write predict.json and predict.md to `directory`")
	return c
}
