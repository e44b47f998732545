package validate

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"mendel/internal/gotool"
)

// A load plays test binaries with some work to do on one processor or two.
type load struct {
	benches bool
	// figures are nanoseconds on one and on two processors, of a run; 0: it fails.
	figures func(patched bool, run int) (one, two float64)
	limits  []time.Duration // of the original's runs
	runs    map[bool]int
}

func (l *load) run(_ context.Context, o gotool.RunOptions) (gotool.RunResult, error) {
	if slices.Contains(o.Args, "-test.list=.") {
		text := "TestDeposit\n"
		if l.benches {
			text += "BenchmarkWorkload\n"
		}
		return gotool.RunResult{Output: []byte(text)}, nil
	}
	patched := strings.HasPrefix(filepath.Base(o.Path), "patched")
	measured := slices.ContainsFunc(o.Env, func(s string) bool { return strings.HasPrefix(s, "GOMAXPROCS=") })
	if !measured {
		return gotool.RunResult{Output: []byte("\x16=== RUN   TestDeposit\n\x16--- PASS: TestDeposit (0.00s)\n")}, nil
	}
	if !patched {
		l.limits = append(l.limits, o.Timeout)
	}
	run := l.runs[patched]
	onTwo := slices.Contains(o.Env, "GOMAXPROCS=2")
	if l.benches || onTwo {
		l.runs[patched]++
	}
	one, two := l.figures(patched, run)
	if one == 0 {
		return gotool.RunResult{ExitCode: 2}, nil
	}
	if !l.benches {
		if onTwo {
			return gotool.RunResult{Elapsed: time.Duration(two)}, nil
		}
		return gotool.RunResult{Elapsed: time.Duration(one)}, nil
	}
	var out strings.Builder
	for range 2 { // benchmarks
		for _, f := range []float64{one, two} {
			fmt.Fprintf(&out, "BenchmarkWorkload-2 output of its own\n \t       1\t   %.1f ns/op\t 3 B/op\n", f/2)
		}
	}
	return gotool.RunResult{Output: []byte(out.String()), Elapsed: time.Duration(one + two)}, nil
}

func TestParallelism(t *testing.T) {
	const ms = 1e6
	steady := func(before, after float64) func(bool, int) (float64, float64) {
		return func(patched bool, _ int) (float64, float64) {
			if patched {
				return 40 * ms, 40 * ms / after
			}
			return 40 * ms, 40 * ms / before
		}
	}
	for _, test := range []struct {
		name       string
		load       load
		processors int
		want       Parallel
		kept       float64
		fail       func(src string, run int) bool // of runs that are not measured
	}{
		{"benchmarks", load{benches: true, figures: steady(1.6, 1.2)}, 2,
			Parallel{Processors: 2, Before: 1.6, After: 1.2, Low: 1.2, High: 1.2, Rounds: 3, Benchmarks: true}, 0.75, nil},
		{"tests", load{figures: steady(1.6, 1.6)}, 2,
			Parallel{Processors: 2, Before: 1.6, After: 1.6, Low: 1.6, High: 1.6, Rounds: 3}, 1, nil},
		{"one processor", load{benches: true, figures: steady(1, 1)}, 1, Parallel{}, 0, nil},
		{"tests that do too little", load{figures: func(bool, int) (float64, float64) { return 5 * ms, 4 * ms }}, 2, Parallel{}, 0, nil},
		{"the patched program fails", load{benches: true, figures: func(patched bool, _ int) (float64, float64) {
			if patched {
				return 0, 0
			}
			return 9, 9
		}}, 2, Parallel{}, 0, nil},
		{"the original fails", load{benches: true, figures: func(patched bool, _ int) (float64, float64) {
			if patched {
				return 40 * ms, 20 * ms
			}
			return 0, 0
		}}, 2, Parallel{Processors: 2, After: 2, Low: 2, High: 2, Rounds: 3, Benchmarks: true}, 0, nil},
		{"the original is known to fail", load{benches: true, figures: steady(1.6, 1.6)}, 2,
			Parallel{Processors: 2, After: 1.6, Low: 1.6, High: 1.6, Rounds: 3, Benchmarks: true}, 0, unlockedDeposit},
		{"a busy machine", load{benches: true, figures: func(_ bool, run int) (float64, float64) {
			return 1 * ms, 1 * ms / float64(1+run)
		}}, 2, Parallel{}, 0, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := loadBank(t)
			l := &test.load
			l.runs = map[bool]int{}
			v := w.validator(t, &fakeRunner{fail: test.fail}, func(o *Options) {
				o.Tool, o.Processors = &fakeTool{}, test.processors
			})
			v.run = l.run
			fix := validate(t, v, w.mutant(t, w.edit(t, "guard", "(*Account).Deposit", "amount", 1)))
			if got := rounded(fix.Parallel); got != test.want || round(fix.Quality.Parallelism) != test.kept {
				t.Errorf("%+v, kept %v; want %+v, %v", got, fix.Quality.Parallelism, test.want, test.kept)
			}
			for _, limit := range l.limits {
				if limit > time.Second {
					t.Errorf("the original, which may hang, may run for %v", limit)
				}
			}
			if l.runs[false] > maxRounds || test.name == "the original fails" && l.runs[false] != costFailures {
				t.Errorf("the original ran %d times", l.runs[false])
			}
			if test.fail != nil && l.runs[false] > 0 {
				t.Errorf("the original, which fails, ran %d times", l.runs[false])
			}
		})
	}
}

func round(x float64) float64 { return float64(int(x*100+0.5)) / 100 }

func rounded(p Parallel) Parallel {
	p.Before, p.After, p.Low, p.High = round(p.Before), round(p.After), round(p.Low), round(p.High)
	return p
}
