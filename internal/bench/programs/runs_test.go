package programs

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mendel/internal/bench/benchtest"
)

func TestPlainRuns(t *testing.T) {
	dir := benchtest.WriteModule(t)
	c := Patched{Dir: dir, Effort: Effort{NoRace: true}}
	if problem, err := PlainRuns(t.Context(), c, 2); problem != "" || err != nil {
		t.Errorf("passing tests: %q, %v", problem, err)
	}
	name := filepath.Join(dir, "counter.go")
	if err := os.WriteFile(name, []byte("package counter\n\nvar n int\n\nfunc add() {}\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	problem, err := PlainRuns(t.Context(), c, 2)
	if err != nil || !strings.Contains(problem, "exit status 1") || !strings.Contains(problem, "TestAdd") {
		t.Errorf("failing tests: %q, %v", problem, err)
	}
}
