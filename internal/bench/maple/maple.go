package maple

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"mendel/checker"
	"mendel/internal/bench/exposure"
	"mendel/internal/bench/identity"
	"mendel/internal/bench/programs"
	"mendel/internal/bench/tables"
	"mendel/internal/cover"
	"mendel/internal/gotool"
)

// Options say what to measure, and how long.
type Options struct {
	Only    []string      // programs; none: all
	Seeds   int           // of everything that is random; positive
	Limit   time.Duration // for the runs, or schedules, of one method with one seed; positive
	Runs    int           // of a baseline with the real scheduler and one seed, at most; positive
	Plain   int           // plain runs of each program, until one fails
	Repair  bool          // repair the programs without the checker, with forcing and without it
	Hidden  int           // with Repair: noised runs of each patch, positive
	Out     string        // directory of maple.json and maple.md, or maple-repair.*; "": print only
	Command string        // to type, for the report
}

func (o Options) check() error {
	switch {
	case o.Seeds <= 0 || o.Limit <= 0 || o.Runs <= 0:
		return errors.New("--seeds, --budget and --runs must be positive")
	case o.Repair && o.Hidden <= 0:
		return errors.New("--hidden must be positive")
	case o.Plain < 0:
		return errors.New("--plain must not be negative")
	}
	return nil
}

// Run measures and prints the table. Interrupted, it prints what it has.
func Run(ctx context.Context, o Options, stdout, stderr io.Writer) (err error) {
	if err := o.check(); err != nil {
		return err
	}
	if err := tables.MakeOut(o.Out); err != nil {
		return err
	}
	tool, err := gotool.Open(ctx, ".")
	if err != nil {
		return err
	}
	version, err := identity.Mendel()
	if err != nil {
		return err
	}
	r := &report{Machine: tables.ThisMachine(tool), Mendel: version, Seeds: o.Seeds, Limit: o.Limit.String(), Runs: o.Runs}
	if err := r.choose(o.Only); err != nil {
		return err
	}
	dir, remove, err := gotool.TempDir()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, remove()) }()
	m := &measuring{o: o, module: filepath.Join(dir, "module"), log: stderr}
	if err := programs.Unpack(m.module, archive); err != nil {
		return err
	}
	if o.Repair {
		var list []program
		for _, p := range r.Programs {
			list = append(list, p.program)
		}
		return m.repairAll(ctx, list, r.Machine, stdout)
	}
	broken := m.all(ctx, r)
	return tables.Finish(r, stdout, tables.Files{Dir: o.Out, Name: "maple", Command: o.Command}, broken)
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

// A measuring is one under way.
type measuring struct {
	o      Options
	module string
	log    io.Writer
}

func (m *measuring) all(ctx context.Context, r *report) error {
	for _, p := range r.Programs {
		fmt.Fprintf(m.log, "%s\n", p.Name)
		if err := m.program(ctx, p); err != nil {
			return fmt.Errorf("%s: %w", p.Name, err)
		}
		p.done = true
	}
	return nil
}

// program measures one program by every method.
func (m *measuring) program(ctx context.Context, p *outcome) error {
	for strategy, tries := range map[string]*exposure.Tries{cover.Maple: &p.Maple, cover.Noise: &p.Noise, cover.Delay: &p.Delay} {
		o := cover.Options{Dir: m.module, Package: "./" + p.Name, Strategy: strategy, Budget: m.o.Limit, Workers: 1}
		if strategy != cover.Maple {
			o.Runs = m.o.Runs
		}
		var err error
		if *tries, err = exposure.Measure(ctx, cover.TrialOptions{Options: o, Seeds: m.o.Seeds}); err != nil {
			return fmt.Errorf("%s: %w", strategy, err)
		}
	}
	if err := m.plain(ctx, p); err != nil {
		return fmt.Errorf("plain runs: %w", err)
	}
	return m.checked(ctx, p)
}

// plain counts the plain runs that fail.
func (m *measuring) plain(ctx context.Context, p *outcome) error {
	if m.o.Plain == 0 {
		return nil
	}
	tries, err := exposure.Measure(ctx, cover.TrialOptions{Seeds: 1, Options: cover.Options{
		Dir: m.module, Package: "./" + p.Name, Strategy: cover.Stress, Runs: m.o.Plain, Budget: time.Hour, Workers: 1,
	}})
	if err != nil {
		return err
	}
	p.Plain, p.PlainFailed = m.o.Plain, tries.Median()
	return nil
}

// checked counts the schedules that strategies of the checker need.
func (m *measuring) checked(ctx context.Context, p *outcome) (err error) {
	program, err := programs.Instrument(ctx, m.module, "./"+p.Name, 1)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, program.Close()) }()
	for strategy, tries := range map[string]*exposure.Tries{"pct": &p.PCT, "pctlarge": &p.PCTLarge, "dfs": &p.DFS} {
		for seed := uint64(1); seed <= uint64(m.o.Seeds); seed++ {
			began := time.Now()
			r, err := program.Check(ctx, checker.Search{Strategy: strategy, Seed: seed, Budget: m.o.Limit})
			if err != nil {
				return fmt.Errorf("%s: %w", strategy, err)
			}
			one := exposure.Try{Seconds: time.Since(began).Seconds()}
			if len(r.Failures) > 0 {
				one.Runs, one.Kind = r.Failures[0].Nth, string(r.Failures[0].Kind)
			}
			*tries = append(*tries, one)
		}
	}
	return nil
}
