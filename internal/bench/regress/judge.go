package regress

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"mendel"
	"mendel/internal/bench/cases"
	"mendel/internal/bench/commands"
	"mendel/internal/bench/programs"
)

// fix is the right change of a program that lies in a directory.
func (p program) fix(ctx context.Context, dir string) (*mendel.Change, error) {
	if p.fixed == "" {
		return mendel.ParseChange(ctx, p.patches[0].Name, []byte(p.patches[0].Text), dir)
	}
	c := &mendel.Change{Name: "the corrected copy", Root: dir}
	err := filepath.WalkDir(p.fixed, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return err
		}
		rel, err := filepath.Rel(p.fixed, name)
		if err != nil {
			return err
		}
		after, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		before, err := os.ReadFile(filepath.Join(dir, rel))
		c.Files = append(c.Files, mendel.ChangedFile{Path: filepath.ToSlash(rel), Before: before, After: after})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read the corrected copy: %w", err)
	}
	return c, nil
}

// judge runs the test with each patch that is known.
func (e *evaluation) judge(ctx context.Context, p program, made *mendel.ReproduceResult, dir string, r *row) error {
	source := filepath.Join(dir, "source")
	if err := p.write(source); err != nil {
		return err
	}
	for n, patch := range p.patches {
		patched := filepath.Join(dir, fmt.Sprint("patched", n))
		said, err := programs.PatchedCopy(ctx, patched, source, patch.Text)
		if err != nil {
			return err
		}
		j := judgement{Patch: patch.Name, Right: patch.Right, Unread: said}
		if said == "" {
			if err := e.patched(ctx, p, patch, made, patched, &j); err != nil {
				return err
			}
		}
		r.Patches = append(r.Patches, j)
	}
	return nil
}

// patched judges the test with one patch, which is applied in a directory.
func (e *evaluation) patched(ctx context.Context, p program, patch cases.Patch, made *mendel.ReproduceResult, dir string, j *judgement) error {
	if !patch.Right {
		left, err := e.left(ctx, p, made, dir)
		if err != nil || !left {
			return err
		}
		j.Left = true
	}
	if err := put(made, dir); err != nil {
		return err
	}
	for _, race := range []string{"-race=false", "-race=true"} {
		if made.Test.Race && race == "-race=false" {
			continue
		}
		for _, cpu := range []string{"1", "2", "8"} {
			count := "1"
			if patch.Right {
				count = "5"
			}
			_, problem, err := commands.GoSays(ctx, filepath.Join(dir, filepath.FromSlash(p.pkg)), "test", race, "-vet=off", "-timeout=30s", "-cpu="+cpu, "-count="+count, "-run=^"+made.Test.Name+"$", ".")
			if err != nil {
				return err
			}
			if strings.Contains(problem, "[build failed]") {
				j.Unread = "the test does not build with it: " + problem // which says nothing of the failure
				return nil
			}
			j.Runs++
			if problem != "" {
				j.Red++
				j.Said = problem
			}
		}
	}
	return nil
}

// left reports whether the checker still finds a failure of the same kind in the same test.
func (e *evaluation) left(ctx context.Context, p program, made *mendel.ReproduceResult, dir string) (bool, error) {
	checked, err := mendel.Check(ctx, mendel.CheckOptions{Dir: dir, Package: p.pkg, Run: "^" + made.Failure.Test + "$", Budget: min(e.Check, 10*time.Second), Seed: e.Seed})
	if ctx.Err() != nil {
		return false, context.Cause(ctx)
	}
	if err != nil {
		return false, nil // it does not build, or has other tests
	}
	for _, f := range checked.Failures {
		if f.Kind == made.Failure.Kind && f.Test == made.Failure.Test {
			return true, nil
		}
	}
	return false, nil
}

// put writes a test into a copy of its module.
func put(made *mendel.ReproduceResult, dir string) error {
	rel, err := filepath.Rel(made.Module, made.Test.File)
	if err != nil {
		return err
	}
	there, test := *made, *made.Test
	there.Module, test.File, there.Test = dir, filepath.Join(dir, rel), &test
	return mendel.WriteRegressionTest(&there, "(devel)")
}
