package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"mendel"
)

// reproduceFlags are what the command line adds to the library's options.
type reproduceFlags struct {
	dir   string
	fixed string
	json  bool
}

const reproduceLong = `Reproduce makes a regression test of a failing schedule that check or repair has saved:
one that go test alone runs, and that fails as the schedule does. FILE is the schedule, or
the output directory that has it. The source must be the one that the schedule was made
with.

What is tried, until there is a test:
  plain     the test that failed: it may fail whatever the schedule
  bubble    it is run in a bubble of testing/synctest, which tells goroutines that are
            left blocked
  watched   it is run under package order, which tells a deadlock
  locks     a copy of it holds a lock of the program, a field that it can name, until all
            goroutines that it starts wait for it; then they have it in turn, for one
            section each
  order     a copy of it gets events of package order: the order of a failing execution, as
            far as the test needs it to fail. Events stand in code of the test alone, its
            statements, goroutines and callbacks
  repeated  it is repeated, with eight processors
What is written has the name TestRegressNAME and belongs into regress_name_test.go beside the
other tests. Where package order is needed and mendel/order is not required, a copy of the
package, internal/order, comes with it.

A test is accepted if it fails in each of 20 runs with 1, 2 and 8 processors, plainly and
with the race detector, with the same kind of failure at the same places of the program, or
with the same message. A data race is seen by the race detector alone, and the test says so.
With the race detector a data race will do for other failures, too. With
--fixed PATCH it must pass as often with the patch; PATCH is a unified diff, whose names are
relative to the module or the repository.

The test is printed. With --write it is written beside the others, and the copy of package
order with it. Nothing else is changed.

Exit codes:
  0  there is a test
  1  there is none; the reasons are told
  2  bad usage, the file cannot be read, the source has changed, or it does not build`

const reproduceExamples = `  mendel reproduce mendel-out/failure-1.schedule
  mendel reproduce --fixed fix.patch --write mendel-out`

func newReproduceCommand() *cobra.Command {
	var o mendel.ReproduceOptions
	var f reproduceFlags
	c := &cobra.Command{
		Use:     "reproduce [flags] file",
		Short:   "make a regression test of a failing schedule",
		Long:    reproduceLong,
		Example: reproduceExamples,
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			o.File = args[0]
			return runReproduce(c.Context(), o, f, c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	fs := c.Flags()
	fs.SortFlags = false
	fs.StringVar(&f.fixed, "fixed", "", "the test must pass with this `patch`")
	fs.BoolVar(&o.Write, "write", false, "write the test, and what it needs, into the module")
	fs.DurationVar(&o.Budget, "budget", mendel.DefaultReproduceBudget, "time for everything")
	fs.Uint64Var(&o.Seed, "seed", 1, "seed of the random strategies")
	fs.StringVarP(&f.dir, "chdir", "C", "", "`directory` of the module (default: the one in the file)")
	fs.BoolVar(&f.json, "json", false, "print JSON instead of text")
	return c
}

// runReproduce makes a test and prints it.
func runReproduce(ctx context.Context, o mendel.ReproduceOptions, f reproduceFlags, stdout, stderr io.Writer) error {
	o.Dir, o.Version = f.dir, aboutMendel().Version
	if f.fixed != "" {
		fixed, err := readFixed(ctx, o.File, f)
		if err != nil {
			return err
		}
		o.Fixed = fixed
	}
	p := newProgress(ctx, stderr, o.Budget)
	o.Phase = p.Phase
	result, err := mendel.Reproduce(ctx, o)
	p.Close()
	if err != nil {
		return err
	}
	if err := printFound(ctx, stdout, result, f.json, func() error { return result.Print(stdout) }); err != nil {
		return fmt.Errorf("print the result: %w", err)
	}
	if result.Status == mendel.ReproduceNone {
		return exitError(1)
	}
	return nil
}

// readFixed reads the patch that mends the failure: as seen from the module of the schedule, or from where the
// command runs.
func readFixed(ctx context.Context, file string, f reproduceFlags) (*mendel.Change, error) {
	if f.dir != "" {
		return mendel.ReadChange(ctx, f.fixed, f.dir)
	}
	dir, err := mendel.ReproduceDir(file)
	if err != nil {
		return nil, err
	}
	fixed, err := mendel.ReadChange(ctx, f.fixed, dir)
	if err == nil {
		return fixed, nil
	}
	here, herr := os.Getwd()
	if herr != nil {
		return nil, err
	}
	if fixed, herr = mendel.ReadChange(ctx, f.fixed, here); herr == nil {
		return fixed, nil
	}
	return nil, err
}
