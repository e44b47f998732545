package programs

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"mendel/internal/bench/benchtest"
	"mendel/internal/gotool"
)

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
	source, dir := benchtest.WriteModule(t), filepath.Join(t.TempDir(), "copy")
	if err := Copy(dir, source); err != nil {
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
	if got := string(benchtest.Read(t, filepath.Join(dir, "counter.go"))); !strings.Contains(got, "n--") {
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
	if err := Copy(dir, benchtest.WriteModule(t)); err != nil {
		t.Fatal(err)
	}
	patch := filepath.Join(t.TempDir(), "fix-1.patch")
	if err := os.WriteFile(patch, []byte(counterPatch), 0o666); err != nil {
		t.Fatal(err)
	}
	if said, err := gitApply(t.Context(), dir, patch); said != "" || err != nil {
		t.Fatalf("git apply: %q, %v", said, err)
	}
	if got := string(benchtest.Read(t, filepath.Join(dir, "counter.go"))); !strings.Contains(got, "n--") {
		t.Error("the patch was not applied")
	}
}
