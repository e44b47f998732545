package review

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"

	"mendel/internal/batch"
	"mendel/internal/dossier"
	"mendel/internal/gotool"
	"mendel/internal/report"
	"mendel/internal/report/htmlreport"
	"mendel/internal/report/textreport"
	"mendel/internal/result"
)

// Files that Write leaves in the directory of a repair.
const (
	htmlName     = "report.html"
	markdownName = "report.md"
)

// A Review is what one or several repairs have left in a directory.
type Review struct {
	dir     string
	series  *htmlreport.Series // nil: it is one repair
	repairs []repair           // those that have come to an end
}

// A repair is the dossier of one with the directory where it was found.
type repair struct {
	*dossier.Dossier
	dir string
}

// Exists reports whether a directory holds anything to review.
func Exists(dir string) bool {
	return exists(filepath.Join(dir, dossier.Name)) || exists(filepath.Join(dir, batch.Name))
}

// Read reads the repair in a directory, or the repair of several packages:
// whichever is newer.
func Read(dir string) (*Review, error) {
	if !newer(filepath.Join(dir, batch.Name), filepath.Join(dir, dossier.Name)) {
		d, err := dossier.Read(dir)
		if err != nil {
			return nil, err
		}
		return &Review{dir: dir, repairs: []repair{{d, dir}}}, nil
	}
	s, err := batch.Read(dir)
	if err != nil {
		return nil, err
	}
	r := &Review{dir: dir, series: &htmlreport.Series{
		Status: string(s.Status), Module: s.Module, Out: seenFrom(s.Module, dir), Patterns: s.Patterns,
		Seed: s.Seed, Seconds: s.Seconds, Budget: s.Budget, Untested: s.Untested, Notes: s.Notes,
	}}
	for _, c := range s.Combined {
		r.series.Combined = append(r.series.Combined, report.CombinedPatch{Dir: c.Dir, Patch: c.Patch, Problem: c.Problem})
	}
	for _, p := range s.Packages {
		if err := r.add(p); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// add adds a package of a series, and its repair if that has come to an end.
func (r *Review) add(p batch.Package) error {
	told := report.PackageOutcome{
		Name: p.Path, Fixed: p.Status == result.Fixed, Status: string(p.Status), Begun: p.Begun, Reason: p.Reason,
		Failures: p.Failures, Patch: p.Patch, Within: p.Within, Seconds: p.Seconds,
	}
	sub := filepath.Join(r.dir, filepath.FromSlash(p.Out))
	if p.Out != "" && exists(filepath.Join(sub, dossier.Name)) {
		d, err := dossier.Read(sub)
		if err != nil {
			return err
		}
		r.repairs = append(r.repairs, repair{d, sub})
		told.Report, told.Repair = path.Join(p.Out, htmlName), d
	}
	r.series.Packages = append(r.series.Packages, told)
	return nil
}

// Write writes the report of each repair into its directory and, of several,
// what became of them into theirs. It returns the files, the one to open first
// first.
func (r *Review) Write() ([]string, error) {
	var names []string
	keep := func(dir, name string, write func(io.Writer) error) error {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			return fmt.Errorf("report on %s: %w", dir, err)
		}
		file := filepath.Join(dir, name)
		if err := gotool.WriteFile(file, b.Bytes()); err != nil {
			return fmt.Errorf("save the report: %w", err)
		}
		names = append(names, file)
		return nil
	}
	var problems error
	if r.series != nil {
		problems = errors.Join(
			keep(r.dir, htmlName, r.html),
			keep(r.dir, markdownName, func(w io.Writer) error { return textreport.MarkdownContents(w, r.series.Packages, r.series.Combined) }))
	}
	for _, one := range r.repairs {
		problems = errors.Join(problems,
			keep(one.dir, htmlName, func(w io.Writer) error { return htmlreport.HTML(w, one.Dossier) }),
			keep(one.dir, markdownName, func(w io.Writer) error { return textreport.Markdown(w, one.Dossier) }))
	}
	return names, problems
}

// seenFrom is a directory as somebody in another one names it: absolute if it
// is not below.
func seenFrom(here, dir string) string {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return filepath.ToSlash(dir)
	}
	if rel, err := filepath.Rel(here, dir); err == nil && filepath.IsLocal(rel) {
		dir = rel
	}
	return filepath.ToSlash(dir)
}

// exists reports whether there is a file or directory.
func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// newer reports whether a file exists and another does not, or is older.
func newer(name, other string) bool {
	a, err := os.Stat(name)
	if err != nil {
		return false
	}
	b, err := os.Stat(other)
	return err != nil || a.ModTime().After(b.ModTime())
}
