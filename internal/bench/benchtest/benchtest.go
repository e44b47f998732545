package main

import (
	"flag"
	"os"
	"path/filepath"
	"testing"
)

// update is set by -update.
var update = flag.Bool("update", false, "rewrite the golden files")

// subjectsDir is where the subjects are.
const subjectsDir = "../../subjects"

// read reads a file.
func read(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// writeFile writes a file and makes its directory.
func writeFile(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// writeExecutable writes a program.
func writeExecutable(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o777); err != nil {
		t.Fatal(err)
	}
}

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

// writeSubject writes a subject with a race, and its corrected copy. It returns
// the directory.
func writeSubject(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, copy := range []struct{ dir, add string }{{dir, racyAdd}, {filepath.Join(dir, "testdata", "fixed"), lockedAdd}} {
		writeFile(t, filepath.Join(copy.dir, "go.mod"), "module example.com/counter\n\ngo 1.25\n")
		writeFile(t, filepath.Join(copy.dir, "counter.go"), "package counter\n\nimport \"sync\"\n\nvar (\n\tmu sync.Mutex\n\tn  int\n)\n\nfunc get() int {\n\tmu.Lock()\n\tdefer mu.Unlock()\n\treturn n\n}\n\n"+copy.add)
		writeFile(t, filepath.Join(copy.dir, "counter_test.go"), counterTest)
		writeFile(t, filepath.Join(copy.dir, "workload_test.go"), countingWorkload)
	}
	return dir
}

const (
	racyAdd     = "func add() {\n\tn++\n}\n"
	lockedAdd   = "func add() {\n\tmu.Lock()\n\tn++\n\tmu.Unlock()\n}\n"
	counterTest = `package counter

import (
	"flag"
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
	// lockingPatch is the right patch for the subject.
	lockingPatch = `--- a/counter.go
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

// countingWorkload is a file with a workload of the module.
const countingWorkload = `package counter

import "testing"

func BenchmarkWorkload(b *testing.B) {
	for b.Loop() {
		add()
	}
}
`
