package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"mendel"
)

// seedFlags are what the command line adds to the library's options.
type seedFlags struct {
	dir     string
	json    bool
	verbose bool
}

func newSeedCommand() *cobra.Command {
	var o mendel.SeedOptions
	var f seedFlags
	c := &cobra.Command{
		Use:   "seed [flags] [package]",
		Short: "make faulty variants of a correct package, and see which of them its tests notice",
		Long: `Seed tests the tests: it makes variants of the package, each with one concurrency
fault, such as a lock that is not taken or a channel that is not closed, and runs
the package's own tests on each under the checker's scheduler. Where the checker
cannot follow the tests, they are run with noise. The source stays as it is.

The faults that no test notices are listed. Some of them may be none: nobody can
notice a statement too many in a critical section if nothing waits for its lock.

The package is an import path or a directory, "." if none is named. The directory
may belong to another module. Its tests have to pass as they are.

The output directory receives:
  seed.json         all faults that were tried, and what became of them
  fault-1.patch     a fault that a test notices, to apply with git apply or
                    patch -p1 at the module's root
  fault-1.schedule  how it fails, for mendel replay once the patch is applied
  missed-1.patch    a fault that no test notices

Operators:
` + seedOperators() + `
Exit codes: 0 if all faults that could be judged were noticed, 1 if some got away, 2
for bad usage, a package that does not build, has no tests or nothing concurrent, and
tests that fail as they are.`,
		Example: `  mendel seed ./internal/cache                                 # all operators
  mendel seed --limit 20 --seed 7 ./internal/cache             # twenty faults
  mendel seed --operators dropsection,dropclose -v ./internal/cache`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 1 {
				o.Package = args[0]
			}
			return runSeed(c.Context(), o, f, c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	fs := c.Flags()
	fs.SortFlags = false
	fs.StringVar(&o.Run, "run", "", "ask only tests that match `regexp` (default: all tests)")
	fs.StringSliceVar(&o.Operators, "operators", nil, "comma-separated `list` of operators (default: all)")
	fs.IntVar(&o.Limit, "limit", 0, "faults at most (default: no bound)")
	fs.DurationVar(&o.Budget, "budget", mendel.DefaultSeedBudget, "time for everything")
	fs.StringVarP(&o.Out, "out", "o", "mendel-out", "write results to `directory`")
	fs.Uint64Var(&o.Seed, "seed", 1, "chooses the faults, and of the random strategies")
	fs.IntVar(&o.Workers, "workers", 0, "processes at a time (default: the number of CPUs)")
	fs.StringVar(&o.Tags, "tags", "", "comma-separated `list` of build tags")
	fs.StringVarP(&f.dir, "chdir", "C", "", "work in `directory`")
	fs.BoolVar(&f.json, "json", false, "print seed.json instead of text")
	fs.BoolVarP(&f.verbose, "verbose", "v", false, "list the faults that were noticed, too")
	return c
}

// seedOperators is the list of operators in the help text.
func seedOperators() string {
	var b strings.Builder
	operators := mendel.SeedOperators()
	longest := 0
	for _, op := range operators {
		longest = max(longest, len(op.Name))
	}
	for _, op := range operators {
		fmt.Fprintf(&b, "  %-*s  %s\n", longest, op.Name, op.Does)
	}
	return b.String()
}

// runSeed seeds the faults and prints what became of them.
func runSeed(ctx context.Context, o mendel.SeedOptions, f seedFlags, stdout, stderr io.Writer) (err error) {
	shown := o.Out
	if o.Out, err = filepath.Abs(o.Out); err != nil {
		return fmt.Errorf("find the output directory: %w", err)
	}
	if o.Dir, o.Package, err = locate(f.dir, o.Package); err != nil {
		return err
	}
	p := newProgress(ctx, stderr, o.Budget)
	o.Observer = p.Observer
	result, err := mendel.Seed(ctx, o)
	p.Close()
	if err != nil && !isInterrupt(err) {
		return err
	}
	look := mendel.SeedPrintOptions{Width: columns(stdout), Verbose: f.verbose, Out: shown}
	if err := printFound(ctx, stdout, result, f.json, func() error { return result.Print(stdout, look) }); err != nil {
		return fmt.Errorf("print the result: %w", err)
	}
	switch {
	case result.Interrupted:
		return exitError(2)
	case result.Missed > 0:
		return exitError(1)
	}
	return nil
}
