package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"mendel/checker"
	"mendel/internal/gotool"
)

const (
	// benchTime is how long a benchmark runs in a round.
	benchTime = 200 * time.Millisecond
	// yardstick is the benchmark of a bare hand-off over a channel.
	yardstick = "HandOff"
	// rateSubject and rateTest are the test whose schedules are counted.
	rateSubject, rateTest = "account", "TestRing"
)

// steps measures what a scheduling step costs.
func (r *speedRun) steps(ctx context.Context) error {
	cost := map[string][]float64{}
	var order []string
	for range r.rounds {
		results, err := r.benchmarks(ctx, "^Benchmark("+yardstick+"|Step|Switch|Schedule)$")
		if err != nil {
			return err
		}
		for _, b := range results {
			if _, ok := cost[b.name]; !ok {
				order = append(order, b.name)
			}
			cost[b.name] = append(cost[b.name], b.nanoseconds)
		}
	}
	for _, name := range order {
		r.report.Steps = append(r.report.Steps, StepCost{name, median(cost[name]), median(cost[name]) / median(cost[yardstick])})
	}
	return nil
}

// benchmarks runs those of the engine's benchmarks that a pattern matches.
func (r *speedRun) benchmarks(ctx context.Context, pattern string) ([]benchmark, error) {
	result, err := gotool.Run(ctx, gotool.RunOptions{
		Path: r.bench, Args: []string{"-test.run=^$", "-test.bench=" + pattern, "-test.benchtime=" + benchTime.String()}, Dir: r.dir,
	})
	if err != nil {
		return nil, fmt.Errorf("run the engine's benchmarks: %w", err)
	}
	problem, err := verdict(ctx, result)
	if err != nil {
		return nil, err
	}
	if problem != "" {
		return nil, fmt.Errorf("the engine's benchmarks: %s", problem)
	}
	found := parseBenchmarks(result.Output)
	for _, b := range found {
		if b.name == yardstick {
			return found, nil
		}
	}
	return nil, fmt.Errorf("the engine's benchmarks say nothing of Benchmark%s:\n%s", yardstick, head(result.Output))
}

// rates counts schedules in one process, of the buggy test and of the corrected
// one, by each strategy.
func (r *speedRun) rates(ctx context.Context) error {
	source := filepath.Join(r.subjects, rateSubject)
	for _, program := range []struct{ name, dir string }{
		{rateSubject, source}, {rateSubject + ", corrected", filepath.Join(source, "testdata", "fixed")},
	} {
		if err := r.ratesOf(ctx, program.name, program.dir); err != nil {
			return fmt.Errorf("%s: %w", program.name, err)
		}
	}
	return nil
}

// ratesOf counts the schedules of the program in a directory.
func (r *speedRun) ratesOf(ctx context.Context, name, dir string) (err error) {
	p, err := instrument(ctx, dir, ".", 1)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.Close()) }()
	strategies := []string{"auto", "dfs", "random", "pct", "pos"}
	measured := make([]struct{ seconds, raw, handOff, normal []float64 }, len(strategies))
	for round := range r.rounds {
		for i, strategy := range strategies {
			bench, err := r.benchmarks(ctx, "^Benchmark"+yardstick+"$")
			if err != nil {
				return err
			}
			report, err := p.Check(ctx, checker.Search{
				Strategy: strategy, Budget: r.search, Preemptions: -1, Seed: r.first + uint64(round), All: true, Tests: []string{rateTest},
			})
			if err != nil {
				return err
			}
			if report.Schedules == 0 || report.Seconds <= 0 {
				return fmt.Errorf("%s made no schedule: %s %s", strategy, report.Verdict, report.Reason)
			}
			rate := float64(report.Schedules) / report.Seconds
			m := &measured[i]
			m.seconds = append(m.seconds, report.Seconds)
			m.raw = append(m.raw, rate)
			m.handOff = append(m.handOff, bench[0].nanoseconds)
			m.normal = append(m.normal, normalised(rate, bench[0].nanoseconds))
		}
	}
	for i, m := range measured {
		r.report.Rates = append(r.report.Rates, Rate{
			Program: name, Strategy: strategies[i], Seconds: median(m.seconds), Early: median(m.seconds) < r.search.Seconds()/2,
			PerSecond: median(m.raw), HandOff: median(m.handOff), Normalised: median(m.normal),
		})
	}
	fmt.Fprintf(r.log, "rates: %s done (%s)\n", name, strings.Join(strategies, ", "))
	return nil
}

// normalised is a rate on this machine, with a hand-off of some nanoseconds,
// as it would be on one with a hand-off of 200.
func normalised(rate, handOff float64) float64 { return rate * handOff / usualHandOff }
