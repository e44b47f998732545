package journal

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"mendel/internal/result"
)

// writeTree writes files below a directory.
func writeTree(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// A change below testdata is found in its directory, as far as files are read.
func TestHashTestdata(t *testing.T) {
	dir := t.TempDir()
	writeTree(t, dir, map[string]string{"a.txt": "a", "sub/b.txt": "bb", "sub/c.txt": "c", "z/z.txt": "z"})
	hash := func(bytes int64, files int) map[string]string {
		w := treeHasher{map[string]string{}, bytes, files}
		w.dir(dir, "testdata")
		return w.sums
	}
	all, few, short := hash(100, 100), hash(2, 100), hash(100, 3)
	if got, want := slices.Sorted(maps.Keys(all)), []string{"testdata", "testdata/sub", "testdata/z"}; !slices.Equal(got, want) {
		t.Errorf("hashed %q, want %q", got, want)
	}
	if len(short) != 2 {
		t.Errorf("hashed %q, with three names to look at", slices.Sorted(maps.Keys(short)))
	}
	for _, tt := range []struct {
		name, text string
		all, few   []string
	}{
		{"a.txt", "A", []string{"testdata has changed"}, []string{"testdata has changed"}},
		{"sub/b.txt", "BB", []string{"testdata/sub has changed"}, nil},
		{"sub/b.txt", "b", []string{"testdata/sub has changed"}, []string{"testdata/sub has changed"}},
		{"z/new.txt", "", []string{"testdata/z has changed"}, []string{"testdata/z has changed"}},
		{"z/new/y.txt", "", []string{"testdata/z has changed", "testdata/z/new is new"}, []string{"testdata/z has changed", "testdata/z/new is new"}},
	} {
		writeTree(t, dir, map[string]string{tt.name: tt.text})
		nowAll, nowFew := hash(100, 100), hash(2, 100)
		if got := result.Changes(all, nowAll); !slices.Equal(got, tt.all) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.all)
		}
		if got := result.Changes(few, nowFew); !slices.Equal(got, tt.few) {
			t.Errorf("%s beyond what is read: %q, want %q", tt.name, got, tt.few)
		}
		all, few = nowAll, nowFew
	}
}

// What tests change themselves speaks against no resumption.
func TestCommon(t *testing.T) {
	before := map[string]string{"testdata": "1", "testdata/tmp": "2", "testdata/gone": "3"}
	after := map[string]string{"testdata": "1", "testdata/tmp": "4", "testdata/new": "5"}
	if got, want := Common(before, after), map[string]string{"testdata": "1"}; !maps.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
