package benchtest

import (
	"flag"
	"os"
	"path/filepath"
	"testing"
)

// Update is set by -update.
var Update = flag.Bool("update", false, "rewrite the golden files")

// SubjectsDir is where the subjects are, from the directory of a package
// below internal/bench.
const SubjectsDir = "../../../subjects"

// Read reads a file.
func Read(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// WriteFile writes a file and makes its directory.
func WriteFile(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// WriteExecutable writes a program.
func WriteExecutable(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o777); err != nil {
		t.Fatal(err)
	}
}

// WriteModule writes a small module: a counter without a lock, and its test.
func WriteModule(t *testing.T) string {
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

// WriteSubject writes a subject with a race, and its corrected copy. It returns
// the directory.
func WriteSubject(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, copy := range []struct{ dir, add string }{{dir, racyAdd}, {filepath.Join(dir, "testdata", "fixed"), lockedAdd}} {
		WriteFile(t, filepath.Join(copy.dir, "go.mod"), "module example.com/counter\n\ngo 1.25\n")
		WriteFile(t, filepath.Join(copy.dir, "counter.go"), "package counter\n\nimport \"sync\"\n\nvar (\n\tmu sync.Mutex\n\tn  int\n)\n\nfunc get() int {\n\tmu.Lock()\n\tdefer mu.Unlock()\n\treturn n\n}\n\n"+copy.add)
		WriteFile(t, filepath.Join(copy.dir, "counter_test.go"), counterTest)
		WriteFile(t, filepath.Join(copy.dir, "workload_test.go"), CountingWorkload)
	}
	return dir
}

const (
	racyAdd     = "func add() {\n\tn++\n}\n"
	lockedAdd   = "func add() {\n\tmu.Lock()\n\tn++\n\tmu.Unlock()\n}\n"
	counterTest = `package counter

import (
	"sync"
	"testing"
)

func TestAdd(t *testing.T) {
	var wg sync.WaitGroup
	before := get()
	for range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			add()
			_ = get()
		}()
	}
	wg.Wait()
	if got := get(); got != before+2 {
		t.Error(got)
	}
}
`
	// LockingPatch is the right patch for the subject.
	LockingPatch = `--- a/counter.go
+++ b/counter.go
@@ -14,5 +14,7 @@
 }
 
 func add() {
+	mu.Lock()
 	n++
+	mu.Unlock()
 }
`
)

// CountingWorkload is a file with a workload of the module.
const CountingWorkload = `package counter

import "testing"

func BenchmarkWorkload(b *testing.B) {
	for b.Loop() {
		add()
	}
}
`
