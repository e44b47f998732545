package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"mendel"
	"mendel/checker/sched/explore"
)

// checkFlags are what the command line adds to the library's options.
type checkFlags struct {
	dir     string
	json    bool
	verbose bool
	color   string
	predict bool
}

var checkLong = `Check runs each test of the package many times, under a scheduler of its own. The
scheduler lets one goroutine run at a time and chooses which. It finds data races,
deadlocks, goroutines that block for ever, panics and failing assertions.

Every test has its verdict: the check goes on after a failure, and looks for up to three
different ones in a test. --failfast ends it with the first, and --all collects all, behind
data races too, whose accesses become scheduling points. Check replays each failure,
makes its schedule as simple as possible, and shows it as a table with one column
for each goroutine. The source stays as it is. Short tests come first; those that take
long share what these leave of the budget. The last line counts the tests.

The package is an import path or a directory, "." if none is named. The directory
may belong to another module.

Several packages, or a pattern such as ./..., are checked within one budget, builds
included, up to four at a time. With --baseline, failures that are known do not fail the
check; --write-baseline writes them down. --since REVISION leaves out the packages that
the change since then cannot have affected; --shard 2/4 checks the second of four parts.

The output directory receives:
  check.json          everything that was found
  failure-1.schedule  the most telling failure, for mendel replay; failure-2.schedule
                      is the next, and so on
  failure-1.iroot     with the real scheduler: what was forced, with the seed
Of several packages, each has a directory of its own there, checks.json sums up,
junit.xml has the tests for CI systems, and failures.sarif the new failures.

Strategies:
` + explore.Help() + `
Strategies with the real scheduler, for what the checker cannot follow:
  maple     predicts interleavings from passing runs and forces them, see mendel cover;
            goes on with noise when nothing is left to force;
            what fails is looked for under control, too, and kept as a schedule if that
            fails likewise (not with --native)
  noise     random noise, as in mendel repair
  delay     random delays at a few accesses to shared locations
  stress    the tests as they are, without the race detector

With --predict one schedule is made, as a rule: that in which each goroutine goes on as
long as it can. A model of it tells which other orders of its steps would show a data
race, a deadlock, a nil pointer where there was none, or an access of one goroutine
between two of another. Each prediction is tried in one to three schedules. It is
confirmed if one fails so, refuted if they pass although it came about, and else not
decided; only what is confirmed is a failure. That is for tests whose schedules are too
long and too many to be explored. Of long ones --window steps at a time are looked at
together, half of them anew: what is further apart is not seen. Nor is what happens only
where a goroutine first sees another value, and goes on otherwise.

With --capp the strategies dfs and auto begin with schedules in which goroutines are
preempted where a change may matter (Jagannath, Luo and Marinov 2011). The change is
what is different since a revision (--since), or an applied patch (--patch). The mode
says where: C in methods of types, M in functions, L at lines, or F at fields that the
change concerns; then O, except after F, if calls that led there count, too; then S if
some goroutine has to be there, or A if all that could go on have to be. BASIC prefers
nothing; default is COS, which did best with the wrong patches of the evaluation.
Nothing is left out: all other schedules follow.

Any goroutine may be slow: a time-out, a sleep or a timer may expire although
goroutines could still go on. That counts as a preemption. A failure that needs it
says which time-out must expire; it is expected by design if that is long enough.
With --patience 1s only time-outs below one second expire so; by default those below
a minute. A test's own patience, whose end leads to nothing but giving up, as in
case <-time.After(time.Second): t.Fatal("timeout"), is believed however short: it ends when nothing
else can go on, and then what is blocked is the failure. A test that fails only if a
time-out expires early that it sets otherwise, for the product or as a sleep, is flaky
under load. --patience 0 believes nothing.

Verdicts and exit codes:
  failed        a schedule fails; it was replayed (exit code 1)
  flaky         a schedule fails, if a time-out of the test expires early as it may on a
                busy machine; none fails otherwise (0, with --flaky 1)
  left          goroutines are blocked for ever because a test does not call Stop, Close,
                cancel or the like; nothing else fails (0, with --leaks=all failed)
  exhausted     no schedule fails, up to the stated bound on preemptions if there
                is one (0)
  covered       every outcome of every schedule was seen, by mcm, and none fails (0)
  passed        no schedule that was tried fails; there are more (0)
  inconclusive  nothing can be said of any test, because they wait for the network or a
                program, crash, take longer than the budget, or the check was interrupted;
                the reason and a way out are printed (2)
Exit code 2 also stands for bad usage and for a package that does not build.
With several packages, a pattern or a baseline:
  0  nothing fails that is not in the baseline; with --strict, and every test could
     be judged
  1  something fails that is not in the baseline
  2  bad usage; or nothing new fails, and a package does not build; with --strict, or
     a test is inconclusive, or the budget was spent before it`

const checkExamples = `  mendel check ./internal/cache                                # all tests
  mendel check --strategy pct --budget 5m --all ./internal/cache
  mendel check --strategy dfs --preemptions -1 --run TestEvict
  mendel check --predict --run TestSoak                        # a test too long to explore
  mendel check --native ./internal/cache                       # without control
  mendel check --budget 20m --baseline known.json ./...        # a gate in CI
  mendel check --since origin/main ./...
  mendel check --capp default --since HEAD~1 ./internal/cache  # what was changed first`

func newCheckCommand() *cobra.Command {
	var o mendel.CheckOptions
	var f checkFlags
	var g gateFlags
	c := &cobra.Command{
		Use:     "check [flags] [package ...]",
		Short:   "look for schedules under which a test fails, and show them",
		Long:    checkLong,
		Example: checkExamples,
		RunE: func(c *cobra.Command, args []string) error {
			if o.Preemptions == 0 {
				return errors.New("--preemptions 0: want a positive bound, or -1 for none")
			}
			if f.predict {
				if c.Flags().Changed("strategy") && o.Strategy != mendel.Predict {
					return fmt.Errorf("--predict: it is a strategy of its own; leave out --strategy %s", o.Strategy)
				}
				o.Strategy = mendel.Predict
			}
			if o.Capp != "" {
				o.Since = g.since
			}
			o.Impatient = c.Flags().Changed("patience") && o.Patience == 0
			if len(args) > 1 || len(args) == 1 && strings.Contains(args[0], "...") || g.asked(c.Flags(), o.Capp == "") {
				if !c.Flags().Changed("budget") {
					o.Budget = mendel.DefaultGateBudget
				}
				return runGate(c.Context(), o, f, g, args, c.OutOrStdout(), c.ErrOrStderr())
			}
			if len(args) == 1 {
				o.Package = args[0]
			}
			return runCheck(c.Context(), o, f, c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	g.add(c.Flags())
	addCheckFlags(c.Flags(), &o, &f)
	return c
}

// addCheckFlags adds the flags of check but those of the gate.
func addCheckFlags(fs *pflag.FlagSet, o *mendel.CheckOptions, f *checkFlags) {
	fs.SortFlags = false
	fs.StringVar(&o.Run, "run", "", "check only tests that match `regexp` (default: all tests)")
	fs.StringVar(&o.Strategy, "strategy", "auto", "how to explore, see above")
	fs.BoolVar(&f.predict, "predict", false, "ask a model of one schedule for failures, and try only those, see above")
	fs.IntVar(&o.Window, "window", 1000, "for --predict: `steps` that are looked at together")
	fs.StringVar(&o.Capp, "capp", "", "with --since or --patch: explore first what has to do with the change, by `mode`, see above")
	fs.StringVar(&o.Patch, "patch", "", "for --capp: `file` with a patch that has been applied")
	fs.BoolVar(&o.Native, "native", false, "use the real scheduler only: auto means maple")
	fs.IntVar(&o.Preemptions, "preemptions", 2, "bound of dfs on preemptions; -1: no bound")
	fs.IntVar(&o.Depth, "depth", 3, "for pct: ordering constraints that make the bug")
	fs.DurationVar(&o.Budget, "budget", mendel.DefaultCheckBudget, "time for the schedules, once the tests are built; for several packages 10m for everything")
	fs.IntVar(&o.Schedules, "schedules", 0, "schedules of each test at most, or runs with the real scheduler (default: no bound)")
	fs.IntVar(&o.Steps, "steps", 0, "steps of one schedule at most; those before there is a second goroutine count a twentieth (default 100000)")
	fs.IntVar(&o.Scale, "scale", 0, "let tests' loops whose number of rounds is a constant go round `n` times less often (default: as they are)")
	fs.DurationVar(&o.Patience, "patience", mendel.DefaultPatience, "believe that a time-out of `duration` or more does not expire while a goroutine can go on; negative: all of them; 0: none, and tests' patience neither")
	fs.StringVar(&o.Leaks, "leaks", "", "`all`: fail if a test leaves goroutines waiting, though it does not call what would end them")
	fs.BoolVar(&o.Flaky, "flaky", false, "fail if a test does only under load, too")
	fs.BoolVar(&o.Fresh, "fresh", false, "with maple: force again what earlier runs with this output directory have exposed or given up")
	fs.BoolVar(&o.All, "all", false, "collect all failures of each test, behind data races too (default: up to three of each)")
	fs.BoolVar(&o.FailFast, "failfast", false, "end with the first failure")
	fs.StringArrayVar(&o.Instrument, "instrument", nil, "report races inside dependencies that match the import path `pattern` too; net: have the network of the tests in memory, under control; may be given several times")
	fs.StringVarP(&o.Out, "out", "o", "mendel-out", "write results to `directory`")
	fs.Uint64Var(&o.Seed, "seed", 1, "seed of the random strategies")
	fs.IntVar(&o.Workers, "workers", 0, "processes at a time (default: the number of CPUs)")
	fs.StringVar(&o.Tags, "tags", "", "comma-separated `list` of build tags")
	fs.StringVarP(&f.dir, "chdir", "C", "", "work in `directory`")
	fs.BoolVar(&f.json, "json", false, "print check.json instead of text")
	fs.BoolVarP(&f.verbose, "verbose", "v", false, "print each test, whole stacks, and what is not under control")
	fs.StringVar(&f.color, "color", "auto", "colour the text: auto, always or never")
}

// runCheck runs the check and prints what became of it.
func runCheck(ctx context.Context, o mendel.CheckOptions, f checkFlags, stdout, stderr io.Writer) error {
	color, err := wantColor(f.color, stdout)
	if err != nil {
		return err
	}
	shown := o.Out
	if o.Out, err = filepath.Abs(o.Out); err != nil {
		return fmt.Errorf("find the output directory: %w", err)
	}
	if o.Dir, o.Package, err = locate(f.dir, o.Package); err != nil {
		return err
	}
	p := newProgress(ctx, stderr, 0) // the budget begins when the tests are built
	o.Observer = p.Observer
	result, err := mendel.Check(ctx, o)
	p.Close()
	if err != nil && !isInterrupt(err) {
		return err
	}
	look := mendel.PrintOptions{Width: columns(stdout), Color: color, Verbose: f.verbose, Out: shown}
	if err := printFound(ctx, stdout, result, f.json, func() error { return result.Print(stdout, look) }); err != nil {
		return fmt.Errorf("print the result: %w", err)
	}
	return checkCode(result.Verdict)
}

// checkCode turns a verdict into the command's exit code.
func checkCode(v mendel.CheckVerdict) error {
	switch v {
	case mendel.CheckFlaky, mendel.CheckLeft, mendel.CheckExhausted, mendel.CheckCovered, mendel.CheckPassed:
		return nil
	case mendel.CheckFailed:
		return exitError(1)
	}
	return exitError(2)
}

// isInterrupt reports whether an error is that of an ended context.
func isInterrupt(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// columns is the width of a terminal, 0 for anything else.
func columns(w io.Writer) int {
	if !isTerminal(w) {
		return 0
	}
	width, _, err := term.GetSize(int(w.(*os.File).Fd()))
	if err != nil {
		return 0
	}
	return width
}
