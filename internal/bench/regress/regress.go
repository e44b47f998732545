package regress

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"mendel"
	"mendel/internal/bench/cases"
	"mendel/internal/bench/programs"
	"mendel/internal/bench/subject"
	"mendel/internal/bench/tables"
	"mendel/internal/gotool"
)

// reportName is the name of the files of a report.
const reportName = "regress"

// SubjectSet is the set of the subjects.
const SubjectSet = "subjects"

// Options say which programs, and how long each may take. Check, Budget and Seed must be
// positive.
type Options struct {
	Sets     []string // of programs: those of package cases and SubjectSet; none: all
	Only     []string // names of programs; none: all
	Subjects string   // directory of the subjects
	Check    time.Duration
	Budget   time.Duration // for the test of each program
	Seed     uint64
	Out      string // directory of the report and the tests; "": print only
	Command  string // to type, for the report
}

// A program is one of which it is known what mends it.
type program struct {
	name, set string
	pkg       string
	write     func(dir string) error
	patches   []cases.Patch // the right ones first; none: fixed has the right source
	fixed     string        // directory of the corrected copy; "": the first patch is the fix
}

// Run makes the evaluation and prints what came of it. Interrupted, it prints what it has.
func Run(ctx context.Context, o Options, stdout, stderr io.Writer) (err error) {
	if o.Check <= 0 || o.Budget <= 0 || o.Seed < 1 {
		return errors.New("--check, --budget and --seed must be positive")
	}
	chosen, err := o.programs()
	if err != nil {
		return err
	}
	machine, version, err := tables.Begin(ctx, ".", o.Out)
	if err != nil {
		return err
	}
	dir, remove, err := gotool.TempDir()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, remove()) }()
	e := &evaluation{Options: o, dir: dir, log: stderr, report: &report{
		Machine: machine, Mendel: version, Check: o.Check.Seconds(), Budget: o.Budget.Seconds(), Seed: o.Seed,
	}}
	if err := e.goOn(); err != nil {
		return err
	}
	broken := e.work(ctx, chosen)
	return tables.Finish(e.report, stdout, e.files(), broken)
}

// programs are those that are chosen.
func (o Options) programs() (all []program, err error) {
	sets, subjects := []string{}, len(o.Sets) == 0
	for _, s := range o.Sets {
		if s == SubjectSet {
			subjects = true
		} else {
			sets = append(sets, s)
		}
	}
	if len(o.Sets) == 0 || len(sets) > 0 {
		known, err := cases.Read(sets, nil)
		if err != nil {
			return nil, err
		}
		for _, p := range known {
			all = append(all, program{name: p.Name, set: p.Set, pkg: p.Package(), write: p.Write, patches: p.Truth})
		}
	}
	if subjects {
		known, err := subject.Read(o.Subjects, nil)
		if err != nil {
			return nil, err
		}
		for _, s := range known {
			all = append(all, program{
				name: s.Name, set: SubjectSet, pkg: ".", fixed: s.Corrected(),
				write: func(dir string) error { return programs.Copy(dir, s.Dir) },
			})
		}
	}
	return programs.Only(all, func(p program) string { return p.name }, o.Only)
}

// An evaluation is one run of the command.
type evaluation struct {
	Options
	dir    string // for copies and output
	log    io.Writer
	report *report
}

func (e *evaluation) files() tables.Files {
	return tables.Files{Dir: e.Out, Name: reportName, Command: e.Command}
}

// goOn takes over what an earlier run has saved under the same conditions.
func (e *evaluation) goOn() error {
	if e.Out == "" {
		return nil
	}
	old := &report{}
	found, err := tables.ReadSaved(filepath.Join(e.Out, reportName+".json"), old)
	if err != nil || !found {
		return err
	}
	if !old.sameConditions(e.report) {
		return fmt.Errorf("%s has results that were made under other conditions (source, budgets, seed): give another --out, or remove it", e.Out)
	}
	e.report.Rows = old.Rows
	return nil
}

// work does what is not done yet, program by program.
func (e *evaluation) work(ctx context.Context, chosen []program) error {
	for n, p := range chosen {
		if e.report.has(p) {
			continue
		}
		r := row{Program: p.name, Set: p.set}
		dir := filepath.Join(e.dir, p.name)
		if err := e.program(ctx, p, dir, &r); err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		fmt.Fprintf(e.log, "%s (%d of %d): %s, %.0f s\n", p.name, n+1, len(chosen), cmp.Or(string(r.Means), r.why()), r.Seconds)
		e.report.Rows = append(e.report.Rows, r)
		if err := e.files().Save(e.report, nil); err != nil {
			return err
		}
		if err := os.RemoveAll(dir); err != nil {
			return fmt.Errorf("remove what was made of %s: %w", p.name, err)
		}
	}
	return nil
}

// program looks for a failing schedule of a program, asks for a test, and judges it.
func (e *evaluation) program(ctx context.Context, p program, dir string, r *row) error {
	work, out := filepath.Join(dir, "work"), filepath.Join(dir, "out")
	if err := p.write(work); err != nil {
		return err
	}
	checked, err := mendel.Check(ctx, mendel.CheckOptions{Dir: work, Package: p.pkg, Budget: e.Check, Seed: e.Seed, Out: out})
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		r.Unseen = err.Error()
		return nil
	case len(checked.Failures) == 0 || checked.Failures[0].Schedule == "":
		r.Unseen = fmt.Sprintf("%s: no failing schedule in %d", checked.Verdict, checked.Schedules)
		return nil
	}
	first := checked.Failures[0]
	r.Kind, r.Failure, r.Test = first.Kind, first.Message, first.Test
	fixed, err := p.fix(ctx, work)
	if err != nil {
		return err
	}
	made, err := mendel.Reproduce(ctx, mendel.ReproduceOptions{
		File: filepath.Join(out, first.Schedule), Dir: work, Fixed: fixed, Budget: e.Budget, Seed: e.Seed,
	})
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		r.Problem = err.Error()
		return nil
	}
	r.Seconds = made.Seconds
	for _, t := range made.Tried {
		r.Reasons = append(r.Reasons, fmt.Sprintf("%s: %s", t.Means, t.Reason))
	}
	if made.Test == nil {
		return nil
	}
	r.Means, r.Order, r.Before, r.After, r.Longest = made.Test.Means, made.Test.Order, made.Test.Before.String(), made.Test.After.String(), made.Test.Before.Longest
	if err := e.keep(p.name, made); err != nil {
		return err
	}
	return e.judge(ctx, p, made, dir, r)
}

// keep saves a test for a reader.
func (e *evaluation) keep(name string, made *mendel.ReproduceResult) error {
	if e.Out == "" || made.Test.Source == "" {
		return nil
	}
	if err := os.WriteFile(filepath.Join(e.Out, name+"_test.go.txt"), []byte(made.Test.Source), 0o666); err != nil {
		return fmt.Errorf("save a test: %w", err)
	}
	return nil
}
