package verify

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"mendel/internal/bench/commands"
	"mendel/internal/bench/tables"
	"mendel/internal/gotool"
)

const (
	// workload is the benchmark, without its prefix, that each subject and each
	// corrected copy has of its concurrent work.
	workload = "Workload"
	// workloadTime is how long it runs in a round on each number of processors.
	workloadTime = 500 * time.Millisecond
	// workloadLimit is for one run of it; one that hangs is ended.
	workloadLimit = time.Minute
)

// A Parallelism is how much faster a patched program gets with a second
// processor, beside the corrected copy. Medians of several rounds, in which the
// two took turns.
type Parallelism struct {
	Patched   float64 `json:"patched"`   // speed-up of the patched program from one processor to two
	Corrected float64 `json:"corrected"` // of the corrected copy
	Kept      float64 `json:"kept"`      // the former by the latter; 0: not measured
	Least     float64 `json:"least"`     // the same in the round with the least
	Most      float64 `json:"most"`
	Rounds    int     `json:"rounds"`
	Problem   string  `json:"problem,omitempty"` // why it was not measured
}

// String is "0.97 (0.95-1.01)".
func (p *Parallelism) String() string {
	if p.Kept == 0 {
		return "-"
	}
	return fmt.Sprintf("%.2f (%.2f-%.2f)", p.Kept, p.Least, p.Most)
}

// A workloadProgram is one of the two programs.
type workloadProgram struct {
	dir, binary string
	cost        [2][]float64 // nanoseconds on one processor and on two, by round
}

// measureParallelism runs the workloads of two modules in turns. A program
// whose workload cannot be run is a Problem; the error is for what kept it from
// being tried.
func measureParallelism(ctx context.Context, patched, corrected string, rounds int) (*Parallelism, error) {
	p := &Parallelism{Rounds: rounds}
	programs := []*workloadProgram{{dir: patched}, {dir: corrected}}
	for _, w := range programs {
		w.binary = filepath.Join(filepath.Dir(w.dir), filepath.Base(w.dir)+".test")
		_, problem, err := commands.GoSays(ctx, w.dir, "test", "-c", "-o", w.binary, ".")
		if err != nil || problem != "" {
			p.Problem = problem
			return p, err
		}
	}
	for round := range rounds {
		for _, i := range turns(round) {
			problem, err := programs[i.program].run(ctx, i.processors)
			if err != nil || problem != "" {
				p.Problem = problem
				return p, err
			}
		}
	}
	p.take(programs[0].cost, programs[1].cost)
	return p, nil
}

// A turn is one run of a round.
type turn struct{ program, processors int }

// turns are the runs of a round. What is compared runs one after the other. Which
// program and which number of processors come first alternates between rounds.
func turns(round int) []turn {
	all := []turn{{0, 1}, {1, 1}, {1, 2}, {0, 2}}
	if round%2 == 1 {
		slices.Reverse(all)
		for i := range all {
			all[i].program = 1 - all[i].program
		}
	}
	return all
}

// run runs a program's workload once on some processors.
func (w *workloadProgram) run(ctx context.Context, processors int) (problem string, err error) {
	r, err := gotool.Run(ctx, gotool.RunOptions{
		Path: w.binary, Dir: w.dir, Timeout: workloadLimit,
		Args: []string{"-test.run=^$", "-test.bench=^Benchmark" + workload + "$", "-test.benchtime=" + workloadTime.String(), "-test.cpu=" + strconv.Itoa(processors)},
	})
	if err != nil {
		return "", fmt.Errorf("run the workload: %w", err)
	}
	if problem, err = commands.Verdict(ctx, r); err != nil || problem != "" {
		return problem, err
	}
	for _, b := range commands.ParseBenchmarks(r.Output) {
		if b.Name == workload && b.Nanoseconds > 0 {
			w.cost[processors-1] = append(w.cost[processors-1], b.Nanoseconds)
			return "", nil
		}
	}
	return fmt.Sprintf("%s has no Benchmark%s", filepath.Base(w.dir), workload), nil
}

// take computes the speed-ups from the costs of each round.
func (p *Parallelism) take(patched, corrected [2][]float64) {
	speedUp := func(cost [2][]float64) []float64 {
		var all []float64
		for i := range cost[0] {
			all = append(all, cost[0][i]/cost[1][i])
		}
		return all
	}
	ours, theirs := speedUp(patched), speedUp(corrected)
	var kept []float64
	for i := range ours {
		kept = append(kept, ours[i]/theirs[i])
	}
	p.Patched, p.Corrected = tables.Median(ours), tables.Median(theirs)
	p.Kept = p.Patched / p.Corrected
	p.Least, p.Most = slices.Min(kept), slices.Max(kept)
}
