package judged

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"mendel"
	"mendel/internal/bench/cases"
	"mendel/internal/bench/disguise"
	"mendel/internal/bench/tables"
	"mendel/internal/gotool"
)

// reportName is the name of the files of a report.
const reportName = "judged"

// Options say which programs, and what to do with them. Budget, Seed and Runs must be
// positive.
type Options struct {
	Sets    []string // of programs; none: all
	Only    []string // names of programs; none: all
	As      []string // ways to write each program (package disguise); none: as it is
	Budget  time.Duration
	Seed    uint64
	Workers int    // builds and runs at a time; 0: the number of CPUs
	Runs    int    // of the judge
	Check   bool   // judge the patches that are known; nothing is repaired
	Out     string // directory of the report and the patches; "": print only
	Command string // to type, for the report
}

// Run makes the evaluation and prints what came of it. Interrupted, it prints what it has.
func Run(ctx context.Context, o Options, stdout, stderr io.Writer) (err error) {
	if o.Budget <= 0 || o.Seed < 1 || o.Runs < 1 || o.Workers < 0 {
		return errors.New("--budget, --seed and --runs must be positive, --workers not negative")
	}
	if len(o.As) == 0 {
		o.As = []string{string(disguise.Plain)}
	}
	for _, way := range o.As {
		if !slices.Contains(disguise.Ways(), disguise.Way(way)) {
			return fmt.Errorf("--as %s: there is no such way to write a program; there are %s", way, wayNames())
		}
		if o.Check && way != string(disguise.Plain) {
			return fmt.Errorf("--as %s: the patches that are known apply to the programs as they are, and to nothing else", way)
		}
	}
	chosen, err := cases.Read(o.Sets, o.Only)
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
		Machine: machine, Mendel: version, Budget: o.Budget.Seconds(), Seed: o.Seed, Runs: o.Runs, Check: o.Check,
	}}
	if err := e.goOn(); err != nil {
		return err
	}
	broken := e.work(ctx, chosen)
	return tables.Finish(e.report, stdout, e.files(), broken)
}

// An evaluation is one run of the judged command.
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
		return fmt.Errorf("%s has results that were made under other conditions (source, budget, seed, runs): give another --out, or remove it", e.Out)
	}
	e.report.Rows = old.Rows
	return nil
}

// work does what is not done yet, program by program.
func (e *evaluation) work(ctx context.Context, chosen []cases.Program) error {
	for n, p := range chosen {
		for _, way := range e.As {
			if e.report.has(p, way) {
				continue
			}
			fmt.Fprintf(e.log, "%s, %s (%d of %d)\n", p.Name, way, n+1, len(chosen))
			if err := e.written(ctx, p, disguise.Way(way)); err != nil {
				return fmt.Errorf("%s, %s: %w", p.Name, way, err)
			}
		}
	}
	return nil
}

// written does one program that is written in a way, and keeps what came of it.
func (e *evaluation) written(ctx context.Context, p cases.Program, way disguise.Way) error {
	q, applies, err := disguise.Apply(ctx, p, way)
	if err != nil {
		return fmt.Errorf("write it in another way: %w", err)
	}
	if !applies {
		return nil
	}
	dir := filepath.Join(e.dir, p.Name)
	rows, err := e.program(ctx, q, way, dir)
	if err != nil {
		return err
	}
	for i := range rows {
		rows[i].As = string(way)
	}
	e.report.Rows = append(e.report.Rows, rows...)
	if err := e.files().Save(e.report, nil); err != nil {
		return err
	}
	if err := os.RemoveAll(dir); err != nil {
		return fmt.Errorf("remove what was made of it: %w", err)
	}
	return nil
}

// wayNames lists the ways to write a program.
func wayNames() string {
	var names []string
	for _, w := range disguise.Ways() {
		names = append(names, string(w))
	}
	return strings.Join(names, ", ")
}

// program repairs one program, or judges what is known about it.
func (e *evaluation) program(ctx context.Context, p cases.Program, way disguise.Way, dir string) ([]row, error) {
	if e.Check {
		return e.check(ctx, p, dir)
	}
	r, patch, err := e.repair(ctx, p, dir)
	if err != nil || patch == "" {
		return []row{r}, err
	}
	name := p.Name
	if way != disguise.Plain {
		name += "-" + string(way)
	}
	if err := e.savePatch(name, patch); err != nil {
		return nil, err
	}
	r.Judged = true
	r.Problem, err = judge(ctx, p, filepath.Join(dir, "judged"), patch, e.Runs)
	return []row{r}, err
}

// check judges the program as it is and with each patch that is known.
func (e *evaluation) check(ctx context.Context, p cases.Program, dir string) (rows []row, err error) {
	known := append([]cases.Patch{{Name: "as it is"}}, p.Truth...)
	for n, patch := range known {
		r := row{Program: p.Name, Set: p.Set, Kind: p.Kind, Patch: patch.Name, Right: patch.Right, Judged: true}
		if r.Problem, err = judge(ctx, p, filepath.Join(dir, fmt.Sprint(n)), patch.Text, e.Runs); err != nil {
			return nil, err
		}
		rows = append(rows, r)
	}
	return rows, nil
}

// repair repairs a copy of a program, all packages, and returns the patches of them.
func (e *evaluation) repair(ctx context.Context, p cases.Program, dir string) (r row, patch string, err error) {
	r = row{Program: p.Name, Set: p.Set, Kind: p.Kind}
	work, out := filepath.Join(dir, "work"), filepath.Join(dir, "out")
	if err := p.Write(work); err != nil {
		return r, "", err
	}
	s, err := mendel.RepairAll(ctx, mendel.Options{Dir: work, Out: out, Budget: e.Budget, Seed: e.Seed, Workers: e.Workers}, []string{"./..."})
	if ctx.Err() != nil {
		return r, "", context.Cause(ctx)
	}
	if err != nil {
		r.Status, r.Reason = mendel.Failed, err.Error()
		return r, "", nil
	}
	r.Status, r.Seconds = s.Status, s.Seconds
	for _, member := range s.Packages {
		if member.Patch == "" {
			r.Reason = cmp.Or(r.Reason, member.Reason)
			continue
		}
		text, err := os.ReadFile(filepath.Join(out, filepath.FromSlash(member.Patch)))
		if err != nil {
			return r, "", fmt.Errorf("read a patch: %w", err)
		}
		patch += string(text)
		if member.Status != mendel.Fixed {
			r.Status, r.Reason = member.Status, member.Reason
		}
		if err := r.take(filepath.Join(out, filepath.FromSlash(member.Out), "result.json")); err != nil {
			return r, "", err
		}
	}
	return r, patch, nil
}

// savePatch keeps a patch for a reader.
func (e *evaluation) savePatch(name, patch string) error {
	if e.Out == "" {
		return nil
	}
	if err := os.WriteFile(filepath.Join(e.Out, name+".patch"), []byte(patch), 0o666); err != nil {
		return fmt.Errorf("save a patch: %w", err)
	}
	return nil
}

// take keeps what the result of a package's repair tells of its best fix.
func (r *row) take(file string) error {
	var result mendel.Result
	found, err := tables.ReadSaved(file, &result)
	if err != nil || !found {
		return err
	}
	r.Mutants = max(r.Mutants, result.Search.Candidate)
	if len(result.Fixes) == 0 {
		return nil
	}
	best := result.Fixes[0]
	for _, edit := range best.Edits {
		if !slices.Contains(r.Operators, edit.Operator) {
			r.Operators = append(r.Operators, edit.Operator)
		}
	}
	for _, f := range best.Flags {
		r.Flags = append(r.Flags, string(f))
	}
	return nil
}
