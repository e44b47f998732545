package causal

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"mendel/checker"
	"mendel/checker/sched/explore"
	"mendel/internal/bench/programs"
	"mendel/internal/bench/tables"
	"mendel/internal/gotool"
)

// Options say what to measure, and how long.
type Options struct {
	Only    []string      // programs; none: all
	Limit   time.Duration // of each search; positive
	Out     string        // directory of causal.json and causal.md; "": print only
	Command string        // to type, for the report
}

// A method is a strategy with its bound.
type method struct {
	name        string
	strategy    string
	preemptions int
}

// chessBound is the thesis's bound of what it calls Chess.
const chessBound = 2

var methods = []method{
	{"dfs", "unreduced", -1},
	{"dfs, reduced", "dfs", -1},
	{"dfs, 2 preemptions", "dfs", chessBound},
	{"mcm", "mcm", -1},
}

// Run measures and prints the tables. Interrupted, it prints what it has.
func Run(ctx context.Context, o Options, stdout, stderr io.Writer) (err error) {
	if o.Limit <= 0 {
		return errors.New("--budget must be positive")
	}
	machine, version, err := tables.Begin(ctx, ".", o.Out)
	if err != nil {
		return err
	}
	r := &report{Machine: machine, Mendel: version, Limit: o.Limit.String()}
	if err := r.choose(o.Only); err != nil {
		return err
	}
	dir, remove, err := gotool.TempDir()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, remove()) }()
	module := filepath.Join(dir, "module")
	if err := programs.Unpack(module, archive); err != nil {
		return err
	}
	broken := r.measure(ctx, module, o.Limit, stderr)
	return tables.Finish(r, stdout, tables.Files{Dir: o.Out, Name: "causal", Command: o.Command}, broken)
}

// choose takes the programs that are asked for.
func (r *report) choose(only []string) error {
	all, err := list(archive)
	if err != nil {
		return err
	}
	all, err = programs.Only(all, func(p program) string { return p.Name }, only)
	for _, p := range all {
		r.Programs = append(r.Programs, &outcome{program: p})
	}
	return err
}

// measure explores both tests of each program by each method.
func (r *report) measure(ctx context.Context, module string, limit time.Duration, log io.Writer) (err error) {
	b, err := programs.Instrument(ctx, module, ".", 1)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	for _, p := range r.Programs {
		fmt.Fprintf(log, "%s\n", p.Name)
		for _, m := range methods {
			found, err := search(ctx, b, m, "Test"+p.Name, limit)
			if err != nil {
				return fmt.Errorf("%s by %s: %w", p.Name, m.name, err)
			}
			exhausted, err := search(ctx, b, m, "Test"+p.Name+"Fixed", limit)
			if err != nil {
				return fmt.Errorf("%s, mended, by %s: %w", p.Name, m.name, err)
			}
			p.Found, p.Exhausted = append(p.Found, found), append(p.Exhausted, exhausted)
		}
	}
	return nil
}

// search explores one test by one method.
func search(ctx context.Context, b *programs.Instrumented, m method, test string, limit time.Duration) (attempt, error) {
	r, err := b.Check(ctx, checker.Search{Strategy: m.strategy, Preemptions: m.preemptions, Budget: limit, Tests: []string{test}})
	if err != nil {
		return attempt{}, err
	}
	return attemptOf(r, m), nil
}

// attemptOf is what became of a search. The checker makes the plain schedule before it,
// and each search begins with it: it counts once.
func attemptOf(r *checker.Report, m method) attempt {
	a := attempt{Schedules: max(1, r.Schedules-1), Seconds: r.Seconds, Verdict: r.String()}
	switch r.Verdict {
	case explore.Failed:
		a.Failed, a.Schedules = true, max(1, r.Failures[0].Nth-1)
	case explore.Covered:
		a.Complete, a.Classes = true, r.Classes
	case explore.Exhausted:
		a.Complete = r.Bound < 0 || r.Bound == m.preemptions
	}
	return a
}
