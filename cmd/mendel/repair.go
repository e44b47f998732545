package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"mendel"
)

// exitError carries an exit code to main; the text has been printed.
type exitError int

func (e exitError) Error() string { return fmt.Sprintf("exit status %d", int(e)) }

// repairFlags are what the command line adds to the library's options.
type repairFlags struct {
	dir     string
	json    bool
	verbose bool
	write   bool
	force   bool
	checker bool
	color   string
	resume  string
	test    bool
}

const repairLong = `Repair finds out how the package's tests fail. It searches for edits of the
synchronisation that make them pass, validates what it finds, and prints each
fix as an annotated diff. The source stays as it is, unless --write is given.

The package is an import path or a directory, "." if none is named. The directory
may belong to another module. Several packages, or a pattern such as ./..., are
repaired one after the other within one budget, the easy ones first.

The output directory receives:
  result.json   everything that was found
  fix-1.patch   the best fix, for git apply and git am; fix-2.patch is the second
                best, and so on
  report.html   the report as a page; report.md is the same in Markdown
  mendel.db     what --resume needs
Of several packages, each has a directory of its own there, series.json sums up,
and all.patch has the fixes of all, if they build together.

A fix whose validation the end of the budget has stopped is told as "fixed,
validation incomplete", with what is missing. --write leaves it out unless --force
is given. --resume goes on with the validation.

A patch that passes everything and still puts the bug off, or gives something up for it,
is told as a "workaround", with the reason: it runs goroutines one after the other, takes
a guard away, lets others come between a question and its use, throws away what is handed
over, or makes room in a channel that is used up. --write leaves it out, too.

Ctrl-C ends a repair with the best result so far. A second Ctrl-C ends it at once.
What does not end within five seconds of Ctrl-C, or of the end of the budget, is ended
by force, with exit code 2; --resume goes on with what was found.
A repair that --resume takes up keeps its package and its flags. Only --budget, the
new time for everything, --write, --force, --json, --verbose, --color and --events may be given too.

Exit codes:
  0  a validated fix was found
  1  a failure was seen, and no fix was found, or only a workaround, or none that is
     validated to the end
  2  bad usage, the package does not build, or the environment is broken
  3  no failure was reproduced, or none that concurrency causes
With several packages:
  0  there were failures, and each package that has one is fixed
  1  a package with a failure is not fixed, or has only a workaround, or its fix is not
     validated to the end
  2  as above, or no failure was seen and a package does not build
  3  no failure was reproduced in any package`

const repairExamples = `  mendel repair ./internal/cache                  # all tests of the package
  mendel repair --run TestEvict ./internal/cache  # one test
  mendel repair --from race.log                   # the failure of a report
  mendel repair --budget 8h ./...                 # several packages
  mendel repair --resume mendel-out               # go on where it stopped
  mendel repair --resume mendel-out --budget 16h  # go on with more time`

func newRepairCommand() *cobra.Command {
	var o mendel.Options
	var f repairFlags
	c := &cobra.Command{
		Use:     "repair [flags] [package ...]",
		Short:   "find validated fixes for a test that fails under some interleavings",
		Long:    repairLong,
		Example: repairExamples,
		RunE: func(c *cobra.Command, args []string) error {
			if f.resume != "" {
				if err := takeUp(&o, f.resume, c.Flags(), args); err != nil {
					return err
				}
			}
			if isSeries(o, args) {
				if f.test {
					return errors.New("--test is for one package")
				}
				return runSeries(c.Context(), o, f, args, c.OutOrStdout(), c.ErrOrStderr())
			}
			if len(args) == 1 {
				o.Package = args[0]
			}
			return runRepair(c.Context(), o, f, c.InOrStdin(), c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	addRepairFlags(c.Flags(), &o, &f)
	return c
}

// addRepairFlags adds the flags of repair.
func addRepairFlags(fs *pflag.FlagSet, o *mendel.Options, f *repairFlags) {
	fs.SortFlags = false
	fs.StringVar(&o.Run, "run", "", "repair only what fails in tests that match `regexp` (default: all tests)")
	fs.StringVar(&o.From, "from", "", "repair the failure in `file`: a race report, goroutine dump, leak profile, test output, schedule, or what a repair has left; - is standard input")
	fs.DurationVar(&o.Budget, "budget", mendel.DefaultBudget, "time for everything")
	fs.StringVarP(&o.Out, "out", "o", "mendel-out", "write results to `directory`")
	fs.BoolVar(&f.write, "write", false, "apply the best fix to the source")
	fs.BoolVar(&f.force, "force", false, "with --write, apply a workaround, or a fix whose validation is incomplete, too")
	fs.BoolVar(&f.test, "test", false, "when there is a fix, make a regression test of the failure, as mendel reproduce does; with --write it is written, too")
	fs.StringVar(&f.resume, "resume", "", "go on with the repair in the output `directory`")
	fs.BoolVar(&o.Fresh, "fresh", false, "do not use what earlier repairs of the same source have left in --out")
	fs.BoolVar(&o.IncludeTests, "include-tests", false, "let fixes change how the goroutines of tests synchronise, but no assertion")
	fs.BoolVar(&o.NoSerialize, "no-serialize", false, "reject fixes that run a whole goroutine body under one lock")
	fs.BoolVar(&f.checker, "checker", true, "let the model checker judge first; false: only runs under noise judge")
	fs.BoolVar(&o.NoRace, "no-race", false, "build without the race detector")
	fs.Uint64Var(&o.Seed, "seed", 1, "seed of every random choice")
	fs.IntVar(&o.Population, "population", 0, "mutants in a generation (default 30)")
	fs.IntVar(&o.Generations, "generations", 0, "generations at most (default 30)")
	fs.IntVar(&o.Count, "count", 0, "runs under noise that score a mutant (default 15)")
	fs.IntVar(&o.Confirm, "confirm", 0, "runs under noise that confirm a fix (default: until little doubt is left, at most 10 times --count)")
	fs.DurationVar(&o.Timeout, "timeout", 0, "time for one run of the tests (default: measured)")
	fs.IntVar(&o.Workers, "workers", 0, "mutants scored at a time (default: the number of CPUs)")
	fs.BoolVar(&o.Search.ScoreOnly, "score-only", false, "for evaluation: validate no candidate, so that none ends the search")
	_ = fs.MarkHidden("score-only") // the flag is there
	fs.StringVar(&o.Tags, "tags", "", "comma-separated `list` of build tags")
	fs.StringVarP(&f.dir, "chdir", "C", "", "work in `directory`")
	fs.BoolVar(&f.json, "json", false, "print result.json instead of text")
	fs.BoolVarP(&f.verbose, "verbose", "v", false, "print what the search was narrowed to, and each step")
	fs.StringVar(&f.color, "color", "auto", "colour the diff: auto, always or never")
}

// runRepair runs the repair and prints what became of it.
func runRepair(ctx context.Context, o mendel.Options, f repairFlags, stdin io.Reader, stdout, stderr io.Writer) error {
	color, err := wantColor(f.color, stdout)
	if err != nil {
		return err
	}
	if o.Out, err = filepath.Abs(o.Out); err != nil {
		return fmt.Errorf("find the output directory: %w", err)
	}
	if o.From != "" {
		if o.From, o.FromName, err = mendel.EvidenceFile(o.From, o.Out, stdin); err != nil {
			return err
		}
	}
	find := o.From != "" && o.Package == "" // the package in the evidence
	budget := o.Budget
	if o.Resume {
		budget = left(o)
	} else if o.Dir, o.Package, err = locate(f.dir, o.Package); err != nil {
		return err
	}
	if find {
		o.Package = ""
	}

	o.Verbose, o.NoChecker = f.verbose, !f.checker
	p := newProgress(ctx, stderr, budget)
	o.Observer = p.Observer
	result, err := mendel.Repair(ctx, o)
	p.Close()
	broken := err != nil && !isInterrupt(err)
	if broken && result.Status == mendel.Failed {
		return err
	}
	print := func(text func() error) error {
		if err := printFound(ctx, stdout, result, f.json, text); err != nil {
			return fmt.Errorf("print the result: %w", err)
		}
		return nil
	}
	wantTest := f.test && err == nil && result.Status == mendel.Fixed
	if !wantTest || !f.json { // the fix does not wait for the test
		if err := print(func() error { return result.Print(stdout, color) }); err != nil {
			return err
		}
	}
	if broken {
		return err // of saving it: at least it has been seen
	}
	var test *mendel.ReproduceResult
	if wantTest {
		if test, err = mendel.RegressionTest(ctx, result, o.Out, aboutMendel().Version); err != nil {
			return fmt.Errorf("make a regression test: %w", err)
		}
		if err := test.Save(o.Out); err != nil {
			return fmt.Errorf("save the regression test: %w", err)
		}
		if err := print(func() error { return test.Print(stdout) }); err != nil {
			return err
		}
	}
	writeReports(stderr, o.Out)
	if f.write {
		if err := apply(result, f.force, stderr); err != nil {
			return err
		}
		if test != nil {
			if err := mendel.WriteRegressionTest(test, aboutMendel().Version); err != nil {
				return fmt.Errorf("write the regression test: %w", err)
			}
		}
	}
	return exitCode(result.Status)
}

// apply writes the best fix into the source. One whose validation is incomplete, and a
// workaround, need force.
func apply(r *mendel.Result, force bool, stderr io.Writer) error {
	switch {
	case r.Status == mendel.Incomplete && !force:
		fmt.Fprintf(stderr, "%s is not applied: its validation is incomplete (--force applies it)\n", r.Fixes[0].Patch)
		return nil
	case r.Status == mendel.Worked && !force:
		fmt.Fprintf(stderr, "%s is not applied: it is a workaround (--force applies it)\n", r.Fixes[0].Patch)
		return nil
	case !r.Status.Offers():
		return nil
	}
	if err := r.Apply(r.Fixes[0]); err != nil {
		return err
	}
	fmt.Fprintf(stderr, "applied %s\n", r.Fixes[0].Patch)
	return nil
}

// withResume are the flags that may be given with --resume: the other options
// are those that the repair was begun with.
var withResume = map[string]bool{"resume": true, "budget": true, "write": true, "force": true, "json": true, "verbose": true, "color": true, "events": true}

// takeUp makes options of a repair that goes on.
func takeUp(o *mendel.Options, dir string, flags *pflag.FlagSet, args []string) error {
	var wrong error
	flags.Visit(func(f *pflag.Flag) {
		if !withResume[f.Name] && wrong == nil {
			wrong = fmt.Errorf("--%s cannot be given with --resume: the repair goes on as it was begun; only --budget can change", f.Name)
		}
	})
	if wrong != nil {
		return wrong
	}
	if len(args) > 0 {
		return fmt.Errorf("no package can be given with --resume: the repair in %s goes on with its own", dir)
	}
	if !flags.Changed("budget") {
		o.Budget = 0 // its own
	}
	o.Out, o.Resume = dir, true
	return nil
}

// left is the time that a repair has left when it goes on.
func left(o mendel.Options) time.Duration {
	state, err := mendel.ReadState(o.Out)
	if err != nil {
		return 0 // Repair will say why
	}
	return state.LeftOf(o.Budget)
}

// exitCode turns a status into the command's exit code.
func exitCode(s mendel.Status) error {
	switch s {
	case mendel.Fixed:
		return nil
	case mendel.NotFixed, mendel.Incomplete, mendel.Worked:
		return exitError(1)
	case mendel.NotReproduced:
		return exitError(3)
	}
	return exitError(2)
}

// locate splits a package argument into the directory to work in and the
// package there: a directory is entered, an import path is looked up in chdir.
func locate(chdir, pkg string) (dir, pattern string, err error) {
	if chdir == "" {
		chdir = "."
	}
	if pkg == "" {
		pkg = "."
	}
	if strings.Contains(pkg, "...") {
		return "", "", fmt.Errorf("%s names several packages; name one of those that go list %s prints", pkg, pkg)
	}
	if isLocal(pkg) {
		name := pkg
		if !filepath.IsAbs(name) {
			name = filepath.Join(chdir, name)
		}
		info, err := os.Stat(name)
		if err != nil {
			return "", "", fmt.Errorf("package directory: %w", err)
		}
		if !info.IsDir() {
			return "", "", fmt.Errorf("%s is a file; name the package's directory or import path", pkg)
		}
		chdir, pkg = name, "."
	}
	dir, err = filepath.Abs(chdir)
	if err != nil {
		return "", "", fmt.Errorf("find the package's directory: %w", err)
	}
	return dir, pkg, nil
}

// isLocal reports whether a package argument is a directory rather than an import path.
func isLocal(pkg string) bool {
	return pkg == "." || pkg == ".." || filepath.IsAbs(pkg) ||
		strings.HasPrefix(filepath.ToSlash(pkg), "./") || strings.HasPrefix(filepath.ToSlash(pkg), "../")
}
