package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"mendel"
)

// coverFlags are what the command line adds to the library's options.
type coverFlags struct {
	dir     string
	json    bool
	verbose bool
}

const coverLong = `Cover runs the tests as they are, with hooks and under the race detector, and records
what they do with shared locations, locks and channels. From that it predicts which
other interleavings the same tests could have seen, and forces those one by one: a
goroutine that reaches one end of an interleaving is held until another one reaches the
other end, while everybody else runs on. The method is that of Maple (Yu et al. 2012).

An interleaving is named by places in the source (an iRoot). Its idioms are, with 1 and
2 for two goroutines, => for "directly before, at the same location", and ... for the
order within a goroutine

  1  1:A => 2:B                              an order of two accesses
  2  1:A => 2:B => 1:C                       an access between two others
  3  1:A => 2:B ... 2:C => 1:D               two accesses between two others
  4  as 3, at two locations
  5  1:A => 2:B, 2:C => 1:D, A before D and C before B, at two locations (deadlocks)
  6  1:A => 2:B, 1:C => 2:D, A before C and B before D, at two locations

The coverage is the number of iRoots of each idiom that some run has exposed. How many
could be exposed at all is not known: some of those that are predicted cannot.

The package is an import path or a directory, "." if none is named. The directory
may belong to another module. The source stays as it is. The output directory
receives cover.json: everything that was found, with all iRoots that are left; and
failure-1.iroot, failure-2.iroot and so on: what was forced, for mendel replay.

What was exposed once is not forced again, with other tests or in later runs with the
same output directory, until the source changes; what was tried six times in vain
neither. An iRoot that made a test fail is forced first the next time, also when the
source has changed.

Verdicts and exit codes:
  failed        a test failed, as it is or when an iRoot was forced (1)
  passed        no run failed; what is left is printed (0)
  inconclusive  interrupted before anything failed (2)
Exit code 2 also stands for bad usage and for a package that does not build.`

const coverExamples = `  mendel cover ./internal/cache
  mendel cover --run TestEvict --budget 5m --verbose ./internal/cache`

func newCoverCommand() *cobra.Command {
	var o mendel.CoverOptions
	var f coverFlags
	c := &cobra.Command{
		Use:     "cover [flags] [package]",
		Short:   "see which interleavings the tests have seen, and force the others",
		Long:    coverLong,
		Example: coverExamples,
		Args:    cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 1 {
				o.Package = args[0]
			}
			return runCover(c.Context(), o, f, c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	addCoverFlags(c.Flags(), &o, &f)
	return c
}

// addCoverFlags adds the flags of cover.
func addCoverFlags(fs *pflag.FlagSet, o *mendel.CoverOptions, f *coverFlags) {
	fs.SortFlags = false
	fs.StringVar(&o.Run, "run", "", "cover only tests that match `regexp` (default: all tests)")
	fs.DurationVar(&o.Budget, "budget", mendel.DefaultCoverBudget, "time for the runs, once the tests are built")
	fs.IntVar(&o.Profile, "profile", mendel.DefaultCoverProfile, "runs of a test without forcing anything, at most")
	fs.BoolVar(&o.Fresh, "fresh", false, "force again what earlier runs with this output directory have exposed or given up")
	fs.BoolVar(&o.First, "first", false, "end with the first failure")
	fs.StringVarP(&o.Out, "out", "o", "mendel-out", "write results to `directory`")
	fs.Uint64Var(&o.Seed, "seed", 1, "seed of the choices")
	fs.IntVar(&o.Workers, "workers", 0, "processes at a time (default: the number of CPUs)")
	fs.StringVar(&o.Tags, "tags", "", "comma-separated `list` of build tags")
	fs.StringVarP(&f.dir, "chdir", "C", "", "work in `directory`")
	fs.BoolVar(&f.json, "json", false, "print cover.json instead of text")
	fs.BoolVarP(&f.verbose, "verbose", "v", false, "print each test, and all that is left")
}

// runCover covers the tests and prints what became of them.
func runCover(ctx context.Context, o mendel.CoverOptions, f coverFlags, stdout, stderr io.Writer) error {
	shown := o.Out
	var err error
	if o.Out, err = filepath.Abs(o.Out); err != nil {
		return fmt.Errorf("find the output directory: %w", err)
	}
	if o.Dir, o.Package, err = locate(f.dir, o.Package); err != nil {
		return err
	}
	p := newProgress(ctx, stderr, 0) // the budget begins when the tests are built
	o.Observer = p.Observer
	result, err := mendel.Cover(ctx, o)
	p.Close()
	if err != nil && !isInterrupt(err) {
		return err
	}
	look := mendel.CoverPrintOptions{Verbose: f.verbose, Out: shown}
	if err := printFound(ctx, stdout, result, f.json, func() error { return result.Print(stdout, look) }); err != nil {
		return fmt.Errorf("print the result: %w", err)
	}
	switch result.Verdict {
	case mendel.CoverPassed:
		return nil
	case mendel.CoverFailed:
		return exitError(1)
	}
	return exitError(2)
}
