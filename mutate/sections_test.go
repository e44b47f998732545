package mutate_test

import (
	"fmt"
	"go/ast"
	"path/filepath"
	"strings"
	"testing"

	"mendel/analysis"
	"mendel/mutate"
	"mendel/mutate/internal/mutatetest"
)

// sectionsOf recognises the sections of a testdata package, by function.
func sectionsOf(t *testing.T, dir string) (*analysis.Program, map[string][]*mutate.Section) {
	t.Helper()
	p, n := mutatetest.Load(t, dir, []string{"*"}, []string{"*"})
	found := make(map[string][]*mutate.Section)
	look := &mutate.Operator{Name: "look", Edits: func(fn *mutate.Function) []mutate.Edit {
		found[fn.Name] = fn.Sections()
		return nil
	}}
	if _, err := mutate.NewSpace(p, n, []*mutate.Operator{look}); err != nil {
		t.Fatal(err)
	}
	return p, found
}

func TestSections(t *testing.T) {
	p, found := sectionsOf(t, filepath.Join("testdata", "sections"))
	got := make(map[int]string)
	for _, sections := range found {
		for _, s := range sections {
			got[p.Fset.Position(s.Acquire.Pos()).Line] = describeSection(s)
		}
	}
	for i, line := range strings.Split(string(p.Packages[0].Files[0].Source), "\n") {
		_, want, _ := strings.Cut(line, "// section: ")
		if have := got[i+1]; have != want {
			t.Errorf("sections.go:%d: got section %q, want %q\n%s", i+1, have, want, line)
		}
	}
}

func describeSection(s *mutate.Section) string {
	releases := "release"
	if len(s.Releases) > 1 {
		releases = "releases"
	}
	words := []string{fmt.Sprintf("%d inside, %d %s", len(s.Body), len(s.Releases), releases)}
	add := func(ok bool, word string) {
		if ok {
			words = append(words, word)
		}
	}
	add(s.Read, "read")
	add(s.Deferred, "deferred")
	add(s.InLiteral != nil, "in a literal")
	add(s.Final == nil && !s.Deferred, "in branches")
	add(s.Whole, "whole")
	return strings.Join(words, ", ")
}

func TestSectionHolds(t *testing.T) {
	_, found := sectionsOf(t, filepath.Join("testdata", "sections"))
	early := found["earlyReturns"][0]
	sleep := early.Body[1].(*ast.IfStmt).Body.List[1]
	if early.Holds(sleep) {
		t.Error("a statement after an early release counts as held")
	}
	if !early.Holds(early.Body[1]) || !early.Holds(early.Body[2]) {
		t.Error("a statement of the section does not count as held")
	}
	nested := found["nested"]
	if !nested[0].Encloses(nested[1]) || nested[1].Encloses(nested[0]) {
		t.Error("the order of nested sections is wrong")
	}
	if s := found["again"]; s[0].Encloses(s[1]) || !s[0].SameLock(s[1]) {
		t.Error("two sections of one lock in a row are taken for nested ones, or for two locks'")
	}
	if s := found["nested"]; s[0].SameLock(s[1]) {
		t.Error("the locks of two variables are taken for one")
	}
}
