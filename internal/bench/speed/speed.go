package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"mendel/internal/gotool"
)

// Parts of the speed command.
const (
	partSteps  = "steps"
	partRates  = "rates"
	partBuilds = "builds"
	partBugs   = "bugs"
)

var parts = []string{partSteps, partRates, partBuilds, partBugs}

// speedOptions are the flags of the speed command.
type speedOptions struct {
	parts    []string
	rounds   int
	only     []string
	search   time.Duration
	limit    time.Duration
	first    uint64
	workers  int
	subjects string
	out      string
}

// check refuses values that make no sense.
func (o speedOptions) check() error {
	if o.rounds < 1 || o.search <= 0 || o.limit <= 0 {
		return errors.New("--rounds, --search and --budget must be positive")
	}
	if len(o.parts) == 0 {
		return fmt.Errorf("--parts: nothing to measure; there are %s", strings.Join(parts, ", "))
	}
	for _, p := range o.parts {
		if !slices.Contains(parts, p) {
			return fmt.Errorf("--parts: no part %s; there are %s", p, strings.Join(parts, ", "))
		}
	}
	return nil
}

// A speedRun is one run of the speed command.
type speedRun struct {
	speedOptions
	tool   *gotool.Toolchain
	dir    string // temporary
	bench  string // the engine's benchmarks, built
	report *SpeedReport
	log    io.Writer
}

// runSpeed measures the parts asked for and prints the tables. Interrupted, it
// prints what it has.
func runSpeed(ctx context.Context, o speedOptions, stdout, stderr io.Writer) (err error) {
	if err := o.check(); err != nil {
		return err
	}
	subjects, err := readSubjects(o.subjects, o.only)
	if err != nil {
		return err
	}
	if err := makeOut(o.out); err != nil {
		return err
	}
	tool, err := gotool.Open(ctx, ".")
	if err != nil {
		return err
	}
	dir, remove, err := gotool.TempDir()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, remove()) }()
	r := &speedRun{
		speedOptions: o, tool: tool, dir: dir, bench: filepath.Join(dir, "sched.test"), log: stderr,
		report: &SpeedReport{Machine: thisMachine(tool), Rounds: o.rounds, Search: o.search.String()},
	}
	broken := r.measure(ctx, subjects)
	return finish(r.report, stdout, o.out, "speed", broken)
}

// measure does the parts asked for.
func (r *speedRun) measure(ctx context.Context, subjects []Subject) error {
	err := r.tool.BuildTest(ctx, gotool.BuildOptions{Package: "mendel/checker/sched", Output: r.bench})
	if err != nil {
		return fmt.Errorf("build the engine's benchmarks (run in Mendel's source): %w", err)
	}
	for _, part := range []struct {
		name    string
		measure func(context.Context, []Subject) error
	}{
		{partSteps, func(ctx context.Context, _ []Subject) error { return r.steps(ctx) }},
		{partRates, func(ctx context.Context, _ []Subject) error { return r.rates(ctx) }},
		{partBuilds, r.builds},
		{partBugs, r.bugs},
	} {
		if !slices.Contains(r.parts, part.name) {
			continue
		}
		fmt.Fprintf(r.log, "measuring %s\n", part.name)
		if err := part.measure(ctx, subjects); err != nil {
			return fmt.Errorf("measure %s: %w", part.name, err)
		}
	}
	return nil
}
