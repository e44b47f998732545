package kill

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"mendel/internal/bench/commands"
	"mendel/internal/bench/identity"
	"mendel/internal/bench/subject"
	"mendel/internal/bench/tables"
	"mendel/internal/gotool"
)

// reportName is the name of the files of a report.
const reportName = "kill"

// Options say what to repair, and how often to kill the repair. Times,
// Undisturbed, Seed and Limit must be positive.
type Options struct {
	Subject     string // to repair
	Dir         string // of the subjects
	Mendel      string // executable to kill; "": one built from the source here
	Times       int    // repairs to kill
	Undisturbed int    // repairs to leave alone
	Seed        uint64 // of the repairs and of the moments
	Limit       time.Duration
	Workers     int    // builds and runs at a time; 0: the number of CPUs
	Out         string // directory of kill.json and kill.md; "": print only
	Command     string // to type, for the report
}

// validate refuses values that make no sense.
func (o Options) validate() error {
	if o.Times < 1 || o.Undisturbed < 1 || o.Seed < 1 {
		return errors.New("--times, --undisturbed and --seed must be positive")
	}
	if o.Limit <= 0 {
		return errors.New("--budget must be positive")
	}
	if o.Workers < 0 {
		return errors.New("--workers must not be negative")
	}
	return nil
}

// Run makes the repairs and prints the tables. Interrupted, it prints what
// it has.
func Run(ctx context.Context, o Options, stdout, stderr io.Writer) (err error) {
	if err := o.validate(); err != nil {
		return err
	}
	subjects, err := subject.Read(o.Dir, []string{o.Subject})
	if err != nil {
		return err
	}
	if err := tables.MakeOut(o.Out); err != nil {
		return err
	}
	tool, err := gotool.Open(ctx, subjects[0].Dir)
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
	report, err := o.open(tables.ThisMachine(tool), version, subjects[0])
	if err != nil {
		return err
	}
	r := &evaluation{Options: o, report: report, log: stderr}
	r.killer = &killer{mendel: mendel, source: subjects[0].Dir, seed: o.Seed, limit: o.Limit, workers: o.Workers}
	return tables.Finish(r.report, stdout, r.files(), r.work(ctx))
}

// executable is the mendel to kill, built in dir unless one is named, and what
// identifies it.
func (o Options) executable(ctx context.Context, dir string) (name, version string, err error) {
	if o.Mendel != "" {
		if name, err = filepath.Abs(o.Mendel); err != nil {
			return "", "", fmt.Errorf("--mendel: %w", err)
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return "", "", fmt.Errorf("--mendel: %w", err)
		}
		return name, identity.Content(data), nil
	}
	if version, err = identity.Mendel(); err != nil {
		return "", "", err
	}
	name = filepath.Join(dir, "mendel")
	if err := commands.BuildMendel(ctx, name); err != nil {
		return "", "", fmt.Errorf("%w; or name an executable with --mendel", err)
	}
	return name, version, nil
}

// An evaluation is one run of the kill command.
type evaluation struct {
	Options
	killer *killer
	report *report
	log    io.Writer
}

// work does what is left to do.
func (r *evaluation) work(ctx context.Context) error {
	for n := len(r.report.Undisturbed); n < r.Undisturbed; n++ {
		u, err := r.killer.undisturbed(ctx)
		if err != nil {
			return fmt.Errorf("undisturbed repair %d: %w", n+1, err)
		}
		r.report.Undisturbed = append(r.report.Undisturbed, u)
		fmt.Fprintf(r.log, "undisturbed repair %d of %d: %s\n", n+1, r.Undisturbed, u.line())
		if err := r.save(); err != nil {
			return err
		}
	}
	for n := len(r.report.Trials) + 1; n <= r.Times; n++ {
		t, err := r.killer.trial(ctx, n, r.report.duration())
		if err != nil {
			return fmt.Errorf("killed repair %d: %w", n, err)
		}
		r.report.Trials = append(r.report.Trials, t)
		fmt.Fprintf(r.log, "[%d/%d] %s\n", n, r.Times, t.line(r.report))
		if err := r.save(); err != nil {
			return err
		}
	}
	return nil
}

// files are those of the report.
func (o Options) files() tables.Files { return tables.Files{Dir: o.Out, Name: reportName} }

// save saves what there is.
func (r *evaluation) save() error {
	return r.files().Save(r.report, r.report.unfinished(r.Options))
}
