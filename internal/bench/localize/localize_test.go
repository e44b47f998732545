package localize

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mendel/internal/bench/programs"
)

const subjects = "../../../subjects"

// Each variant can be seeded, and its fault is where the table says.
func TestSeed(t *testing.T) {
	if len(variants) != 9 {
		t.Errorf("%d variants, want the nine of the thesis", len(variants))
	}
	for _, v := range variants {
		dir := filepath.Join(t.TempDir(), v.program)
		if err := programs.Copy(dir, filepath.Join(subjects, "localize", v.program)); err != nil {
			t.Fatal(err)
		}
		lines, err := v.seed(dir)
		if err != nil {
			t.Error(err)
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, v.file))
		if err != nil {
			t.Fatal(err)
		}
		all := strings.Split(string(text), "\n")
		if got := strings.Join(all[lines[0]-1:lines[len(lines)-1]], "\n") + "\n"; got != v.fault {
			t.Errorf("%s %s: the fault is %q, want %q", v.program, v.name, got, v.fault)
		}
		if n, err := statements(filepath.Join(dir, v.file)); err != nil || len(n) == 0 {
			t.Errorf("%s %s does not parse: %v", v.program, v.name, err)
		}
	}
}

func TestDistance(t *testing.T) {
	all := []int{10, 11, 12, 20, 21}
	for _, c := range []struct {
		line  int
		fault []int
		want  int
	}{{12, []int{12}, 0}, {10, []int{12, 20}, 2}, {13, []int{12}, 0}, {21, []int{10}, 4}, {10, nil, 5}} {
		if got := distance(all, c.line, c.fault); got != c.want {
			t.Errorf("from %d to %v: %d, want %d", c.line, c.fault, got, c.want)
		}
	}
}

// What is asked is judged: distances, places of subjects, reports on correct programs.
func TestFailures(t *testing.T) {
	r := &report{Rows: []row{
		{Set: CFLASHSet, Program: "a", Variant: "correct", Status: "found"},
		{Set: CFLASHSet, Program: "a", Variant: "RSB", Status: "found", Distance: 4, Seconds: 30},
		{Set: CoreSet, Program: "c", Status: "found", Rank: 4},
	}}
	got := strings.Join(r.Failures(), "\n")
	for _, want := range []string{"a correct: found", "a RSB: 4 statements", "median distance is 4.0", "30.0 s on average", "in 0 of 1 subjects"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	r = &report{Rows: []row{
		{Set: CFLASHSet, Program: "a", Variant: "correct", Status: "nothing-found"},
		{Set: CFLASHSet, Program: "a", Variant: "RSB", Status: "found", Seconds: 3},
		{Set: CoreSet, Program: "c", Status: "found", Rank: 3},
	}}
	if got := r.Failures(); len(got) > 0 {
		t.Errorf("%v", got)
	}
}
