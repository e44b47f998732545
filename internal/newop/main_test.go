package main

import (
	"errors"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A started operator parses, has its archive and documentation, and is on the list.
func TestStart(t *testing.T) {
	root := t.TempDir()
	if err := makeDirs(root); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"zebra", "ant"} {
		if err := start(root, name); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"ant/ant.go", "ant/doc.go", "ant/testdata/first.txtar"} {
		src, err := os.ReadFile(filepath.Join(root, "mutate", filepath.FromSlash(name)))
		if err != nil {
			t.Error(err)
			continue
		}
		if strings.Contains(string(src), "{{") {
			t.Errorf("%s is not filled in", name)
		}
		if !strings.HasSuffix(name, ".go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, src, 0)
		if err != nil {
			t.Error(err)
		} else if f.Name.Name != "ant" {
			t.Errorf("%s is of package %s", name, f.Name.Name)
		}
	}
	all, err := os.ReadFile(filepath.Join(root, "internal", "operators", "all.go"))
	if err != nil {
		t.Fatal(err)
	}
	ant, zebra := strings.Index(string(all), "ant.Operator"), strings.Index(string(all), "zebra.Operator")
	if ant < 0 || zebra < ant {
		t.Errorf("the list does not have both operators, sorted:\n%s", all)
	}
}

func TestStartRefuses(t *testing.T) {
	root := t.TempDir()
	if err := start(root, "ant"); err == nil {
		t.Error("started outside of the module's root")
	}
	if err := makeDirs(root); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"", "Ant", "an-t", "../ant", "an/t", "1ant"} {
		if err := start(root, name); err == nil {
			t.Errorf("started %q", name)
		}
	}
	if err := start(root, "ant"); err != nil {
		t.Fatal(err)
	}
	if err := start(root, "ant"); err == nil {
		t.Error("started twice")
	}
}

// makeDirs makes the directories that newop writes to.
func makeDirs(root string) error {
	return errors.Join(
		os.MkdirAll(filepath.Join(root, "mutate"), 0o755),
		os.MkdirAll(filepath.Join(root, "internal", "operators"), 0o755))
}
