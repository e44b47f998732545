package modules

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mendel/internal/bench/commands"
	"mendel/internal/gotool"
)

// The go command finds all that the copies import, and the tests that were left out
// are none.
func TestStandardPackages(t *testing.T) {
	tool, err := gotool.Open(t.Context(), ".")
	if err != nil {
		t.Fatal(err)
	}
	libraries, err := Options{}.standardLibraries(t.Context(), tool, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if len(libraries) != len(standardPackages) {
		t.Errorf("%d copies of %d packages", len(libraries), len(standardPackages))
	}
	for i, l := range libraries {
		p := standardPackages[i]
		out, err := commands.Go(t.Context(), l.dir, "list", "-test", "-deps", "-f", "{{.ImportPath}}", ".")
		if err != nil {
			t.Errorf("%s: %v", p.Path, err)
		}
		if !strings.Contains(string(out), p.name()) {
			t.Errorf("%s: the package is not in\n%s", p.Path, out)
		}
		for name := range p.Files {
			if _, err := os.Stat(filepath.Join(l.dir, name)); err == nil {
				t.Errorf("%s: %s was copied", p.Path, name)
			}
			if _, err := os.Stat(filepath.Join(tool.GOROOT, "src", filepath.FromSlash(p.Path), name)); err != nil {
				t.Errorf("%s: it has no file %s", p.Path, name)
			}
		}
		for name := range p.Tests {
			if source := testSource(t, l.dir); strings.Contains(source, "\nfunc "+name+"(") || !strings.Contains(source, "\nfunc no"+name+"(") {
				t.Errorf("%s: %s was not left out", p.Path, name)
			}
		}
	}
}

// testSource is the text of all test files in a directory.
func testSource(t *testing.T, dir string) string {
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(data)
	}
	return b.String()
}

func TestStandardRewrite(t *testing.T) {
	c := standardCopy{standardPackage: standardPackage{Path: "a/b", Tests: map[string]string{"TestOut": "it is out"}}, internal: map[string]bool{}}
	const source = `package b_test

import (
	. "a/b"
	"a/b/c"
	"a/bc"
	"internal/reflectlite"
	isync "internal/sync"
)

//go:linkname pin runtime.pin
func pin() int

func TestOut() { pin() }
func TestIn() {}
`
	const want = `package b_test

import (
	. "standard.example/a/b"
	"standard.example/a/b/c"
	"a/bc"
	reflectlite "reflect"
	isync "standard.example/a/b/internal/sync"
)

//go:linkname pin runtime.pin
func pin() int { panic("not outside the standard library") }

func noTestOut() { pin() }
func TestIn() {}
`
	got, err := c.rewrite("b_test.go", []byte(source))
	if err != nil || string(got) != want {
		t.Errorf("%v, got\n%s", err, got)
	}
	if len(c.internal) != 1 || !c.internal["internal/sync"] {
		t.Errorf("internal packages %v", c.internal)
	}
}
