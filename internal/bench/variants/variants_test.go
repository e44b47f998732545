package variants

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mendel/analysis"
	"mendel/internal/bench/benchtest"
	"mendel/internal/bench/tables"
	"mendel/internal/gotool"
	"mendel/internal/sample"
	"mendel/mutate"
)

// The mutants of a program with a race, drawn and built both ways, say the same.
func TestCompare(t *testing.T) {
	if testing.Short() {
		t.Skip("builds with the go command")
	}
	source := benchtest.WriteSubject(t)
	p := program{name: "counter", write: func(dir string) error { return os.CopyFS(dir, os.DirFS(source)) }}
	mutants := sample.Count(3, 6)
	one, err := Options{Mutants: mutants, Schedules: 10, Runs: 1, NoInline: true, Seed: 1}.compare(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	if one.Skipped != "" || one.Mutants != mutants || one.Variants < 2 || one.Compared != mutants || len(one.Differ) > 0 {
		t.Errorf("%+v", one)
	}
}

const drivenSource = `package driven

import (
	"context"
	"net/http"
)

type box[T any] struct{ v T }

func (b *box[T]) get() T { return b.v }

type store struct{ n int }

func (s *store) add(n int, also ...int) { s.n += n }

func (s store) each(ctx context.Context, f func(*http.Request) (int, error), to chan<- int, m map[string]int) {}

func first[T any](list []T) T { return list[0] }

func main() {}

func init() {}
`

// Functions that can be called are called, by a file that compiles.
func TestDriver(t *testing.T) {
	dir := t.TempDir()
	benchtest.WriteFile(t, filepath.Join(dir, "go.mod"), "module example.com/driven\n\ngo 1.25\n")
	benchtest.WriteFile(t, filepath.Join(dir, "driven.go"), drivenSource)
	tool, err := gotool.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	p, err := Options{}.load(t.Context(), tool, program{undriven: true})
	if err != nil {
		t.Fatal(err)
	}
	var driver *analysis.File
	for _, f := range p.Packages[0].Files {
		if f.Test {
			driver = f
		}
	}
	text := string(driver.Source)
	for _, want := range []string{"receiver.add(argument0)", "receiver.each(argument0, argument1, argument2, argument3)", "context.Background()", "func(*http.Request) (int, error)", `"net/http"`} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
	if n := strings.Count(text, "\nfunc TestDrive"); n != 2 {
		t.Errorf("%d tests, want those of add and each:\n%s", n, text)
	}
}

// What golden archives show of edits is no input.
func TestUnpack(t *testing.T) {
	all, err := archives("../../../mutate")
	if err != nil || len(all) < 100 {
		t.Fatalf("%d archives, %v", len(all), err)
	}
	dir := filepath.Join(t.TempDir(), "work")
	if err := all[0].write(dir); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"go.mod", "in.go"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
	if names, err := filepath.Glob(filepath.Join(dir, "edit*")); err != nil || len(names) > 0 {
		t.Errorf("%q, %v", names, err)
	}
	if _, err := archives(t.TempDir()); err == nil || !strings.Contains(err.Error(), "--operators") {
		t.Errorf("without archives: %v", err)
	}
}

// What one shows often and the other never refutes it; chance does not.
func TestTally(t *testing.T) {
	often, seldom, never := tally{allRuns: 43, passes: 30, "race: a": 13}, tally{allRuns: 43, passes: 41, "race: a": 2}, tally{allRuns: 43, passes: 43}
	for _, c := range []struct {
		one, other tally
		want       bool
	}{{often, never, true}, {often, seldom, false}, {seldom, never, false}, {never, often, false}} {
		if got := c.one.refutes(c.other); got != c.want {
			t.Errorf("%v refutes %v: %t", c.one, c.other, got)
		}
	}
	if often.like(never) || !often.like(seldom) {
		t.Error("alike are those that have shown the same")
	}
}

// A difference is a criterion that is not met, and is told by its lines.
func TestReport(t *testing.T) {
	same, other := &row{Program: "a", Mutants: 6, Variants: 5, Compared: 6, NoiseVariants: 5}, &row{Program: "b", Mutants: 2, Variants: 2, Compared: 1, Unstable: 1}
	other.differ(&mutate.Mutant{Edits: []mutate.Edit{{Operator: "addlock", File: "b.go", Line: 3}}}, "checker", "one\n  \"line\": 7\ntwo\n  \"line\": 7\n", "one\n  \"line\": 9\ntwo\n  \"line\": 9\n")
	r := &report{Seed: 1, Programs: []*row{same, other, {Program: "c", Skipped: "it does not build"}}}
	var b strings.Builder
	if err := tables.Print(r, &b, true, nil); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"3 programs: 8 mutants, 7 variants, 7 compared; 5 by noise; 1 differ; 1 not repeatable.",
		"| c | 0 | 0 | 0 | 0 | 0 | 0 | it does not build |",
		"- b: addlock at b.go:3 (checker):\n-\"line\": 7\n+\"line\": 9",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
}
