package analysistest

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"mendel/analysis"
)

// Source loads a package of one file, example.com/p, from a module of its own.
func Source(t testing.TB, source string) *analysis.Program {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/p\n\ngo 1.25\n", "p.go": source} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return Directory(t, dir)
}

// Directory loads the package in a directory.
func Directory(t testing.TB, dir string) *analysis.Program {
	t.Helper()
	p, err := Load(context.Background(), nil, analysis.Target{Dir: dir, Package: "."})
	if err != nil {
		t.Fatal(err)
	}
	return p
}
