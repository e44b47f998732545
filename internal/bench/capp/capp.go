package capp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"mendel/checker"
	"mendel/checker/impact"
	"mendel/checker/sched/explore"
	"mendel/internal/bench/programs"
	"mendel/internal/bench/subject"
	"mendel/internal/bench/tables"
	"mendel/internal/change"
	"mendel/internal/gotool"
)

// Options say what to measure, and how long.
type Options struct {
	Dir     string        // of the subjects
	Patches string        // directory with one of wrong patches for each subject
	Only    []string      // subjects; none: all
	Limit   time.Duration // of each search; positive
	Out     string        // directory of capp.json and capp.md; "": print only
	Command string        // to type, for the report
}

// modes are those that are compared, BASIC first.
var modes = append([]string{impact.Basic}, impact.Modes...)

// Run measures and prints the table. Interrupted, it prints what it has.
func Run(ctx context.Context, o Options, stdout, stderr io.Writer) error {
	if o.Limit <= 0 {
		return errors.New("--budget must be positive")
	}
	subjects, err := subject.Read(o.Dir, o.Only)
	if err != nil {
		return err
	}
	machine, version, err := tables.Begin(ctx, subjects[0].Dir, o.Out)
	if err != nil {
		return err
	}
	r := &report{Machine: machine, Mendel: version, Limit: o.Limit.String()}
	broken := r.measure(ctx, o, subjects, stderr)
	return tables.Finish(r, stdout, tables.Files{Dir: o.Out, Name: "capp", Command: o.Command}, broken)
}

// measure explores the patched programs of all subjects.
func (r *report) measure(ctx context.Context, o Options, subjects []subject.Subject, log io.Writer) error {
	for _, s := range subjects {
		names, err := filepath.Glob(filepath.Join(o.Patches, s.Name, "*.patch"))
		if err != nil {
			return fmt.Errorf("list wrong patches: %w", err)
		}
		fmt.Fprintf(log, "%s: %d patches\n", s.Name, len(names))
		if err := r.subject(ctx, s, names, o.Limit); err != nil {
			return fmt.Errorf("%s: %w", s.Name, err)
		}
	}
	return nil
}

// subject explores one subject with each of its patches.
func (r *report) subject(ctx context.Context, s subject.Subject, names []string, limit time.Duration) (err error) {
	p, err := programs.Instrument(ctx, s.Dir, ".", 1)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.Close()) }()
	dir, err := filepath.Abs(s.Dir)
	if err != nil {
		return err
	}
	for _, name := range names {
		c, err := change.Read(ctx, name, dir)
		if err != nil {
			return err
		}
		files := map[string][]byte{}
		for _, f := range c.Files {
			files[filepath.Join(c.Root, filepath.FromSlash(f.Path))] = f.After
		}
		row := &patch{Subject: s.Name, Name: strings.TrimSuffix(filepath.Base(name), ".patch")}
		if err := search(ctx, p, files, row, limit); err != nil {
			return fmt.Errorf("%s: %w", filepath.Base(name), err)
		}
		r.Patches = append(r.Patches, row)
	}
	return nil
}

// search explores a program with some files replaced, in each mode.
func search(ctx context.Context, p *programs.Instrumented, files map[string][]byte, row *patch, limit time.Duration) (err error) {
	b, err := p.Build(ctx, files)
	if build := (*gotool.BuildError)(nil); errors.As(err, &build) {
		row.Broken = true
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	points, err := impact.OfMutant(p.Program(), files)
	if err != nil {
		return err
	}
	for _, mode := range modes {
		prefer, err := points.For(mode)
		if err != nil {
			return err
		}
		report, err := b.Check(ctx, checker.Search{Strategy: "dfs", Preemptions: 2, Schedules: most, Impact: prefer, Budget: limit})
		if err != nil {
			return err
		}
		a := attemptOf(report)
		row.Attempts = append(row.Attempts, a)
		if mode == impact.Basic && (a.Schedules == 1 || !a.Rejected) {
			return nil // it tells nothing of modes
		}
	}
	return nil
}

// most bounds the schedules of each test, so that tests that come before the one that
// fails leave it time.
const most = 20_000

func attemptOf(r *checker.Report) attempt {
	a := attempt{Schedules: r.Schedules, Seconds: r.Seconds, Rejected: r.Verdict == explore.Failed}
	if a.Rejected {
		// Only the test that fails: the others are explored first or side by side.
		a.Schedules = r.Failures[0].Nth
	}
	return a
}

// tells reports whether a patch tells modes apart.
func (p *patch) tells() bool { return len(p.Attempts) == len(modes) }

// median is the middle of some numbers; 0 of none.
func median(all []int) int {
	if len(all) == 0 {
		return 0
	}
	all = slices.Sorted(slices.Values(all))
	return all[len(all)/2]
}
