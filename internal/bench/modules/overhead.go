package modules

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"time"

	"mendel/interleave/hook"
	"mendel/internal/bench/cached"
	"mendel/internal/bench/identity"
	"mendel/internal/bench/tables"
	"mendel/internal/cover"
	"mendel/internal/gotool"
)

// mostOverhead is what profiling may cost, as a multiple of the plain runs' CPU time.
const mostOverhead = 10.0

// An overheads is the outcome of measuring what it costs to profile tests, as saved in
// modules-profiling.json.
type overheads struct {
	tables.Machine
	Mendel   string        `json:"mendel"`
	Rounds   int           `json:"rounds"`
	Packages []*overheadOf `json:"packages"`
}

// An overheadOf is that of one package.
type overheadOf struct {
	Module  string `json:"module"` // with its version
	Package string `json:"package"`
	cover.Overhead
}

// profile measures the libraries of the module cache.
func profile(ctx context.Context, tool *gotool.Toolchain, o Options, stdout, stderr io.Writer) (err error) {
	version, err := identity.Mendel()
	if err != nil {
		return err
	}
	dir, remove, err := gotool.TempDir()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, remove()) }()
	r := &overheads{Machine: tables.ThisMachine(tool), Mendel: version, Rounds: o.Rounds}
	broken := r.measure(ctx, dir, o, stderr)
	return tables.Finish(r, stdout, tables.Files{Dir: o.Out, Name: "modules-profiling", Command: o.Command}, broken)
}

// measure measures each package that is wanted, in copies below a directory.
func (r *overheads) measure(ctx context.Context, below string, o Options, log io.Writer) error {
	for i, m := range cached.Modules() {
		dir := filepath.Join(below, fmt.Sprint(i))
		packages, err := m.Fetch(ctx, dir)
		if err != nil {
			return err
		}
		for _, p := range packages {
			if !o.wanted(importPath(m.Path, p)) {
				continue
			}
			fmt.Fprintf(log, "%s, package %s\n", m.Name(), p)
			cost, err := cover.MeasureOverhead(ctx, cover.Options{Dir: dir, Package: "./" + p, Run: o.Run, Workers: 1}, o.Rounds)
			if err != nil {
				return fmt.Errorf("%s, package %s: %w", m.Name(), p, err)
			}
			r.Packages = append(r.Packages, &overheadOf{m.Name(), p, cost})
		}
	}
	return nil
}

// ratio is the quotient of the medians of something, profiled by plain; 0: it is not
// known.
func (c *overheadOf) ratio(of func(cover.Usage) float64) float64 {
	plain := median(c.Plain, of)
	if plain == 0 {
		return 0
	}
	return median(c.Profiled, of) / plain
}

func median(list []cover.Usage, of func(cover.Usage) float64) float64 {
	var values []float64
	for _, u := range list {
		values = append(values, of(u))
	}
	return tables.Median(values)
}

func cpu(u cover.Usage) float64     { return u.CPU.Seconds() }
func elapsed(u cover.Usage) float64 { return u.Elapsed.Seconds() }

// Failures implements document.
func (r *overheads) Failures() []string {
	var failures []string
	for _, c := range r.Packages {
		if q := max(c.ratio(cpu), c.ratio(elapsed)); q > mostOverhead {
			failures = append(failures, fmt.Sprintf("%s, package %s: profiling costs %.1f times a plain run, want at most %g", c.Module, c.Package, q, mostOverhead))
		}
	}
	return failures
}

// Write implements document.
func (r *overheads) Write(w io.Writer, markdown bool) error {
	fmt.Fprintf(w, "%s; medians over %d rounds, in each of which all tests of a package run in one process plainly with -race and then profiled; Mendel's source %s.\n\n",
		r.Machine, r.Rounds, r.Mendel)
	t := &tables.Table{Header: []string{"module", "package", "CPU s, plain", "profiled", "times", "seconds, plain", "profiled", "times", "events", "lost", "predicted in", "MiB for that"}}
	var all []float64
	for _, c := range r.Packages {
		row := []any{c.Module, c.Package}
		for _, of := range []func(cover.Usage) float64{cpu, elapsed} {
			row = append(row, fmt.Sprintf("%.2f", median(c.Plain, of)), fmt.Sprintf("%.2f", median(c.Profiled, of)), fmt.Sprintf("%.1f", c.ratio(of)))
		}
		row = append(row, c.Events, c.Lost, c.Predict.Round(time.Millisecond), c.Allocated>>20)
		t.Add(row...)
		all = append(all, c.ratio(cpu))
	}
	if err := t.Render(w, markdown); err != nil {
		return err
	}
	if len(all) == 0 {
		return nil
	}
	_, err := fmt.Fprintf(w, "\nCPU time: %.1f times in the median, %.1f at most. A log has %d MiB, whatever the tests do: %d events.\n",
		tables.Median(all), slices.Max(all), hook.LogSize>>20, hook.Capacity)
	return err
}
