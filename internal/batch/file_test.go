package batch

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mendel/internal/journal"
	"mendel/internal/result"
)

// What stands in series.json decides which files are removed and applied, so
// that no name in it may lead out of the output directory.
func FuzzParseSeries(f *testing.F) {
	whole, err := (&Series{
		Status: result.NotFixed, Patterns: []string{"./..."}, Module: "/src/m", Options: journal.Options{Seed: 7},
		Packages: []Package{{Path: "m/a", Dir: "/src/m/a", Out: "1-a", Status: result.Fixed, Patch: "1-a/fix-1.patch"}, {Path: "m/b", Partial: []string{"2-b/fault-1/fix-1.patch"}}},
	}).JSON()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	f.Add(whole[:len(whole)/2])
	f.Add([]byte(`{"members": [{"out": "../../etc"}]}`))
	f.Add([]byte(`{"members": [{"out": "..."}]}`)) // a name like any other
	f.Add([]byte(`{"members": [{"patch": "/etc/passwd"}], "options": {"Observer": {}}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := parseSeries(data)
		if err != nil {
			return
		}
		for _, m := range s.Packages {
			for _, name := range append([]string{m.Out, m.Patch}, m.Partial...) {
				if rel, err := filepath.Rel("/out", filepath.Join("/out", name)); err != nil || strings.HasPrefix(rel+"/", "../") {
					t.Errorf("%q leads out", name)
				}
			}
		}
		if err := s.Print(&bytes.Buffer{}); err != nil {
			t.Error(err)
		}
	})
}

// A file of this name that is something else is not taken for a series.
func TestReadsNoOtherFile(t *testing.T) {
	for _, text := range []string{"{}", `{"name": "one", "members": []}`, `{"members": [{"name": "somebody"}]}`, `[1, 2]`, ""} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, Name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if s, err := Read(dir); err == nil || !strings.Contains(err.Error(), dir) {
			t.Errorf("%s is read as %+v, %v", text, s, err)
		}
	}
}

// FuzzSeries reads series.json. No package's files lie outside the directory.
func FuzzSeries(f *testing.F) {
	dir := f.TempDir()
	f.Add([]byte(`{"status":"fixed","members":[{"package":"a","dir":"/a","out":"1-a","status":"fixed","patch":"1-a/fix-1.patch"}],"options":{"Budget":1}}`))
	f.Add([]byte(`{"members":[{"out":"../../etc"}]}`))
	f.Add([]byte(`{"members":[{"out":"/etc"}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := os.WriteFile(filepath.Join(dir, Name), data, 0o666); err != nil {
			t.Fatal(err)
		}
		s, err := Read(dir)
		if err != nil {
			return
		}
		for _, m := range s.Packages {
			if m.Out != "" && !filepath.IsLocal(filepath.FromSlash(m.Out)) {
				t.Errorf("%s lies in %q", m.Path, m.Out)
			}
		}
		if _, err := json.Marshal(s); err != nil {
			t.Errorf("cannot be written again: %v", err)
		}
	})
}
