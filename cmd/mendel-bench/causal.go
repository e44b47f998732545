package main

import (
	"os"
	"time"

	"github.com/spf13/cobra"

	"mendel/internal/bench/causal"
)

func newCausalCommand() *cobra.Command {
	var o causal.Options
	c := &cobra.Command{
		Use:   "causal [flags]",
		Short: "count the schedules that class-covering exploration needs",
		Long: `Causal explores the subjects of RV-Causal's evaluation with the strategy mcm, and with
dfs without and with reduction and with two preemptions. It counts the schedules that
each needs to find the bug, and to exhaust the mended program.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			o.Command = commandLine(os.Args[1:])
			return causal.Run(c.Context(), o, c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	fs := c.Flags()
	fs.SortFlags = false
	fs.StringSliceVar(&o.Only, "only", nil, "programs, comma-separated (default all)")
	fs.DurationVar(&o.Limit, "budget", 20*time.Second, "time of each search")
	fs.StringVarP(&o.Out, "out", "o", "", "write causal.json and causal.md to `directory`")
	return c
}
