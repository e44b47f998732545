package main

import (
	"os"
	"time"

	"github.com/spf13/cobra"

	"mendel/internal/bench/real"
	"mendel/internal/bench/trial"
)

func newRealCommand() *cobra.Command {
	var o real.Options
	c := &cobra.Command{
		Use:   "real [flags]",
		Short: "repair bugs of public repositories and set the patches beside the human fixes",
		Long: `Real repairs bugs of public repositories at the parents of the commits that
mended them. The clones, as git clone --bare leaves them, are looked for below
--clones as owner+name or owner+name/repo. What is not there is cloned from GitHub
into the user's cache directory.

The best patch of each bug is verified on an untouched tree: git applies it, it
builds, the bug's test runs with GOMAXPROCS of 1, 2 and 4, the package's other tests
pass if they did before, and go vet finds nothing new. That does not make a patch
right. real-patches.html and real-patches.md in --out set it beside the human fix.

--check-manifest repairs nothing. It runs each test without the human fix, where it
has to fail, and with it, where it has to pass. With --out the results are saved
after each step, and the same command goes on where it was stopped.

--native repairs nothing either. Of failures that show in less than half of plain runs
it counts in how many runs interleavings that are predicted and forced expose them,
beside random noise. The arms:

` + trial.ArmsHelp(),
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			o.Command = commandLine(os.Args[1:])
			return real.Run(c.Context(), o, c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	fs := c.Flags()
	fs.SortFlags = false
	fs.StringVar(&o.Clones, "clones", "", "`directory` of the clones")
	fs.StringSliceVar(&o.Only, "only", nil, "bugs, comma-separated, e.g. cron-9aa5b7e8 (default all)")
	fs.StringSliceVar(&o.Arms, "arm", []string{trial.DefaultArm}, "arms, comma-separated")
	fs.DurationVar(&o.Limit, "budget", 3*time.Minute, "time for one repair, from beginning to end, or with --native for the runs with one seed")
	fs.Uint64Var(&o.Seed, "seed", 1, "seed of every random choice")
	fs.IntVar(&o.Workers, "workers", 0, "builds and runs at a time (default: the number of CPUs)")
	fs.IntVar(&o.Runs, "runs", 60, "runs of the bug's test with each patch, or with --native with each seed at most")
	fs.BoolVar(&o.CheckManifest, "check-manifest", false, "repair nothing: run the tests before and after the human fixes")
	fs.BoolVar(&o.Native, "native", false, "repair nothing: count the runs in which forcing, and noise, expose rare failures")
	fs.IntVar(&o.Seeds, "seeds", 20, "with --native: seeds of every random choice")
	fs.StringVar(&o.From, "verify-only", "", "repair nothing: verify what `real.json` has, and save it there or to --out")
	fs.StringVarP(&o.Out, "out", "o", "", "write real.json, real.md and the pages of patches to `directory`, and go on with what is there; or real-native.json and real-native.md")
	c.MarkFlagsMutuallyExclusive("check-manifest", "verify-only", "native")
	return c
}
