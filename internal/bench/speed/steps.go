package speed

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"mendel/checker"
	"mendel/internal/bench/commands"
	"mendel/internal/bench/programs"
	"mendel/internal/bench/tables"
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
func (r *evaluation) steps(ctx context.Context) error {
	cost := map[string][]float64{}
	var order []string
	for range r.Rounds {
		results, err := r.benchmarks(ctx, "^Benchmark("+yardstick+"|Step|Switch|Schedule)$")
		if err != nil {
			return err
		}
		for _, b := range results {
			if _, ok := cost[b.Name]; !ok {
				order = append(order, b.Name)
			}
			cost[b.Name] = append(cost[b.Name], b.Nanoseconds)
		}
	}
	for _, name := range order {
		r.report.Steps = append(r.report.Steps, stepCost{name, tables.Median(cost[name]), tables.Median(cost[name]) / tables.Median(cost[yardstick])})
	}
	return nil
}

// benchmarks runs those of the engine's benchmarks that a pattern matches.
func (r *evaluation) benchmarks(ctx context.Context, pattern string) ([]commands.Benchmark, error) {
	result, err := gotool.Run(ctx, gotool.RunOptions{
		Path: r.bench, Args: []string{"-test.run=^$", "-test.bench=" + pattern, "-test.benchtime=" + benchTime.String()}, Dir: r.dir,
	})
	if err != nil {
		return nil, fmt.Errorf("run the engine's benchmarks: %w", err)
	}
	problem, err := commands.Verdict(ctx, result)
	if err != nil {
		return nil, err
	}
	if problem != "" {
		return nil, fmt.Errorf("the engine's benchmarks: %s", problem)
	}
	found := commands.ParseBenchmarks(result.Output)
	for _, b := range found {
		if b.Name == yardstick {
			return found, nil
		}
	}
	return nil, fmt.Errorf("the engine's benchmarks say nothing of Benchmark%s:\n%s", yardstick, commands.Head(result.Output))
}

// rates counts schedules in one process, of the buggy test and of the corrected
// one, by each strategy.
func (r *evaluation) rates(ctx context.Context) error {
	source := filepath.Join(r.Subjects, rateSubject)
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
func (r *evaluation) ratesOf(ctx context.Context, name, dir string) (err error) {
	p, err := programs.Instrument(ctx, dir, ".", 1)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.Close()) }()
	strategies := []string{"auto", "dfs", "random", "pct", "pos"}
	measured := make([]struct{ seconds, raw, handOff, normal []float64 }, len(strategies))
	for round := range r.Rounds {
		for i, strategy := range strategies {
			bench, err := r.benchmarks(ctx, "^Benchmark"+yardstick+"$")
			if err != nil {
				return err
			}
			report, err := p.Check(ctx, checker.Search{
				Strategy: strategy, Budget: r.Search, Preemptions: -1, Seed: r.First + uint64(round), All: true, Tests: []string{rateTest},
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
			m.handOff = append(m.handOff, bench[0].Nanoseconds)
			m.normal = append(m.normal, normalised(rate, bench[0].Nanoseconds))
		}
	}
	for i, m := range measured {
		r.report.Rates = append(r.report.Rates, searchRate{
			Program: name, Strategy: strategies[i], Seconds: tables.Median(m.seconds), Early: tables.Median(m.seconds) < r.Search.Seconds()/2,
			PerSecond: tables.Median(m.raw), HandOff: tables.Median(m.handOff), Normalised: tables.Median(m.normal),
		})
	}
	fmt.Fprintf(r.log, "rates: %s done (%s)\n", name, strings.Join(strategies, ", "))
	return nil
}

// normalised converts a rate on this machine, whose hand-off takes some
// nanoseconds, to a machine whose hand-off takes 200.
func normalised(rate, handOff float64) float64 { return rate * handOff / usualHandOff }
