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

// stressFlags are what the command line adds to the library's options.
type stressFlags struct {
	dir     string
	json    bool
	compare bool
}

const stressLong = `Stress repeats the tests of a package in three modes, in turn:

  plain       as they are, without the race detector; a run is one of all tests
  noise       with random noise, under the race detector
  controlled  under the checker's scheduler; a run is one random schedule of one test,
              and the checker searches as mendel check does, too

It counts how often each mode fails. Failures with equal signatures are a group,
whatever the mode. Of each group stress says in how many runs it was seen, with the
interval in which its frequency lies with 95 % confidence (Clopper and Pearson), and how
to see it again. The frequency is that on this machine under this load; schedules are not
equally likely in real runs. With --first the runs end with a failure, so that there the
frequency says little.

With --bisect GOOD..BAD it looks for the commit that brought a failure. The tests of BAD
are repeated until something fails often enough. Then the commits in between are halved, as
git bisect does, each in a worktree in a temporary directory; the checkout stays as it
is. The schedule of the failure is followed first; where that shows nothing, so many runs
of the mode that shows the failure fastest have to pass that the chance of a wrong answer
is five percent, for all commits together, or --budget is spent, which is that of each
commit. The same failure is one
with the same signature, but for the lines. A commit that does not build or has not got the
test is skipped. Files that git does not know, and submodules, are in no worktree.

With --log FILE, FILE receives a line of JSON for each event of a run: how it began and
ended and, of up to ten runs of each test that pass, and ten that fail in each way, under
control: switches, operations on locks, channels and the like, accesses to memory, and
races. Goroutines are named by how they came into being, objects by who uses them first, so
that names are the same in all runs of a source. With --compare two logs are compared, or
two runs or sets of runs: FILE:3 is the third run of a log, FILE:passed and FILE:failed are
all such ones, FILE alone compares these two. Printed are the first difference of the first
runs, and the orders of two steps on one object that one side alone has.

A function with the line //mendel:exclude in its comment is excluded: noise puts no hooks
there, the checker does not watch the variables that it uses, races in it do not count, and
the log leaves its steps out. mendel check and repair keep to that, too, but for races that
the race detector of Go sees.

With --on-failure COMMAND, a shell runs COMMAND for each group when all is written.
Its environment has MENDEL_KIND (race, deadlock, blocked, panic, test-failure, timeout),
MENDEL_SIGNATURE, MENDEL_MESSAGE, MENDEL_TESTS, MENDEL_PACKAGE, MENDEL_MODULE,
MENDEL_RATES (as noise=3/40), MENDEL_FILE (for mendel replay), MENDEL_OUT and MENDEL_LOG.

The package is an import path or a directory, "." if none is named. The directory
may belong to another module. The source stays as it is. The output directory receives
  stress.json         everything that was seen
  failure-1.schedule  what reproduces the first group, for mendel replay: a schedule if
                      the checker has found one; failure-2 is the next, and so on
  failure-1.iroot     else: the seed of a noised run, or the test alone

Verdicts and exit codes:
  failed        some run failed (1); with --bisect one of BAD
  passed        none did (0)
  inconclusive  no run ended within the budget, or it was interrupted before any
                failed (2)
Exit code 2 also stands for bad usage and for a package that does not build.
With --compare: 0 if nothing differs, 1 if something does, 2 for bad usage.`

const stressExamples = `  mendel stress --run TestEvict ./internal/cache
  mendel stress --first --budget 10m ./internal/cache   # until something fails
  mendel stress --modes plain --runs 1000 ./internal/cache
  mendel stress --bisect v1.4..main --run TestEvict ./internal/cache
  mendel stress --log runs.jsonl --run TestEvict ./internal/cache
  mendel stress --compare runs.jsonl`

func newStressCommand() *cobra.Command {
	var o mendel.StressOptions
	var f stressFlags
	c := &cobra.Command{
		Use:     "stress [flags] [package | --compare log ...]",
		Short:   "repeat the tests, and say how often they fail and of what",
		Long:    stressLong,
		Example: stressExamples,
		Args: func(c *cobra.Command, args []string) error {
			if f.compare {
				return cobra.RangeArgs(1, 2)(c, args)
			}
			return cobra.MaximumNArgs(1)(c, args)
		},
		RunE: func(c *cobra.Command, args []string) error {
			if f.compare {
				return runCompare(c.Context(), args, f, c.OutOrStdout())
			}
			if len(args) == 1 {
				o.Package = args[0]
			}
			return runStress(c.Context(), o, f, c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	addStressFlags(c.Flags(), &o, &f)
	return c
}

// addStressFlags adds the flags of stress.
func addStressFlags(fs *pflag.FlagSet, o *mendel.StressOptions, f *stressFlags) {
	fs.SortFlags = false
	fs.StringVar(&o.Run, "run", "", "repeat only tests that match `regexp` (default: all tests)")
	fs.StringSliceVar(&o.Modes, "modes", nil, "only these `modes`, comma-separated (default: plain,noise,controlled)")
	fs.IntVar(&o.Runs, "runs", 0, "runs of each mode at most, of schedules for each test (default: no bound)")
	fs.DurationVar(&o.Budget, "budget", mendel.DefaultStressBudget, "time for the runs, once the tests are built")
	fs.StringVar(&o.Bisect, "bisect", "", "find the commit of the range `GOOD..BAD` that brought what fails in BAD")
	fs.BoolVar(&o.First, "first", false, "end with the first failure")
	fs.DurationVar(&o.Timeout, "timeout", 0, "of one run that is not under control (default: ten times the mean)")
	fs.StringVar(&o.Log, "log", "", "write the events of runs to `file`")
	fs.BoolVar(&f.compare, "compare", false, "compare the runs of one or two logs, which are the arguments")
	fs.StringVar(&o.OnFailure, "on-failure", "", "run the shell `command` for each group of failures")
	fs.StringArrayVar(&o.Instrument, "instrument", nil, "report races inside dependencies that match the import path `pattern` too; may be given several times")
	fs.StringVarP(&o.Out, "out", "o", "mendel-out", "write results to `directory`")
	fs.Uint64Var(&o.Seed, "seed", 1, "seed of noise and schedules")
	fs.IntVar(&o.Workers, "workers", 0, "processes at a time (default: the number of CPUs)")
	fs.StringVar(&o.Tags, "tags", "", "comma-separated `list` of build tags")
	fs.StringVarP(&f.dir, "chdir", "C", "", "work in `directory`")
	fs.BoolVar(&f.json, "json", false, "print stress.json instead of text")
}

// runStress repeats the tests and prints what that showed.
func runStress(ctx context.Context, o mendel.StressOptions, f stressFlags, stdout, stderr io.Writer) error {
	shown := o.Out
	var err error
	if o.Out, err = filepath.Abs(o.Out); err != nil {
		return fmt.Errorf("find the output directory: %w", err)
	}
	if o.Log != "" {
		if o.Log, err = filepath.Abs(o.Log); err != nil {
			return fmt.Errorf("find the log: %w", err)
		}
	}
	if o.Dir, o.Package, err = locate(f.dir, o.Package); err != nil {
		return err
	}
	p := newProgress(ctx, stderr, 0) // the budget begins when the tests are built
	o.Observer = p.Observer
	r, err := mendel.Stress(ctx, o)
	p.Close()
	if err != nil && !isInterrupt(err) {
		return err
	}
	look := mendel.StressPrintOptions{Out: shown}
	if err := printFound(ctx, stdout, r, f.json, func() error { return r.Print(stdout, look) }); err != nil {
		return fmt.Errorf("print the result: %w", err)
	}
	return stressCode(r.Verdict)
}

// runCompare compares runs of logs.
func runCompare(ctx context.Context, names []string, f stressFlags, stdout io.Writer) error {
	c, err := mendel.CompareRuns(names...)
	if err != nil {
		return err
	}
	if err := printFound(ctx, stdout, c, f.json, func() error { return c.Print(stdout) }); err != nil {
		return fmt.Errorf("print the comparison: %w", err)
	}
	if c.Different() {
		return exitError(1)
	}
	return nil
}

// stressCode turns a verdict into the command's exit code.
func stressCode(v mendel.StressVerdict) error {
	switch v {
	case mendel.StressPassed:
		return nil
	case mendel.StressFailed:
		return exitError(1)
	}
	return exitError(2)
}
