package incremental

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"

	"mendel/analysis"
	"mendel/checker"
	"mendel/checker/sched/explore"
	"mendel/fitness"
	"mendel/internal/bench/enumeration"
	"mendel/internal/bench/subject"
	"mendel/internal/bench/tables"
	"mendel/internal/gotool"
	"mendel/internal/operators"
	"mendel/mutate"
)

// Options say what to measure.
type Options struct {
	Dir     string   // of the subjects
	Only    []string // subjects; none: all
	Mutants int      // of each subject, at most; at least 2
	Seed    uint64
	Out     string // directory of incremental.json and incremental.md; "": print only
	Command string // to type, for the report
}

// together is how many mutants are built at a time, as in a search.
const together = 16

// Run measures and prints the table. Interrupted, it prints what it has.
func Run(ctx context.Context, o Options, stdout, stderr io.Writer) error {
	if o.Mutants < 2 {
		return errors.New("--mutants must be at least 2")
	}
	subjects, err := subject.Read(o.Dir, o.Only)
	if err != nil {
		return err
	}
	machine, version, err := tables.Begin(ctx, subjects[0].Dir, o.Out)
	if err != nil {
		return err
	}
	r := &report{Machine: machine, Mendel: version, Seed: o.Seed}
	broken := func() error {
		for _, s := range subjects {
			one, err := measure(ctx, s, o)
			if err != nil {
				return fmt.Errorf("%s: %w", s.Name, err)
			}
			r.Subjects = append(r.Subjects, one)
			fmt.Fprintf(stderr, "%s: %d mutants, %d schedules, %d taken over, %d repeated, %d differ\n", s.Name, one.Mutants, one.Schedules, one.Carried, one.Repeated, len(one.Differ))
		}
		return nil
	}()
	return tables.Finish(r, stdout, tables.Files{Dir: o.Out, Name: "incremental", Command: o.Command}, broken)
}

// measure scores the mutants of one subject in both ways.
func measure(ctx context.Context, s subject.Subject, o Options) (*row, error) {
	tool, err := gotool.Open(ctx, s.Dir)
	if err != nil {
		return nil, err
	}
	program, err := analysis.Load(ctx, tool, analysis.Target{Dir: tool.Dir, Package: "."})
	if err != nil {
		return nil, err
	}
	generations, err := mutants(ctx, program, o.Mutants, o.Seed)
	if err != nil {
		return nil, err
	}
	one := &row{Subject: s.Name}
	scratch, err := score(ctx, tool, program, generations, o.Seed, false)
	if err != nil {
		return nil, err
	}
	carried, err := score(ctx, tool, program, generations, o.Seed, true)
	if err != nil {
		return nil, err
	}
	one.Original, one.Mutants = scratch.original, len(scratch.records)
	one.Schedules, one.Carried, one.Repeated = carried.made+carried.carried+carried.repeated, carried.carried, carried.repeated
	one.FromScratch, one.Passing = scratch.made, scratch.passing
	one.Building = [2]float64{scratch.building, carried.building}
	one.Scoring = [2]float64{scratch.scoring, carried.scoring}
	for i, hash := range scratch.hashes {
		if scratch.records[i] != carried.records[i] {
			one.Differ = append(one.Differ, hash)
		}
	}
	return one, nil
}

// mutants are two generations: those with one edit, those first that a search would try
// first, and then as many with two of these edits.
func mutants(ctx context.Context, p *analysis.Program, n int, seed uint64) (generations [2][]*mutate.Mutant, err error) {
	narrowing, err := analysis.Narrow(ctx, p)
	if err != nil {
		return generations, err
	}
	space, err := mutate.NewSpace(p, narrowing, operators.All())
	if err != nil {
		return generations, err
	}
	seen := map[string]bool{}
	add := func(to *[]*mutate.Mutant, edits ...mutate.Edit) error {
		m, err := space.Mutant(ctx, edits)
		if refused := (*mutate.Refusal)(nil); errors.As(err, &refused) {
			return nil
		}
		if err == nil && !seen[m.Hash] {
			seen[m.Hash] = true
			*to = append(*to, m)
		}
		return err
	}
	for _, e := range space.Edits() {
		if len(generations[0]) == n/2 {
			break
		}
		if err := add(&generations[0], e); err != nil {
			return generations, err
		}
	}
	random := rand.New(rand.NewPCG(seed, 1))
	for range 10 * n {
		if first := generations[0]; len(first) > 1 && len(generations[1]) < n-n/2 {
			a, b := first[random.IntN(len(first))], first[random.IntN(len(first))]
			if err := add(&generations[1], append(a.Edits[:len(a.Edits):len(a.Edits)], b.Edits...)...); err != nil {
				return generations, err
			}
		}
	}
	return generations, nil
}

// A scoring is what a source made of all mutants.
type scoring struct {
	original          explore.Verdict
	hashes, records   []string // of each mutant; records as JSON
	made              int      // schedules of mutants
	carried, repeated int      // not made, see checker.Report
	passing           int      // schedules of the mutants that pass them all
	building, scoring float64  // processor seconds
}

// score scores generations of mutants with a checker of their own.
func score(ctx context.Context, tool *gotool.Toolchain, p *analysis.Program, generations [2][]*mutate.Mutant, seed uint64, incremental bool) (r scoring, err error) {
	c, err := checker.New(ctx, checker.Config{Tool: tool, Program: p, Workers: 1, Incremental: incremental})
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	alone := each{c}
	original, err := alone.Check(ctx, nil, fitness.CheckerOptions{Seed: seed}.Search())
	if err != nil {
		return r, err
	}
	r.original = original.Verdict
	source := fitness.NewCheckerSource(fitness.CheckerOptions{Checker: alone, BuildAll: alone.BuildAll, Seed: seed, Original: original})
	defer source.Release()
	_, before := c.Counts()
	known, repeated := c.Carried(), c.Repeated()
	for _, mutants := range generations {
		for len(mutants) > 0 {
			some := mutants[:min(together, len(mutants))]
			mutants = mutants[len(some):]
			seconds, err := enumeration.Seconds(func() error { return source.Prepare(ctx, some) })
			r.building += seconds
			if err != nil {
				return r, err
			}
			seconds, err = enumeration.Seconds(func() error { return r.all(ctx, source, some) })
			r.scoring += seconds
			if err != nil {
				return r, err
			}
		}
		source.EndGeneration()
	}
	_, made := c.Counts()
	r.made, r.carried, r.repeated = made-before, c.Carried()-known, c.Repeated()-repeated
	return r, nil
}

// all scores some mutants.
func (r *scoring) all(ctx context.Context, source *fitness.CheckerSource, some []*mutate.Mutant) error {
	for _, m := range some {
		record, _, err := source.Score(ctx, m)
		if err != nil {
			return fmt.Errorf("score mutant %.12s: %w", m.Hash, err)
		}
		if record.Result.Verdict.Good() {
			r.passing += record.Result.Schedules
		}
		record.Result.Schedules = 0 // stages of a search are bounded by time, too
		for i := range record.Observations.Schedules {
			record.Observations.Schedules[i].Start = 0 // checkers begin at different moments
		}
		text, err := json.Marshal(record)
		if err != nil {
			return fmt.Errorf("compare scores: %w", err)
		}
		r.hashes, r.records = append(r.hashes, m.Hash), append(r.records, string(text))
	}
	return nil
}

// each builds and explores programs, as a repair does.
type each struct{ *checker.Checker }

// Check implements fitness.Checker.
func (e each) Check(ctx context.Context, files map[string][]byte, s checker.Search) (report *checker.Report, err error) {
	b, err := e.Build(ctx, files)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	return b.Check(ctx, s)
}

// BuildAll builds programs together.
func (e each) BuildAll(ctx context.Context, sets []map[string][]byte) ([]fitness.Built, error) {
	binaries, err := e.Checker.BuildAll(ctx, sets)
	built := make([]fitness.Built, len(binaries))
	for i, b := range binaries {
		if built[i].Err = b.Err; b.Err == nil {
			built[i].Program = b.Binary
		}
	}
	return built, err
}
