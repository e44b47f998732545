package winners

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"time"

	"mendel/internal/bench/identity"
	"mendel/internal/bench/programs"
	"mendel/internal/bench/tables"
	"mendel/internal/bench/trial"
	"mendel/internal/gotool"
)

// reportName is the name of the files of a report.
const reportName = "operators"

// Options say what to repair, and which results to read.
type Options struct {
	Saved   []string      // files of other evaluations
	Only    []string      // programs; none: all
	Without bool          // repair each a second time, without the operators wanted
	Limit   time.Duration // of one repair, from beginning to end; positive
	Seed    uint64
	Workers int    // processes at a time; 0: the number of CPUs
	Out     string // directory of operators.json and operators.md; "": print only
	Command string // to type, for the report
}

// Run repairs the programs, reads the results, and prints the tables. Interrupted,
// it prints what it has. With Options.Out the same command goes on from there.
func Run(ctx context.Context, o Options, stdout, stderr io.Writer) (err error) {
	if o.Limit <= 0 || o.Workers < 0 {
		return errors.New("--budget must be positive, --workers not negative")
	}
	if err := tables.MakeOut(o.Out); err != nil {
		return err
	}
	tool, err := gotool.Open(ctx, ".")
	if err != nil {
		return err
	}
	r, err := open(tool, o)
	if err != nil {
		return err
	}
	dir, remove, err := gotool.TempDir()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, remove()) }()
	e := &evaluation{o: o, report: r, module: filepath.Join(dir, "module"), log: stderr}
	if err := unpack(e.module, archive); err != nil {
		return err
	}
	broken := e.do(ctx)
	return tables.Finish(r, stdout, e.files(), broken)
}

// open makes the report, or goes on with the one in the output directory. It
// refuses to mix what was made under other conditions.
func open(tool *gotool.Toolchain, o Options) (*report, error) {
	version, err := identity.Mendel()
	if err != nil {
		return nil, err
	}
	r := &report{Machine: tables.ThisMachine(tool), Mendel: version, Seed: o.Seed, Limit: o.Limit.String()}
	if err := r.choose(o.Only); err != nil {
		return nil, err
	}
	for _, name := range o.Saved {
		s, err := readSaved(name)
		if err != nil {
			return nil, err
		}
		r.Saved = append(r.Saved, s)
	}
	if o.Out == "" {
		return r, nil
	}
	name, old := filepath.Join(o.Out, reportName+".json"), &report{}
	if found, err := tables.ReadSaved(name, old); err != nil || !found {
		return r, err
	}
	if old.Machine != r.Machine || old.Limit != r.Limit || old.Mendel != r.Mendel || old.Seed != r.Seed {
		return nil, fmt.Errorf("%s was made under other conditions; use another directory with --out", name)
	}
	r.take(old)
	return r, nil
}

// An evaluation is one under way.
type evaluation struct {
	o      Options
	report *report
	module string // directory of the programs
	log    io.Writer
}

func (e *evaluation) files() tables.Files {
	return tables.Files{Dir: e.o.Out, Name: reportName, Command: e.o.Command}
}

// do repairs the programs that are not repaired yet.
func (e *evaluation) do(ctx context.Context) error {
	for _, p := range e.report.Programs {
		if p.Trial == nil {
			if err := e.repair(ctx, p, &p.attempt, trial.Arm{Name: trial.DefaultArm}); err != nil {
				return err
			}
		}
		if e.o.Without && p.Without.Trial == nil {
			if err := e.repair(ctx, p, &p.Without, trial.Without(p.Wanted...)); err != nil {
				return err
			}
		}
	}
	return nil
}

// repair repairs a program in one way and keeps what came of it.
func (e *evaluation) repair(ctx context.Context, p *outcome, to *attempt, arm trial.Arm) error {
	out, remove, err := gotool.TempDir()
	if err != nil {
		return err
	}
	effort := programs.Effort{Limit: e.o.Limit, Workers: e.o.Workers}
	t, _, err := trial.Repair(ctx, trial.Target{Dir: e.module, Package: "./" + p.Name, Out: out}, e.o.Seed, arm, effort)
	if err := errors.Join(err, remove()); err != nil {
		return fmt.Errorf("repair %s: %w", p.Name, err)
	}
	to.Trial = &t
	if len(t.Patches) > 0 {
		to.Patch = t.Patches[0]
	}
	fmt.Fprintf(e.log, "%s, %s: %s\n", p.Name, arm.Name, t.Line())
	if e.o.Out == "" {
		return nil
	}
	return e.files().Save(e.report, errors.New("it is under way"))
}

// choose lists the programs, all or some of them.
func (r *report) choose(only []string) error {
	all, err := list(archive)
	if err != nil {
		return err
	}
	for _, name := range only {
		if !slices.ContainsFunc(all, func(p program) bool { return p.Name == name }) {
			return fmt.Errorf("--only %s: there is no such program", name)
		}
	}
	for _, p := range all {
		if len(only) == 0 || slices.Contains(only, p.Name) {
			r.Programs = append(r.Programs, &outcome{program: p})
		}
	}
	return nil
}

// take takes over what was repaired before.
func (r *report) take(old *report) {
	for _, p := range r.Programs {
		for _, q := range old.Programs {
			if q.Name == p.Name && slices.Equal(q.Wanted, p.Wanted) {
				p.attempt, p.Without = q.attempt, q.Without
			}
		}
	}
}
