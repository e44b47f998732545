package localize

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"mendel/internal/bench/fault"
	"mendel/internal/bench/programs"
	"mendel/internal/bench/subject"
	"mendel/internal/bench/tables"
	"mendel/internal/gotool"
	"mendel/internal/localize"
)

// Sets of programs.
const (
	CFLASHSet = "cflash" // CFLASH's programs, and their faulty variants
	CoreSet   = "core"   // the subjects that CORE was evaluated with
	AllSets   = "all"

	// Programs with one bug each, of which it is known what it is called and where it is
	// mended: what is diagnosed there is judged.
	SmallSet     = "small"
	ModulesSet   = "modules"
	LibrariesSet = "libraries"
)

// diagnosedSets are those of package cases.
var diagnosedSets = []string{SmallSet, ModulesSet, LibrariesSet}

// Options say what to measure. Zero values are defaults, but for Subjects.
type Options struct {
	Subjects    string        // directory of the subjects
	Set         string        // "": AllSets
	Only        []string      // programs; nil: all of the set
	Budget      time.Duration // of each; 0: localize's
	Seed        uint64
	Workers     int
	FailingOnly bool   // compare no executions that pass; for the sets that are diagnosed
	Out         string // directory for localize.json and localize.md; "": none
	Command     string // that the document names
}

// Run localises each program and prints the table.
func Run(ctx context.Context, o Options, stdout, stderr io.Writer) (err error) {
	if o.Set == "" {
		o.Set = AllSets
	}
	if sets := append([]string{CFLASHSet, CoreSet, AllSets}, diagnosedSets...); !slices.Contains(sets, o.Set) {
		return fmt.Errorf("--set %s: want one of %s", o.Set, strings.Join(sets, ", "))
	}
	if err := tables.MakeOut(o.Out); err != nil {
		return err
	}
	tool, err := gotool.Open(ctx, ".")
	if err != nil {
		return err
	}
	dir, remove, err := gotool.TempDir()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, remove()) }()
	e := &evaluation{Options: o, dir: dir, log: stderr, report: &report{Machine: tables.ThisMachine(tool), Budget: o.Budget.String()}}
	if slices.Contains(diagnosedSets, o.Set) {
		r := &diagnosesReport{Machine: e.report.Machine, Budget: o.Budget.String(), FailingOnly: o.FailingOnly}
		broken := e.diagnose(ctx, r)
		return tables.Finish(r, stdout, tables.Files{Dir: o.Out, Name: "diagnoses-" + o.Set, Command: o.Command}, broken)
	}
	broken := e.measure(ctx)
	return tables.Finish(e.report, stdout, tables.Files{Dir: o.Out, Name: "localize", Command: o.Command}, broken)
}

// An evaluation is one under way.
type evaluation struct {
	Options
	dir    string
	log    io.Writer
	report *report
}

func (e *evaluation) wants(name string) bool {
	return len(e.Only) == 0 || slices.Contains(e.Only, name)
}

func (e *evaluation) measure(ctx context.Context) error {
	if e.Set != CoreSet {
		if err := e.cflash(ctx); err != nil {
			return err
		}
	}
	if e.Set == CFLASHSet {
		return nil
	}
	subjects, err := subject.Read(e.Subjects, nil)
	if err != nil {
		return err
	}
	for _, s := range subject.InSet(subjects, subject.CoreSet) {
		if !e.wants(s.Name) {
			continue
		}
		lines, err := fault.Lines(s.Dir, s.Corrected())
		if err != nil {
			return err
		}
		if err := e.one(ctx, s.Dir, row{Set: CoreSet, Program: s.Name, Fault: lines, Theirs: -1}); err != nil {
			return err
		}
	}
	return nil
}

// cflash measures CFLASH's programs, the correct ones first.
func (e *evaluation) cflash(ctx context.Context) error {
	for _, name := range seeded() {
		if !e.wants(name) {
			continue
		}
		if err := e.one(ctx, filepath.Join(e.Subjects, "localize", name), row{Set: CFLASHSet, Program: name, Variant: "correct", Theirs: -1}); err != nil {
			return err
		}
	}
	for i, v := range variants {
		if !e.wants(v.program) {
			continue
		}
		dir := filepath.Join(e.dir, fmt.Sprintf("v%d", i))
		if err := programs.Copy(dir, filepath.Join(e.Subjects, "localize", v.program)); err != nil {
			return err
		}
		lines, err := v.seed(dir)
		if err != nil {
			return err
		}
		if err := e.one(ctx, dir, row{Set: CFLASHSet, Program: v.program, Variant: v.name, Fault: map[string][]int{v.file: lines}, Theirs: v.theirs}); err != nil {
			return err
		}
	}
	return nil
}

// one localises a program and adds its row.
func (e *evaluation) one(ctx context.Context, dir string, r row) error {
	fmt.Fprintf(e.log, "localising %s %s\n", r.Program, r.Variant)
	res, err := localize.Run(ctx, localize.Options{Dir: dir, Budget: e.Budget, Seed: e.Seed, Workers: e.Workers})
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err != nil {
		r.Problem = err.Error()
		e.report.Rows = append(e.report.Rows, r)
		return nil
	}
	r.Status, r.Seconds, r.Distance = string(res.Status), res.Seconds, -1
	if len(res.Faults) > 0 {
		r.Name = string(res.Faults[0].Name)
	}
	for _, p := range res.Places {
		r.Places = append(r.Places, fmt.Sprintf("%s:%d", p.File, p.Line))
		lines := r.Fault[filepath.Base(p.File)]
		if r.Rank == 0 && slices.Contains(lines, p.Line) {
			r.Rank = p.Rank
		}
		all, err := statements(filepath.Join(dir, filepath.FromSlash(p.File)))
		if err != nil {
			return err
		}
		if p.Rank == 1 {
			r.Statements = len(all)
			r.Distance = distance(all, p.Line, lines)
		}
	}
	e.report.Rows = append(e.report.Rows, r)
	return nil
}
