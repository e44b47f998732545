// Command mendel repairs concurrency bugs in Go programs by genetic search.
//
// Usage:
//
//	mendel repair [flags] [package ...]   find validated fixes for a failing test
//	mendel verify [flags] PATCH [package] say whether a patch mends a failure
//	mendel check [flags] [package]        look for schedules under which a test fails
//	mendel cover [flags] [package]        force interleavings that the tests have not seen
//	mendel stress [flags] [package]       repeat the tests, and say how often they fail
//	mendel localize [flags] [package]     rank the places that make a test fail
//	mendel replay [flags] file            follow a schedule that check or repair has saved
//	mendel reproduce [flags] file         make a regression test of such a schedule
//	mendel seed [flags] [package]         see which seeded faults the tests notice
//	mendel report [flags] [directory]     show what a repair has found
//	mendel status [flags] [directory]     show how far a repair is, or how it ended
//	mendel config [flags] [command]       show the settings that hold here
//	mendel mcp [flags]                    serve commands as tools for agents
//	mendel version [flags]                say which Mendel this is, and what it can do here
//	mendel manual directory               write manual pages, and completions for shells
//
// A first session:
//
//	mendel check ./internal/cache               # does a schedule fail?
//	mendel replay mendel-out/failure-1.schedule # see that schedule again
//	mendel repair ./internal/cache              # find a fix
//	mendel report --open                        # read about it in the browser
//	mendel repair --write ./internal/cache      # find a fix, and apply it
//
// Repair changes the source only with --write. Whatever a command writes goes to
// the output directory, mendel-out by default.
//
// "mendel help COMMAND" explains a command, its flags and its exit codes;
// docs/commands.md is the same text as one page, which a test of this package
// makes. docs/guide.md has longer explanations.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"mendel/internal/frugal"
	"mendel/internal/gotool"
	"mendel/internal/overrun"
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
	frugal.Heap()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	// A second signal ends the program at once: the first one's handler is gone by then.
	go func() { <-ctx.Done(); stop() }()

	net := overrun.New(func(text string) {
		fmt.Fprintln(os.Stderr, "mendel:", text)
		os.Exit(2) // the guard cleans up
	})
	ctx = net.Context(ctx)
	defer overrun.Watch(ctx)()
	err = newRootCommand().ExecuteContext(ctx)
	code, text := outcomeOf(err)
	if text != "" {
		fmt.Fprintln(os.Stderr, "mendel:", text)
	}
	return code
}

// newRootCommand is the whole command line.
func newRootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "mendel",
		Short: "repair concurrency bugs in Go programs",
		Long: `Mendel repairs concurrency bugs in Go programs by genetic search. It takes a
package with a test that fails under some interleavings, and writes validated
patches.`,
		SilenceUsage:      true,
		SilenceErrors:     true,
		Args:              noCommand,
		RunE:              func(c *cobra.Command, _ []string) error { return c.Help() },
		PersistentPreRunE: func(c *cobra.Command, _ []string) error { return applySettings(c) },
	}
	root.CompletionOptions.HiddenDefaultCmd = true
	cobra.EnableCommandSorting = false // repair first
	root.AddCommand(newRepairCommand(), newVerifyCommand(), newCheckCommand(), newCoverCommand(), newStressCommand(), newLocalizeCommand(), newReplayCommand(), newReproduceCommand(), newSeedCommand(), newReportCommand(), newStatusCommand(), newConfigCommand(), newMCPCommand(), newVersionCommand(), newManualCommand())
	addEvents(root)
	addCompletions(root)
	return root
}
