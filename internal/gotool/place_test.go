//go:build unix

package gotool

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// A program that works in a place of its own finds what its package's directory has, and changes nothing there.
func TestRunPrivate(t *testing.T) {
	privateTemp(t)
	module := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":                      "module example.com/p\n",
		"shared/testdata/a.txt":       "shared",
		"shared/inner/pkg.go":         "package inner\n",
		"shared/conf.json":            "{}",
		"store/store.go":              "package store\n",
		"store/data.bin":              "data",
		"store/testdata/in/first.txt": "first",
	} {
		name = filepath.Join(module, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	script := `set -e
		test "$(cat testdata/in/first.txt ../shared/testdata/a.txt data.bin)" = firstshareddata
		test -f store.go -a -f ../go.mod -a -f ../shared/inner/pkg.go
		test "$PWD" = "$(pwd -P)"
		test ! -e made
		echo more > made; echo other > data.bin; echo other > testdata/in/first.txt; mkdir testdata/out
		rm store.go`
	for range 2 {
		r, err := Run(context.Background(), RunOptions{
			Path: "/bin/sh", Args: []string{"-c", script}, Dir: filepath.Join(module, "store"), Private: true, Timeout: time.Minute,
		})
		if err != nil || r.ExitCode != 0 {
			t.Fatalf("%v, exit status %d: %s", err, r.ExitCode, r.Output)
		}
	}
	for name, want := range map[string]string{"data.bin": "data", "testdata/in/first.txt": "first", "store.go": "package store\n"} {
		if got, err := os.ReadFile(filepath.Join(module, "store", name)); err != nil || string(got) != want {
			t.Errorf("%s has %q afterwards (%v), want %q", name, got, err, want)
		}
	}
	for _, name := range []string{"made", "testdata/out"} {
		if _, err := os.Stat(filepath.Join(module, "store", name)); err == nil {
			t.Errorf("%s is there", name)
		}
	}
}

// What cannot be stood in for is worked in itself.
func TestPlaceElsewhere(t *testing.T) {
	temp, outside := t.TempDir(), t.TempDir()
	if got := placeOf(outside, temp); got != outside {
		t.Errorf("outside of a module the place is %s", got)
	}
	module := t.TempDir()
	if err := os.WriteFile(filepath.Join(module, "go.mod"), []byte("module example.com/p\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the root is a package's directory, too
		if got, err := os.Stat(filepath.Join(placeOf(module, t.TempDir()), "go.mod")); err != nil || !got.Mode().IsRegular() {
			t.Errorf("no go.mod in the place: %v", err)
		}
	}
	big := filepath.Join(module, "testdata", "big")
	if err := os.MkdirAll(filepath.Dir(big), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(big, make([]byte, mostBytes+1), 0o666); err != nil {
		t.Fatal(err)
	}
	at := placeOf(module, temp)
	if info, err := os.Lstat(filepath.Join(at, "testdata")); at == module || err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("place %s: data that is too large is no link: %v", at, err)
	}
}
