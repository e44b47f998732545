package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

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
