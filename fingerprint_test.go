package mendel

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"mendel/analysis"
	"mendel/internal/gotool"
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

// Whatever the program is built of is in its fingerprint, in other languages
// than Go and outside the module too. What is not is left out.
func TestFingerprint(t *testing.T) {
	if testing.Short() {
		t.Skip("builds with the go command")
	}
	root := t.TempDir()
	writeTree(t, root, map[string]string{
		"mod/go.mod":       "module example.com/mod\n\ngo 1.25\n\nrequire example.com/lib v1.0.0\n\nreplace example.com/lib => ../lib\n",
		"mod/mod.go":       "package mod\n\nimport (\n\t_ \"embed\"\n\n\t\"example.com/lib\"\n)\n\n//go:embed words.txt\nvar Words string\n\nfunc Add() { lib.Add() }\n\nfunc none()\n",
		"mod/none.s":       "TEXT ·none(SB), 4, $0-0\n\tRET\n",
		"mod/words.txt":    "a",
		"mod/mod_test.go":  "package mod\n\nimport (\n\t_ \"embed\"\n\t\"testing\"\n)\n\n//go:embed tested.txt\nvar tested string\n\nfunc Test(t *testing.T) { Add() }\n",
		"mod/x_test.go":    "package mod_test\n\nimport _ \"embed\"\n\n//go:embed outside.txt\nvar outside string\n",
		"mod/tested.txt":   "a",
		"mod/outside.txt":  "a",
		"mod/unused.txt":   "a",
		"mod/other/o.go":   "package other\n",
		"lib/go.mod":       "module example.com/lib\n\ngo 1.25\n",
		"lib/lib.go":       "package lib\n\nfunc Add() {}\n",
		"lib/unused/un.go": "package unused\n",
	})
	tool, err := gotool.Open(t.Context(), filepath.Join(root, "mod"))
	if err != nil {
		t.Fatal(err)
	}
	r := &repairer{tool: tool}
	if r.program, err = analysis.Load(t.Context(), tool, analysis.Target{Package: "."}); err != nil {
		t.Fatal(err)
	}
	f, err := r.fingerprint()
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"../lib/go.mod", "../lib/lib.go", "go.mod", "mod.go", "mod_test.go", "none.s", "outside.txt", "tested.txt", "words.txt", "x_test.go",
	}
	if got := slices.Sorted(maps.Keys(f.Files)); !slices.Equal(got, want) {
		t.Errorf("hashed %q, want %q", got, want)
	}
	writeTree(t, root, map[string]string{"lib/lib.go": "package lib\n\nfunc Add() { print() }\n", "mod/words.txt": "b"})
	after, err := r.fingerprint()
	if err != nil {
		t.Fatal(err)
	}
	if got, want := changes(f.Files, after.Files), []string{"../lib/lib.go has changed", "words.txt has changed"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := changes(f.Others, after.Others); len(got) > 0 {
		t.Errorf("%q of what is the same", got)
	}
	t.Setenv("GODEBUG", "asynctimerchan=1")
	if after, err = r.fingerprint(); err != nil {
		t.Fatal(err)
	}
	if got, want := changes(f.Others, after.Others), []string{"GODEBUG has changed"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
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
		if got := changes(all, nowAll); !slices.Equal(got, tt.all) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.all)
		}
		if got := changes(few, nowFew); !slices.Equal(got, tt.few) {
			t.Errorf("%s beyond what is read: %q, want %q", tt.name, got, tt.few)
		}
		all, few = nowAll, nowFew
	}
}

// What tests change themselves speaks against no resumption.
func TestCommon(t *testing.T) {
	before := map[string]string{"testdata": "1", "testdata/tmp": "2", "testdata/gone": "3"}
	after := map[string]string{"testdata": "1", "testdata/tmp": "4", "testdata/new": "5"}
	if got, want := common(before, after), map[string]string{"testdata": "1"}; !maps.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
