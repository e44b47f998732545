package mendel

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// FuzzResult reads results as a repair that goes on does. What can be read is
// written and read again without loss, and can be put into words.
func FuzzResult(f *testing.F) {
	f.Add([]byte(`{"status":"fixed","failures":[{"kind":"race","signature":"race: x","message":"m","seen":1,"runs":2}],` +
		`"fixes":[{"patch":"fix-1.patch","diff":"--- a/<x>\n","edits":[{"operator":"lock"}],"score":1000}],"seconds":1e300}`))
	f.Add([]byte(`{"status":"not-reproduced","reason":"no failure","rejected":[{}],"phases":[{"name":"load"}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var res Result
		if json.Unmarshal(data, &res) != nil {
			return
		}
		once, err := res.JSON()
		if err != nil {
			t.Fatal(err)
		}
		var again Result
		if err := json.Unmarshal(once, &again); err != nil {
			t.Fatalf("what was written cannot be read: %v\n%s", err, once)
		}
		twice, err := again.JSON()
		if err != nil || !bytes.Equal(once, twice) {
			t.Errorf("written, read and written, error %v:\n%s\n%s", err, once, twice)
		}
		_ = res.ends()
		for _, fix := range res.Fixes {
			if res.Apply(fix) == nil {
				t.Error("a fix of another process is applied without its program")
			}
		}
	})
}

// FuzzSeries reads series.json. No member's files lie outside the directory.
func FuzzSeries(f *testing.F) {
	dir := f.TempDir()
	f.Add([]byte(`{"status":"fixed","members":[{"package":"a","dir":"/a","out":"1-a","status":"fixed","patch":"1-a/fix-1.patch"}],"options":{"Budget":1}}`))
	f.Add([]byte(`{"members":[{"out":"../../etc"}]}`))
	f.Add([]byte(`{"members":[{"out":"/etc"}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := os.WriteFile(filepath.Join(dir, SeriesName), data, 0o666); err != nil {
			t.Fatal(err)
		}
		s, err := ReadSeries(dir)
		if err != nil {
			return
		}
		for _, m := range s.Members {
			if m.Out != "" && !filepath.IsLocal(filepath.FromSlash(m.Out)) {
				t.Errorf("%s lies in %q", m.Package, m.Out)
			}
		}
		if _, err := json.Marshal(s); err != nil {
			t.Errorf("cannot be written again: %v", err)
		}
	})
}
