package patches

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"mendel"
	"mendel/internal/bench/identity"
	"mendel/internal/bench/programs"
	"mendel/internal/bench/subject"
	"mendel/internal/bench/tables"
	"mendel/internal/gotool"
	"mendel/internal/report"
)

// wrongPatches are the wrong patches by subject.
//
//go:embed testdata/wrong
var wrongPatches embed.FS

// Options say what to verify, and how long each may take. Budget and Seed must be positive.
type Options struct {
	Dir     string        // of the subjects
	Only    []string      // subjects; none: all
	Budget  time.Duration // for one patch
	Seed    uint64
	Workers int    // builds and runs at a time; 0: the number of CPUs
	Out     string // directory of verify.json and verify.md; "": print only
	Command string // to type, for the report
}

// Run makes the evaluation and prints what came of it. Interrupted, it prints what it has.
func Run(ctx context.Context, o Options, stdout, stderr io.Writer) (err error) {
	if o.Budget <= 0 || o.Seed < 1 || o.Workers < 0 {
		return errors.New("--budget and --seed must be positive, and --workers not negative")
	}
	subjects, err := subject.Read(o.Dir, o.Only)
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
	e := &evaluation{Options: o, dir: dir, observer: p, report: &verifyReport{Seed: o.Seed, Budget: o.Budget.Seconds()}}
	broken := e.run(ctx, subjects)
	return tables.Finish(e.report, stdout, tables.Files{Dir: o.Out, Name: "verify", Command: o.Command}, broken)
}

// An evaluation is one run of the verify command.
type evaluation struct {
	Options
	dir      string // for copies and output
	observer mendel.Observer
	report   *verifyReport
}

func (e *evaluation) run(ctx context.Context, subjects []subject.Subject) (err error) {
	if e.report.Mendel, err = identity.Mendel(); err != nil {
		return err
	}
	for _, s := range subjects {
		copied := filepath.Join(e.dir, s.Name)
		if err := programs.Copy(copied, s.Dir); err != nil {
			return err
		}
		if e.report.Machine.Go == "" {
			tool, err := gotool.Open(ctx, copied)
			if err != nil {
				return err
			}
			e.report.Machine = tables.ThisMachine(tool)
		}
		all, err := ofSubject(ctx, s, copied)
		if err != nil {
			return err
		}
		for _, p := range all {
			if err := e.verify(ctx, s, copied, p); err != nil {
				return err
			}
		}
	}
	return nil
}

// A given patch of a subject.
type given struct {
	change *mendel.Change
	right  bool
}

// ofSubject are a subject's patches, of the copy in a directory: the right one first.
func ofSubject(ctx context.Context, s subject.Subject, copied string) ([]given, error) {
	right, err := correction(s, copied)
	if err != nil {
		return nil, err
	}
	all := []given{{right, true}}
	wrong, err := wrongOf(s.Name)
	if err != nil {
		return nil, err
	}
	for _, name := range wrong {
		text, err := wrongPatches.ReadFile(name)
		if err != nil {
			return nil, err
		}
		c, err := mendel.ParseChange(ctx, path.Base(name), text, copied)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.Name, err)
		}
		all = append(all, given{c, false})
	}
	return all, nil
}

// wrongOf are the files of a subject's wrong patches.
func wrongOf(subject string) ([]string, error) {
	return fs.Glob(wrongPatches, "testdata/wrong/"+subject+"/*.patch")
}

// correction is the change from a subject to its corrected copy.
func correction(s subject.Subject, copied string) (*mendel.Change, error) {
	c := &mendel.Change{Name: "correction", Root: copied}
	names, err := filepath.Glob(filepath.Join(s.Corrected(), "*.go"))
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		after, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		base := filepath.Base(name)
		before, err := os.ReadFile(filepath.Join(copied, base))
		if err != nil {
			return nil, fmt.Errorf("%s: the corrected copy has another file: %w", s.Name, err)
		}
		if !bytes.Equal(before, after) {
			c.Files = append(c.Files, mendel.ChangedFile{Path: base, Before: before, After: after})
		}
	}
	return c, nil
}

// verify verifies a patch and takes down what became of it.
func (e *evaluation) verify(ctx context.Context, s subject.Subject, copied string, p given) error {
	e.observer.Printf("%s: %s", s.Name, p.change.Name)
	r, err := mendel.Verify(ctx, mendel.Options{
		Dir: copied, Budget: e.Budget, Seed: e.Seed, Workers: e.Workers, Observer: e.observer,
	}, p.change)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	row := verified{Subject: s.Name, Patch: strings.TrimSuffix(p.change.Name, ".patch"), Right: p.right, Status: r.Status, Reason: r.Reason, Seconds: r.Seconds}
	if err != nil {
		row.Reason = err.Error()
	}
	if len(r.Rejected) > 0 {
		row.Stage, row.Rule = string(r.Rejected[0].Stage), string(r.Rejected[0].Rule)
	}
	for _, f := range r.Fixes {
		for _, flag := range f.Flags {
			row.Flags = append(row.Flags, string(flag))
		}
	}
	e.report.Patches = append(e.report.Patches, row)
	return nil
}
