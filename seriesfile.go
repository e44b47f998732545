package mendel

import (
	"bytes"
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
	"mendel/internal/report"
)

// SeriesName is the file in the output directory that a series is in.
const SeriesName = "series.json"

// ReadSeries reads the series in an output directory. The error wraps
// fs.ErrNotExist where there is none.
func ReadSeries(dir string) (*Series, error) {
	data, err := os.ReadFile(filepath.Join(dir, SeriesName))
	if err != nil {
		return nil, fmt.Errorf("read the series: %w", err)
	}
	s, err := parseSeries(data)
	if err != nil {
		return nil, fmt.Errorf("read the series in %s: %w; begin anew in another directory (--out)", filepath.Join(dir, SeriesName), err)
	}
	s.out = dir
	return s, nil
}

// parseSeries reads a series.json. The members' directories are below its own.
func parseSeries(data []byte) (*Series, error) {
	s := &Series{}
	if err := json.Unmarshal(data, s); err != nil {
		return nil, err
	}
	for _, m := range s.Members {
		for _, name := range append([]string{m.Out, m.Patch}, m.Partial...) {
			if name != "" && !filepath.IsLocal(filepath.FromSlash(name)) {
				return nil, fmt.Errorf("%q, of %s, is not below it", name, m.Package)
			}
		}
	}
	return s, nil
}

// reopen goes on with the series in the output directory.
func (r *seriesRun) reopen() error {
	s, err := ReadSeries(r.o.Out)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s has no %s: name the --out directory of a repair of several packages", r.o.Out, SeriesName)
	}
	if err != nil {
		return err
	}
	o := s.Options
	o.Out, o.Observer, o.Verbose, o.Resume = r.o.Out, r.o.Observer, r.o.Verbose, true
	if r.given > 0 {
		o.Budget = r.given
	}
	r.o, r.series, r.before = o.withDefaults(), s, s.Seconds
	s.Budget = r.o.Budget.Seconds()
	for i := range s.Members {
		m := &s.Members[i]
		if m.Unfinished && !m.Begun {
			m.Status, m.Reason, m.Unfinished = "", "", false
		}
		if m.Status != Fixed {
			continue
		}
		k, err := readKnown(r.name(*m), r.below(m.Out))
		if err != nil {
			return err
		}
		r.known = append(r.known, k)
	}
	if left := time.Until(r.deadline()); left < leastShare {
		r.o.Observer.Printf("note: the budget of %v is spent; give more with --budget", r.o.Budget)
	}
	return nil
}

// below is a path below the output directory; "" if there is none.
func (r *seriesRun) below(out string) string {
	if r.o.Out == "" {
		return ""
	}
	return filepath.Join(r.o.Out, filepath.FromSlash(out))
}

// save writes series.json as things are now.
func (r *seriesRun) save() error {
	if r.o.Out == "" {
		return nil
	}
	r.series.Seconds = r.spent()
	data, err := r.series.JSON()
	if err != nil {
		return err
	}
	if err := gotool.WriteFile(filepath.Join(r.o.Out, SeriesName), data); err != nil {
		return fmt.Errorf("save the series: %w", err)
	}
	return nil
}

// forget removes the patches of an earlier series of other packages, lest they
// be taken for those of this one.
func (r *seriesRun) forget() error {
	if r.o.Out == "" {
		return nil
	}
	old, err := ReadSeries(r.o.Out)
	if err != nil {
		return nil // there is none, or nothing that could be told of it
	}
	for _, m := range old.Members {
		if m.Out == "" || slices.ContainsFunc(r.series.Members, func(n Member) bool { return n.Out == m.Out }) {
			continue
		}
		if err := removeOutcome(r.below(m.Out)); err != nil {
			return err
		}
	}
	return nil
}

// removeOutcome removes what an earlier repair has left that could be taken for
// the outcome of this one.
func removeOutcome(dir string) error {
	for _, pattern := range []string{"fix-*.patch", "failure-*.schedule", resultName, dossier.Name, "report.html", "report.md"} {
		old, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			return fmt.Errorf("look for an earlier run's files: %w", err)
		}
		for _, name := range old {
			if err := os.Remove(name); err != nil {
				return fmt.Errorf("remove an earlier run's file: %w", err)
			}
		}
	}
	return nil
}

// JSON is the series as in series.json.
func (s *Series) JSON() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(s); err != nil {
		return nil, fmt.Errorf("encode the series: %w", err)
	}
	return b.Bytes(), nil
}

// Print writes the series for people: a table, and what is to be said of
// packages without a fix.
func (s *Series) Print(w io.Writer) error {
	t := report.Series{Seconds: s.Seconds, Budget: s.Budget, Untested: len(s.Untested), Notes: s.Notes}
	for _, m := range s.Members {
		row := report.SeriesRow{
			Name: s.name(m), Failures: m.Failures, Status: m.statusWords(), Fixed: m.Status == Fixed,
			Reason: m.Reason, Seconds: m.Seconds,
		}
		for _, patch := range append([]string{m.Patch}, m.Partial...) {
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

// statusWords names a member's status for people.
func (m Member) statusWords() string {
	return report.StateWords(string(m.Status), m.Begun)
}

// Apply writes the best fix of each member that has one into the source, unless
// it is part of another's, and returns the patches that are in it then. A fix is
// left out, and an error says so, if a file is no longer what was analysed, which it is not either if the
// fix of another package has changed it.
func (s *Series) Apply() (applied []string, err error) {
	for _, m := range s.Members {
		if m.Status != Fixed || m.Within != "" {
			continue
		}
		d, derr := dossier.Read(filepath.Join(s.out, filepath.FromSlash(m.Out)))
		if derr == nil && len(d.Fixes) == 0 {
			derr = fmt.Errorf("the dossier of %s has no fix", m.Out)
		}
		if derr == nil {
			derr = applyFix(d)
		}
		if derr != nil {
			err = errors.Join(err, fmt.Errorf("apply %s: %w", s.shown(m.Patch), derr))
			continue
		}
		applied = append(applied, m.Patch)
	}
	return applied, err
}

// applyFix writes the best fix of a dossier into the source. Where it is
// already, nothing is done.
func applyFix(d *dossier.Dossier) error {
	var changes []dossier.File
	for _, f := range d.Fixes[0].Files {
		now, err := os.ReadFile(filepath.Join(d.Dir, filepath.FromSlash(f.Path)))
		if err != nil {
			return err
		}
		switch string(now) {
		case f.After:
		case f.Before:
			changes = append(changes, f)
		default:
			return fmt.Errorf("%s has changed since it was analysed; apply the patch by hand", f.Path)
		}
	}
	for _, f := range changes {
		if err := gotool.WriteFile(filepath.Join(d.Dir, filepath.FromSlash(f.Path)), []byte(f.After)); err != nil {
			return err
		}
	}
	return nil
}
