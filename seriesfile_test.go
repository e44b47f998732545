package mendel

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"
)

// What stands in series.json decides which files are removed and applied, so
// that no name in it may lead out of the output directory.
func FuzzParseSeries(f *testing.F) {
	whole, err := (&Series{
		Status: NotFixed, Patterns: []string{"./..."}, Module: "/src/m", Options: Options{Seed: 7},
		Members: []Member{{Package: "m/a", Dir: "/src/m/a", Out: "1-a", Status: Fixed, Patch: "1-a/fix-1.patch"}, {Package: "m/b", Partial: []string{"2-b/fault-1/fix-1.patch"}}},
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
		for _, m := range s.Members {
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
