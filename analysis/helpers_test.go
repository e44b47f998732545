package analysis

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"mendel/internal/gotool"
)

// LoadPlain is analysistest.Load, which imports this package: TestMain sets it.
var LoadPlain func(context.Context, *gotool.Toolchain, Target) (*Program, error)

// extract writes an archive's files below a temporary directory and returns it.
func extract(t *testing.T, a *txtar.Archive) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range a.Files {
		name := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// load loads package pkg of the module in dir, without the go command if that can be. Tests
// of [Load] call that.
func load(t *testing.T, dir, pkg string, change ...func(*Target)) *Program {
	t.Helper()
	target := Target{Dir: dir, Package: pkg}
	for _, c := range change {
		c(&target)
	}
	p, err := LoadPlain(context.Background(), nil, target)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// loadText loads the only package of a module given as the text of an archive.
func loadText(t *testing.T, text string) *Program {
	t.Helper()
	return load(t, extractText(t, text), ".")
}

func narrow(t *testing.T, p *Program) *Narrowing {
	t.Helper()
	n, err := Narrow(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// archives parses the archives of a directory below testdata, by name.
func archives(t *testing.T, dir string) map[string]*txtar.Archive {
	t.Helper()
	names, err := filepath.Glob(filepath.Join("testdata", dir, "*.txtar"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no archives in testdata/%s (%v)", dir, err)
	}
	found := map[string]*txtar.Archive{}
	for _, name := range names {
		a, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		found[strings.TrimSuffix(filepath.Base(name), ".txtar")] = a
	}
	return found
}

func extractText(t *testing.T, text string) string {
	t.Helper()
	return extract(t, txtar.Parse([]byte(text)))
}
