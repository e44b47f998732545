package maple

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"mendel"
	"mendel/analysis"
	"mendel/fitness/noise"
	"mendel/internal/bench/identity"
	"mendel/internal/bench/tables"
	"mendel/internal/gotool"
)

// Options say what to measure, and how long.
type Options struct {
	Only    []string      // programs; none: all
	Seeds   int           // of everything that is random; positive
	Limit   time.Duration // for the runs of one method with one seed; positive
	Runs    int           // of a baseline with the real scheduler and one seed, at most; positive
	Plain   int           // plain runs of each program
	Out     string        // directory of maple.json and maple.md; "": print only
	Command string        // to type, for the report
}

func (o Options) check() error {
	switch {
	case o.Seeds <= 0 || o.Limit <= 0 || o.Runs <= 0:
		return errors.New("--seeds, --budget and --runs must be positive")
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
	if err := unpack(m.module, archive); err != nil {
		return err
	}
	broken := m.all(ctx, r)
	return tables.Finish(r, stdout, tables.Files{Dir: o.Out, Name: "maple", Command: o.Command}, broken)
}

// choose takes the programs that are asked for.
func (r *report) choose(only []string) error {
	programs, err := list(archive)
	if err != nil {
		return err
	}
	for _, p := range programs {
		if len(only) == 0 || slices.Contains(only, p.Name) {
			r.Programs = append(r.Programs, &outcome{program: p})
		}
	}
	if len(r.Programs) < len(only) {
		return fmt.Errorf("--only %s: not all are programs", strings.Join(only, ","))
	}
	return nil
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
	for seed := uint64(1); seed <= uint64(m.o.Seeds); seed++ {
		began := time.Now()
		c, err := mendel.Cover(ctx, mendel.CoverOptions{
			Dir: m.module, Package: "./" + p.Name, First: true, Budget: m.o.Limit, Seed: seed, Workers: 1,
		})
		if err != nil {
			return err
		}
		a := attempt{Seconds: time.Since(began).Seconds()}
		if len(c.Failures) > 0 {
			f := c.Failures[0]
			a.Runs = f.Run
			if f.Forced != nil {
				a.Idiom = f.Forced.Idiom
			}
		}
		p.Cover = append(p.Cover, a)
		for strategy, list := range map[string]*[]attempt{"pct": &p.PCT, "pctlarge": &p.PCTLarge, "delay": &p.Delay} {
			if a, err = m.checked(ctx, p, strategy, seed); err != nil {
				return err
			}
			*list = append(*list, a)
		}
	}
	a, err := m.checked(ctx, p, "dfs", 1)
	if err != nil {
		return err
	}
	p.DFS = []attempt{a}
	return m.noised(ctx, p)
}

// checked counts the schedules, or the runs with the real scheduler, that a strategy of
// mendel check needs.
func (m *measuring) checked(ctx context.Context, p *outcome, strategy string, seed uint64) (attempt, error) {
	began := time.Now()
	c, err := mendel.Check(ctx, mendel.CheckOptions{
		Dir: m.module, Package: "./" + p.Name, Strategy: strategy, Seed: seed, Budget: m.o.Limit, Workers: 1,
		Schedules: m.schedules(strategy),
	})
	if err != nil {
		return attempt{}, err
	}
	a := attempt{Seconds: time.Since(began).Seconds()}
	if len(c.Failures) > 0 {
		a.Runs = c.Failures[0].Nth
	}
	return a, nil
}

// schedules bounds a strategy: what runs with the real scheduler has as many runs as
// noise.
func (m *measuring) schedules(strategy string) int {
	if strategy == "delay" {
		return m.o.Runs
	}
	return 0
}

// noised counts the runs that random noise needs, and the plain runs that fail.
func (m *measuring) noised(ctx context.Context, p *outcome) error {
	tool, err := gotool.Open(ctx, m.module)
	if err != nil {
		return err
	}
	loaded, err := analysis.Load(ctx, tool, analysis.Target{Dir: m.module, Package: "./" + p.Name})
	if err != nil {
		return err
	}
	narrowing, err := analysis.Narrow(ctx, loaded)
	if err != nil {
		return err
	}
	h, err := noise.New(noise.Config{Tool: tool, Program: loaded, Narrowing: narrowing, Workers: 1})
	if err != nil {
		return err
	}
	defer h.Close()
	b, err := h.Build(ctx, noise.Noised, nil)
	if err != nil {
		return err
	}
	defer b.Close()
	for seed := range m.o.Seeds {
		began := time.Now()
		end := began.Add(m.o.Limit)
		a := attempt{}
		outcomes, err := h.RunMany(ctx, b, m.o.Runs, noise.RunOptions{Seed: uint64(1 + seed*m.o.Runs)}, func(o noise.Outcome) bool {
			return !o.Pass || time.Now().After(end)
		})
		if err != nil {
			return err
		}
		if !outcomes[len(outcomes)-1].Pass {
			a.Runs = len(outcomes)
		}
		a.Seconds = time.Since(began).Seconds()
		p.Noise = append(p.Noise, a)
	}
	return m.plain(ctx, h, p)
}

// plain counts the plain runs that fail.
func (m *measuring) plain(ctx context.Context, h *noise.Harness, p *outcome) error {
	b, err := h.Build(ctx, noise.Plain, nil)
	if err != nil {
		return err
	}
	defer b.Close()
	outcomes, err := h.RunMany(ctx, b, m.o.Plain, noise.RunOptions{Quiet: true}, nil)
	if err != nil {
		return err
	}
	for _, o := range outcomes {
		p.Plain++
		if !o.Pass {
			p.PlainFailed++
		}
	}
	return nil
}
