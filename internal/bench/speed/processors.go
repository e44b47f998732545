package speed

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"mendel/checker"
	"mendel/checker/sched/explore"
	"mendel/internal/bench/programs"
	"mendel/internal/bench/tables"
)

// divided are searches that take some seconds on one processor: tests of the corrected copies
// of subjects, with a bound.
var divided = []struct {
	subject, test string
	bound         int
}{
	{"account", "TestRing", 2},
	{"accountsubtype", "TestRing", 2},
	{"airline", "TestOffice", 2},
	{"bubblesort2", "TestSort", 3},
	{"readerswriters", "TestPool", 0},
}

// processors measures searches by one process and by two.
func (r *evaluation) processors(ctx context.Context) error {
	for _, d := range divided {
		h := halving{Program: d.subject + ", corrected", Test: d.test, Bound: d.bound}
		if err := r.halve(ctx, filepath.Join(r.Subjects, d.subject, "testdata", "fixed"), &h); err != nil {
			return fmt.Errorf("%s: %w", h.Program, err)
		}
		r.report.Halves = append(r.report.Halves, h)
		fmt.Fprintf(r.log, "processors: %s done\n", h.Program)
	}
	return nil
}

// halve measures the search of the module in a directory, by one process and by two in turns.
// Both have to make the same schedules.
func (r *evaluation) halve(ctx context.Context, dir string, h *halving) (err error) {
	var by [2]*programs.Instrumented
	for i := range by {
		if by[i], err = programs.Instrument(ctx, dir, ".", i+1); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, by[i].Close()) }()
	}
	var seconds [2][]float64
	var ratios []float64
	for range r.Rounds {
		for i, p := range by {
			report, err := p.Check(ctx, checker.Search{Strategy: "dfs", Preemptions: h.Bound, Tests: []string{h.Test}, Budget: r.Limit, Seed: r.First})
			switch {
			case err != nil:
				return err
			case report.Verdict != explore.Exhausted:
				return fmt.Errorf("%d processes came to no end within %v: %s %s", i+1, r.Limit, report.Verdict, report.Reason)
			case h.Schedules > 0 && report.Schedules != h.Schedules:
				return fmt.Errorf("%d processes made %d schedules, others %d", i+1, report.Schedules, h.Schedules)
			}
			h.Schedules = report.Schedules
			seconds[i] = append(seconds[i], report.Seconds)
		}
		last := len(ratios)
		ratios = append(ratios, seconds[0][last]/seconds[1][last])
	}
	h.One, h.Two, h.Ratio = tables.Median(seconds[0]), tables.Median(seconds[1]), tables.Median(ratios)
	return nil
}
