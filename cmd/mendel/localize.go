package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"mendel"
	"mendel/internal/report/textreport"
)

// localizeFlags are what the command line adds to the library's options.
type localizeFlags struct {
	dir     string
	json    bool
	sarif   bool
	verbose bool
}

const localizeLong = `Localize says what is wrong where tests fail: the fault by its name, where it is, and how
certain that is (shown, likely or possible). It runs the tests under the scheduler of
mendel check, and compares schedules that fail with schedules that pass: which accesses
lack the lock that others hold, in which order locks are taken, who should have ended a
wait, and which orders of accesses occur in failing schedules only. The source has its
say, too. The places are ranked, the most suspicious first. The source stays as it is,
and nothing is written.

Where the scheduler cannot follow a program, noise takes its place, as in CFLASH
(Rojas Garcia 2020): pauses at numbered places, in halves of them by turns, until
single places are left under which the tests fail most often. With --method noise it
comes first, and the scheduler is asked if every run fails, or none does. The kinds of
places are

  functions  functions that hold a lock from their first statement to their end
  sections   critical sections within a function
  shared     statements on package-level or captured variables
  objects    statements on objects received as parameters

The package is an import path or a directory, "." if none is named. The directory
may belong to another module.

Exit codes: 1 if a fault was found, 0 if none was. Code 2 stands for bad usage, a
package that does not build or in which there is nothing to localise (no tests, no
goroutines, a failure that needs no second goroutine), and for tests of which nothing
can be said.`

const localizeExamples = `  mendel localize ./internal/cache
  mendel localize --run TestEvict --json ./internal/cache`

func newLocalizeCommand() *cobra.Command {
	var o mendel.LocalizeOptions
	var f localizeFlags
	c := &cobra.Command{
		Use:     "localize [flags] [package]",
		Short:   "rank the places in the source that make a test fail",
		Long:    localizeLong,
		Example: localizeExamples,
		Args:    cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 1 {
				o.Package = args[0]
			}
			return runLocalize(c.Context(), o, f, c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	addLocalizeFlags(c.Flags(), &o, &f)
	c.MarkFlagsMutuallyExclusive("json", "sarif")
	return c
}

// addLocalizeFlags adds the flags of localize.
func addLocalizeFlags(fs *pflag.FlagSet, o *mendel.LocalizeOptions, f *localizeFlags) {
	fs.SortFlags = false
	fs.StringVar(&o.Run, "run", "", "run only tests that match `regexp` (default: all tests)")
	fs.StringVar(&o.Method, "method", "", "schedules or noise (default: schedules, and noise where the checker can say nothing)")
	fs.StringSliceVar(&o.Noise, "noise", nil, "kinds of places that are noised, comma-separated: functions, sections, shared, objects (default all)")
	fs.DurationVar(&o.Budget, "budget", mendel.DefaultLocalizeBudget, "time for everything")
	fs.IntVar(&o.Executions, "executions", 0, "executions of each failing test that are compared (default: 300, or 100 where each failure explains itself)")
	fs.Uint64Var(&o.Seed, "seed", 1, "seed of the random strategies")
	fs.IntVar(&o.Workers, "workers", 0, "processes at a time (default: the number of CPUs)")
	fs.StringVar(&o.Tags, "tags", "", "comma-separated `list` of build tags")
	fs.StringVarP(&f.dir, "chdir", "C", "", "work in `directory`")
	fs.BoolVar(&f.json, "json", false, "print JSON instead of text")
	fs.BoolVar(&f.sarif, "sarif", false, "print SARIF 2.1.0 instead of text")
	fs.BoolVarP(&f.verbose, "verbose", "v", false, "print all places and diagnoses, and why operators that would mend those make no edit there")
}

// runLocalize localises and prints what was found.
func runLocalize(ctx context.Context, o mendel.LocalizeOptions, f localizeFlags, stdout, stderr io.Writer) error {
	var err error
	if o.Dir, o.Package, err = locate(f.dir, o.Package); err != nil {
		return err
	}
	p := newProgress(ctx, stderr, o.Budget)
	o.Phase, o.Declined = p.Phase, f.verbose
	result, err := mendel.Localize(ctx, o)
	p.Close()
	if err != nil {
		return err
	}
	text := func() error { return result.Print(stdout, f.verbose) }
	if f.sarif {
		text = func() error { return textreport.LocalisedSARIF(stdout, result) }
	}
	if err := printFound(ctx, stdout, result, f.json, text); err != nil {
		return fmt.Errorf("print the result: %w", err)
	}
	switch result.Status {
	case mendel.LocalizeNothing:
		return nil
	case mendel.LocalizeFound:
		return exitError(1)
	}
	return exitError(2)
}
