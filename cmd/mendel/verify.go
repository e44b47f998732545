package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"mendel"
)

// verifyFlags are what the command line adds to the library's options.
type verifyFlags struct {
	dir     string
	since   string
	json    bool
	verbose bool
	checker bool
	color   string
}

const verifyLong = `Verify reproduces the failure of a package's tests without a patch, and then
validates the patch as repair validates its own fixes: by the model checker, by runs
under noise and the race detector, by the rules against hiding a failure, by go vet and
by the package's other tests. It compares what both programs cost. What the
patch leaves out of its locks is judged by the source alone, and flagged. The patch is
taken as it stands, whoever or whatever has made it. The source stays as it is.

PATCH is a file with a unified diff, as git diff and mendel write it; - is standard
input. Its names are relative to the module, the repository or the current directory. It
may be applied already. With --since REVISION there is no PATCH: the change from the
revision to the working tree is verified, untracked files included.

Tests, testdata and go.mod are those after the change on both sides: a test that comes
with the patch is what shows the failure. Where the source without the patch is not what
lies there, it is copied to the directory _original in the output directory.

The failure before is what the tests show, or what is named: a test by --run; by --from
a report, a schedule, or the output directory of the repair that has seen it.

The output directory receives what that of repair does; fix-1.patch is the patch, with
the evidence in its message, if it is validated.

Exit codes:
  0  the patch is validated
  1  the patch is refused, is a workaround, or its validation is not complete
  2  bad usage, the package does not build, the patch does not apply, or the
     environment is broken
  3  no failure was reproduced without the patch, or none that concurrency causes`

const verifyExamples = `  mendel verify fix.patch ./internal/cache
  mendel verify --run TestEvict fix.patch ./internal/cache
  mendel verify --since main ./internal/cache       # this branch against main
  git diff | mendel verify - ./internal/cache       # what is not committed
  mendel verify --from mendel-out fix.patch         # what a repair has seen`

func newVerifyCommand() *cobra.Command {
	var o mendel.Options
	var f verifyFlags
	c := &cobra.Command{
		Use:     "verify [flags] PATCH [package]",
		Short:   "say whether a patch mends a failure, and hides nothing",
		Long:    verifyLong,
		Example: verifyExamples,
		Args:    cobra.MaximumNArgs(2),
		RunE: func(c *cobra.Command, args []string) error {
			patch := ""
			if f.since == "" {
				if len(args) == 0 {
					return errors.New("name a patch, or a revision by --since")
				}
				patch, args = args[0], args[1:]
			}
			switch len(args) {
			case 0:
			case 1:
				o.Package = args[0]
			default:
				return errors.New("with --since there is no patch to name: only a package")
			}
			return runVerify(c.Context(), o, f, patch, c.InOrStdin(), c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	addVerifyFlags(c.Flags(), &o, &f)
	return c
}

// addVerifyFlags adds the flags of verify.
func addVerifyFlags(fs *pflag.FlagSet, o *mendel.Options, f *verifyFlags) {
	fs.SortFlags = false
	fs.StringVar(&f.since, "since", "", "verify what has changed since `revision`, in place of a patch")
	fs.StringVar(&o.Run, "run", "", "the failure is that of tests that match `regexp` (default: all tests)")
	fs.StringVar(&o.From, "from", "", "the failure is the one in `file`: a race report, goroutine dump, leak profile, test output, schedule, or what a repair has left; - is standard input")
	fs.DurationVar(&o.Budget, "budget", mendel.DefaultBudget, "time for everything")
	fs.StringVarP(&o.Out, "out", "o", filepath.Join("mendel-out", "verify"), "write results to `directory`")
	fs.BoolVar(&f.checker, "checker", true, "let the model checker judge first; false: only runs under noise judge")
	fs.BoolVar(&o.NoRace, "no-race", false, "build without the race detector")
	fs.Uint64Var(&o.Seed, "seed", 1, "seed of every random choice")
	fs.IntVar(&o.Confirm, "confirm", 0, "runs under noise that confirm the patch (default: until little doubt is left)")
	fs.DurationVar(&o.Timeout, "timeout", 0, "time for one run of the tests (default: measured)")
	fs.IntVar(&o.Workers, "workers", 0, "half of the runs at a time (default: the number of CPUs)")
	fs.StringVar(&o.Tags, "tags", "", "comma-separated `list` of build tags")
	fs.StringVarP(&f.dir, "chdir", "C", "", "work in `directory`")
	fs.BoolVar(&f.json, "json", false, "print result.json instead of text")
	fs.BoolVarP(&f.verbose, "verbose", "v", false, "print each step")
	fs.StringVar(&f.color, "color", "auto", "colour the diff: auto, always or never")
}

// runVerify verifies a patch and prints what became of it.
func runVerify(ctx context.Context, o mendel.Options, f verifyFlags, patch string, stdin io.Reader, stdout, stderr io.Writer) error {
	color, err := wantColor(f.color, stdout)
	if err != nil {
		return err
	}
	if o.Out, err = filepath.Abs(o.Out); err != nil {
		return fmt.Errorf("find the output directory: %w", err)
	}
	if patch == "-" && o.From == "-" {
		return errors.New("the patch and --from cannot both be standard input")
	}
	if o.From != "" {
		if o.From, o.FromName, err = mendel.EvidenceFile(o.From, o.Out, stdin); err != nil {
			return err
		}
	}
	if o.Dir, o.Package, err = locate(f.dir, o.Package); err != nil {
		return err
	}
	change, err := readChange(ctx, f, patch, o.Dir, stdin)
	if err != nil {
		return err
	}
	p := newProgress(ctx, stderr, o.Budget)
	o.Observer, o.Verbose, o.NoChecker = p.Observer, f.verbose, !f.checker
	result, err := mendel.Verify(ctx, o, change)
	p.Close()
	broken := err != nil && !isInterrupt(err)
	if broken && result.Status == mendel.Failed {
		return err
	}
	if err := printFound(ctx, stdout, result, f.json, func() error { return result.Print(stdout, color) }); err != nil {
		return fmt.Errorf("print the result: %w", err)
	}
	if broken {
		return err // of saving it: at least it has been seen
	}
	writeReports(stderr, o.Out)
	return exitCode(result.Status)
}

// readChange reads what is to be verified.
func readChange(ctx context.Context, f verifyFlags, patch, dir string, stdin io.Reader) (*mendel.Change, error) {
	if f.since != "" {
		return mendel.ChangeSince(ctx, dir, f.since)
	}
	if patch == "-" {
		text, err := io.ReadAll(stdin)
		if err != nil {
			return nil, fmt.Errorf("read the patch: %w", err)
		}
		return mendel.ParseChange(ctx, "the patch", text, dir)
	}
	return mendel.ReadChange(ctx, patch, dir)
}
