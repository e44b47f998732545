package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"mendel"
)

func newReplayCommand() *cobra.Command {
	var o mendel.ReplayOptions
	var f checkFlags
	c := &cobra.Command{
		Use:   "replay [flags] file",
		Short: "follow a schedule that check or repair has saved",
		Long: `Replay reads a schedule file and builds the program again, in the directory that
the file names. It lets the test follow the schedule, and shows the interleaving.
It says whether the source has changed since the schedule was saved.

The file may also be a failure-1.iroot that check, cover or stress has saved. Then the test
runs with the real scheduler, and what was forced is forced again with the same seed. Such a
run may go another way: --count tells how often it fails.

Exit codes:
  0  the test passes under this schedule
  1  the test fails; the text says whether it fails as recorded
  2  bad usage, the package does not build, or the schedule could not be followed`,
		Example: `  mendel replay mendel-out/failure-1.schedule
  mendel replay --count 20 mendel-out/failure-1.schedule`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			o.File, o.Dir = args[0], f.dir
			if o.Count < 1 {
				return errors.New("--count must be positive")
			}
			return runReplay(c.Context(), o, f, c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	fs := c.Flags()
	fs.SortFlags = false
	fs.IntVar(&o.Count, "count", 1, "follow the schedule `n` times, and print how many replays were identical")
	fs.StringVarP(&f.dir, "chdir", "C", "", "`directory` of the module (default: the one in the file)")
	fs.BoolVar(&f.json, "json", false, "print JSON instead of text")
	fs.StringVar(&f.color, "color", "auto", "colour the text: auto, always or never")
	return c
}

// replayTime is shown as what is left; a replay takes as long as it takes.
const replayTime = 2 * time.Minute

// runReplay follows the schedule and prints what became of it.
func runReplay(ctx context.Context, o mendel.ReplayOptions, f checkFlags, stdout, stderr io.Writer) error {
	color, err := wantColor(f.color, stdout)
	if err != nil {
		return err
	}
	p := newProgress(ctx, stderr, replayTime)
	o.Observer = p.Observer
	result, err := mendel.Replay(ctx, o)
	p.Close()
	if err != nil && (!isInterrupt(err) || result.Count == 0) {
		return err
	}
	look := mendel.PrintOptions{Width: columns(stdout), Color: color}
	if err := printFound(ctx, stdout, result, f.json, func() error { return result.Print(stdout, look) }); err != nil {
		return fmt.Errorf("print the result: %w", err)
	}
	return replayCode(result.Verdict)
}

// replayCode turns a verdict into the command's exit code.
func replayCode(v mendel.ReplayVerdict) error {
	switch v {
	case mendel.ReplayPassed:
		return nil
	case mendel.ReplayFailed:
		return exitError(1)
	}
	return exitError(2)
}
