package main

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
	"mendel/internal/gotool"
	"mendel/internal/report"
)

// seriesName is the name of the files of a report.
const seriesName = "series"

// twoBugs is a package with two bugs that have nothing to do with each other,
// each with a test.
//
//go:embed testdata/twobugs
var twoBugs embed.FS

// seriesOptions are the flags of the series command.
type seriesOptions struct {
	dir, out string
	broken   []string
	sound    string
	budget   time.Duration
	seed     uint64
	workers  int
	runs     int
}

// runSeries makes the evaluation and prints what came of it. Interrupted, it
// prints what it has.
func runSeries(ctx context.Context, o seriesOptions, stdout, stderr io.Writer) (err error) {
	if o.budget <= 0 || o.runs < 1 || o.seed < 1 || o.workers < 0 || len(o.broken) == 0 {
		return errors.New("--budget, --runs and --seed must be positive, --workers not negative, and --only not empty")
	}
	subjects, err := readSubjects(o.dir, append([]string{o.sound}, o.broken...))
	if err != nil {
		return err
	}
	if err := makeOut(o.out); err != nil {
		return err
	}
	dir, remove, err := gotool.TempDir()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, remove()) }()

	p := report.NewProgress(report.ProgressOptions{Out: stderr})
	defer p.Close()
	e := &seriesEvaluation{seriesOptions: o, subjects: subjects, dir: dir, observer: p, report: &SeriesReport{
		Broken: o.broken, Sound: o.sound, Budget: o.budget.Seconds(), Runs: o.runs, Seed: o.seed,
	}}
	broken := e.run(ctx)
	return finish(e.report, stdout, o.out, seriesName, broken)
}

// A seriesEvaluation is one run of the series command.
type seriesEvaluation struct {
	seriesOptions
	subjects []Subject
	dir      string // for copies and output
	observer mendel.Observer
	report   *SeriesReport
}

func (e *seriesEvaluation) run(ctx context.Context) (err error) {
	if e.report.Mendel, err = mendelVersion(); err != nil {
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
	e.report.Machine = thisMachine(tool)
	if err := e.series(ctx, work, pristine); err != nil {
		return err
	}
	return e.twoBugs(ctx)
}

// makeModule makes a module of the broken subjects and the sound one, each a package.
func (e *seriesEvaluation) makeModule(dir string) error {
	for _, s := range e.subjects {
		from := s.dir
		if s.Name == e.sound {
			from = s.corrected()
		}
		to := filepath.Join(dir, s.Name)
		if err := copyModule(to, from); err != nil {
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
func (e *seriesEvaluation) options(dir, out string) mendel.Options {
	return mendel.Options{Dir: dir, Out: out, Budget: e.budget, Seed: e.seed, Workers: e.workers, Observer: e.observer}
}

// series repairs the module and verifies the patches.
func (e *seriesEvaluation) series(ctx context.Context, work, pristine string) error {
	out := filepath.Join(e.dir, "out")
	s, err := mendel.RepairAll(ctx, e.options(work, out), []string{"./..."})
	if s != nil {
		e.report.take(s)
	}
	if err != nil {
		return err
	}
	var patches []string
	for _, m := range s.Members {
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
	if _, err := s.Apply(); err != nil {
		e.report.Written = err.Error()
		return nil
	}
	same, err := sameTree(work, patched)
	if err == nil && !same {
		e.report.Written = "--write leaves another tree than the patches"
	}
	return err
}

// sameTree tells whether two directories have the same files.
func sameTree(a, b string) (bool, error) {
	first, err := moduleID(a)
	if err != nil {
		return false, err
	}
	second, err := moduleID(b)
	return first == second, err
}

// twoBugs repairs the package with two bugs and verifies the patch.
func (e *seriesEvaluation) twoBugs(ctx context.Context) error {
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
	two := &TwoBugs{Status: result.Status, Reason: result.Reason, Failures: len(result.Failures), Seconds: result.Seconds}
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
func (e *seriesEvaluation) verify(ctx context.Context, patched, source string, patches []string) (problem string, err error) {
	e.observer.Phase("verifying %d patches", len(patches))
	if problem, err = builds(ctx, patched, source, strings.Join(patches, "")); err != nil || problem != "" {
		return problem, err
	}
	_, problem, err = goSays(ctx, patched, "test", "-race", fmt.Sprintf("-count=%d", e.runs), "-timeout=9m", "./...")
	return problem, err
}
