package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"mendel/internal/gotool"
)

// killName is the name of the files of a report.
const killName = "kill"

// killOptions are the flags of the kill command.
type killOptions struct {
	subject, dir, out, mendel string
	times, undisturbed        int
	seed                      uint64
	limit                     time.Duration
	workers                   int
	command                   string
}

func newKillCommand() *cobra.Command {
	var o killOptions
	c := &cobra.Command{
		Use:   "kill [flags]",
		Short: "kill repairs at random moments, resume them, and compare what comes of it",
		Long: `Kill repairs a subject undisturbed, then again and again with the same seed,
each time killing the process (SIGKILL, its own alone) at a random moment and
going on with mendel repair --resume; of each four resumed repairs about one is
killed once more. Each is to end with the fix of the undisturbed ones. No score
in the store may be lost or made again, the database is to be intact, and neither
processes nor temporary files may be left behind.

The moments depend on --seed alone. With --out the results are saved after each
repair, and the same command goes on where it was stopped.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			o.command = commandLine(os.Args[1:])
			return runKill(c.Context(), o, c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	fs := c.Flags()
	fs.SortFlags = false
	fs.StringVar(&o.subject, "subject", "account", "which subject to repair")
	fs.IntVar(&o.times, "times", 100, "how many repairs to kill")
	fs.IntVar(&o.undisturbed, "undisturbed", 3, "how many to leave alone, to compare with")
	fs.Uint64Var(&o.seed, "seed", 1, "seed of the repairs and of the moments")
	fs.DurationVar(&o.limit, "budget", 5*time.Minute, "time for one repair")
	fs.IntVar(&o.workers, "workers", 0, "builds and runs at a time (default: the number of CPUs)")
	fs.StringVar(&o.mendel, "mendel", "", "kill this `executable` (default: one built from the source here)")
	fs.StringVar(&o.dir, "subjects", "subjects", "`directory` of the subjects")
	fs.StringVarP(&o.out, "out", "o", "", "write kill.json and kill.md to `directory`, and go on with what is there")
	return c
}

// validate refuses values that make no sense.
func (o killOptions) validate() error {
	if o.times < 1 || o.undisturbed < 1 || o.seed < 1 {
		return errors.New("--times, --undisturbed and --seed must be positive")
	}
	if o.limit <= 0 {
		return errors.New("--budget must be positive")
	}
	if o.workers < 0 {
		return errors.New("--workers must not be negative")
	}
	return nil
}

// runKill makes the repairs and prints the tables. Interrupted, it prints what
// it has.
func runKill(ctx context.Context, o killOptions, stdout, stderr io.Writer) (err error) {
	if err := o.validate(); err != nil {
		return err
	}
	subjects, err := readSubjects(o.dir, []string{o.subject})
	if err != nil {
		return err
	}
	if err := makeOut(o.out); err != nil {
		return err
	}
	tool, err := gotool.Open(ctx, subjects[0].dir)
	if err != nil {
		return err
	}
	dir, remove, err := gotool.TempDir()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, remove()) }()
	mendel, version, err := o.executable(ctx, dir)
	if err != nil {
		return err
	}
	report, err := o.open(thisMachine(tool), version, subjects[0])
	if err != nil {
		return err
	}
	r := &killRun{killOptions: o, report: report, log: stderr}
	r.killer = &killer{mendel: mendel, source: subjects[0].dir, seed: o.seed, limit: o.limit, workers: o.workers}
	return finish(r.report, stdout, o.out, killName, r.work(ctx))
}

// executable is the mendel to kill, built in dir unless one is named, and what
// identifies it.
func (o killOptions) executable(ctx context.Context, dir string) (name, version string, err error) {
	if o.mendel != "" {
		if name, err = filepath.Abs(o.mendel); err != nil {
			return "", "", fmt.Errorf("--mendel: %w", err)
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return "", "", fmt.Errorf("--mendel: %w", err)
		}
		return name, contentID(data), nil
	}
	if version, err = mendelVersion(); err != nil {
		return "", "", err
	}
	name = filepath.Join(dir, "mendel")
	if err := buildMendel(ctx, name); err != nil {
		return "", "", err
	}
	return name, version, nil
}

// A killRun is one run of the kill command.
type killRun struct {
	killOptions
	killer *killer
	report *KillReport
	log    io.Writer
}

// work does what is left to do.
func (r *killRun) work(ctx context.Context) error {
	for n := len(r.report.Undisturbed); n < r.undisturbed; n++ {
		u, err := r.killer.undisturbed(ctx)
		if err != nil {
			return fmt.Errorf("undisturbed repair %d: %w", n+1, err)
		}
		r.report.Undisturbed = append(r.report.Undisturbed, u)
		fmt.Fprintf(r.log, "undisturbed repair %d of %d: %s\n", n+1, r.undisturbed, u.line())
		if err := r.save(); err != nil {
			return err
		}
	}
	for n := len(r.report.Trials) + 1; n <= r.times; n++ {
		t, err := r.killer.trial(ctx, n, r.report.duration())
		if err != nil {
			return fmt.Errorf("killed repair %d: %w", n, err)
		}
		r.report.Trials = append(r.report.Trials, t)
		fmt.Fprintf(r.log, "[%d/%d] %s\n", n, r.times, t.line(r.report))
		if err := r.save(); err != nil {
			return err
		}
	}
	return nil
}

// save saves what there is.
func (r *killRun) save() error {
	if r.out == "" {
		return nil
	}
	return save(r.report, r.out, killName, r.report.unfinished(r.killOptions))
}
