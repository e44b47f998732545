package mutatetest

import (
	"slices"
	"strings"
	"testing"

	"mendel/analysis"
	"mendel/mutate"
)

func TestParseArchive(t *testing.T) {
	a, err := parseArchive([]byte("What: it is.\n\nshared: A.b c\nonly: f\nset: 1 2\nset: 3\n-- in.go --\npackage p\n-- edit 1 --\nold\n-- edit 1/in.go --\nold\n-- edits 1+2 --\nold\n-- editor.go --\npackage p\n"))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(a.shared, []string{"A.b", "c"}) || !slices.Equal(a.only, []string{"f"}) || len(a.sets) != 2 || !slices.Equal(a.sets[0], []int{1, 2}) {
		t.Errorf("directives are %v, %v, %v", a.shared, a.only, a.sets)
	}
	if len(a.input) != 2 || a.file("in.go") == nil || a.file("editor.go") == nil {
		t.Errorf("the input is %v", a.input)
	}
}

// A misspelt directive is an error, not prose.
func TestParseArchiveRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"share: x\n": "no directive",
		"set: one\n": "not the number",
		"set: 0\n":   "not the number",
	} {
		if _, err := parseArchive([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want an error with %q", text, err, want)
		}
	}
}

func TestDescribe(t *testing.T) {
	e := mutate.Edit{
		File: "in.go", Line: 3, Func: "f", Count: 2, Read: true, Vars: []string{"a", "b"},
		Lock: &analysis.Lock{Expr: "mu", New: &analysis.NewLock{}},
	}
	if got, want := describe(e), "in.go:3 f, 2 statements, rlock mu (new), guards a b\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	e = mutate.Edit{File: "in.go", Line: 3, Func: "f", Parts: []mutate.Edit{{Operator: "addlock", File: "in.go", Line: 4, Func: "g"}}}
	if got, want := describe(e), "in.go:3 f\n  addlock in.go:4 g\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
