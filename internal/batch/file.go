package batch

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"mendel/internal/dossier"
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
	if len(s.Packages) == 0 {
		return nil, errors.New("no repair of several packages has written it")
	}
	for _, p := range s.Packages {
		if p.Path == "" {
			return nil, errors.New("no repair of several packages has written it: it has a package without a name")
		}
		for _, name := range append([]string{p.Out, p.Patch}, p.Partial...) {
			if name != "" && !filepath.IsLocal(filepath.FromSlash(name)) {
				return nil, fmt.Errorf("%q, of %s, is not below it", name, p.Path)
			}
		}
	}
	return s, nil
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
			Offered: p.Status == result.Incomplete,
			Reason:  p.Reason, Seconds: p.Seconds,
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
// it is part of another's. One whose validation is incomplete is left out, unless
// force is set. It returns the patches that are in the source then. A
// fix is left out, and an error says so, if a file is no longer what was
// analysed. The fix of another package may have changed it.
func (s *Series) Apply(force bool) (applied []string, err error) {
	for _, p := range s.Packages {
		ready := p.Status == result.Fixed || force && p.Status == result.Incomplete
		if !ready || p.Within != "" {
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
