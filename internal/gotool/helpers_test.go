//go:build unix

package gotool

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/tools/txtar"
)

// privateTemp gives the test a temporary directory of its own and checks in
// the end that nothing was left there.
func privateTemp(t *testing.T) {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	t.Cleanup(func() {
		left, err := filepath.Glob(filepath.Join(dir, "*"))
		if err != nil || len(left) > 0 {
			t.Errorf("left behind: %v %v", left, err)
		}
	})
}

var pidLine = regexp.MustCompile(`(?m)^pid (\d+)$`)

// checkGone checks that all processes are gone that said their id.
func checkGone(t *testing.T, output []byte, atLeast int) {
	t.Helper()
	pids := map[int]bool{}
	for _, m := range pidLine.FindAllSubmatch(output, -1) {
		pid, err := strconv.Atoi(string(m[1]))
		if err != nil {
			t.Fatal(err)
		}
		pids[pid] = true
	}
	if len(pids) < atLeast {
		t.Errorf("%d processes spoke, want at least %d:\n%s", len(pids), atLeast, output)
	}
	for pid := range pids {
		if alive(pid) {
			t.Errorf("process %d is left", pid)
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}
}

// alive reports whether a process exists and is no zombie.
func alive(pid int) bool {
	out, err := exec.Command("ps", "-o", "stat=", "-p", strconv.Itoa(pid)).Output()
	return err == nil && len(bytes.TrimSpace(out)) > 0 && !bytes.HasPrefix(out, []byte("Z"))
}

// waitFor polls until a condition holds; it gives up long after it should.
func waitFor(t *testing.T, condition func() bool) {
	t.Helper()
	for range 3000 {
		if condition() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Error("waited too long")
}

// tree writes a txtar archive to a temporary directory, and checks in the end
// that no build changed it.
func tree(t *testing.T, archive string) string {
	t.Helper()
	dir := t.TempDir()
	for _, file := range txtar.Parse([]byte(archive)).Files {
		name := filepath.Join(dir, filepath.FromSlash(file.Name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, file.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	before := hashTree(t, dir)
	t.Cleanup(func() {
		if hashTree(t, dir) != before {
			t.Errorf("the tree below %s changed", dir)
		}
	})
	return dir
}

func hashTree(t *testing.T, dir string) (sum [sha256.Size]byte) {
	t.Helper()
	h := sha256.New()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			fmt.Fprintln(h, path)
			return err
		}
		data, err := os.ReadFile(path)
		fmt.Fprintf(h, "%s\n%s\n", path, data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return [sha256.Size]byte(h.Sum(nil))
}

func open(t *testing.T, dir string) *Toolchain {
	t.Helper()
	tool, err := Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	return tool
}

// buildAndRun builds o, which must succeed, runs all its tests verbosely and returns what they print.
func buildAndRun(t *testing.T, tool *Toolchain, o BuildOptions) string {
	t.Helper()
	o.Output = filepath.Join(t.TempDir(), "test.exe")
	if err := tool.BuildTest(t.Context(), o); err != nil {
		t.Fatalf("build %s: %v", o.Package, err)
	}
	r, err := tool.Run(t.Context(), RunOptions{Path: o.Output, Args: []string{"-test.v"}, Dir: tool.Dir})
	if err != nil || r.Stop != Exited || r.ExitCode != 0 {
		t.Fatalf("run tests of %s: Stop %q, exit code %d, %v\n%s", o.Package, r.Stop, r.ExitCode, err, r.Output)
	}
	return string(r.Output)
}

func wantLines(t *testing.T, output string, lines ...string) {
	t.Helper()
	for _, line := range lines {
		if !strings.Contains("\n"+output, "\n"+line+"\n") {
			t.Errorf("no line %q in\n%s", line, output)
		}
	}
}
