package variants

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"

	"mendel/analysis"
	"mendel/internal/bench/tables"
	"mendel/internal/gotool"
	"mendel/internal/operators"
	"mendel/mutate"
)

// Options say what to compare. Mutants and Schedules must be positive.
type Options struct {
	Only      []string // parts of the programs' names; none: all
	Subjects  string   // their directory
	Operators string   // directory of the operators, with the golden archives
	Mutants   int      // of each program, at most
	Schedules int      // of each test of a mutant
	Runs      int      // noised, of each test of a mutant; 0: only the checker compares
	NoInline  bool     // build without inlining, by which names and lines differ
	Seed      uint64
	Out       string // directory of variants.json and variants.md; "": print only
	Command   string // to type, for the report
}

// Run compares the mutants of the programs and prints what differs. Interrupted, it prints
// what it has.
func Run(ctx context.Context, o Options, stdout, stderr io.Writer) error {
	if o.Mutants < 1 || o.Schedules < 1 || o.Runs < 0 {
		return errors.New("--mutants and --schedules must be positive, and --runs not negative")
	}
	machine, version, err := tables.Begin(ctx, ".", o.Out)
	if err != nil {
		return err
	}
	all, err := o.programs(ctx)
	if err != nil {
		return err
	}
	r := &report{Machine: machine, Mendel: version, Seed: o.Seed}
	files := tables.Files{Dir: o.Out, Name: "variants", Command: o.Command}
	var broken error
	for i, p := range all {
		one, err := o.compare(ctx, p)
		if err != nil {
			broken = fmt.Errorf("%s: %w", p.name, err)
			break
		}
		r.Programs = append(r.Programs, one)
		fmt.Fprintf(stderr, "[%d/%d] %s: %s\n", i+1, len(all), p.name, one.line())
		if err := files.Save(r, fmt.Errorf("%d of %d programs are done", i+1, len(all))); err != nil {
			return err
		}
	}
	return tables.Finish(r, stdout, files, broken)
}

// compare compares the mutants of one program. What keeps a program from that is in the row.
func (o Options) compare(ctx context.Context, p program) (one *row, err error) {
	dir, remove, err := gotool.TempDir()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, remove()) }()
	one = &row{Program: p.name}
	work := filepath.Join(dir, "work")
	if err := p.write(work); err != nil {
		return nil, err
	}
	tool, err := gotool.Open(ctx, work)
	if err != nil {
		return one.leaveOut(ctx, err)
	}
	loaded, err := o.load(ctx, tool, p)
	if err != nil {
		return one.leaveOut(ctx, err)
	}
	mutants, err := o.draw(ctx, loaded)
	if err != nil {
		return one.leaveOut(ctx, err)
	}
	one.Mutants = len(mutants)
	if len(mutants) < 2 {
		one.Skipped = "too few mutants to build together"
		return one, nil
	}
	if err := o.compareChecks(ctx, tool, loaded, mutants, one); err != nil {
		return one.leaveOut(ctx, err)
	}
	if o.Runs > 0 {
		if err := o.compareRuns(ctx, tool, loaded, mutants, one); err != nil {
			return one.leaveOut(ctx, err)
		}
	}
	return one, nil
}

// leaveOut notes why a program cannot be compared, unless the work is at its end.
func (r *row) leaveOut(ctx context.Context, why error) (*row, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	r.Skipped = tables.FirstLine(why.Error())
	return r, nil
}

// load loads a program, with tests made up for one that has none.
func (o Options) load(ctx context.Context, tool *gotool.Toolchain, p program) (*analysis.Program, error) {
	target := analysis.Target{Dir: tool.Dir, Package: "."}
	if o.NoInline {
		target.Flags = []string{"-gcflags=-l"}
	}
	loaded, err := analysis.Load(ctx, tool, target)
	if err != nil || !p.undriven {
		return loaded, err
	}
	if err := writeDriver(loaded); err != nil {
		return nil, err
	}
	return analysis.Load(ctx, tool, target)
}

// draw draws mutants of one to three edits. Each operator that has an edit is as likely.
func (o Options) draw(ctx context.Context, p *analysis.Program) (all []*mutate.Mutant, err error) {
	everything := analysis.NarrowTo(p, func(analysis.FindingKind, string) bool { return true })
	space, err := mutate.NewSpace(p, everything, operators.All())
	if err != nil {
		return nil, err
	}
	var by [][]mutate.Edit
	index := map[string]int{}
	for _, e := range space.Edits() {
		i, known := index[e.Operator]
		if !known {
			i, index[e.Operator] = len(by), len(by)
			by = append(by, nil)
		}
		by[i] = append(by[i], e)
	}
	random := rand.New(rand.NewPCG(o.Seed, 3))
	seen := map[string]bool{}
	for range 20 * o.Mutants {
		if len(all) == o.Mutants || len(by) == 0 {
			break
		}
		var edits []mutate.Edit
		for range 1 + random.IntN(3) {
			list := by[random.IntN(len(by))]
			edits = append(edits, list[random.IntN(len(list))])
		}
		m, err := space.Mutant(ctx, edits)
		if refused := (*mutate.Refusal)(nil); errors.As(err, &refused) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if !seen[m.Hash] {
			seen[m.Hash] = true
			all = append(all, m)
		}
	}
	return all, nil
}

// sets are the files of mutants.
func sets(mutants []*mutate.Mutant) (all []map[string][]byte) {
	for _, m := range mutants {
		all = append(all, m.Files)
	}
	return all
}

// wants reports whether --only selects a program.
func (o Options) wants(name string) bool {
	return len(o.Only) == 0 || slices.ContainsFunc(o.Only, func(part string) bool { return strings.Contains(name, part) })
}
