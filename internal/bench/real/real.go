package real

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"mendel"
	"mendel/internal/bench/identity"
	"mendel/internal/bench/programs"
	"mendel/internal/bench/repository"
	"mendel/internal/bench/tables"
	"mendel/internal/bench/trial"
	"mendel/internal/gotool"
)

// reportName is the name of the files of a report.
const reportName = "real"

// Options say which bugs, and what to do with them. Limit and Runs of the effort
// must be positive.
type Options struct {
	programs.Effort          // Runs are of the bug's test, on each patch
	Clones          string   // directory of clones; "": none
	Only            []string // bugs; none: all
	Arms            []string // as trial.ParseArms reads them, at least one
	Seed            uint64
	CheckManifest   bool   // run the tests before and after the human fixes; nothing is repaired
	Native          bool   // count the runs that expose each failure with the real scheduler; nothing is repaired
	Seeds           int    // with Native, positive
	From            string // a real.json to verify; nothing is repaired. "": repair
	Out             string // directory of the report and the pages; "": print only
	Command         string // to type, for the report
}

// validate refuses values that make no sense.
func (o Options) validate() error {
	if o.Limit <= 0 || o.Runs < 1 || o.Seed < 1 {
		return errors.New("--budget, --runs and --seed must be positive")
	}
	if o.Native && o.Seeds < 1 {
		return errors.New("--seeds must be positive")
	}
	if o.Workers < 0 {
		return errors.New("--workers must not be negative")
	}
	return nil
}

// effort names how much a verification does.
func (o Options) effort() string { return fmt.Sprintf("%d runs of the test", o.Runs) }

// Run repairs the bugs, verifies the patches and prints the tables. Interrupted, it
// prints what it has.
func Run(ctx context.Context, o Options, stdout, stderr io.Writer) error {
	if err := o.validate(); err != nil {
		return err
	}
	arms, err := trial.ParseArms(o.Arms)
	if err != nil {
		return err
	}
	bugs, err := repository.ReadManifest(o.Only)
	if err != nil {
		return err
	}
	if err := tables.MakeOut(o.Out); err != nil {
		return err
	}
	tool, err := gotool.Open(ctx, ".")
	if err != nil {
		return err
	}
	if o.Native {
		return exposeBugs(ctx, o, bugs, tool, stdout, stderr)
	}
	version, err := identity.Mendel()
	if err != nil {
		return err
	}
	e := &evaluation{Options: o, armList: arms, version: version, log: stderr}
	if err := e.open(tables.ThisMachine(tool)); err != nil {
		return err
	}
	if e.Out == "" && e.From != "" {
		e.Out = filepath.Dir(e.From)
	}
	broken := e.work(ctx, bugs)
	if err := e.save(broken); err != nil {
		return err
	}
	return tables.Finish(e.report, stdout, tables.Files{}, broken)
}

// An evaluation is one run of the real command.
type evaluation struct {
	Options
	armList []trial.Arm
	version string // of Mendel
	log     io.Writer
	report  *report
}

// open makes the report, or goes on with the one in the output directory. It
// refuses to mix what was made under other conditions.
func (e *evaluation) open(machine tables.Machine) error {
	e.report = &report{Machine: machine, Command: e.Command, Limit: e.Limit.String(), Effort: e.effort(), manifestOnly: e.CheckManifest}
	name := e.From
	if name == "" && e.Out != "" {
		name = filepath.Join(e.Out, reportName+".json")
	}
	if name == "" {
		return nil
	}
	old := &report{}
	found, err := tables.ReadSaved(name, old)
	if err != nil {
		return err
	}
	if !found && e.From != "" {
		return fmt.Errorf("--verify-only %s: there is no such file", e.From)
	}
	if !found {
		return nil
	}
	if e.From != "" {
		e.report.Limit = old.Limit
	} else if old.Machine != machine || old.Limit != e.report.Limit {
		return fmt.Errorf("%s was made under other conditions (%s, %s a repair; now %s, %s); use another directory with --out",
			name, old.Machine, old.Limit, machine, e.report.Limit)
	}
	e.report.Bugs = old.Bugs
	return nil
}

// save writes the report and the pages.
func (e *evaluation) save(broken error) error {
	if err := (tables.Files{Dir: e.Out, Name: reportName}).Save(e.report, broken); err != nil {
		return err
	}
	if e.Out == "" {
		return nil
	}
	return e.report.writePages(e.Out)
}

// work does what is left to do, bug by bug.
func (e *evaluation) work(ctx context.Context, bugs []repository.Bug) error {
	for i, b := range bugs {
		fmt.Fprintf(e.log, "[%d/%d] %s\n", i+1, len(bugs), b.Name)
		if err := e.bug(ctx, b); err != nil {
			return fmt.Errorf("%s: %w", b.Name, err)
		}
		if err := e.save(fmt.Errorf("%d of %d bugs are done", i+1, len(bugs))); err != nil {
			return err
		}
	}
	return nil
}

// bug does what is left to do for one bug.
func (e *evaluation) bug(ctx context.Context, b repository.Bug) (err error) {
	at := e.report.bug(b)
	if !e.CheckManifest && !e.unfinished(at) {
		return nil
	}
	s, err := repository.Shelf{Dir: e.Clones}.Find(ctx, b)
	if err != nil {
		return err
	}
	dir, remove, err := gotool.TempDir()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, remove()) }()
	tree := filepath.Join(dir, "tree")
	if err := s.Prepare(ctx, tree); err != nil {
		return err
	}
	if at.Human, err = s.HumanDiff(ctx); err != nil {
		return err
	}
	if e.CheckManifest {
		m, err := checkManifest(ctx, s, tree, manifestRuns)
		if err != nil {
			return err
		}
		at.Manifest = &m
		fmt.Fprintf(e.log, "\t%s\n", m.Line())
		return nil
	}
	if e.From == "" {
		if err := e.repair(ctx, s, tree, at); err != nil {
			return err
		}
	}
	return e.verify(ctx, s, tree, at)
}

// unfinished reports whether there is anything to do for a bug.
func (e *evaluation) unfinished(at *bugReport) bool {
	if e.From == "" && slices.ContainsFunc(e.armList, func(a trial.Arm) bool { return at.trial(a.Name) == nil }) {
		return true
	}
	return slices.ContainsFunc(at.Trials, func(t *armTrial) bool { return t.unverified(e.effort()) })
}

// repair repairs a bug in each arm, unless that was done before.
func (e *evaluation) repair(ctx context.Context, s repository.Source, tree string, at *bugReport) error {
	for _, arm := range e.armList {
		if at.trial(arm.Name) != nil {
			continue
		}
		work := tree + "-work" // each arm finds it in the same place
		if err := repository.CopyTree(work, tree); err != nil {
			return err
		}
		effort := e.Effort
		effort.NoRace = !s.Race
		found, result, err := trial.Repair(ctx, trial.Target{Dir: work, Package: s.Pattern(), Run: s.RunPattern(), Out: tree + "-out"}, e.Seed, arm, effort)
		if err != nil {
			return fmt.Errorf("arm %s: %w", arm.Name, err)
		}
		t := &armTrial{Arm: arm.Name, Mendel: e.version, Trial: found}
		t.take(result)
		at.Trials = append(at.Trials, t)
		fmt.Fprintf(e.log, "\t%s: %s\n", arm.Name, found.Line())
		if e.Out == "" && t.Patch != "" {
			fmt.Fprintln(e.log, t.Patch)
		}
		if err := errors.Join(os.RemoveAll(work), os.RemoveAll(tree+"-out")); err != nil {
			return fmt.Errorf("clear up after arm %s: %w", arm.Name, err)
		}
		if err := e.save(errors.New("not all bugs are done")); err != nil {
			return err
		}
	}
	return nil
}

// verify verifies each patch that is not verified yet, or with another effort.
func (e *evaluation) verify(ctx context.Context, s repository.Source, tree string, at *bugReport) error {
	for _, t := range at.Trials {
		if !t.unverified(e.effort()) {
			continue
		}
		v, err := verifyPatch(ctx, s, tree, t.Patch, e.Runs)
		if err != nil {
			return fmt.Errorf("verify the patch of arm %s: %w", t.Arm, err)
		}
		v.Effort, t.Verified = e.effort(), v
		fmt.Fprintf(e.log, "\t%s: %s\n", t.Arm, v.Line())
	}
	return nil
}

// take notes what the pages need of a result.
func (t *armTrial) take(r *mendel.Result) {
	t.Checker = r.Search.Checker
	if len(r.Fixes) == 0 {
		return
	}
	best := r.Fixes[0]
	t.Patch = best.Diff
	if c := best.Evidence.Check; c != nil {
		t.Checked = fmt.Sprintf("%s after %d schedules", c.Verdict, c.Schedules)
		if c.Reason != "" {
			t.Checked += ": " + c.Reason
		}
	}
}
