package result

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"mendel/internal/dossier"
	"mendel/internal/gotool"
	"mendel/internal/ordercopy"
	"mendel/internal/regress"
	"mendel/internal/report"
)

// AddRegression adds a regression test of the best fix, or why there is none, to a result, and to what the output
// directory has of it: the patch of the fix then has the test, too, with the copy of package order
// that it needs.
func (r *Result) AddRegression(dir string, t *regress.Result, order ordercopy.Source) error {
	files, err := added(t, order)
	if err != nil {
		return err
	}
	r.Regression = t
	diff := ""
	if len(files) > 0 {
		diff = string(report.Patch(report.NewFiles(files), ""))
		r.Fixes[0].Diff += diff
	}
	if dir == "" {
		return nil
	}
	problem := gotool.WriteFile(filepath.Join(dir, r.Fixes[0].Patch), []byte(r.Fixes[0].Diff))
	data, err := r.JSON()
	if err != nil {
		return errors.Join(problem, err)
	}
	problem = errors.Join(problem, gotool.WriteFile(filepath.Join(dir, Name), data))
	d, err := dossier.Read(dir)
	if err != nil {
		return errors.Join(problem, err)
	}
	d.Regression = &dossier.Regression{Words: t.Words(), Files: files}
	if t.Test != nil {
		d.Regression.Name, d.Regression.Means = t.Test.Name, string(t.Test.Means)
	}
	if len(d.Fixes) > 0 && d.Fixes[0].Patch == r.Fixes[0].Patch {
		d.Fixes[0].Diff += diff
	}
	return errors.Join(problem, dossier.Write(dir, d))
}

// added are the files that a test consists of, which are not there.
func added(t *regress.Result, order ordercopy.Source) (files []dossier.File, err error) {
	if t.Test == nil || t.Test.Source == "" {
		return nil, nil
	}
	add := func(name string, text []byte) error {
		before, err := os.ReadFile(name)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		rel, err := filepath.Rel(t.Module, name)
		if err != nil {
			return err
		}
		if string(before) != string(text) {
			files = append(files, dossier.File{Path: filepath.ToSlash(rel), Before: string(before), After: string(text)})
		}
		return nil
	}
	if t.Test.Order {
		copies, err := order.Changes(t.Module)
		if err != nil {
			return nil, err
		}
		for name, text := range copies {
			if text == nil {
				continue
			}
			if err := add(filepath.Join(t.Module, filepath.FromSlash(name)), text); err != nil {
				return nil, fmt.Errorf("read the copy of package order: %w", err)
			}
		}
	}
	if err := add(t.Test.File, []byte(t.Test.Source)); err != nil {
		return nil, fmt.Errorf("read an earlier regression test: %w", err)
	}
	slices.SortFunc(files, func(a, b dossier.File) int { return strings.Compare(a.Path, b.Path) })
	return files, nil
}
