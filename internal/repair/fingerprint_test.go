package repair

import (
	"maps"
	"path/filepath"
	"slices"
	"testing"

	"mendel/analysis"
	"mendel/analysis/analysistest"
	"mendel/internal/gotool"
	"mendel/internal/result"
)

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
	env := envFor(result.Wanted{})
	env.Tool = tool
	if env.Program, err = analysistest.Load(t.Context(), tool, analysis.Target{Package: "."}); err != nil {
		t.Fatal(err)
	}
	f, err := env.fingerprint()
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
	after, err := env.fingerprint()
	if err != nil {
		t.Fatal(err)
	}
	if got, want := result.Changes(f.Files, after.Files), []string{"../lib/lib.go has changed", "words.txt has changed"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := result.Changes(f.Others, after.Others); len(got) > 0 {
		t.Errorf("%q of what is the same", got)
	}
	t.Setenv("GODEBUG", "asynctimerchan=1")
	if after, err = env.fingerprint(); err != nil {
		t.Fatal(err)
	}
	if got, want := result.Changes(f.Others, after.Others), []string{"GODEBUG has changed"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
