package validate

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"time"

	"mendel/internal/gotool"
)

// Parallel is the speed-up of a program from one processor to all of them,
// without noise: from 1, no speed-up, to the number of processors.
type Parallel struct {
	Processors    int
	Before, After float64 // speed-up of the original and of the patched program, medians; Before 0: the original fails, or shows no clear figure
	Low, High     float64 // of After: the quartiles
	Rounds        int     // measured; 0: not measured
	Benchmarks    bool    // the package's benchmarks were run, else its tests
}

const (
	// Between minRounds and maxRounds are made of both programs in turns, as many
	// as go into usualTime; if minRounds take longer than parallelTime, it is not
	// measured. Guesses.
	minRounds    = 3
	maxRounds    = 5
	usualTime    = 400 * time.Millisecond
	parallelTime = time.Second

	// maxSpread is how far the quartiles of what was measured may lie apart.
	maxSpread = 0.25

	// A run of the original that takes so many times as long as the patched
	// program's counts as failed.
	parallelLimitFactor = 5

	// minWork is how long the tests must take on one processor to be worth
	// measuring: a process takes some milliseconds to start, on any number.
	minWork = 30 * time.Millisecond
)

// spread measures what a fix leaves of the program's parallelism. It runs the
// package's benchmarks once each, because they show its load, or the tests to be
// repaired if there are none. Both programs run in turns; the median of the rounds
// in which both passed counts. If the original does not pass often enough, only
// the patched program's speed-up is known, which still ranks fixes. If rounds
// differ too much, as on a busy machine, nothing counts as measured.
func (j *job) spread(ctx context.Context, t *tester, plain *trial, fix *Fix) error {
	n := j.o.Processors
	if n < 2 || plain == nil {
		return nil
	}
	original, err := t.build(ctx, "original", false, t.original)
	if err != nil {
		return err
	}
	if fix.Cost.Pairs == 0 {
		original = "" // it hangs or fails, as the comparison of costs has found
	}
	m := &spreading{tester: t, processors: n, benchmarks: plain.benches}
	p, kept, err := m.measure(ctx, original, plain.patched)
	if err != nil {
		return fmt.Errorf("measuring parallelism: %w", err)
	}
	fix.Parallel, fix.Quality.Parallelism = p, kept
	if p.Rounds > 0 {
		j.o.Log("parallelism: x%.2f on %d processors, x%.2f before (%d rounds)", p.After, n, p.Before, p.Rounds)
	}
	return nil
}

// A spreading measures speed-ups.
type spreading struct {
	*tester
	processors int
	benchmarks bool
	limit      time.Duration // of a run
}

// measure runs both binaries in turns. kept is the median of the rounds'
// ratios, 0 if the original failed too often.
func (m *spreading) measure(ctx context.Context, original, patched string) (p Parallel, kept float64, err error) {
	m.limit = parallelTime / (2 * minRounds)
	first, cost, err := m.speedUp(ctx, patched)
	if err != nil || first == 0 {
		return Parallel{}, 0, err
	}
	m.limit = max(minCostLimit, parallelLimitFactor*cost)
	rounds := max(minRounds, min(maxRounds, int(usualTime/(2*max(cost, 1)))))
	var before, after, ratios []float64
	failed := 0 // runs of the original
	for i := range rounds {
		bin := patched
		if failed >= costFailures {
			original = ""
		}
		if i == 0 {
			bin = "" // this round's has been run
		}
		b, a, err := m.round(ctx, original, bin, i%2 == 1)
		if err != nil {
			return Parallel{}, 0, err
		}
		if i == 0 {
			a = first
		}
		if b == 0 {
			failed++
		}
		if a > 0 {
			after = append(after, a)
		}
		if a > 0 && b > 0 {
			before, ratios = append(before, b), append(ratios, a/b)
		}
	}
	p = Parallel{Processors: m.processors, Rounds: len(after), Benchmarks: m.benchmarks}
	var clear bool
	if p.Low, p.High, clear = quartiles(after); !clear {
		return Parallel{}, 0, nil
	}
	p.After = median(after)
	if _, _, clear := quartiles(ratios); clear {
		p.Before, kept = median(before), median(ratios)
	}
	return p, kept, nil
}

// round runs two binaries, the second first if swapped; "" is not run.
func (m *spreading) round(ctx context.Context, original, patched string, swapped bool) (before, after float64, err error) {
	if swapped {
		after, before, err = m.round(ctx, patched, original, false)
		return before, after, err
	}
	if original != "" {
		before, _, err = m.speedUp(ctx, original)
	}
	if err == nil && patched != "" {
		after, _, err = m.speedUp(ctx, patched)
	}
	return before, after, err
}

// quartiles are the bounds of the middle half of some figures. clear reports
// whether there are enough of them, and near enough to each other, to say anything.
func quartiles(xs []float64) (low, high float64, clear bool) {
	if len(xs) < minRounds {
		return 0, 0, false
	}
	s := slices.Sorted(slices.Values(xs))
	quarter := len(s) / 4
	low, high = s[quarter], s[len(s)-1-quarter]
	return low, high, high <= (1+maxSpread)*low
}

// speedUp runs a binary on one processor and on all; 0 when it fails, or does
// too little to tell. took is how long that was.
func (m *spreading) speedUp(ctx context.Context, bin string) (speedUp float64, took time.Duration, err error) {
	if m.benchmarks {
		return m.benchmarkSpeedUp(ctx, bin)
	}
	pattern := m.o.Program.Target.Run
	if pattern == "" {
		pattern = "."
	}
	var elapsed [2]time.Duration
	for i, n := range []int{1, m.processors} {
		r, err := m.limited(ctx, bin, n, "-test.run="+pattern)
		if err != nil {
			return 0, 0, err
		}
		took += r.Elapsed
		if !(testRun{RunResult: r}).clean() || i == 0 && r.Elapsed < minWork {
			return 0, took, nil
		}
		elapsed[i] = r.Elapsed
	}
	return elapsed[0].Seconds() / elapsed[1].Seconds(), took, nil
}

// benchmarkResult is the time of one benchmark. Its name may be cut off from it
// by what it prints, so only the order says what was measured.
var benchmarkResult = regexp.MustCompile(`\s\d+\s+([\d.]+) ns/op`)

// benchmarkSpeedUp runs each benchmark once on one processor and once on all.
// The first run is made before the testing package sets the number of
// processors. That it warms the other one up is alike for both programs.
func (m *spreading) benchmarkSpeedUp(ctx context.Context, bin string) (float64, time.Duration, error) {
	n := m.processors
	r, err := m.limited(ctx, bin, 1, "-test.run=^$", "-test.bench=.", "-test.benchtime=1x", fmt.Sprintf("-test.cpu=1,%d", n))
	if err != nil || !(testRun{RunResult: r}).clean() {
		return 0, r.Elapsed, err
	}
	found := benchmarkResult.FindAllSubmatch(r.Output, -1)
	if len(found) == 0 || len(found)%2 != 0 {
		return 0, r.Elapsed, nil
	}
	ns := make([]float64, len(found))
	for i, match := range found {
		if ns[i], err = strconv.ParseFloat(string(match[1]), 64); err != nil || ns[i] == 0 {
			return 0, r.Elapsed, nil // not a figure of the testing package
		}
	}
	var one, all float64
	for b := range slices.Chunk(ns, 2) {
		one += b[0]
		all += b[1]
	}
	return one / all, r.Elapsed, nil
}

// limited runs a binary on some processors, no longer than the limit.
func (m *spreading) limited(ctx context.Context, bin string, processors int, args ...string) (gotool.RunResult, error) {
	return m.exec(ctx, gotool.RunOptions{
		Path: bin, Args: append(args, "-test.paniconexit0"), Timeout: m.limit,
		Env: []string{"GOMAXPROCS=" + strconv.Itoa(processors)},
	})
}
