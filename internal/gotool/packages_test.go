package gotool

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestPackages(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":           "module example.com/m\n\ngo 1.25\n",
		"sound/a.go":       "package sound\n",
		"sound/a_test.go":  "package sound\n",
		"empty/read.me":    "nothing here\n",
		"plain/a.go":       "package plain\n",
		"broken/a.go":      "package broken\n\nimport {\n",
		"broken/a_test.go": "package broken\n",
		"lost/a.go":        "package lost\n\nimport _ \"example.com/m/nowhere\"\n",
		"tagged/a.go":      "package tagged\n",
		"tagged/a_test.go": "//go:build special\n\npackage tagged_test\n",
	} {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	ctx := context.Background()
	tool, err := Open(ctx, dir)
	if err != nil {
		t.Fatal(err)
	}
	packages, err := tool.Packages(ctx, []string{"-tags=special"}, "./...")
	if err != nil {
		t.Fatal(err)
	}
	want := []struct {
		name    string
		tests   bool
		problem string // part of it
	}{{"broken", true, "a.go:3:8: "}, {"lost", false, "nowhere"}, {"plain", false, ""}, {"sound", true, ""}, {"tagged", true, ""}}
	if len(packages) != len(want) {
		t.Fatalf("listed %+v", packages)
	}
	for i, w := range want {
		p := packages[i]
		if p.Path != "example.com/m/"+w.name || filepath.Base(p.Dir) != w.name || p.Tests != w.tests {
			t.Errorf("listed %+v, want %s, tests %v", p, w.name, w.tests)
		}
		if (p.Problem == "") != (w.problem == "") || !strings.Contains(p.Problem, w.problem) {
			t.Errorf("%s: problem %q, want %q in it", w.name, p.Problem, w.problem)
		}
	}

	if _, err := tool.Packages(ctx, nil, "./plain", "./nowhere/..."); err == nil || !strings.Contains(err.Error(), "./nowhere/") {
		t.Errorf("a pattern that matches nothing: %v", err)
	}
	if _, err := tool.Packages(ctx, nil, "./empty/..."); err == nil || !strings.Contains(err.Error(), "matches no package") {
		t.Errorf("a directory without packages: %v", err)
	}
	if packages, err := tool.Packages(ctx, nil, "./plain"); err != nil || len(packages) != 1 {
		t.Errorf("one package: %v, %v", packages, err)
	}
}
