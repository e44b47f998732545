// Command mendel mends concurrency bugs in Go programs by genetic search.
//
// Usage:
//
//	mendel repair [flags] [package]
//	mendel check [flags] [package]
//	mendel replay [flags] file
//
// # Repair
//
// Repair takes a package whose test sometimes fails, races, deadlocks or
// leaves a goroutine blocked. It reproduces the failure with noised runs under
// the race detector, narrows the program to what is used concurrently, searches
// for edits of the synchronisation under which the tests pass, validates and
// minimises them, and prints each fix as an annotated diff with the evidence for it.
//
//	mendel repair ./internal/cache                 # every test of the package
//	mendel repair --run TestEvict ./internal/cache # one test
//	mendel repair --from race.log --budget 1h .    # start from a report
//	mendel repair --include-tests .                # the bug may be in the test
//
// The source stays as it is. The output directory (--out, default mendel-out)
// receives result.json and fix-1.patch, fix-2.patch, ..., best first; each
// applies with "git apply" or "patch -p1" at the module's root.
//
// Exit codes: 0 a validated fix was found; 1 a failure was seen and no fix was
// found; 2 bad usage, the package does not build, or the environment is broken;
// 3 no failure could be reproduced. Ctrl-C ends a repair with the best so far.
//
// # Check
//
// Check runs each test under a scheduler of its own and explores its schedules
// until one fails, all up to a bound on preemptions are done, or the time is
// over. It finds data races, deadlocks, goroutines blocked for ever, panics and
// failing assertions, and shows the interleaving as a table with one column
// for each goroutine.
//
//	mendel check ./internal/cache                               # every test
//	mendel check --strategy pct --budget 5m --all ./internal/cache
//	mendel check --strategy dfs --preemptions -1 --run TestEvict .
//
// The output directory (--out) receives check.json and failure-1.schedule,
// failure-2.schedule, ..., the most telling failure first.
//
// Exit codes: 0 nothing was found, and the verdict says what was done
// ("exhausted" up to a bound, or "passed" so many schedules); 1 a schedule
// fails; 2 bad usage, the package does not build, or the verdict is
// "inconclusive": nothing can be said, because the test does what cannot be
// controlled (waits for the network, runs programs), or was interrupted. The
// reason and a way out are printed.
//
// # Replay
//
// Replay follows a saved schedule: it builds the program again, where the file
// says or -C names, and shows the interleaving. It says whether the source has
// changed since, and with --count how many replays were identical.
//
//	mendel replay mendel-out/failure-1.schedule
//
// Exit codes: 0 the test passes under this schedule; 1 it fails, as recorded or
// otherwise; 2 the schedule could not be followed.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
)

func main() { os.Exit(run()) }

// run is main with its deferred calls done and the exit code as a result.
func run() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	// A second signal ends the program at once: the first one's handler is gone by then.
	go func() { <-ctx.Done(); stop() }()

	root := &cobra.Command{
		Use:           "mendel",
		Short:         "mends concurrency bugs in Go programs by genetic search",
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          cobra.NoArgs,
		RunE:          func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.CompletionOptions.HiddenDefaultCmd = true
	root.AddCommand(newRepairCommand(), newCheckCommand(), newReplayCommand())
	err := root.ExecuteContext(ctx)
	var code exitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &code):
		return int(code)
	}
	fmt.Fprintln(os.Stderr, "mendel:", strings.TrimSpace(err.Error()))
	return 2
}
