package speed

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"mendel/internal/bench/repository"
	"mendel/internal/bench/subject"
	"mendel/internal/bench/tables"
	"mendel/internal/bench/trial"
	"mendel/internal/gotool"
)

// Parts of the speed command.
const (
	partSteps      = "steps"
	partRates      = "rates"
	partProcessors = "processors"
	partBuilds     = "builds"
	partBugs       = "bugs"
	partEdits      = "edits"
	partSearch     = "search"
)

// Parts are all of them, in their order.
var Parts = append(slices.Clip(Usual), partSearch)

// Usual are those that need no other version of Mendel and no clones.
var Usual = []string{partSteps, partRates, partProcessors, partBuilds, partBugs, partEdits}

// Options say what to measure, and how long. Rounds, Search, Limit and SearchBudget must
// be positive.
type Options struct {
	Parts    []string // some of Parts, at least one
	Rounds   int
	Only     []string      // subjects of builds and bugs; none: all
	Search   time.Duration // for a search of rates
	Limit    time.Duration // for a search of bugs or processors
	First    uint64        // seed, of the first round
	Workers  int           // processes at a time of bugs; 0: the number of CPUs
	Subjects string        // directory

	SearchBudget time.Duration // for a repair of search, from beginning to end
	Against      string        // executable of another version of Mendel, for search; "": nothing is compared
	Bugs         []string      // of the manifest, for search; none: all
	Clones       string        // directory of their clones; "": none

	Out     string // directory of speed.json and speed.md; "": print only
	Command string // to type, for the report
}

// check refuses values that make no sense.
func (o Options) check() error {
	if o.Rounds < 1 || o.Search <= 0 || o.Limit <= 0 || o.SearchBudget <= 0 {
		return errors.New("--rounds, --search, --budget and --search-budget must be positive")
	}
	if len(o.Parts) == 0 {
		return fmt.Errorf("--parts: nothing to measure; there are %s", strings.Join(Parts, ", "))
	}
	for _, p := range o.Parts {
		if !slices.Contains(Parts, p) {
			return fmt.Errorf("--parts: no part %s; there are %s", p, strings.Join(Parts, ", "))
		}
	}
	return nil
}

// An evaluation is one run of the speed command.
type evaluation struct {
	Options
	tool   *gotool.Toolchain
	dir    string // temporary
	bench  string // the engine's benchmarks, built
	report *report
	log    io.Writer
}

// Run measures the parts asked for and prints the tables. Interrupted, it
// prints what it has.
func Run(ctx context.Context, o Options, stdout, stderr io.Writer) (err error) {
	if err := o.check(); err != nil {
		return err
	}
	if _, err := repository.ReadManifest(o.Bugs); err != nil {
		return err
	}
	if o.Against != "" {
		if _, err := trial.OfVersion(o.Against); err != nil {
			return fmt.Errorf("--against: %w", err)
		}
	}
	subjects, err := subject.Read(o.Subjects, o.Only)
	if err != nil {
		return err
	}
	if err := tables.MakeOut(o.Out); err != nil {
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
	r := &evaluation{
		Options: o, tool: tool, dir: dir, bench: filepath.Join(dir, "sched.test"), log: stderr,
		report: &report{Machine: tables.ThisMachine(tool), Rounds: o.Rounds, Search: o.Search.String(), SearchBudget: o.SearchBudget.String(), Against: o.Against},
	}
	broken := r.measure(ctx, subjects)
	return tables.Finish(r.report, stdout, tables.Files{Dir: o.Out, Name: "speed", Command: o.Command}, broken)
}

// measure does the parts asked for.
func (r *evaluation) measure(ctx context.Context, subjects []subject.Subject) error {
	err := r.tool.BuildTest(ctx, gotool.BuildOptions{Package: "mendel/checker/sched", Output: r.bench})
	if err != nil {
		return fmt.Errorf("build the engine's benchmarks (run in Mendel's source): %w", err)
	}
	for _, part := range []struct {
		name    string
		measure func(context.Context, []subject.Subject) error
	}{
		{partSteps, func(ctx context.Context, _ []subject.Subject) error { return r.steps(ctx) }},
		{partRates, func(ctx context.Context, _ []subject.Subject) error { return r.rates(ctx) }},
		{partProcessors, func(ctx context.Context, _ []subject.Subject) error { return r.processors(ctx) }},
		{partBuilds, r.builds},
		{partBugs, r.bugs},
		{partEdits, func(ctx context.Context, _ []subject.Subject) error { return r.edits(ctx) }},
		{partSearch, func(ctx context.Context, _ []subject.Subject) error { return r.search(ctx) }},
	} {
		if !slices.Contains(r.Parts, part.name) {
			continue
		}
		fmt.Fprintf(r.log, "measuring %s\n", part.name)
		if err := part.measure(ctx, subjects); err != nil {
			return fmt.Errorf("measure %s: %w", part.name, err)
		}
	}
	return nil
}
