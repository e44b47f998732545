package gotool

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

func TestWriteFile(t *testing.T) {
	dir := t.TempDir()
	read := func(name, want string) {
		t.Helper()
		if got, err := os.ReadFile(name); err != nil || string(got) != want {
			t.Errorf("%s: got %q, %v; want %q", name, got, err, want)
		}
	}
	write := func(name, data string) {
		t.Helper()
		if err := WriteFile(name, []byte(data)); err != nil {
			t.Error(err)
		}
		read(name, data)
	}
	name := filepath.Join(dir, "result.json")
	write(name, "new")
	write(name, "replaced")
	write(name, "")

	if runtime.GOOS != "windows" {
		if err := os.Chmod(name, 0o750); err != nil {
			t.Fatal(err)
		}
		write(name, "executable")
		if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o750 {
			t.Errorf("mode %v, %v; want 0750 as before", info.Mode(), err)
		}
		link := filepath.Join(dir, "link")
		if err := os.Symlink("result.json", link); err != nil {
			t.Fatal(err)
		}
		write(link, "through the link")
		read(name, "through the link")
		if target, err := os.Readlink(link); err != nil || target != "result.json" {
			t.Errorf("the link is now %q, %v", target, err)
		}
		if err := os.Remove(link); err != nil {
			t.Fatal(err)
		}
	}
	for _, bad := range []string{dir, filepath.Join(dir, "none", "x"), filepath.Join(name, "x")} {
		if err := WriteFile(bad, nil); err == nil {
			t.Errorf("%s: no error", bad)
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 {
		t.Errorf("left in the directory: %v, %v; want result.json only", entries, err)
	}
}
