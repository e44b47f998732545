package batch

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"mendel/internal/dossier"
	"mendel/internal/gotool"
	"mendel/internal/repair"
	"mendel/internal/report"
	"mendel/internal/result"
)

// Name is the file in the output directory that a series is in.
const Name = "series.json"

// Read reads the series in an output directory. The error wraps
// fs.ErrNotExist where there is none.
func Read(dir string) (*Series, error) {
	data, err := os.ReadFile(filepath.Join(dir, Name))
	if err != nil {
		return nil, fmt.Errorf("read the series: %w", err)
	}
	s, err := parseSeries(data)
	if err != nil {
		return nil, fmt.Errorf("read the series in %s: %w; begin anew in another directory (--out)", filepath.Join(dir, Name), err)
	}
	s.out = dir
	return s, nil
}

// Exists reports whether an output directory is one of a series.
func Exists(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, Name))
	return err == nil
}

// parseSeries reads a series.json. The packages' directories are below its own.
func parseSeries(data []byte) (*Series, error) {
	s := &Series{}
	if err := json.Unmarshal(data, s); err != nil {
		return nil, err
	}
	for _, p := range s.Packages {
		for _, name := range append([]string{p.Out, p.Patch}, p.Partial...) {
			if name != "" && !filepath.IsLocal(filepath.FromSlash(name)) {
				return nil, fmt.Errorf("%q, of %s, is not below it", name, p.Path)
			}
		}
	}
	return s, nil
}

// reopen goes on with the series in the output directory.
func (r *run) reopen() error {
	s, err := Read(r.o.Out)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s has no %s: name the --out directory of a repair of several packages", r.o.Out, Name)
	}
	if err != nil {
		return err
	}
	o := s.Options.Wanted()
	o.Out, o.Observer, o.Verbose, o.Resume = r.o.Out, r.o.Observer, r.o.Verbose, true
	if r.given > 0 {
		o.Budget = r.given
	}
	r.o, r.series, r.before = o.WithDefaults(), s, s.Seconds
	s.Budget = r.o.Budget.Seconds()
	for i := range s.Packages {
		p := &s.Packages[i]
		if p.Unfinished && !p.Begun {
			p.Status, p.Reason, p.Unfinished = "", "", false
		}
		if p.Status != result.Fixed {
			continue
		}
		k, err := repair.ReadTransferred(r.name(*p), r.below(p.Out))
		if err != nil {
			return err
		}
		r.fixes = append(r.fixes, k)
	}
	if left := time.Until(r.deadline()); left < leastShare {
		r.o.Observer.Printf("note: the budget of %v is spent; give more with --budget", r.o.Budget)
	}
	return nil
}

// below is a path below the output directory; "" if there is none.
func (r *run) below(out string) string {
	if r.o.Out == "" {
		return ""
	}
	return filepath.Join(r.o.Out, filepath.FromSlash(out))
}

// save writes series.json as things are now.
func (r *run) save() error {
	if r.o.Out == "" {
		return nil
	}
	r.series.Seconds = r.spent()
	data, err := r.series.JSON()
	if err != nil {
		return err
	}
	if err := gotool.WriteFile(filepath.Join(r.o.Out, Name), data); err != nil {
		return fmt.Errorf("save the series: %w", err)
	}
	return nil
}

// forget removes the patches of an earlier series of other packages, lest they
// be taken for those of this one.
func (r *run) forget() error {
	if r.o.Out == "" {
		return nil
	}
	old, err := Read(r.o.Out)
	if err != nil {
		return nil // there is none, or nothing that could be told of it
	}
	for _, p := range old.Packages {
		if p.Out == "" || slices.ContainsFunc(r.series.Packages, func(n Package) bool { return n.Out == p.Out }) {
			continue
		}
		if err := result.RemoveOutcome(r.below(p.Out)); err != nil {
			return err
		}
	}
	return nil
}

// JSON is the series as in series.json.
func (s *Series) JSON() ([]byte, error) { return result.Indent(s) }

// Print writes the series for people: a table, and what is to be said of
// packages without a fix.
func (s *Series) Print(w io.Writer) error {
	t := report.Series{Seconds: s.Seconds, Budget: s.Budget, Untested: len(s.Untested), Notes: s.Notes}
	for _, p := range s.Packages {
		row := report.SeriesRow{
			Name: s.name(p), Failures: p.Failures, Status: report.StateWords(string(p.Status), p.Begun), Fixed: p.Status == result.Fixed,
			Reason: p.Reason, Seconds: p.Seconds,
		}
		for _, patch := range append([]string{p.Patch}, p.Partial...) {
			if patch != "" {
				row.Patches = append(row.Patches, s.shown(patch))
			}
		}
		t.Rows = append(t.Rows, row)
	}
	return t.Print(w)
}

// shown is a file below the output directory as a reader can name it from
// where he is.
func (s *Series) shown(file string) string {
	name := filepath.Join(s.out, filepath.FromSlash(file))
	here, err := os.Getwd()
	if err != nil {
		return name
	}
	if rel, err := filepath.Rel(here, name); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return name
}

// Apply writes the best fix of each package that has one into the source, unless
// it is part of another's, and returns the patches that are in it then. A fix is
// left out, and an error says so, if a file is no longer what was analysed, which it is not either if the
// fix of another package has changed it.
func (s *Series) Apply() (applied []string, err error) {
	for _, p := range s.Packages {
		if p.Status != result.Fixed || p.Within != "" {
			continue
		}
		d, derr := dossier.Read(filepath.Join(s.out, filepath.FromSlash(p.Out)))
		if derr == nil && len(d.Fixes) == 0 {
			derr = fmt.Errorf("the dossier of %s has no fix", p.Out)
		}
		if derr == nil {
			derr = result.ApplyFiles(d.Dir, d.Fixes[0].Files)
		}
		if derr != nil {
			err = errors.Join(err, fmt.Errorf("apply %s: %w", s.shown(p.Patch), derr))
			continue
		}
		applied = append(applied, p.Patch)
	}
	return applied, err
}
