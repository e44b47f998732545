package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"mendel/internal/gotool"
)

// writeModule writes a small module: a counter without a lock, and its test.
func writeModule(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":          "module example.com/counter\n\ngo 1.25\n",
		"counter.go":      "package counter\n\nvar n int\n\nfunc add() {\n\tn++\n}\n",
		"counter_test.go": "package counter\n\nimport \"testing\"\n\nfunc TestAdd(t *testing.T) {\n\tif add(); n == 0 {\n\t\tt.Error(n)\n\t}\n}\n",
		"testdata/x":      "left out",
	} {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const counterPatch = `--- a/counter.go
+++ b/counter.go
@@ -3,5 +3,5 @@
 var n int
 
 func add() {
-	n++
+	n--
 }
`

func TestGitApply(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip(err)
	}
	source, dir := writeModule(t), filepath.Join(t.TempDir(), "copy")
	if err := copyModule(dir, source); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "testdata")); !os.IsNotExist(err) {
		t.Errorf("testdata was copied: %v", err)
	}
	patch := filepath.Join(t.TempDir(), "fix-1.patch")
	if err := os.WriteFile(patch, []byte(counterPatch), 0o666); err != nil {
		t.Fatal(err)
	}
	if said, err := gitApply(t.Context(), dir, patch); said != "" || err != nil {
		t.Fatalf("git apply: %q, %v", said, err)
	}
	if got := string(read(t, filepath.Join(dir, "counter.go"))); !strings.Contains(got, "n--") {
		t.Errorf("the patch was not applied:\n%s", got)
	}
	if said, err := gitApply(t.Context(), dir, patch); said == "" || err != nil {
		t.Errorf("a patch that does not apply: %q, %v", said, err)
	}
}

// In a repository git apply would skip files outside the current directory
// without a word.
func TestGitApplyInsideRepository(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip(err)
	}
	top := t.TempDir()
	r, err := gotool.Run(t.Context(), gotool.RunOptions{Path: git, Args: []string{"init", "-q"}, Dir: top})
	if err != nil || r.ExitCode != 0 {
		t.Fatalf("git init: %v: %s", err, r.Output)
	}
	dir := filepath.Join(top, "a", "copy")
	if err := copyModule(dir, writeModule(t)); err != nil {
		t.Fatal(err)
	}
	patch := filepath.Join(t.TempDir(), "fix-1.patch")
	if err := os.WriteFile(patch, []byte(counterPatch), 0o666); err != nil {
		t.Fatal(err)
	}
	if said, err := gitApply(t.Context(), dir, patch); said != "" || err != nil {
		t.Fatalf("git apply: %q, %v", said, err)
	}
	if got := string(read(t, filepath.Join(dir, "counter.go"))); !strings.Contains(got, "n--") {
		t.Error("the patch was not applied")
	}
}

func TestPlainRuns(t *testing.T) {
	dir := writeModule(t)
	c := check{patched: dir, effort: effort{NoRace: true}}
	if problem, err := plainRuns(t.Context(), c, 2); problem != "" || err != nil {
		t.Errorf("passing tests: %q, %v", problem, err)
	}
	name := filepath.Join(dir, "counter.go")
	if err := os.WriteFile(name, []byte("package counter\n\nvar n int\n\nfunc add() {}\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	problem, err := plainRuns(t.Context(), c, 2)
	if err != nil || !strings.Contains(problem, "exit status 1") || !strings.Contains(problem, "TestAdd") {
		t.Errorf("failing tests: %q, %v", problem, err)
	}
}

func TestPeakMemory(t *testing.T) {
	resetPeakMemory()
	before := peakMemory()
	block := make([]byte, 64<<20)
	for i := 0; i < len(block); i += 4096 {
		block[i] = 1
	}
	if after := peakMemory(); before == 0 || after < before+60<<20 {
		t.Errorf("peak %d before and %d after touching 64 MiB (%d)", before, after, block[0])
	}
}
