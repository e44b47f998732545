package main

import (
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"mendel/internal/bench/capp"
)

func newCappCommand() *cobra.Command {
	var o capp.Options
	c := &cobra.Command{
		Use:   "capp [flags]",
		Short: "compare the modes of change-aware prioritisation by the wrong patches of the subjects",
		Long: `Capp explores the subjects with each of the wrong patches in
internal/bench/patches/testdata/wrong, by dfs with up to two preemptions, in each of the
14 modes of change-aware preemption prioritisation and in BASIC. The patch is the change.
It tells how many schedules each mode needs to reject a patch.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			o.Command = commandLine(os.Args[1:])
			return capp.Run(c.Context(), o, c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	fs := c.Flags()
	fs.SortFlags = false
	fs.StringSliceVar(&o.Only, "only", nil, "subjects, comma-separated (default: all)")
	fs.DurationVar(&o.Limit, "budget", 5*time.Second, "time of each search")
	fs.StringVar(&o.Dir, "subjects", "subjects", "`directory` of the subjects")
	fs.StringVar(&o.Patches, "patches", filepath.Join("internal", "bench", "patches", "testdata", "wrong"), "`directory` of the wrong patches")
	fs.StringVarP(&o.Out, "out", "o", "", "write capp.json and capp.md to `directory`")
	return c
}
