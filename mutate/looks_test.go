package mutate_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"mendel/internal/operators"
	"mendel/mutate"
	"mendel/mutate/internal/mutatetest"
)

// mostLooks is through how many functions an operator may go for each function that it is
// asked about. Who goes through those of the program once goes through one; who does so for each
// function, through hundreds, and the time for a large program grows with the square of its size.
const mostLooks = 5

// TestOperatorsLookOnce counts the functions that each operator goes through in a program that has
// what the operators' golden archives have.
func TestOperatorsLookOnce(t *testing.T) {
	dir := t.TempDir()
	program := manyPackages(t, dir)
	writeFile(t, filepath.Join(dir, "go.mod"), []byte("module example.com/many\n\ngo 1.25\n"))
	writeFile(t, filepath.Join(dir, "many.go"), program)
	p, n := mutatetest.Load(t, dir, []string{"*"}, []string{"*"})
	functions, asked, looked := 0, "", make(map[string]int)
	var listed []*mutate.Function
	var all []*mutate.Operator
	for _, op := range operators.All() {
		counted := *op
		if op.Edits != nil {
			counted.Edits = func(fn *mutate.Function) []mutate.Edit { asked = op.Name; return op.Edits(fn) }
		}
		if op.Together != nil {
			counted.Together = func(w *mutate.Whole) []mutate.Edit {
				asked, listed, functions = op.Name, w.Functions, len(w.Functions)
				return op.Together(w)
			}
		}
		all = append(all, &counted)
	}
	s, err := mutate.NewSpace(p, n, all, mutate.FirstEdits(1<<20), mutate.Looked(func(n int) { looked[asked] += n }))
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Edits()) == 0 || functions < 100 {
		t.Fatalf("%d edits of %d functions: that is no program to count in", len(s.Edits()), functions)
	}
	asked = "" // not an operator
	for _, fn := range listed {
		if slices.Contains(fn.OfProgram(), nil) || slices.Contains(fn.OfPackage(), nil) {
			t.Fatalf("an operator has changed a list of functions")
		}
	}
	for _, op := range operators.All() {
		if looks := looked[op.Name]; looks > mostLooks*functions {
			t.Errorf("%s goes through %d functions in a program of %d: look once, and keep what is found by mutate.Once, or ask for Starters, Callers or Mentions", op.Name, looks, functions)
		}
	}
}

// manyPackages writes a package below a directory for the first archive of each operator
// that is a single file, and returns the source of one that imports them.
func manyPackages(t *testing.T, dir string) []byte {
	t.Helper()
	names, err := filepath.Glob("*/testdata/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	program := bytes.NewBufferString("package many\n")
	seen := make(map[string]bool)
	for _, name := range names {
		operator := filepath.Dir(filepath.Dir(name))
		archive, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		source := singleFile(archive)
		if source == nil || seen[operator] {
			continue
		}
		seen[operator] = true
		if err := os.Mkdir(filepath.Join(dir, operator), 0o755); err != nil {
			t.Fatal(err)
		}
		writeFile(t, filepath.Join(dir, operator, "in.go"), source)
		fmt.Fprintf(program, "import _ %q\n", "example.com/many/"+operator)
	}
	return program.Bytes()
}

// singleFile is the input of a golden archive that is one file of a package p; nil if it is more.
func singleFile(archive *txtar.Archive) (source []byte) {
	for _, f := range archive.Files {
		if strings.Contains(f.Name, "/") || strings.HasPrefix(f.Name, "edit") {
			continue // what the test of the operator wants
		}
		if f.Name != "in.go" || !bytes.HasPrefix(f.Data, []byte("package p\n")) && !bytes.Contains(f.Data, []byte("\npackage p\n")) {
			return nil
		}
		source = f.Data
	}
	return source
}
