package batch

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

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
	for _, c := range s.Combined {
		if c.Patch != "" && !filepath.IsLocal(filepath.FromSlash(c.Patch)) {
			return nil, fmt.Errorf("%q is not below it", c.Patch)
		}
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
	for _, c := range s.Combined {
		shown := report.CombinedPatch{Dir: c.Dir, Problem: c.Problem}
		if c.Patch != "" {
			shown.Patch = s.shown(c.Patch)
		}
		t.Combined = append(t.Combined, shown)
	}
	for _, p := range s.Packages {
		row := report.SeriesRow{
			Name: s.name(p), Failures: p.Failures, Status: report.StateWords(string(p.Status), p.Begun), Fixed: p.Status == result.Fixed,
			Offered: p.Status.Reserved(),
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
