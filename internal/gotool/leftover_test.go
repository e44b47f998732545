//go:build unix

package gotool

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// leftoverEnv makes this test binary a process that makes a temporary
// directory with a directory in it that cannot be read, and waits to be killed.
const leftoverEnv = "GOTOOL_TEST_LEFTOVER"

func init() {
	if os.Getenv(leftoverEnv) == "" {
		return
	}
	dir, _, err := TempDir()
	if err == nil {
		err = os.MkdirAll(filepath.Join(dir, "closed", "file"), 0o700)
	}
	if err == nil {
		err = os.Chmod(filepath.Join(dir, "closed"), 0)
	}
	if err != nil {
		os.Stdout.WriteString(err.Error() + "\n")
		os.Exit(1)
	}
	os.Stdout.WriteString(dir + "\n")
	time.Sleep(time.Hour)
}

// Temporary directories of a killed process are removed. Those of a process that
// lives, and files with similar names, stay.
func TestRemoveLeftovers(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), leftoverEnv+"=1")
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	text := bufio.NewScanner(stdout)
	if !text.Scan() {
		t.Fatal("the process said nothing")
	}
	left := text.Text()
	if !claimedName.MatchString(filepath.Base(left)) {
		t.Fatalf("the process said %q", left)
	}

	own, remove, err := TempDir()
	if err != nil {
		t.Fatal(err)
	}
	const claimed = "mendel-0123abcd-"
	others := []string{"mendel-notes", claimed + "notes", claimed + "AAAAAAAAAAAAAAAAAAAAAAAAAAX"}
	for _, name := range others {
		if err := os.Mkdir(filepath.Join(temp, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	file := claimed + "AAAAAAAAAAAAAAAAAAAAAAAAAA"
	if err := os.WriteFile(filepath.Join(temp, file), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	link := claimed + "BBBBBBBBBBBBBBBBBBBBBBBBBB"
	if err := os.Symlink(t.TempDir(), filepath.Join(temp, link)); err != nil {
		t.Fatal(err)
	}

	if n, err := RemoveLeftovers(); n != 0 || err != nil {
		t.Errorf("while the process lives: %d removed, %v", n, err)
	}
	cmd.Process.Kill()
	cmd.Wait() // killed
	if n, err := RemoveLeftovers(); n != 1 || err != nil {
		t.Errorf("after its end: %d removed, %v; want 1", n, err)
	}
	if _, err := os.Lstat(left); !os.IsNotExist(err) {
		t.Errorf("%s is still there: %v", left, err)
	}
	for _, name := range append(others, file, link, filepath.Base(own)) {
		if _, err := os.Lstat(filepath.Join(temp, name)); err != nil {
			t.Error(err)
		}
	}
	if err := remove(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(own); !os.IsNotExist(err) {
		t.Errorf("%s is still there: %v", own, err)
	}
}
