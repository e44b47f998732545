package series

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"mendel"
	"mendel/internal/bench/commands"
	"mendel/internal/bench/identity"
	"mendel/internal/bench/programs"
	"mendel/internal/bench/subject"
	"mendel/internal/bench/tables"
	"mendel/internal/bench/verify"
	"mendel/internal/gotool"
	"mendel/internal/report"
)

// twoBugs is a package with two bugs that have nothing to do with each other,
// each with a test.
//
//go:embed testdata/twobugs
var twoBugs embed.FS

// Options say which subjects make the module, and how to repair it. Budget,
// Seed and Runs must be positive, and one subject be broken.
type Options struct {
	Dir     string        // of the subjects
	Broken  []string      // subjects that are packages with their bugs
	Sound   string        // the subject whose corrected copy is a package
	Budget  time.Duration // for all packages together
	Seed    uint64
	Workers int    // builds and runs at a time; 0: the number of CPUs
	Runs    int    // of the patched module's tests
	Out     string // directory of series.json and series.md; "": print only
	Command string // to type, for the report
}

// Run makes the evaluation and prints what came of it. Interrupted, it
// prints what it has.
func Run(ctx context.Context, o Options, stdout, stderr io.Writer) (err error) {
	if o.Budget <= 0 || o.Runs < 1 || o.Seed < 1 || o.Workers < 0 || len(o.Broken) == 0 {
		return errors.New("--budget, --runs and --seed must be positive, --workers not negative, and --only not empty")
	}
	subjects, err := subject.Read(o.Dir, append([]string{o.Sound}, o.Broken...))
	if err != nil {
		return err
	}
	if err := tables.MakeOut(o.Out); err != nil {
		return err
	}
	dir, remove, err := gotool.TempDir()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, remove()) }()

	p := report.NewProgress(report.ProgressOptions{Out: stderr})
	defer p.Close()
	e := &evaluation{Options: o, subjects: subjects, dir: dir, observer: p, report: &seriesReport{
		Broken: o.Broken, Sound: o.Sound, Budget: o.Budget.Seconds(), Runs: o.Runs, Seed: o.Seed,
	}}
	broken := e.run(ctx)
	return tables.Finish(e.report, stdout, tables.Files{Dir: o.Out, Name: "series", Command: o.Command}, broken)
}

// An evaluation is one run of the series command.
type evaluation struct {
	Options
	subjects []subject.Subject
	dir      string // for copies and output
	observer mendel.Observer
	report   *seriesReport
}

func (e *evaluation) run(ctx context.Context) (err error) {
	if e.report.Mendel, err = identity.Mendel(); err != nil {
		return err
	}
	work, pristine := filepath.Join(e.dir, "work"), filepath.Join(e.dir, "pristine")
	for _, module := range []string{work, pristine} {
		if err := e.makeModule(module); err != nil {
			return err
		}
	}
	tool, err := gotool.Open(ctx, work)
	if err != nil {
		return err
	}
	e.report.Machine = tables.ThisMachine(tool)
	if err := e.series(ctx, work, pristine); err != nil {
		return err
	}
	return e.twoBugs(ctx)
}

// makeModule makes a module of the broken subjects and the sound one, each a package.
func (e *evaluation) makeModule(dir string) error {
	for _, s := range e.subjects {
		from := s.Dir
		if s.Name == e.Sound {
			from = s.Corrected()
		}
		to := filepath.Join(dir, s.Name)
		if err := programs.Copy(to, from); err != nil {
			return err
		}
		if err := os.Remove(filepath.Join(to, "go.mod")); err != nil {
			return fmt.Errorf("make a module of the subjects: %w", err)
		}
	}
	return writeGoMod(dir)
}

// writeGoMod makes a directory a module.
func writeGoMod(dir string) error {
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.com/series\n\ngo 1.25\n"), 0o666); err != nil {
		return fmt.Errorf("make a module: %w", err)
	}
	return nil
}

// options are those of a repair.
func (e *evaluation) options(dir, out string) mendel.Options {
	return mendel.Options{Dir: dir, Out: out, Budget: e.Budget, Seed: e.Seed, Workers: e.Workers, Observer: e.observer}
}

// series repairs the module and verifies the patches.
func (e *evaluation) series(ctx context.Context, work, pristine string) error {
	out := filepath.Join(e.dir, "out")
	s, err := mendel.RepairAll(ctx, e.options(work, out), []string{"./..."})
	if s != nil {
		e.report.take(s)
	}
	if err != nil {
		return err
	}
	var patches []string
	for _, m := range s.Packages {
		if m.Patch == "" {
			continue
		}
		text, err := os.ReadFile(filepath.Join(out, filepath.FromSlash(m.Patch)))
		if err != nil {
			return fmt.Errorf("read a patch: %w", err)
		}
		patches = append(patches, string(text))
	}
	patched := filepath.Join(e.dir, "patched")
	if e.report.Problem, err = e.verify(ctx, patched, pristine, patches); err != nil {
		return err
	}
	if _, err := s.Apply(false); err != nil {
		e.report.Written = err.Error()
		return nil
	}
	same, err := sameTree(work, patched)
	if err == nil && !same {
		e.report.Written = "--write leaves another tree than the patches"
	}
	return err
}

// sameTree reports whether two directories have the same files.
func sameTree(a, b string) (bool, error) {
	first, err := identity.Module(a)
	if err != nil {
		return false, err
	}
	second, err := identity.Module(b)
	return first == second, err
}

// twoBugs repairs the package with two bugs and verifies the patch.
func (e *evaluation) twoBugs(ctx context.Context) error {
	source := filepath.Join(e.dir, "twobugs")
	sub, err := twoBugsFiles()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(source, 0o777); err != nil {
		return fmt.Errorf("make a module: %w", err)
	}
	for name, text := range sub {
		if err := os.WriteFile(filepath.Join(source, name), text, 0o666); err != nil {
			return fmt.Errorf("make a module: %w", err)
		}
	}
	if err := writeGoMod(source); err != nil {
		return err
	}
	result, err := mendel.Repair(ctx, e.options(source, filepath.Join(e.dir, "out-twobugs")))
	if err != nil {
		return err
	}
	two := &twoBugsReport{Status: result.Status, Reason: result.Reason, Failures: len(result.Failures), Seconds: result.Seconds}
	e.report.TwoBugs = two
	if result.Status != mendel.Fixed {
		return nil
	}
	best := result.Fixes[0]
	two.Mends = len(best.Mends)
	for _, edit := range best.Edits {
		two.Operators = append(two.Operators, edit.Operator)
	}
	two.Problem, err = e.verify(ctx, filepath.Join(e.dir, "twobugs-patched"), source, []string{best.Diff})
	return err
}

// twoBugsFiles are the files of the package with two bugs, by name.
func twoBugsFiles() (map[string][]byte, error) {
	const dir = "testdata/twobugs"
	entries, err := twoBugs.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("read the package with two bugs: %w", err)
	}
	files := map[string][]byte{}
	for _, entry := range entries {
		if files[entry.Name()], err = twoBugs.ReadFile(path.Join(dir, entry.Name())); err != nil {
			return nil, fmt.Errorf("read the package with two bugs: %w", err)
		}
	}
	return files, nil
}

// verify applies patches to a copy of a module and says what is wrong with
// what comes of it, "" if nothing is.
func (e *evaluation) verify(ctx context.Context, patched, source string, patches []string) (problem string, err error) {
	e.observer.Phase("verifying %d patches", len(patches))
	if problem, err = verify.Builds(ctx, patched, source, strings.Join(patches, "")); err != nil || problem != "" {
		return problem, err
	}
	_, problem, err = commands.GoSays(ctx, patched, "test", "-race", fmt.Sprintf("-count=%d", e.Runs), "-timeout=9m", "./...")
	return problem, err
}
