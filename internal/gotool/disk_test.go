//go:build unix

package gotool

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestExceeds(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, size int) {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, make([]byte, size), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("a/b/large", 100<<10)
	write("a/small", 1)
	if err := os.Truncate(filepath.Join(dir, "a", "small"), 1<<40); err != nil { // a hole
		t.Fatal(err)
	}
	if err := os.Symlink("/", filepath.Join(dir, "everything")); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600); err != nil { // for which one could wait
		t.Fatal(err)
	}
	// dir, a, b, small, everything and pipe count as 16 KiB each, large as what it has.
	const total = 6*fileLeast + 100<<10
	running := make(chan struct{})
	for _, test := range []struct {
		limit int64
		want  bool
	}{{total - 1, true}, {total + 16<<10, false}, {0, true}} {
		if got := exceeds(dir, test.limit, running); got != test.want {
			t.Errorf("more than %d bytes: %t, want %t", test.limit, got, test.want)
		}
	}
	if exceeds(filepath.Join(dir, "nothing"), 0, running) {
		t.Error("a directory that is not there has files")
	}
}

// Directories count that have no path short enough to open them.
func TestExceedsDeep(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	t.Chdir(dir)
	deep(100)
	if err := os.Chdir(dir); err != nil {
		t.Fatal(err)
	}
	if !exceeds(dir, 99*fileLeast, make(chan struct{})) {
		t.Error("not all directories were found")
	}
	if exceeds(dir, 101*fileLeast, make(chan struct{})) {
		t.Error("directories were counted twice")
	}
	other := filepath.Join(dir, "other")
	if err := os.Mkdir(other, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", other)
	deep(400) // in all 20 KB of names
	if err := os.Chdir(dir); err != nil {
		t.Fatal(err)
	}
	if !exceeds(dir, 1<<40, make(chan struct{})) {
		t.Error("a tree may be of any depth")
	}
	if _, err := os.Stat(dir + strings.Repeat("/"+strings.Repeat("d", 50), 100)); err == nil {
		t.Error("the tree is not deep enough to be a test")
	}
}

// A look that is no longer wanted ends.
func TestExceedsStopped(t *testing.T) {
	stopped := make(chan struct{})
	close(stopped)
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "file"), make([]byte, 100<<10), 0o600); err != nil {
		t.Fatal(err)
	}
	if exceeds(dir, fileLeast, stopped) {
		t.Error("it was counted all the same")
	}
}
