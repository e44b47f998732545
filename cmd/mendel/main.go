// Command mendel mends concurrency bugs in Go programs by genetic search.
//
// Usage:
//
//	mendel repair [flags] [package ...]
//	mendel check [flags] [package]
//	mendel replay [flags] file
//	mendel report [flags] [directory]
//	mendel status [flags] [directory]
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
// applies with "git apply" or "patch -p1" at the module's root. It also receives
// the report, report.html and report.md.
//
// Exit codes: 0 a validated fix was found; 1 a failure was seen and no fix was
// found; 2 bad usage, the package does not build, or the environment is broken;
// 3 no failure could be reproduced. Ctrl-C ends a repair with the best so far.
//
// Everything a repair learns goes into mendel.db in the output directory as it
// happens. A repair that was interrupted, killed, or ended with its budget goes on:
//
//	mendel repair --budget 8h ./internal/cache
//	mendel status                                  # from another terminal
//	mendel repair --resume mendel-out              # evaluates nothing twice
//	mendel repair --resume mendel-out --budget 16h # with more time
//
// Another repair with the same --out uses the scores that earlier ones have
// found for the same source; --fresh ignores them. A second repair at the same
// time is refused.
//
// # Several packages
//
// With several packages, or a pattern that matches several, repair first looks
// at each for some seconds and then repairs one after the other, those that seem
// easy first, each with its share of the one budget; what one does not need goes
// to the others. Packages without tests are left out, and those that do not build
// are named.
//
//	mendel repair --budget 8h ./...
//	mendel repair ./internal/cache ./internal/queue
//
// Each has a directory of its own in the output directory ("3-cache"), with all
// that a repair leaves; series.json there sums up, and a table is printed. --write
// applies the best fix of each, --resume goes on with what is not done.
//
// Exit codes: 0 there were failures, and each package that has one is fixed; 1
// one of them is not; 3 no failure could be reproduced; 2 as above, or none could
// and a package does not build.
//
// Failures of one package that have nothing to do with each other are mended by
// one patch. Where none is found, the tests are repaired by themselves, and the
// fixes validated together; if they are still no fix of all, each is kept with
// what it mends (partialFixes in result.json), and the exit code is 1.
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
//
// # Report
//
// Report shows what a repair has found, again and elsewhere: it needs nothing
// but the repair's output directory. It writes report.html, one file that needs
// no network, and report.md there, as repair does when it ends, or prints the
// report in the format of another tool.
//
//	mendel report --open mendel-out                        # in the browser
//	mendel report --text mendel-out                        # in the terminal
//	mendel report --format patch --fix 2 mendel-out | git am
//	mendel report --format sarif mendel-out > mendel.sarif # for code scanning
//	mendel report --format github mendel-out               # annotations of a workflow run
//
// Exit codes: 0 the report was made, whatever the repair found; 2 there is
// nothing to report on, or it cannot be read or written.
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

	"mendel/internal/gotool"
)

func main() { os.Exit(run()) }

// run is main with its deferred calls done and the exit code as a result.
func run() int {
	if gotool.BeGuard() {
		return 0
	}
	unguard, err := gotool.Guard()
	if err != nil {
		fmt.Fprintln(os.Stderr, "mendel:", err) // a precaution, without which everything works
	} else {
		defer unguard()
	}
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
	root.AddCommand(newRepairCommand(), newCheckCommand(), newReplayCommand(), newReportCommand(), newStatusCommand())
	err = root.ExecuteContext(ctx)
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
